//! Frames survive what streams do to them: arbitrary cuts, damage, foreign bytes, other versions.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use proptest::prelude::*;
use rootbound_wire::PROTOCOL_VERSION;
use rootbound_wire::frame::{self, FrameError, FrameReader, HEADER_BYTES};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{FromAgent, ObjectRecord, ToAgent};

fn objects(count: u64) -> FromAgent {
    let record = |id| ObjectRecord {
        id: ObjectId(id),
        class: Some(ObjectId(1)),
        shallow_bytes: 16,
        array_length: None,
        first_seen: SnapshotId(1),
        mark: None,
    };
    FromAgent::Objects((1..=count).map(record).collect())
}

fn three_frames() -> Vec<u8> {
    let mut bytes = Vec::new();
    for count in [1, 20, 3] {
        frame::append(&objects(count), &mut bytes).unwrap();
    }
    bytes
}

/// Messages read until the end, with the reader that read them.
fn read_all(bytes: &[u8]) -> (Vec<FromAgent>, FrameReader<&[u8]>) {
    let mut reader = FrameReader::new(bytes);
    let mut messages = Vec::new();
    while let Some(frame) = reader.next_frame().unwrap() {
        messages.push(frame.message().unwrap().unwrap());
    }
    (messages, reader)
}

#[test]
fn what_is_written_is_read_again() {
    let bytes = three_frames();
    let (messages, reader) = read_all(&bytes);
    assert_eq!(messages, [objects(1), objects(20), objects(3)]);
    assert_eq!((reader.skipped_bytes(), reader.torn_bytes()), (0, 0));
}

#[test]
fn a_torn_tail_is_counted_and_loses_only_itself() {
    let bytes = three_frames();
    let (messages, reader) = read_all(&bytes[..bytes.len() - 1]);
    assert_eq!(messages, [objects(1), objects(20)]);
    let mut last = Vec::new();
    frame::append(&objects(3), &mut last).unwrap();
    assert_eq!((reader.skipped_bytes(), reader.torn_bytes()), (0, last.len() as u64 - 1));
}

#[test]
fn damage_inside_one_frame_loses_only_that_frame() {
    let mut bytes = three_frames();
    let mut first = Vec::new();
    frame::append(&objects(1), &mut first).unwrap();
    bytes[first.len() + HEADER_BYTES + 5] ^= 0x40;
    let (messages, reader) = read_all(&bytes);
    assert_eq!(messages, [objects(1), objects(3)]);
    assert!(reader.skipped_bytes() > 0);
}

#[test]
fn a_frame_of_another_version_is_refused_naming_both() {
    let mut bytes = Vec::new();
    frame::append(&ToAgent::Welcome, &mut bytes).unwrap();
    let foreign = with_version(&bytes, 77);
    let error = FrameReader::new(foreign.as_slice()).next_frame().unwrap_err();
    assert!(matches!(error, FrameError::Version { theirs: 77 }));
    let text = error.to_string();
    assert!(text.contains("77") && text.contains(&PROTOCOL_VERSION.to_string()), "{text}");
}

/// The same single frame under another version number, with a sound checksum.
fn with_version(frame: &[u8], version: u16) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    bytes[4..6].copy_from_slice(&version.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[4..12]);
    hasher.update(&bytes[HEADER_BYTES..]);
    let checksum = hasher.finalize();
    bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn a_message_of_the_other_direction_is_not_taken_for_ours() {
    let mut bytes = Vec::new();
    frame::append(&ToAgent::Detach, &mut bytes).unwrap();
    let frame = FrameReader::new(bytes.as_slice()).next_frame().unwrap().unwrap();
    assert_eq!(frame.message::<FromAgent>().unwrap(), None);
    assert_eq!(frame.message::<ToAgent>().unwrap(), Some(ToAgent::Detach));
}

proptest! {
    #[test]
    fn any_cut_yields_a_prefix_and_never_an_error(cut in 0usize..2000) {
        let bytes = three_frames();
        let (messages, _) = read_all(&bytes[..cut.min(bytes.len())]);
        prop_assert!(messages.len() <= 3);
        prop_assert_eq!(&messages[..], &[objects(1), objects(20), objects(3)][..messages.len()]);
    }

    #[test]
    fn foreign_bytes_before_a_frame_are_skipped(junk in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = junk;
        frame::append(&objects(2), &mut bytes).unwrap();
        let mut reader = FrameReader::new(bytes.as_slice());
        let mut last = None;
        while let Ok(Some(frame)) = reader.next_frame() {
            last = Some(frame);
        }
        prop_assert_eq!(last.and_then(|frame| frame.message::<FromAgent>().ok()).flatten(), Some(objects(2)));
    }

    #[test]
    fn arbitrary_payloads_never_panic(payload in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = rootbound_wire::codec::decode::<FromAgent>(&payload);
        let _ = rootbound_wire::codec::decode::<ToAgent>(&payload);
    }
}
