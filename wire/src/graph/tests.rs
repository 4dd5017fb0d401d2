//! Written records read back the same; any bytes yield records or one error.

use super::*;
use proptest::prelude::*;

fn id() -> impl Strategy<Value = Option<ObjectId>> {
    prop_oneof![
        Just(None),
        (1..3u64).prop_map(|id| Some(ObjectId(id))),
        (1..u64::MAX).prop_map(|id| Some(ObjectId(id)))
    ]
}

fn address() -> impl Strategy<Value = Address> {
    prop_oneof![(1..1u64 << 20), (1..=u64::MAX >> 3)].prop_map(|word| Address(word << 3))
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        any::<u64>().prop_map(Shape::Bytes),
        (0..3u64).prop_map(|words| Shape::Bytes(8 * words)),
        (0..2u32).prop_map(|length| Shape::Array { bytes: 24, length }),
        any::<(u64, u32)>().prop_map(|(bytes, length)| Shape::Array { bytes, length })
    ]
}

fn label() -> impl Strategy<Value = ReferenceLabel> {
    prop_oneof![
        any::<u32>().prop_map(ReferenceLabel::Field),
        (0..3u32).prop_map(ReferenceLabel::Field),
        any::<u32>().prop_map(ReferenceLabel::StaticField),
        (0..4u32).prop_map(ReferenceLabel::ArrayElement),
        Just(ReferenceLabel::Class),
        Just(ReferenceLabel::ClassLoader),
        Just(ReferenceLabel::Superclass),
        Just(ReferenceLabel::Interface),
        Just(ReferenceLabel::ConstantPool),
        Just(ReferenceLabel::Other),
    ]
}

fn root_kind() -> impl Strategy<Value = StreamRoot> {
    prop_oneof![
        Just(StreamRoot::JniGlobal),
        Just(StreamRoot::SystemClass),
        Just(StreamRoot::Monitor),
        Just(StreamRoot::Thread),
        Just(StreamRoot::Other),
        (id(), any::<u32>(), any::<u64>()).prop_map(|(thread, depth, method)| StreamRoot::StackLocal {
            thread,
            depth,
            method
        }),
        (id(), any::<u32>()).prop_map(|(thread, depth)| StreamRoot::JniLocal { thread, depth }),
    ]
}

fn mark() -> impl Strategy<Value = StreamMark> {
    (any::<u32>(), any::<u32>(), any::<bool>()).prop_map(|(first_seen, number, is_planned)| StreamMark {
        first_seen,
        mark: if is_planned { Mark::Planned(number) } else { Mark::StandsFor(number) },
    })
}

pub(super) fn record() -> impl Strategy<Value = Record> {
    prop_oneof![
        (address(), id()).prop_map(|(referrer, class)| Record::Batch { referrer, class }),
        address().prop_map(|referrer| Record::Resume { referrer }),
        (label(), address(), shape()).prop_map(|(label, referee, shape)| Record::Reference { label, referee, shape }),
        (root_kind(), address(), shape()).prop_map(|(kind, object, shape)| Record::Root { kind, object, shape }),
        (address(), shape()).prop_map(|(object, shape)| Record::Held { object, shape }),
        (id(), address(), any::<u64>(), proptest::option::of(mark()))
            .prop_map(|(id, object, bytes, mark)| { Record::Named { id, object, bytes, mark } }),
        (address(), mark()).prop_map(|(object, mark)| Record::Marked { object, mark }),
        (any::<u32>(), address()).prop_map(|(number, object)| Record::Sentinel { number, object }),
        (any::<u32>(), address()).prop_map(|(number, object)| Record::Head { number, object }),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(all in proptest::collection::vec(record(), 0..60)) {
        let mut memory = vec![0; all.len() * MAX_RECORD_BYTES];
        let mut chunk = ChunkWriter::new(&mut memory);
        for &each in &all {
            prop_assert!(chunk.has_room());
            chunk.record(each);
        }
        let length = chunk.len();
        let read: Result<Vec<Record>, StreamError> = records(&memory[..length]).collect();
        prop_assert_eq!(read, Ok(all));
    }

    #[test]
    fn any_bytes_give_records_or_one_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let read: Vec<_> = records(&bytes).collect();
        prop_assert!(read.len() <= bytes.len());
        prop_assert!(read.iter().rev().skip(1).all(Result::is_ok));
    }

    #[test]
    fn a_chunk_cut_anywhere_ends_in_an_error_or_early(all in proptest::collection::vec(record(), 1..20), cut in 0..1000usize) {
        let mut memory = vec![0; all.len() * MAX_RECORD_BYTES];
        let mut chunk = ChunkWriter::new(&mut memory);
        all.iter().for_each(|&each| chunk.record(each));
        let length = cut % chunk.len();
        let read: Vec<Record> = records(&memory[..length]).map_while(Result::ok).collect();
        prop_assert!(read.len() < all.len());
        prop_assert_eq!(&read[..], &all[..read.len()]);
    }
}

#[test]
fn a_size_like_the_last_at_its_place_takes_no_byte() {
    let mut memory = [0; 4096];
    let mut chunk = ChunkWriter::new(&mut memory);
    let mut lengths = Vec::new();
    for (at, bytes) in [(1, 24), (2, 24), (3, 32), (4, 32)] {
        chunk.batch(Address(1 << 20), Some(ObjectId(5)));
        chunk.reference(Place::of(ReferenceLabel::Field(1)), Address((1 << 20) + 8 * at), Shape::Bytes(bytes));
        lengths.push(chunk.len());
    }
    let taken: Vec<usize> = lengths.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // A batch takes two bytes (class and address as before), a reference three, and one more for another size.
    assert_eq!(taken, [5, 6, 5]);
}
