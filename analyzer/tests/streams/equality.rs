//! The same capture by records and by address makes the same heap, up to the order of objects.

use crate::graph_oracles::random_heap::random_sketch;
use crate::random::Random;
use rootbound::heap::dsl::{NEW, OLD};
use rootbound::heap::recorded::{Recorded, Streamed, extra_objects};
use rootbound::heap::{ClassIdx, Heap, Label, ObjectIdx, RootKind};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{CaptureDone, Mark, ReferenceLabel, ReferenceRecord};

const HEAPS: u64 = 400;

/// A random heap with everything that a capture may tell: sizes, marks, loaders, references to classes.
fn random_recorded(seed: u64) -> Recorded {
    let mut random = Random::new(seed);
    let mut recorded = random_sketch(seed).recorded();
    let mut referred: Vec<ObjectId> = recorded.references.iter().map(|reference| reference.referee).collect();
    referred.extend(recorded.roots.iter().map(|root| root.object));
    for object in referred {
        let record = &mut recorded.objects[object.0 as usize - 1];
        if random.percent(30) {
            record.shallow_bytes = 8 + 8 * random.below(100) as u64;
            record.array_length = random.percent(50).then(|| random.below(100) as u32);
        }
    }
    for object in &mut recorded.objects {
        if object.first_seen == OLD {
            object.mark = match random.below(3) {
                0 => None,
                1 => Some(Mark::StandsFor(1 + random.below(9) as u32)),
                _ => Some(Mark::Planned(random.below(1000) as u32)),
            };
        }
    }
    load_classes(&mut recorded, &mut random);
    let classes = recorded.objects.iter().filter_map(|object| Some((object.id, object.class?)));
    let mut references: Vec<ReferenceRecord> = classes
        .map(|(referrer, referee)| ReferenceRecord { referrer, referee, label: ReferenceLabel::Class })
        .collect();
    references.append(&mut recorded.references);
    recorded.references = references;
    recorded
}

/// Gives some classes a loader: an object that bears no name.
fn load_classes(recorded: &mut Recorded, random: &mut Random) {
    for class in &mut recorded.classes {
        let loader = &recorded.objects[random.below(recorded.objects.len())];
        if loader.class.is_some() && random.percent(50) {
            class.loader = Some(loader.id);
            let (referrer, referee) = (class.object, loader.id);
            recorded.references.push(ReferenceRecord { referrer, referee, label: ReferenceLabel::ClassLoader });
        }
    }
}

fn random_addresses(count: usize, random: &mut Random) -> Vec<u64> {
    let mut addresses: Vec<u64> = (0..count as u64).map(|at| 0x5_0000_0000 + at * 16).collect();
    for at in (1..count).rev() {
        addresses.swap(at, random.below(at + 1));
        addresses[at] += if random.percent(5) { (random.below(1 << 20) as u64) << 20 } else { 0 };
    }
    addresses
}

fn both_ways(seed: u64) -> (Heap, Heap, Streamed) {
    let recorded = random_recorded(seed);
    let mut random = Random::new(!seed);
    let addresses = random_addresses(recorded.objects.len() + extra_objects(), &mut random);
    let streamed = recorded.clone().streamed(NEW, &addresses, random.below(400));
    let mut builder = recorded.builder();
    builder.done(&CaptureDone { snapshot: NEW, ..CaptureDone::default() });
    let by_stream = streamed.clone().build().unwrap_or_else(|error| panic!("heap {seed}: {error}"));
    (builder.finish().unwrap(), by_stream, streamed)
}

fn class_name(heap: &Heap, class: ClassIdx) -> &str {
    &heap.classes().get(class).name
}

#[test]
fn every_object_is_the_same() {
    for seed in 0..HEAPS {
        let (records, stream, Streamed { places, .. }) = both_ways(seed);
        assert_eq!(stream.object_count(), records.object_count() + extra_objects(), "heap {seed}");
        for object in records.objects() {
            let place = places[object.at()];
            let about = |heap: &Heap, object| {
                let class = class_name(heap, heap.class_of(object)).to_owned();
                let mirrored = heap.class_of_mirror(object).map(|class| class_name(heap, class).to_owned());
                let marks = (heap.stands_for(object), heap.mark_of(object), heap.planned_mark_of(object));
                (class, mirrored, heap.generation(object), heap.is_new(object), marks)
            };
            assert_eq!(about(&records, object), about(&stream, place), "heap {seed}, object {object:?}");
            assert_eq!(records.shallow_bytes(object), stream.shallow_bytes(place), "heap {seed}, object {object:?}");
        }
    }
}

#[test]
fn every_reference_is_the_same() {
    for seed in 0..HEAPS {
        let (records, stream, Streamed { places, .. }) = both_ways(seed);
        for object in records.objects() {
            let expected: Vec<(ObjectIdx, Label)> =
                records.references().labelled(object).map(|(referee, label)| (places[referee.at()], label)).collect();
            let found: Vec<(ObjectIdx, Label)> = stream.references().labelled(places[object.at()]).collect();
            assert_eq!(found, expected, "heap {seed}, object {object:?}");
        }
    }
}

type Described = (ObjectIdx, RootKind, Option<String>, Option<String>, u32);

fn roots(heap: &Heap, place: impl Fn(ObjectIdx) -> Option<ObjectIdx>) -> Vec<Described> {
    let thread = |root: &rootbound::heap::Root| root.thread.map(|at| heap.threads()[at.0 as usize].name.clone());
    let method = |root: &rootbound::heap::Root| root.method.as_deref().map(str::to_owned);
    let describe =
        |root: &rootbound::heap::Root| Some((place(root.object)?, root.kind, thread(root), method(root), root.depth));
    let mut all: Vec<Described> = heap.roots().iter().filter_map(describe).collect();
    all.sort();
    all
}

#[test]
fn every_root_and_thread_is_the_same() {
    for seed in 0..HEAPS {
        let (records, stream, Streamed { places, .. }) = both_ways(seed);
        let expected = roots(&records, |object| Some(places[object.at()]));
        assert_eq!(roots(&stream, |object| places.contains(&object).then_some(object)), expected, "heap {seed}");
        let named = |heap: &Heap| heap.threads().iter().map(|thread| thread.name.clone()).collect::<Vec<_>>();
        assert_eq!(named(&stream), named(&records), "heap {seed}");
        for (mine, theirs) in stream.threads().iter().zip(records.threads()) {
            assert_eq!(mine.object, places[theirs.object.at()], "heap {seed}");
        }
    }
}

#[test]
fn only_mirrors_and_threads_bear_names() {
    let (_, heap, Streamed { places, classes, threads, .. }) = both_ways(7);
    let mut named: Vec<ObjectId> = heap.objects().filter_map(|object| heap.id_of(object)).collect();
    let mut expected: Vec<ObjectId> = classes.iter().map(|class| class.object).collect();
    expected.extend(threads.iter().map(|thread| thread.object));
    for &id in &expected {
        assert_eq!(heap.id_of(places[id.0 as usize - 1]), Some(id));
    }
    named.sort();
    expected.sort();
    expected.dedup();
    assert_eq!(named, expected);
}
