//! The platform's counters of made-up programs, and the report on each.

use super::*;

const MB: u64 = 1 << 20;

/// Counters of an idle program of 100 MB.
fn still(at_s: u64) -> Platform {
    Platform {
        at_ms: at_s * 1000,
        resident_bytes: Some(180 * MB),
        anonymous_bytes: Some(150 * MB),
        heap_resident_bytes: Some(100 * MB),
        metaspace_bytes: Some(8 * MB),
        code_bytes: Some(7 * MB),
        threads: Some(17),
        classes: Some(900),
        direct_bytes: Some(0),
        mapped_bytes: Some(130 * MB),
        limit_bytes: None,
        limit_used_bytes: None,
    }
}

/// Report on a program after two minutes with a sample every five seconds.
fn after_two_minutes(sample: impl Fn(u64) -> Platform) -> Reported {
    let mut native = Native::default();
    for number in 0..24 {
        native.collected();
        native.observe(&sample(number * 5), true);
    }
    assert!(native.is_known());
    native.report().expect("samples came")
}

fn plus(bytes: Option<u64>, more: u64) -> Option<u64> {
    bytes.map(|bytes| bytes + more)
}

#[test]
fn a_program_that_stands_still_grows_nowhere() {
    let reported = after_two_minutes(still);
    assert_eq!((reported.grows, reported.resident_growth_bytes_per_hour), (None, Some(0.0)));
    assert_eq!(reported.other_bytes, Some(43 * MB - 100 * MB / 16));
    assert!(sentence(&reported).is_none());
}

#[test]
fn direct_buffers_are_named_with_their_rate() {
    let reported = after_two_minutes(|at_s| {
        let (sample, more) = (still(at_s), at_s * MB / 10);
        Platform {
            resident_bytes: plus(sample.resident_bytes, more),
            anonymous_bytes: plus(sample.anonymous_bytes, more),
            direct_bytes: Some(more),
            ..sample
        }
    });
    assert_eq!((reported.grows, reported.other_growth_bytes_per_hour), (Some(NativeKind::DirectBuffers), Some(0.0)));
    assert_eq!(
        sentence(&reported).as_deref(),
        Some("memory of the process outside the heap +360 MB/h, direct buffers +360 MB/h")
    );
}

#[test]
fn a_heap_that_is_used_for_the_first_time_is_no_growth_beside_it() {
    let reported = after_two_minutes(|at_s| {
        let (sample, more) = (still(at_s), at_s * 4 * MB);
        Platform {
            resident_bytes: plus(sample.resident_bytes, more),
            anonymous_bytes: plus(sample.anonymous_bytes, more),
            heap_resident_bytes: plus(sample.heap_resident_bytes, more - more / 20),
            ..sample
        }
    });
    assert_eq!(reported.grows, None, "one in twenty is the collector's own: {reported:?}");
    assert!(reported.resident_growth_bytes_per_hour.is_some_and(|growth| growth > 3.0e9));
}

#[test]
fn what_no_counter_knows_is_native_memory_unless_threads_or_classes_become_more() {
    let malloc = |at_s: u64| {
        let sample = still(at_s);
        Platform { anonymous_bytes: plus(sample.anonymous_bytes, at_s * MB), ..sample }
    };
    assert_eq!(after_two_minutes(malloc).grows, Some(NativeKind::Other));
    let stacks = |at_s: u64| Platform { threads: Some(17 + 2 * at_s), ..malloc(at_s) };
    let reported = after_two_minutes(stacks);
    assert_eq!(reported.grows, Some(NativeKind::Threads));
    assert_eq!(sentence(&reported).as_deref(), Some("threads +7200/h"));
    let few = |at_s: u64| Platform { classes: Some(900 + 3 * at_s), ..malloc(at_s) };
    assert_eq!(after_two_minutes(few).grows, Some(NativeKind::Other), "a class holds no 300 KB");
    let loaders = |at_s: u64| Platform { classes: Some(900 + 80 * at_s), metaspace_bytes: None, ..malloc(at_s) };
    let reported = after_two_minutes(loaders);
    assert_eq!(reported.grows, Some(NativeKind::Metaspace));
    assert_eq!(sentence(&reported).as_deref(), Some("metaspace +3.5 GB/h"));
}

#[test]
fn without_the_large_parts_the_rest_is_not_known() {
    let blind = |at_s: u64| {
        let sample = still(at_s);
        Platform {
            resident_bytes: plus(sample.resident_bytes, at_s * MB),
            anonymous_bytes: plus(sample.anonymous_bytes, at_s * MB),
            heap_resident_bytes: None,
            ..sample
        }
    };
    let reported = after_two_minutes(blind);
    assert_eq!((reported.other_bytes, reported.other_growth_bytes_per_hour, reported.grows), (None, None, None));
}

#[test]
fn warm_up_is_shown_and_not_judged() {
    let mut native = Native::default();
    for number in 0..24 {
        let more = number * 50 * MB;
        native.observe(&Platform { direct_bytes: Some(more), ..still(number * 5) }, false);
    }
    let reported = native.report().expect("samples came");
    assert_eq!((reported.direct_bytes, reported.direct_growth_bytes_per_hour), (Some(1150 * MB), None));
    assert!(!native.is_known());
}

#[test]
fn buffers_that_no_collection_could_give_back_yet_are_neither_blamed_nor_cleared() {
    let mut native = Native::default();
    for number in 0..24 {
        native.observe(&Platform { direct_bytes: Some(number * MB), ..still(number * 5) }, true);
    }
    let reported = native.report().expect("samples came");
    assert_eq!((reported.grows, reported.direct_growth_bytes_per_hour), (None, None));
    assert!(!native.is_known());
}

#[test]
fn classes_that_are_loaded_without_end_are_growth_before_their_bytes_are_counted() {
    let reported = after_two_minutes(|at_s| Platform { classes: Some(900 + 5 * at_s), ..still(at_s) });
    assert_eq!(reported.grows, Some(NativeKind::Metaspace));
    assert_eq!(sentence(&reported).as_deref(), Some("classes +18000/h"));
    let warms_up = |at_s: u64| Platform { classes: Some(900 + 5 * at_s.min(40)), ..still(at_s) };
    assert_eq!(after_two_minutes(warms_up).grows, None);
    let few = |at_s: u64| Platform { classes: Some(900 + at_s), ..still(at_s) };
    assert_eq!(after_two_minutes(few).grows, None);
}

#[test]
fn classes_that_die_and_wait_for_being_unloaded_are_no_growth() {
    let growth = |live_at_the_end: u64| {
        let mut native = Native::default();
        native.captured(1.0, 500);
        for number in 0..24 {
            native.observe(&Platform { classes: Some(900 + 10 * number * 5), ..still(number * 5) }, true);
        }
        native.captured(41.0, live_at_the_end);
        native.report().expect("samples came").grows
    };
    assert_eq!(growth(520), None);
    assert_eq!(growth(800), Some(NativeKind::Metaspace));
}

#[test]
fn what_start_up_leaves_behind_is_no_leak_of_native_memory() {
    let grown = |bytes_a_minute: u64| {
        after_two_minutes(|at_s| {
            let (sample, more) = (still(at_s), at_s * bytes_a_minute / 60);
            Platform {
                resident_bytes: plus(sample.resident_bytes, more),
                anonymous_bytes: plus(sample.anonymous_bytes, more),
                ..sample
            }
        })
    };
    assert_eq!(grown(12 * MB).grows, None);
    assert_eq!(grown(30 * MB).grows, Some(NativeKind::Other));
}

#[test]
fn memory_beside_the_heap_takes_from_the_container_what_the_heap_cannot_have() {
    let mut native = Native::default();
    native.observe(&still(5), false);
    assert_eq!(native.container(), None);
    native.observe(&Platform { limit_bytes: Some(512 * MB), limit_used_bytes: Some(180 * MB), ..still(10) }, false);
    let container = native.container().expect("a limit");
    assert_eq!(container.beside_heap_bytes, Some(80 * MB));
    assert_eq!(container.heap_room_bytes(), Some(432 * MB));
}
