//! Dumps that are cut, mutated or made up: never a panic, and never an object that was not there.

use super::content::{objects, read};
use super::mutate::{Random, mutate, seeds};
use proptest::prelude::*;

#[test]
fn a_dump_cut_at_any_byte_is_read_as_far_as_it_goes_or_refused() {
    for (format, whole) in seeds().into_iter().filter(|seed| seed.0 != "recording") {
        let all = read(&whole).unwrap().heap;
        let names: Vec<_> = objects(&all).into_iter().map(|object| object.0).collect();
        let has = |id: u64, class: &str| {
            let known = all.of_dump_id(id).map(|object| names[object.at()].as_str());
            // Where names came behind the cut there are none.
            class == "?"
                || class == "?[]"
                || known == Some(class)
                || format == "INSANE XML" && class == "java.lang.Class"
        };
        for length in 0..whole.len() {
            let Ok(cut) = read(&whole[..length]) else { continue };
            for object in cut.heap.objects() {
                let (id, class) = (cut.heap.dump_id(object).unwrap(), cut.heap.class_of(object));
                let class = &cut.heap.classes().get(class).name;
                assert!(has(id, class), "{format} cut at {length}: {class} at {id:x}");
            }
            let is_less = cut.heap.object_count() < all.object_count();
            let ends_between = format.starts_with("HPROF, ids") || format == "INSANE XML";
            assert!(!is_less || !cut.warnings.is_empty() || ends_between, "{format} cut at {length}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn mutated_dumps_never_bring_a_reader_down(seed in any::<u64>()) {
        for (_, mut bytes) in seeds() {
            mutate(&mut bytes, &mut Random::new(seed));
            drop(read(&bytes));
        }
    }

    #[test]
    fn random_bytes_behind_a_sound_beginning_never_bring_a_reader_down(
        tail in proptest::collection::vec(any::<u8>(), 0..600),
        keep in 0usize..400,
    ) {
        for (_, mut bytes) in seeds() {
            bytes.truncate(keep);
            bytes.extend(&tail);
            drop(read(&bytes));
        }
    }
}
