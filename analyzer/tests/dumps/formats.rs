//! The other formats by hand, and files that are none.

use super::bytes::{captured, phd, small};
use super::content::{at, objects, read, shape};
use super::mutate::packed;
use rootbound::heap::RootKind;
use rootbound_wire::frame;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureMethod, FromAgent};

#[test]
fn a_text_dump_as_heap_roots_reads_it() {
    let text = "0x1018f000 [96] class java/lang/String 0x1018f030\n\
                0x1018f030 [32] java/lang/String 0x1018f050\n\
                0x1018f050 [40] array of char\n\
                0x1018f078 [24] array of java/lang/String 0x1018f030 0x1018f999\n\
                0x1018f090 [24] array of [I 0x1018f050\n";
    let read = read(text.as_bytes()).unwrap();
    let names: Vec<_> = shape(&read.heap).into_iter().map(|object| (object.0, object.1, object.2.len())).collect();
    let expected = [
        ("java.lang.Class", 96, 1),
        ("java.lang.String", 32, 1),
        ("char[]", 40, 0),
        ("java.lang.String[]", 24, 1),
        ("int[][]", 24, 1),
    ];
    assert_eq!(names, expected.map(|(name, bytes, references)| (name.to_owned(), bytes, references)));
    assert_eq!((read.dangling_count, read.format), (1, "IBM text"));
    assert_eq!(read.heap.roots()[0].kind, RootKind::Class);
}

#[test]
fn a_text_dump_as_openj9_writes_it() {
    let text = "// Version: JRE 1.8.0 Linux amd64-64 (build 1.8.0_232-b09)\n\
                0x00000000E00174F0 [80] CLS java/util/Date\n\t0x00000000E0000AF0 0x00000000E0000B00\n\
                0x00000000E0000AF0 [16] OBJ java/lang/String\n\t0x00000000E0000B00\n\
                0x00000000E0000B00 [32] OBJ [C\n\n\
                0x00000000E0000B20 [16] OBJ java/lang/ref/WeakReference\r\n\t0x00000000E0000AF0\r\n\
                // EOF:  Total 'Objects',Refs(null) : 4,4(0)\n";
    let read = read(text.as_bytes()).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    let degrees: Vec<_> = objects(&read.heap).into_iter().map(|object| (object.0, object.2.len())).collect();
    let expected = [("java.lang.String", 1), ("char[]", 0), ("java.lang.ref.WeakReference", 0), ("java.lang.Class", 2)];
    assert_eq!(degrees, expected.map(|(name, references)| (name.to_owned(), references)));
}

#[test]
fn a_portable_heap_dump() {
    let read = read(&phd()).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    assert_eq!((read.format, read.dangling_count), ("PHD", 0));
    let heap = &read.heap;
    let of = |address| shape(heap)[at(heap, address).at()].clone();
    let node = "shop.Node".to_owned();
    assert_eq!(of(0x2000), (node.clone(), 24, vec![at(heap, 0x2018)]));
    assert_eq!(of(0x2018), (node.clone(), 24, vec![]));
    assert_eq!(of(0x2030), (node + "[]", 40, vec![at(heap, 0x2000), at(heap, 0x2018)]));
    assert_eq!(of(0x2058), ("byte[]".to_owned(), 24, vec![]));
    let superclass = heap.classes().by_name("shop.Node").and_then(|class| heap.classes().get(class).superclass);
    assert_eq!(superclass, heap.classes().by_name("java.lang.Object"));
}

#[test]
fn the_xml_of_insane() {
    let text = "<?xml version='1.0'?>\n<insane>\n\
                <object id='1' type='java.util.HashMap' size='40'/>\n\
                <ref name='org.shop.Orders.all' to='1'/>\n\
                <object id='2' type='[C' size='24' value='a>b'/>\n\
                <ref from='1' name='java.util.HashMap.table' to='2'/>\n\
                <object id='a' type='[Ljava.lang.Object;' size='16'/>\n\
                <ref from='a' name='3' to='1'/>\n<ref from='1' name='java.util.HashMap.more' to='a'/>\n</insane>";
    let heap = read(text.as_bytes()).unwrap().heap;
    let all = objects(&heap);
    let names: Vec<&str> = all.iter().map(|object| object.0.as_str()).collect();
    assert_eq!(names, ["java.util.HashMap", "char[]", "java.lang.Object[]", "java.lang.Class"]);
    let fields: Vec<&str> = all[0].2.iter().map(|reference| reference.0.as_str()).collect();
    assert_eq!(fields, ["java.util.HashMap.more", "java.util.HashMap.table"]);
    assert_eq!(all[2].2, [("[3]".to_owned(), at(&heap, 1))]);
    assert_eq!(all[3].2, [("org.shop.Orders.all".to_owned(), at(&heap, 1))]);
    assert_eq!(heap.roots()[0].object, at(&heap, 0x18));
}

#[test]
fn a_wrong_byte_in_xml_costs_one_name_and_entities_are_resolved() {
    let text = "<insane>\n<object id='1' type='a.B' size='8'/>\n\
                <ref from='1' name='a.B.?' to='1'/>\n<ref from='1' name='a.B.&lt;x&#62;&other;' to='1'/>\n\
                <ref from='1' name='a.B.&lt;x&#62;' to='1'/>\n<object id='2' type='a.C' size='8'/>\n</insane>";
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xFF } else { byte }).collect();
    let all = objects(&read(&bytes).unwrap().heap);
    let mut fields: Vec<&str> = all[0].2.iter().map(|reference| reference.0.as_str()).collect();
    fields.sort_unstable();
    assert_eq!(fields, ["a.B.&lt;x&#62;&other;", "a.B.<x>", "a.B.\u{FFFD}"]);
    assert_eq!(all[1].0, "a.C");
}

#[test]
fn the_text_form_of_hprof_is_refused_by_its_name() {
    let text = "JAVA PROFILE 1.0.1, created Tue Nov 24 04:17:47 2026\n\nHeader for -agentlib:hprof\n";
    let refusal = read(text.as_bytes()).unwrap_err().to_string();
    assert!(refusal.starts_with("this is the text form of HPROF (format=a)"), "{refusal}");
    let damaged = read(b"JAVA PROFILE 1.0.2").unwrap_err().to_string();
    assert!(damaged.contains("damaged"), "{damaged}");
}

#[test]
fn packed_dumps_of_several_members_are_unpacked() {
    let bytes = small(8).done();
    let members = [packed(&bytes[..200]), packed(&bytes[200..])].concat();
    assert_eq!(objects(&read(&members).unwrap().heap), objects(&read(&bytes).unwrap().heap));
}

#[test]
fn a_packed_dump_that_is_cut_off_is_read_as_far_as_it_unpacks() {
    let members = packed(&small(8).done());
    for length in 0..members.len() {
        if let Ok(read) = read(&members[..length]) {
            assert!(!read.warnings.is_empty(), "cut at {length}");
        }
    }
}

#[test]
fn what_is_no_dump_is_refused_with_what_was_expected() {
    assert!(read(b"").unwrap_err().to_string().starts_with("the file is empty; expected was HPROF"));
    for bytes in [&b"hello"[..], b"\0\0\0\0", b"PK\x03\x04", b"\x7fELF", &packed(b"hello")] {
        let text = read(bytes).unwrap_err().to_string();
        assert!(text.contains("no known heap dump") && text.contains("PHD"), "{text}");
    }
}

#[test]
fn the_last_whole_capture_of_a_recording_is_its_heap() {
    let (mut bytes, objects_of_last) = (captured(3), captured(5));
    bytes.extend(&objects_of_last);
    let whole = read(&bytes).unwrap();
    assert_eq!((whole.format, whole.warnings.len()), ("recording", 0));
    let chain = |heap: &rootbound::heap::Heap| objects(heap).iter().filter(|object| object.0 == "shop.Order").count();
    assert_eq!(chain(&whole.heap), 5);
    // A third one that was given up, and a fourth that the end of the recording cut.
    let failed = CaptureDone { snapshot: SnapshotId(9), failure: Some("no room".to_owned()), ..CaptureDone::default() };
    let method = CaptureMethod::Tags;
    let started = FromAgent::CaptureStarted { snapshot: SnapshotId(9), at_ms: 9, method };
    frame::append(&started, &mut bytes).unwrap();
    frame::append(&FromAgent::CaptureDone(failed), &mut bytes).unwrap();
    bytes.extend(&objects_of_last[..objects_of_last.len() - 60]);
    let cut = read(&bytes).unwrap();
    assert_eq!(chain(&cut.heap), 5);
    assert!(cut.warnings.iter().any(|warning| warning.to_string().contains("no room")), "{:?}", cut.warnings);
}

#[test]
fn a_recording_without_a_capture_says_so() {
    let mut bytes = Vec::new();
    let started = FromAgent::CaptureStarted { snapshot: SnapshotId(9), at_ms: 9, method: CaptureMethod::Tags };
    frame::append(&started, &mut bytes).unwrap();
    assert!(read(&bytes).unwrap_err().to_string().contains("no whole capture"));
}
