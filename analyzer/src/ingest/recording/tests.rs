//! Recordings that are whole, cut off, damaged, of another format, and empty.

use super::*;
use rootbound_wire::class_table::ClassTable;
use rootbound_wire::frame;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{ClassRecord, FromAgent, GoodbyeReason, ToAgent};
use rootbound_wire::packing::Packer;
use std::fs;

fn goodbye(at_ms: u64) -> FromAgent {
    FromAgent::Goodbye { at_ms, reason: GoodbyeReason::VmDeath }
}

fn recorded(messages: &[FromAgent]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for message in messages {
        frame::append(message, &mut bytes).unwrap();
    }
    bytes
}

fn read_all(bytes: &[u8]) -> Result<(usize, Damage), RecordingError> {
    let mut reader = RecordingReader::new(bytes);
    let mut count = 0;
    while reader.next_message()?.is_some() {
        count += 1;
    }
    Ok((count, reader.damage()))
}

#[test]
fn what_is_written_is_read_back_in_order_with_its_direction() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.rootbound");
    let mut writer = RecordingWriter::create(&path).unwrap();
    writer.append(&goodbye(1)).unwrap();
    writer.append(&ToAgent::Welcome).unwrap();
    writer.flush().unwrap();
    let mut reader = RecordingReader::open(&path).unwrap();
    assert_eq!(reader.next_message().unwrap(), Some(RecordedMessage::FromAgent(goodbye(1))));
    assert_eq!(reader.next_message().unwrap(), Some(RecordedMessage::ToAgent(ToAgent::Welcome)));
    assert_eq!(reader.next_message().unwrap(), None);
    assert_eq!(reader.damage(), Damage::default());
}

#[test]
fn the_recorded_bytes_are_those_that_crossed_the_socket() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run.rootbound");
    let mut writer = RecordingWriter::create(&path).unwrap();
    writer.append(&goodbye(77)).unwrap();
    writer.flush().unwrap();
    assert_eq!(fs::read(&path).unwrap(), recorded(&[goodbye(77)]));
}

#[test]
fn a_recording_that_was_cut_off_is_read_up_to_the_cut_and_says_so() {
    let mut bytes = recorded(&[goodbye(1), goodbye(2)]);
    bytes.truncate(bytes.len() - 3);
    let (count, damage) = read_all(&bytes).unwrap();
    assert_eq!(count, 1);
    assert!(damage.torn_bytes > 0);
    assert!(damage.sentences()[0].contains("cut off"));
}

#[test]
fn damage_in_the_middle_is_skipped_and_counted() {
    let mut bytes = recorded(&[goodbye(1)]);
    bytes.extend_from_slice(b"garbage");
    bytes.extend(recorded(&[goodbye(2)]));
    let (count, damage) = read_all(&bytes).unwrap();
    assert_eq!((count, damage.skipped_bytes), (2, 7));
}

#[test]
fn a_recording_of_another_version_is_refused_and_both_are_named() {
    let (ours, theirs) = (rootbound_wire::PROTOCOL_VERSION, rootbound_wire::PROTOCOL_VERSION + 1);
    let recording = crate::ingest::fake_agent::of_version(theirs, &recorded(&[goodbye(1)]));
    let error = read_all(&recording).unwrap_err().to_string();
    assert!(error.contains(&format!("version {theirs}")) && error.contains(&format!("version {ours}")), "{error}");
}

#[test]
fn a_recording_of_version_9_is_read_as_before() {
    let old = crate::ingest::fake_agent::of_version(9, &recorded(&[goodbye(1)]));
    assert_eq!(read_all(&old).unwrap(), (1, Damage::default()));
    let older = crate::ingest::fake_agent::of_version(8, &recorded(&[goodbye(1)]));
    assert!(read_all(&older).unwrap_err().to_string().contains("version 8"));
}

#[test]
fn classes_that_stand_once_in_a_file_are_read_in_each_capture_and_lost_ones_are_reported() {
    let class = |id| ClassRecord {
        object: ObjectId(id),
        name: "shop.Order".to_owned(),
        loader: None,
        superclass: None,
        interfaces: Vec::new(),
        is_interface: false,
        fields: Vec::new(),
    };
    let messages = [FromAgent::Classes(vec![class(1)]), FromAgent::Classes(vec![class(7)])];
    let (mut table, mut bytes) = (ClassTable::default(), Vec::new());
    table.share(&recorded(&messages), &mut Packer::new(), &mut bytes);
    let mut reader = RecordingReader::new(&bytes[..]);
    let read = std::iter::from_fn(|| reader.next_message().unwrap()).collect::<Vec<_>>();
    assert_eq!(read, messages.map(RecordedMessage::FromAgent));
    assert_eq!(reader.damage(), Damage::default());
    // A byte of the declaration is damaged.
    bytes[frame::HEADER_BYTES] ^= 1;
    let (count, damage) = read_all(&bytes).unwrap();
    assert_eq!((count, damage.undecodable_frames), (0, 2));
    assert!(damage.skipped_bytes > 0);
}

#[test]
fn a_file_without_a_frame_is_no_recording() {
    for bytes in [&b""[..], b"just some text, longer than the header of a frame"] {
        assert!(matches!(read_all(bytes), Err(RecordingError::NoFrame)));
    }
}

#[test]
fn a_disk_that_fails_is_reported_once() {
    let mut writer = RecordingWriter::create(std::path::Path::new("/dev/full")).unwrap();
    let reported: Vec<String> =
        (0..64).filter_map(|at| writer.append(&goodbye(at)).err()).map(|error| error.to_string()).collect();
    assert_eq!(reported.len(), 1, "{reported:?}");
    assert!(reported[0].contains("/dev/full"));
}
