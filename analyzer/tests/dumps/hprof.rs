//! HPROF by hand: what records mean, and lengths that lie.

use super::bytes::{Hprof, small};
use super::content::{at, objects, read, read_with, roots};
use rootbound::heap::DumpRules;

#[test]
fn ids_of_four_and_eight_bytes_show_the_same_heap() {
    let (wide, narrow) = (read(&small(8).done()).unwrap(), read(&small(4).done()).unwrap());
    assert_eq!(wide.heap.object_count(), 19);
    let names = |heap| objects(heap).into_iter().map(|object| (object.0, object.2)).collect::<Vec<_>>();
    assert_eq!(names(&wide.heap), names(&narrow.heap));
    assert_eq!(roots(&wide.heap), roots(&narrow.heap));
    assert!(wide.warnings.is_empty() && narrow.warnings.is_empty());
    assert_eq!((wide.dangling_count, wide.repeated_count, wide.format), (0, 0, "HPROF"));
}

#[test]
fn fields_elements_and_static_fields_bear_their_names() {
    let heap = read(&small(8).done()).unwrap().heap;
    let all = objects(&heap);
    let of = |address| all[at(&heap, address).at()].clone();
    assert_eq!(of(0x2000).2, [("shop.Node.next".to_owned(), at(&heap, 0x2018))]);
    assert_eq!(of(0x2048).0, "shop.Node[]");
    assert_eq!(of(0x2048).2, [("[0]".to_owned(), at(&heap, 0x2000)), ("[2]".to_owned(), at(&heap, 0x2030))]);
    assert!(of(0x1200).2.contains(&("shop.Node.head".to_owned(), at(&heap, 0x2000))));
    assert_eq!(of(0x1200).0, "java.lang.Class");
}

#[test]
fn a_local_variable_has_its_method_and_its_threads_name() {
    let heap = read(&small(8).done()).unwrap().heap;
    assert_eq!(heap.threads()[0].name, "main");
    let local = roots(&heap).into_iter().find(|root| root.1 == "OnStack").unwrap();
    assert_eq!((local.0, local.2.as_str(), local.3.as_str()), (at(&heap, 0x2048), "main", "shop.Node.run"));
}

#[test]
fn weak_referents_are_cut_unless_they_are_wanted() {
    let bytes = small(8).done();
    let referents = |rules| {
        let heap = read_with(&bytes, rules).unwrap().heap;
        objects(&heap)[at(&heap, 0x2088).at()].2.len()
    };
    assert_eq!(referents(DumpRules::default()), 0);
    assert_eq!(referents(DumpRules { keeps_all: true, ..DumpRules::default() }), 1);
}

#[test]
fn sizes_follow_from_the_addresses() {
    let heap = read(&small(8).done()).unwrap().heap;
    let bytes = |address| heap.shallow_bytes(at(&heap, address));
    // A node: header 12, reference 4, int 4; three ints behind a header of 16; one element fewer than four bytes each.
    assert_eq!([bytes(0x2000), bytes(0x2068), bytes(0x2048)], [24, 32, 32]);
}

#[test]
fn lengths_of_segments_that_are_none_are_not_believed() {
    let right = read(&small(8).done()).unwrap();
    for (stated, tag) in [(Some(0), 0x1C), (Some(0), 0x0C), (Some(77), 0x0C), (Some(u32::MAX), 0x1C), (None, 0x0C)] {
        let mut dump = small(8);
        let first = dump.bytes.clone();
        // The last segment once more, with another length.
        let at = first.windows(5).rposition(|window| window == [0x1C, 0, 0, 0, 0]).unwrap();
        let heap = first[at + 9..].to_vec();
        dump.bytes.truncate(at);
        dump.heap = heap;
        dump.end_segment(tag, stated);
        let read = read(&dump.done()).unwrap();
        assert_eq!(objects(&read.heap), objects(&right.heap), "{stated:?}");
        assert!(read.warnings.is_empty(), "{stated:?}: {:?}", read.warnings);
    }
}

#[test]
fn objects_that_stand_twice_and_references_to_nowhere_are_counted() {
    let mut dump = small(8);
    let bodies = [dump.id(0x2018), dump.id(0xDEAD_BEE8)].map(|id| [id, vec![0; 4]].concat());
    dump.instance(0x2000, 0x1200, &bodies[0]);
    dump.instance(0x3000, 0x1200, &bodies[1]);
    let read = read(&dump.done()).unwrap();
    assert_eq!((read.repeated_count, read.dangling_count), (1, 1));
    assert_eq!(read.heap.object_count(), 20);
}

#[test]
fn damage_in_one_segment_leaves_the_next_one_readable() {
    let mut dump = small(8);
    dump.primitives(0x4000, 8, 8, &[0; 8]);
    dump.heap.extend([0x77; 40]);
    dump.end_segment(0x1C, None);
    dump.primitives(0x5000, 8, 8, &[0; 8]);
    let read = read(&dump.done()).unwrap();
    assert!(read.heap.of_dump_id(0x4000).is_some() && read.heap.of_dump_id(0x5000).is_some());
    assert!(read.warnings[0].to_string().contains("40 bytes were left out"), "{:?}", read.warnings);
}

#[test]
fn androids_records_are_understood() {
    let mut dump = Hprof::new("1.0.3", 4);
    dump.load(1, 0x1000, "java.lang.Object");
    dump.heap.extend([0xFE, 0, 0, 0, 1, 0, 0, 0, 9]);
    dump.class(0x1000, 0, 8, &[], &[]);
    dump.instance(0x2000, 0x1000, &[]);
    for tag in 0x89..=0x8D {
        dump.root(tag, 0x2000, &[]);
    }
    dump.root(0x8E, 0x2000, &[0; 8]);
    dump.root(0x90, 0x2000, &[]);
    dump.heap.extend([0xC3, 0, 0, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, 5, 8]);
    let read = read(&dump.done()).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    assert_eq!((read.heap.object_count(), read.heap.roots().len()), (3, 6));
}

#[test]
fn a_threads_name_without_its_characters_is_none() {
    let mut dump = small(8);
    // Thread, string, and at the very end of the segment its array, dumped without elements.
    let body = |dump: &Hprof, id: u64, rest: &[u8]| [&dump.id(id), rest].concat();
    let bodies = [body(&dump, 0x3018, &[]), body(&dump, 0x3030, &[0])];
    dump.instance(0x3000, 0x1600, &bodies[0]);
    dump.instance(0x3018, 0x1700, &bodies[1]);
    dump.root(0x08, 0x3000, &[0, 0, 0, 2, 0, 0, 0, 9]);
    let array = [&[0xC3][..], &dump.id(0x3030), &[0; 4], &[0, 0, 0, 200], &[8]].concat();
    dump.heap.extend(array);
    let names: Vec<String> = read(&dump.done()).unwrap().heap.threads().iter().map(|each| each.name.clone()).collect();
    assert_eq!(names, ["main", ""]);
}

#[test]
fn a_header_that_no_version_has_is_refused() {
    let mut bytes = small(8).done();
    bytes[22] = 7;
    assert!(read(&bytes).unwrap_err().to_string().contains("id size of 4 or 8"));
}
