//! Every kind of lie, planted into a stream that is true, is refused.

use crate::graph_oracles::random_heap::random_sketch;
use rootbound::heap::recorded::Streamed;
use rootbound::heap::{HeapError, Unproven};
use rootbound_wire::graph::{Address, Record, SENTINELS, Shape, StreamRoot};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::ReferenceLabel;

const HEAPS: std::ops::Range<u64> = 0..60;

/// A true stream of several chunks.
fn truth(seed: u64) -> Streamed {
    random_sketch(seed).streamed(seed)
}

/// Builds after a change to the records, whose counts are made to fit it.
fn reported(mut streamed: Streamed, change: impl FnOnce(&mut Vec<Vec<Record>>)) -> Result<(), HeapError> {
    let mut chunks = streamed.records();
    change(&mut chunks);
    streamed.rewrite(&chunks);
    streamed.done.records = chunks.iter().map(|chunk| chunk.len() as u64).sum();
    let is_reference =
        |record: &&Record| matches!(record, Record::Reference { .. } | Record::Batch { class: Some(_), .. });
    streamed.done.references = chunks.iter().flatten().filter(is_reference).count() as u64;
    streamed.build().map(drop)
}

fn refused(seed: u64, change: impl FnOnce(&mut Vec<Vec<Record>>)) -> Unproven {
    match reported(truth(seed), change) {
        Err(HeapError::Unproven(why)) => why,
        other => panic!("stream {seed}: {other:?}"),
    }
}

/// Where the first record of a kind stands.
fn find(chunks: &[Vec<Record>], is_it: impl Fn(&Record) -> bool) -> (usize, usize) {
    let places = chunks.iter().enumerate().flat_map(|(chunk, records)| (0..records.len()).map(move |at| (chunk, at)));
    places.into_iter().find(|&(chunk, at)| is_it(&chunks[chunk][at])).expect("the stream has such a record")
}

fn is_batch(record: &Record) -> bool {
    matches!(record, Record::Batch { .. })
}

fn planted(chunks: &[Vec<Record>], number: u32) -> Address {
    let reported = chunks.iter().flatten().find_map(|record| match record {
        Record::Sentinel { number: mine, object } if *mine == number => Some(*object),
        _ => None,
    });
    reported.unwrap()
}

/// Where the batch of a planted object stands.
fn batch_of(chunks: &[Vec<Record>], number: u32) -> (usize, usize) {
    let object = planted(chunks, number);
    find(chunks, |record| matches!(record, Record::Batch { referrer, .. } if *referrer == object))
}

#[test]
fn the_truth_is_believed() {
    for seed in HEAPS {
        assert_eq!(reported(truth(seed), |_| {}), Ok(()), "stream {seed}");
        assert!(truth(seed).chunks.len() > 3);
    }
}

#[test]
fn a_chunk_that_got_lost_is_missed() {
    for seed in HEAPS {
        let whole = truth(seed);
        for lost in 0..whole.chunks.len() {
            let mut streamed = whole.clone();
            streamed.chunks.remove(lost);
            let error = streamed.build().unwrap_err();
            assert!(matches!(error, HeapError::Unproven(Unproven::Count { .. } | Unproven::Loose)), "{error}");
        }
    }
}

#[test]
fn a_chunk_that_came_twice_or_early_is_noticed() {
    let mut streamed = truth(3);
    streamed.chunks.push(streamed.chunks[1].clone());
    assert!(matches!(streamed.build(), Err(HeapError::Unproven(Unproven::Count { what: "records", .. }))));
    for seed in HEAPS {
        let mut streamed = truth(seed);
        let resumes = |records: &Vec<Record>| records.iter().any(|record| matches!(record, Record::Resume { .. }));
        let Some(at) = streamed.records().iter().position(resumes) else { continue };
        streamed.chunks.swap(at, 0);
        assert_eq!(streamed.build().map(drop), Err(HeapError::Unproven(Unproven::Resumed)), "stream {seed}");
    }
}

#[test]
fn a_cut_chunk_is_malformed_or_missed() {
    let whole = truth(5);
    for chunk in 0..whole.chunks.len() {
        for length in 0..whole.chunks[chunk].0.len() {
            let mut streamed = whole.clone();
            streamed.chunks[chunk].0.truncate(length);
            let error = streamed.build().unwrap_err();
            let is_refused = matches!(error, HeapError::Unproven(Unproven::Malformed(_) | Unproven::Count { .. }));
            assert!(is_refused, "{error}");
        }
    }
}

#[test]
fn a_capture_without_an_end_is_not_accepted() {
    let mut streamed = truth(1);
    streamed.done.records = 0;
    assert_eq!(streamed.build().map(drop), Err(HeapError::Unproven(Unproven::Unfinished)));
}

#[test]
fn wrong_counts_are_noticed() {
    let mut streamed = truth(1);
    streamed.done.records += 1;
    assert!(matches!(streamed.build(), Err(HeapError::Unproven(Unproven::Count { what: "records", .. }))));
    let mut streamed = truth(1);
    streamed.done.references -= 1;
    assert!(matches!(streamed.build(), Err(HeapError::Unproven(Unproven::Count { what: "references", .. }))));
}

#[test]
fn an_object_that_was_never_expanded_is_missed() {
    let has_named_class = |record: &Record| matches!(record, Record::Batch { class: Some(_), .. });
    for seed in HEAPS.filter(|&seed| truth(seed).records().iter().flatten().any(has_named_class)) {
        let why = refused(seed, |chunks| {
            // An object and all of its references: nobody but its referrers knows of it.
            let (chunk, at) = find(chunks, has_named_class);
            let Record::Batch { referrer, class } = chunks[chunk][at] else { unreachable!() };
            let records = &mut chunks[chunk];
            let is_reference = |record: &Record| matches!(record, Record::Reference { .. });
            let end = (at + 1..records.len()).find(|&next| !is_reference(&records[next])).unwrap_or(records.len());
            records.drain(at..end);
            chunks.push(vec![
                Record::Batch { referrer: Address(0x4000), class },
                Record::Reference { label: ReferenceLabel::Other, referee: referrer, shape: Shape::Bytes(24) },
                Record::Root { kind: StreamRoot::Other, object: Address(0x4000), shape: Shape::Bytes(8) },
            ]);
        });
        let is_missed = matches!(why, Unproven::Unexpanded { .. } | Unproven::Loose | Unproven::Resumed);
        assert!(is_missed, "stream {seed}: {why:?}");
    }
}

#[test]
fn a_root_that_was_never_expanded_is_missed() {
    let root = Record::Root { kind: StreamRoot::Monitor, object: Address(0x1230), shape: Shape::Bytes(24) };
    let why = refused(2, |chunks| chunks.push(vec![root]));
    assert_eq!(why, Unproven::Unexpanded { by: "GC root" });
}

#[test]
fn a_named_thread_that_was_never_expanded_is_missed() {
    let mut streamed = truth(2);
    let id = ObjectId(999);
    streamed.threads.push(rootbound_wire::message::ThreadRecord { object: id, name: "lost".to_owned() });
    let lost = Record::Named { id: Some(id), object: Address(0x1230), bytes: 24, mark: None };
    let built = reported(streamed, |chunks| chunks.push(vec![lost]));
    assert_eq!(built, Err(HeapError::Unproven(Unproven::Unexpanded { by: "name" })));
}

#[test]
fn an_object_that_is_expanded_twice_is_noticed() {
    for seed in HEAPS {
        let why = refused(seed, |chunks| {
            let (chunk, at) = find(chunks, is_batch);
            let batch = chunks[chunk][at];
            chunks.push(vec![batch]);
        });
        assert_eq!(why, Unproven::ExpandedTwice, "stream {seed}");
    }
}

#[test]
fn every_planted_object_must_be_reported_once() {
    for number in 0..2 * SENTINELS {
        let is_it = |record: &Record| matches!(record, Record::Sentinel { number: mine, .. } if *mine == number);
        let why = refused(4, |chunks| chunks.iter_mut().for_each(|chunk| chunk.retain(|record| !is_it(record))));
        assert_eq!(why, Unproven::Sentinel { number, what: "was not reported" });
        let why = refused(4, |chunks| {
            let (chunk, at) = find(chunks, is_it);
            let again = chunks[chunk][at];
            chunks[chunk].insert(at, again);
        });
        assert_eq!(why, Unproven::Sentinel { number, what: "was reported twice" });
    }
}

#[test]
fn a_handle_that_points_elsewhere_is_noticed() {
    for number in 0..2 * SENTINELS {
        for other in 0..2 * SENTINELS {
            let why = refused(4, |chunks| {
                let elsewhere = if number == other { Address(0x1000) } else { planted(chunks, other) };
                let is_it =
                    |record: &Record| matches!(record, Record::Sentinel { number: mine, .. } if *mine == number);
                let (chunk, at) = find(chunks, is_it);
                chunks[chunk][at] = Record::Sentinel { number, object: elsewhere };
            });
            assert!(matches!(why, Unproven::Sentinel { .. }), "{number} as {other}: {why:?}");
        }
    }
}

#[test]
fn planted_objects_that_changed_places_are_noticed() {
    for (one, other) in [(0, 1), (2, 5), (0, SENTINELS), (SENTINELS, SENTINELS + 3)] {
        let why = refused(6, |chunks| {
            let (first, second) = (planted(chunks, one), planted(chunks, other));
            for record in chunks.iter_mut().flatten() {
                if let Record::Sentinel { object, .. } = record {
                    *object = if *object == first {
                        second
                    } else if *object == second {
                        first
                    } else {
                        *object
                    };
                }
            }
        });
        assert!(matches!(why, Unproven::Sentinel { .. }), "{one} for {other}: {why:?}");
    }
}

#[test]
fn a_planted_array_with_anything_but_what_was_planted_is_noticed() {
    let lies: [fn(&mut Record); 3] = [
        |record| {
            if let Record::Reference { label, .. } = record {
                *label = ReferenceLabel::ConstantPool;
            }
        },
        |record| {
            if let Record::Reference { label, .. } = record {
                *label = ReferenceLabel::ArrayElement(9);
            }
        },
        |record| {
            if let Record::Reference { referee, .. } = record {
                *referee = Address(0);
            }
        },
    ];
    for lie in lies {
        for number in 0..SENTINELS {
            let why = refused(8, |chunks| {
                let elsewhere = planted(chunks, (number + 3) % SENTINELS);
                let next = planted(chunks, (number + 1) % SENTINELS);
                let (chunk, at) = batch_of(chunks, number);
                let is_next = |record: &Record| matches!(record, Record::Reference { referee, .. } if *referee == next);
                let rest = chunks[chunk..].iter_mut().flatten().skip(at);
                let record = rest.into_iter().find(|record| is_next(record)).unwrap();
                lie(record);
                if let Record::Reference { referee, .. } = record {
                    *referee = if referee.0 == 0 { elsewhere } else { *referee };
                }
            });
            assert!(matches!(why, Unproven::Sentinel { .. }), "{number}: {why:?}");
        }
    }
}

#[test]
fn a_planted_plain_object_that_refers_to_something_is_noticed() {
    for number in SENTINELS..2 * SENTINELS {
        let why = refused(8, |chunks| {
            let referee = planted(chunks, 0);
            let (chunk, at) = batch_of(chunks, number);
            let lie = Record::Reference {
                label: ReferenceLabel::Field(0),
                referee,
                shape: Shape::Array { bytes: 32, length: 3 },
            };
            chunks[chunk].insert(at + 1, lie);
        });
        assert_eq!(why, Unproven::Sentinel { number, what: "refers to other objects than were planted in it" });
    }
}

#[test]
fn sizes_are_reported_once_and_are_not_nothing() {
    let size_of_root = |bytes| Record::Root { kind: StreamRoot::Other, object: Address(0), shape: Shape::Bytes(bytes) };
    for bytes in [0, 12_345] {
        let why = refused(9, |chunks| {
            let Record::Root { kind, shape, .. } = size_of_root(bytes) else { unreachable!() };
            let object = planted(chunks, 0);
            chunks.push(vec![Record::Root { kind, object, shape }]);
        });
        assert!(matches!(why, Unproven::Size { .. }), "{why:?}");
    }
    let why = refused(9, |chunks| {
        let is_held = |record: &Record| matches!(record, Record::Held { .. });
        chunks.iter_mut().for_each(|chunk| chunk.retain(|record| !is_held(record)));
    });
    assert_eq!(why, Unproven::Size { what: "was not reported" });
}

#[test]
fn a_reference_that_shows_another_size_is_noticed() {
    for seed in HEAPS {
        let why = refused(seed, |chunks| {
            let planted = planted(chunks, 0);
            let is_it = |record: &Record| matches!(record, Record::Reference { referee, .. } if *referee == planted);
            let (chunk, at) = find(chunks, is_it);
            if let Record::Reference { shape, .. } = &mut chunks[chunk][at] {
                *shape = Shape::Array { bytes: 40, length: 4 };
            }
        });
        assert_eq!(why, Unproven::Size { what: "was reported with two values" }, "stream {seed}");
    }
}

#[test]
fn a_class_that_is_no_mirror_is_noticed() {
    for seed in HEAPS {
        let why = refused(seed, |chunks| {
            let elsewhere = planted(chunks, 1);
            let is_class = |record: &Record| matches!(record, Record::Reference { label: ReferenceLabel::Class, .. });
            let (chunk, at) = find(chunks, is_class);
            if let Record::Reference { referee, .. } = &mut chunks[chunk][at] {
                *referee = elsewhere;
            }
        });
        assert_eq!(why, Unproven::NoMirror, "stream {seed}");
    }
}

#[test]
fn a_name_that_two_objects_bear_is_noticed() {
    let why = refused(9, |chunks| {
        let (chunk, at) = find(chunks, |record| matches!(record, Record::Named { id: Some(_), .. }));
        let Record::Named { id, .. } = chunks[chunk][at] else { unreachable!() };
        let object = planted(chunks, 0);
        chunks[chunk].push(Record::Named { id, object, bytes: 32, mark: None });
    });
    assert_eq!(why, Unproven::ToldTwice { what: "name" });
}

#[test]
fn an_object_without_a_class_is_noticed() {
    let why = refused(9, |chunks| {
        let (chunk, at) = find(chunks, |record| matches!(record, Record::Batch { class: Some(_), .. }));
        if let Record::Batch { class, .. } = &mut chunks[chunk][at] {
            *class = None;
        }
    });
    assert_eq!(why, Unproven::NoClass);
}
