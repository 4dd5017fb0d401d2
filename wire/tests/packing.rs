//! Packed frames: what is packed is unpacked again, and no bytes do harm.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use proptest::prelude::*;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rootbound_wire::frame::{self, Frame, FrameReader, MAX_PAYLOAD_BYTES};
use rootbound_wire::graph::{Address, Chunk, ChunkWriter, MAX_RECORD_BYTES, Place, Shape};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{FromAgent, GoodbyeReason, ToAgent};
use rootbound_wire::objects::ReferenceLabel;
use rootbound_wire::packing::{COLUMNS, PACKED, Packer, unpacked};

fn chunk(bytes: Vec<u8>) -> FromAgent {
    FromAgent::Graph(Chunk(bytes))
}

fn frames(messages: &[FromAgent]) -> Vec<u8> {
    let mut bytes = Vec::new();
    messages.iter().for_each(|message| frame::append(message, &mut bytes).unwrap());
    bytes
}

fn packed(frames: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Packer::new().pack(frames, &mut out);
    out
}

fn read(bytes: &[u8]) -> Vec<Frame> {
    let mut reader = FrameReader::new(bytes);
    let frames = std::iter::from_fn(|| reader.next_frame().unwrap()).collect();
    assert_eq!((reader.skipped_bytes(), reader.torn_bytes()), (0, 0));
    frames
}

/// Numbers as in a graph: small, and alike.
fn graph(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at % 13 * (at % 5)) as u8).collect()
}

#[test]
fn long_messages_of_the_agent_become_shorter_and_all_are_read_again() {
    let goodbye = FromAgent::Goodbye { at_ms: 1, reason: GoodbyeReason::VmDeath };
    let messages = [goodbye.clone(), chunk(graph(200_000)), chunk(graph(100)), chunk(graph(60_000)), goodbye];
    let (plain, packed) = (frames(&messages), packed(&frames(&messages)));
    assert!(packed.len() * 2 < plain.len(), "{} of {}", packed.len(), plain.len());
    let found = read(&packed);
    assert_eq!(found.iter().map(|frame| frame.kind).collect::<Vec<_>>(), [1, PACKED, 1, PACKED, 1]);
    let again = found.into_iter().map(|frame| unpacked(frame).unwrap().message().unwrap().unwrap());
    assert_eq!(again.collect::<Vec<FromAgent>>(), messages);
}

#[test]
fn what_is_no_message_of_the_agent_is_left_alone() {
    let mut bytes = Vec::new();
    frame::append(&ToAgent::Refuse { reason: "no ".repeat(9_000) }, &mut bytes).unwrap();
    assert_eq!(packed(&bytes), bytes);
}

#[test]
fn a_payload_that_unpacks_to_more_than_a_frame_may_hold_is_an_error() {
    let bomb = packed(&frames(&[chunk(vec![0; MAX_PAYLOAD_BYTES - 100])]));
    let frame = read(&bomb).remove(0);
    assert!(frame.payload.len() < 100_000 && unpacked(frame).is_ok());
    let payload = miniz_oxide::deflate::compress_to_vec(&vec![0; MAX_PAYLOAD_BYTES + 1], 1);
    assert!(unpacked(Frame { kind: PACKED, payload }).unwrap_err().to_string().contains("does not unpack"));
}

/// A walk with a stack over an array of pairs, which stand one after another in memory.
fn walk(pairs: u64) -> FromAgent {
    let mut memory = vec![0; (4 * pairs as usize + 1) * MAX_RECORD_BYTES];
    let mut chunk = ChunkWriter::new(&mut memory);
    let pair = |at: u64| Address((1 << 30) + 40 * at);
    chunk.batch(Address(1 << 20), Some(ObjectId(1)));
    let element = Place::of(ReferenceLabel::ArrayElement(0));
    (0..pairs).for_each(|at| chunk.reference(element.at(at as u32), pair(at), Shape::Bytes(24)));
    for at in (0..pairs).rev() {
        let text = Address(pair(at).0 + 24);
        chunk.batch(pair(at), Some(ObjectId(2)));
        chunk.reference(Place::of(ReferenceLabel::Field(1)), text, Shape::Bytes(16));
        chunk.batch(text, Some(ObjectId(3)));
    }
    let length = chunk.len();
    memory.truncate(length);
    FromAgent::Graph(Chunk(memory))
}

#[test]
fn chunks_of_a_walk_become_columns_and_a_thirtieth() {
    let messages = [walk(20_000), walk(10), walk(7_000)];
    let (plain, packed) = (frames(&messages), packed(&frames(&messages)));
    assert!(packed.len() * 30 < plain.len(), "{} of {}", packed.len(), plain.len());
    let found = read(&packed);
    assert_eq!(found.iter().map(|frame| frame.kind).collect::<Vec<_>>(), [COLUMNS, 1, COLUMNS]);
    let again = found.into_iter().map(|frame| unpacked(frame).unwrap().message().unwrap().unwrap());
    assert_eq!(again.collect::<Vec<FromAgent>>(), messages);
}

#[test]
fn columns_of_a_chunk_longer_than_a_message_are_an_error() {
    // References to addresses far away and to 0 in turns: a chunk needs eight bytes for each, a column for every second.
    let pairs = 300_000;
    let columns = [vec![0x24; 2 * pairs], vec![2; 2 * pairs], [&[0xFF; 7][..], &[0x7F, 0]].concat().repeat(pairs)];
    let [kinds, bases, referees] = columns.each_ref().map(Vec::as_slice);
    let mut payload = Vec::new();
    for column in [kinds, &[], &[], &[], &[], bases, referees, &[], &[]] {
        // Its length in four bytes.
        payload.extend((0..4).map(|at| (column.len() >> (7 * at)) as u8 & 0x7F | if at < 3 { 0x80 } else { 0 }));
        payload.extend_from_slice(column);
    }
    assert!(payload.len() <= MAX_PAYLOAD_BYTES);
    let payload = miniz_oxide::deflate::compress_to_vec(&payload, 1);
    let refused = unpacked(Frame { kind: COLUMNS, payload }).err().unwrap().to_string();
    assert!(refused.contains("its columns give no chunk: it is longer"), "{refused}");
}

/// A pseudo-random row that no compressor makes shorter.
fn noise(length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    SplitMix64::seed_from_u64(1).fill_bytes(&mut bytes);
    bytes
}

#[test]
fn what_becomes_no_shorter_stays_as_it_is() {
    let mut packer = Packer::new();
    for length in (4_000..6_000).step_by(7).chain([262_144, MAX_PAYLOAD_BYTES - 100]) {
        let (plain, mut out) = (frames(&[chunk(noise(length))]), Vec::new());
        packer.pack(&plain, &mut out);
        assert_eq!(out, plain);
    }
}

proptest! {
    #[test]
    fn any_bytes_unpack_or_are_an_error(payload: Vec<u8>) {
        for kind in [PACKED, COLUMNS] {
            if let Ok(frame) = unpacked(Frame { kind, payload: payload.clone() }) {
                prop_assert!(frame.payload.len() <= MAX_PAYLOAD_BYTES);
                let _a_message_or_none = frame.message::<FromAgent>();
            }
        }
    }

    #[test]
    fn a_packed_payload_with_a_damaged_byte_unpacks_or_is_an_error(at: prop::sample::Index, to: u8) {
        for message in [chunk(graph(20_000)), walk(1_000)] {
            let mut frame = read(&packed(&frames(&[message]))).remove(0);
            let at = at.index(frame.payload.len());
            frame.payload[at] = to;
            if let Ok(frame) = unpacked(frame) {
                prop_assert!(frame.payload.len() <= MAX_PAYLOAD_BYTES);
            }
        }
    }

    #[test]
    fn every_message_is_read_again(bytes: Vec<u8>, times in 1_usize..2_000) {
        let message = chunk(bytes.repeat(times));
        let found = read(&packed(&frames(std::slice::from_ref(&message)))).remove(0);
        prop_assert_eq!(unpacked(found).unwrap().message::<FromAgent>().unwrap(), Some(message));
    }
}
