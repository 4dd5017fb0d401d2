//! Columns give back the bytes of their chunk; damaged ones give some bytes or an error.

use super::super::tests::record;
use super::super::{ChunkWriter, MAX_RECORD_BYTES, Record, Shape};
use super::*;
use crate::graph::Address;
use crate::graph::{flag, kind};
use crate::ids::ObjectId;
use crate::objects::ReferenceLabel;
use proptest::prelude::*;

const MOST: usize = 1 << 20;

fn written(all: &[Record]) -> Vec<u8> {
    let mut memory = vec![0; all.len() * MAX_RECORD_BYTES];
    let mut chunk = ChunkWriter::new(&mut memory);
    all.iter().for_each(|&each| chunk.record(each));
    let length = chunk.len();
    memory.truncate(length);
    memory
}

fn columns_of(chunk: &[u8]) -> Result<Vec<u8>, ColumnsFault> {
    let mut out = Vec::new();
    split(chunk, &mut Forecast::new(), &mut out).map(|()| out)
}

/// Maps of pairs on the way of a walk with a stack: the objects of a row begin in the reverse order.
fn walked(maps: u64) -> Vec<Record> {
    let field = |index| ReferenceLabel::Field(index);
    let reference =
        |label, at: u64, bytes| Record::Reference { label, referee: Address(at), shape: Shape::Bytes(bytes) };
    let begun = |at: u64, class| Record::Batch { referrer: Address(at), class: Some(ObjectId(class)) };
    let (table, step) = (1 << 20, 1 << 10);
    let map = |at: u64| (1 << 30) + at * step;
    let mut all = vec![begun(table, 1)];
    all.extend((0..maps).map(|at| reference(ReferenceLabel::ArrayElement(at as u32), map(at), 48)));
    for at in (0..maps).rev().map(map) {
        all.extend([
            begun(at, 2),
            reference(field(0), at + 64, 24),
            reference(field(1), at + 128 + at / 4_096 * 8, 32),
        ]);
        all.extend([begun(at + 128 + at / 4_096 * 8, 3), begun(at + 64, 4)]);
    }
    all
}

#[test]
fn objects_begin_at_the_top_of_the_stack_and_take_next_to_nothing() {
    let chunk = written(&walked(1_000));
    let columns = columns_of(&chunk).unwrap();
    let parts = parted(&columns).unwrap();
    assert_eq!(join(&columns, MOST).unwrap(), chunk);
    let places = parts[Column::Places as usize];
    assert_eq!((places.len(), places.iter().filter(|&&place| place != 0).count()), (3_001, 1), "all but the first");
    assert!(parts[Column::Referrers as usize].len() < 8);
}

#[test]
fn what_no_writer_writes_has_no_columns() {
    let long_zero = [kind::BATCH << 4, 0x80, 0x00, 2];
    assert_eq!(columns_of(&long_zero), Err(ColumnsFault::OtherForm));
    let far = [&[kind::RESUME << 4][..], &[0xFF; 9], &[1]].concat();
    assert_eq!(columns_of(&far), Err(ColumnsFault::OtherForm));
    assert_eq!(columns_of(&[kind::BATCH << 4, 1]), Err(ColumnsFault::CutOff));
    assert_eq!(columns_of(&[kind::HELD << 4 | 3, 2]), Err(ColumnsFault::UnknownShape));
}

#[test]
fn columns_that_name_nothing_are_an_error() {
    let with = |columns: &[(Column, &[u8])]| {
        let mut all: [Vec<u8>; COLUMNS] = Default::default();
        columns.iter().for_each(|(column, bytes)| all[*column as usize] = bytes.to_vec());
        let mut out = Vec::new();
        joined(&all, &mut out);
        join(&out, MOST)
    };
    let batch = kind::BATCH << 4 | flag::SAME_CLASS;
    assert_eq!(with(&[(Column::Kinds, &[batch]), (Column::Places, &[0])]), Err(ColumnsFault::NoBase));
    assert_eq!(
        with(&[(Column::Kinds, &[0]), (Column::Indexes, &[0]), (Column::Bases, &[3]), (Column::Referees, &[2])]),
        Err(ColumnsFault::NoBase)
    );
    assert_eq!(with(&[(Column::Sizes, &[0])]), Err(ColumnsFault::LeftOver));
    assert_eq!(join(&[0; COLUMNS + 1], MOST), Err(ColumnsFault::LeftOver));
    assert_eq!(join(&[5], MOST), Err(ColumnsFault::CutOff));
}

#[test]
fn few_columns_cannot_fill_the_memory() {
    let columns = columns_of(&written(&walked(10_000))).unwrap();
    assert_eq!(join(&columns, 1_000), Err(ColumnsFault::TooLong));
}

proptest! {
    #[test]
    fn columns_give_the_chunk_again(all in proptest::collection::vec(record(), 0..60), times in 1_usize..4) {
        let chunk = written(&all.repeat(times));
        let columns = columns_of(&chunk).unwrap();
        prop_assert_eq!(join(&columns, MOST).unwrap(), chunk);
    }

    #[test]
    fn one_forecast_serves_many_chunks(all in proptest::collection::vec(record(), 0..40)) {
        let chunk = written(&all);
        let (mut forecast, mut columns) = (Forecast::new(), Vec::new());
        split(&written(&walked(50)), &mut forecast, &mut Vec::new()).unwrap();
        split(&chunk, &mut forecast, &mut columns).unwrap();
        prop_assert_eq!(join(&columns, MOST).unwrap(), chunk);
    }

    #[test]
    fn any_bytes_have_columns_that_give_them_again_or_none(chunk in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(columns) = columns_of(&chunk) {
            prop_assert_eq!(join(&columns, MOST).unwrap(), chunk);
        }
    }

    #[test]
    fn any_columns_give_a_chunk_or_an_error(columns in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _bytes_or_error = join(&columns, MOST);
    }

    #[test]
    fn a_damaged_byte_gives_a_chunk_or_an_error(
        all in proptest::collection::vec(record(), 1..40),
        at: prop::sample::Index,
        to: u8,
    ) {
        let mut columns = columns_of(&written(&all)).unwrap();
        let at = at.index(columns.len());
        columns[at] = to;
        let _bytes_or_error = join(&columns, MOST);
    }
}
