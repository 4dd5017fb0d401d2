//! Classes once a file: what is shared is read again, a file may lose captures, and no bytes do harm.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use proptest::prelude::*;
use rootbound_wire::class_table::{ClassTable, DECLARATIONS, Declared, ROWS, numbers, retained};
use rootbound_wire::frame::{self, Frame, FrameReader};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{ClassRecord, FieldRecord, FromAgent};
use rootbound_wire::packing::Packer;
use std::collections::BTreeSet;

/// Class number `at`, in a capture in which the ids begin at `first`.
fn class(at: u64, first: u64) -> ClassRecord {
    let field = |name: &str| FieldRecord {
        name: name.to_owned(),
        descriptor: "Ljava/lang/Object;".to_owned(),
        is_static: at.is_multiple_of(3),
        is_final: at.is_multiple_of(2),
    };
    ClassRecord {
        object: ObjectId(first + at),
        name: format!("shop.Class{at}"),
        loader: at.is_multiple_of(5).then_some(ObjectId(first)),
        superclass: (at > 0).then_some(ObjectId(first)),
        interfaces: (0..at % 3).map(|interface| ObjectId(first + interface)).collect(),
        is_interface: at.is_multiple_of(7),
        fields: ["head", "next", "size"].iter().take(at as usize % 4).map(|name| field(name)).collect(),
    }
}

fn classes(numbers: std::ops::Range<u64>, first: u64) -> FromAgent {
    FromAgent::Classes(numbers.map(|at| class(at, first)).collect())
}

fn shared(table: &mut ClassTable, messages: &[FromAgent]) -> Vec<u8> {
    let (mut frames, mut out) = (Vec::new(), Vec::new());
    messages.iter().for_each(|message| frame::append(message, &mut frames).unwrap());
    table.share(&frames, &mut Packer::new(), &mut out);
    out
}

fn frames(bytes: &[u8]) -> Vec<Frame> {
    let mut reader = FrameReader::new(bytes);
    let frames = std::iter::from_fn(|| reader.next_frame().unwrap()).collect();
    assert_eq!((reader.skipped_bytes(), reader.torn_bytes()), (0, 0));
    frames
}

fn read(frames: &[Frame]) -> Vec<FromAgent> {
    let mut declared = Declared::default();
    let message = |frame: &Frame| match frame.kind {
        DECLARATIONS | ROWS => declared.take(frame).unwrap(),
        _ => frame.message().unwrap(),
    };
    frames.iter().filter_map(message).collect()
}

#[test]
fn classes_of_later_captures_are_a_few_bytes_each_and_all_are_read_again() {
    let mut table = ClassTable::default();
    // New classes come first in the JVM's list, so that the ids of all others move.
    let messages = [classes(0..500, 1), classes(0..500, 9), classes(480..520, 9)];
    let first = shared(&mut table, &messages[..1]);
    let later = shared(&mut table, &messages[1..2]);
    let third = shared(&mut table, &messages[2..]);
    assert!(later.len() < 500 * 3, "{} bytes", later.len());
    let kinds = |bytes: &[u8]| frames(bytes).iter().map(|frame| frame.kind).collect::<Vec<_>>();
    assert_eq!((kinds(&first), kinds(&later)), (vec![DECLARATIONS, ROWS], vec![ROWS]));
    assert_eq!(kinds(&third), [DECLARATIONS, ROWS], "twenty of them are new");
    assert_eq!(read(&frames(&[first, later, third].concat())), messages);
}

#[test]
fn other_messages_are_left_alone() {
    let other = FromAgent::Problem { at_ms: 8, text: "a text".to_owned() };
    let messages =
        [other.clone(), classes(0..3, 1), FromAgent::Threads(Vec::new()), FromAgent::Classes(Vec::new()), other];
    assert_eq!(read(&frames(&shared(&mut ClassTable::default(), &messages))), messages);
}

#[test]
fn declarations_of_captures_that_are_gone_may_go_and_are_written_again() {
    let mut table = ClassTable::default();
    let first = frames(&shared(&mut table, &[classes(0..20, 1)]));
    let second = frames(&shared(&mut table, &[classes(10..30, 1)]));
    // The first capture goes: its rows, and the declarations that only it has.
    let kept: BTreeSet<u32> = second.iter().flat_map(|frame| numbers(frame).unwrap()).collect();
    assert_eq!(kept.len(), 20);
    let mut thinned = Vec::new();
    for frame in first.iter().chain(&second).filter(|frame| frame.kind == DECLARATIONS) {
        retained(frame, &kept, &mut Packer::new(), &mut thinned).unwrap();
    }
    frame::append_read(&second[1], &mut thinned);
    table.retain(&kept);
    thinned.extend(shared(&mut table, &[classes(0..30, 5)]));
    assert_eq!(read(&frames(&thinned)), [classes(10..30, 1), classes(0..30, 5)]);
}

#[test]
fn rows_without_their_declarations_are_an_error() {
    let mut table = ClassTable::default();
    let both = frames(&shared(&mut table, &[classes(0..5, 1)]));
    let error = Declared::default().take(&both[1]).unwrap_err().to_string();
    assert!(error.contains("does not declare"), "{error}");
}

#[test]
fn rows_that_would_fill_the_memory_are_an_error() {
    let mut table = ClassTable::default();
    let long = ClassRecord { name: "x".repeat(100_000), ..class(1, 1) };
    let of = |count| FromAgent::Classes(vec![long.clone(); count]);
    let mut declared = Declared::default();
    for frame in frames(&shared(&mut table, &[of(1)])) {
        declared.take(&frame).unwrap();
    }
    // A message of 1,000 of them fits no frame. So no agent sends it, but a file may have such rows: 20 messages in
    // one.
    let message = miniz_oxide::inflate::decompress_to_vec(&frames(&shared(&mut table, &[of(40)]))[0].payload).unwrap();
    assert_eq!(message[0], 40, "the number of the first column's rows, each of one byte");
    let columns: Vec<u8> = message.chunks(41).flat_map(|column| longer(column, 40 * 20)).collect();
    let payload = miniz_oxide::deflate::compress_to_vec(&columns, 1);
    let error = declared.take(&Frame { kind: ROWS, payload }).unwrap_err().to_string();
    assert!(error.contains("longer than a message"), "{error}");
}

/// A column of that number of rows, all like the last one.
fn longer(column: &[u8], rows: usize) -> Vec<u8> {
    let length = u16::try_from(rows).unwrap().to_le_bytes();
    let mut longer = [&[0xFB][..], &length[..], &column[1..]].concat();
    longer.resize(3 + rows, *column.last().unwrap());
    longer
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_are_an_error(kind in 5_u8..7, payload: Vec<u8>) {
        let payload = miniz_oxide::deflate::compress_to_vec(&payload, 1);
        let frame = Frame { kind, payload };
        let _an_error_or_none = Declared::default().take(&frame);
        let _or_numbers = numbers(&frame);
    }

    #[test]
    fn a_damaged_byte_is_read_or_is_an_error(which in 0_usize..2, at: prop::sample::Index, to: u8) {
        let mut both = frames(&shared(&mut ClassTable::default(), &[classes(0..200, 1)]));
        let at = at.index(both[which].payload.len());
        both[which].payload[at] = to;
        let mut declared = Declared::default();
        for frame in &both {
            let _an_error_or_a_message = declared.take(frame);
        }
    }

    #[test]
    fn every_message_is_read_again(ids in prop::collection::vec((0_u64..40, any::<u64>()), 0..60)) {
        let classes = ids.iter().map(|&(at, id)| ClassRecord { object: ObjectId(id), ..class(at, 1) }).collect();
        let message = FromAgent::Classes(classes);
        let found = read(&frames(&shared(&mut ClassTable::default(), std::slice::from_ref(&message))));
        prop_assert_eq!(found, vec![message]);
    }
}
