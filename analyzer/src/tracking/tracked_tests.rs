//! A region under observation: bounds, buffers, shards, and what later captures know.

use super::*;
use rootbound_wire::ids::ProbeId;

/// All held weakly, and this share of them waiting for the collector.
fn held_weakly(waiting: f64) -> Clearable {
    Clearable { weak: 1.0, waiting, ..Clearable::default() }
}

/// A region that has gained two members a second for a minute, with this result of a capture.
fn grown(clearable: Clearable) -> TrackedRegion {
    let mut region = TrackedRegion::new(100);
    region.clearable = clearable;
    (0..60).for_each(|second| see(&mut region, second));
    region
}

fn see(region: &mut TrackedRegion, second: u64) {
    see_with(region, second, 0.0);
}

fn see_with(region: &mut TrackedRegion, second: u64, size_error: f64) {
    observe(region, second, Sighting { size_error, ..sighting(second) });
}

fn sighting(second: u64) -> Sighting {
    let (additions, removals, relinked, slots, method) = (0.0, 0.0, false, None, VisitMethod::Full);
    Sighting { size: 100.0 + 2.0 * second as f64, size_error: 0.0, additions, removals, relinked, slots, method }
}

fn observe(region: &mut TrackedRegion, second: u64, seen: Sighting) {
    let (at_ms, outcome) = (1000 * second, VisitOutcome::Seen(seen));
    region.observe(&ProbeReport { probe: ProbeId(1), at_ms, bias: 1.0, reads: 1, micros: 1, outcome });
}

#[test]
fn nodes_that_are_copied_into_a_longer_table_have_not_left() {
    let mut region = TrackedRegion::new(100);
    let turnover = |second, count| Sighting { additions: count + 8.0, removals: count, ..sighting(second) };
    observe(&mut region, 0, Sighting { relinked: true, ..sighting(0) });
    observe(&mut region, 1, sighting(1));
    observe(&mut region, 2, turnover(2, 300.0));
    assert_eq!(region.flux, Flux { additions: 8.0, removals: 0.0 });
    observe(&mut region, 3, turnover(3, 300.0));
    assert_eq!(region.flux, Flux { additions: 316.0, removals: 300.0 }, "the table is the same");
}

/// A skip list that is full, as it was counted: eight times in a minute, and twice in half a minute.
#[test]
fn where_visits_are_rare_one_of_them_ends_the_growth() {
    let counted = [(35, 2951), (39, 3313), (41, 3437), (43, 3637), (46, 3948), (53, 4601), (65, 5674), (72, 6170)];
    let mut region = TrackedRegion::new(2951);
    let mut count = |second, size: u32| {
        observe(&mut region, second, Sighting { size: size.into(), ..sighting(second) });
        region.trend()
    };
    for (second, size) in counted {
        count(second, size);
    }
    assert_eq!(count(80, 6170), Some(Trend::Grower));
    assert_eq!(count(96, 6168), Some(Trend::Flatliner));
}

#[test]
fn more_members_than_the_heap_has_bytes_are_no_size() {
    let mut region = TrackedRegion { heap_bytes: Some(1 << 30), ..TrackedRegion::new(100) };
    observe(&mut region, 0, sighting(0));
    for (second, size) in [(1, 1.4e101), (2, -1.0), (3, f64::NAN)] {
        observe(&mut region, second, Sighting { size, ..sighting(second) });
    }
    assert_eq!(region.latest_size(), Some(100.0));
    observe(&mut region, 4, sighting(4));
    assert_eq!(region.latest_size(), Some(108.0));
}

#[test]
fn what_a_collection_lets_go_in_the_main_is_no_grower() {
    let waiting = grown(held_weakly(0.9));
    assert_eq!((waiting.trend(), waiting.bound), (Some(Trend::Oscillator), Some(Bound::Collector)));
    let in_use = grown(held_weakly(0.1));
    assert_eq!((in_use.trend(), in_use.bound), (Some(Trend::Grower), None));
}

#[test]
fn arrays_that_are_never_replaced_bound_the_growth_while_there_is_room() {
    let within = |slots: u64| {
        let mut region = TrackedRegion::new(100);
        region.capacity = Some(slots);
        (0..60).for_each(|second| see(&mut region, second));
        (region.trend(), region.bound.is_some())
    };
    assert_eq!(within(100_000), (Some(Trend::Flatliner), true));
    assert_eq!(within(150), (Some(Trend::Grower), false), "218 do not fit");
}

/// A buffer with one visit a second, each with a fill, a length and a method.
fn filled(visits: impl IntoIterator<Item = (f64, u32, VisitMethod)>) -> TrackedRegion {
    let mut region = TrackedRegion::of_buffer(0);
    for (second, (size, slots, method)) in visits.into_iter().enumerate() {
        let (additions, removals, relinked, slots) = (0.0, 0.0, false, Some(slots));
        let seen = Sighting { size, size_error: 0.0, additions, removals, relinked, slots, method };
        region.see(second as f64, &seen);
        region.extent.iter_mut().for_each(|extent| extent.see(&seen));
    }
    region
}

#[test]
fn a_buffer_is_bounded_by_no_array_for_it_takes_a_longer_one() {
    let counter = VisitMethod::Counter { counter: 0 };
    let region = filled((0..30).map(|second| (300.0 + 20.0 * f64::from(second), 1_000, counter)));
    assert_eq!((region.trend(), region.bound), (Some(Trend::Grower), None));
}

#[test]
fn the_sizes_of_a_buffer_begin_anew_when_a_counter_takes_over_from_its_length() {
    let (length, counter) = (VisitMethod::Length, VisitMethod::Counter { counter: 0 });
    let visits = (0..40).map(|second| match second {
        0..20 => (1_024.0, 1_024, length),
        _ => (520.0 + f64::from(second), 1_024, counter),
    });
    let region = filled(visits);
    assert_eq!(region.series.points()[0].size, 540.0);
    assert_eq!(region.trend(), Some(Trend::Grower));
}

#[test]
fn visits_that_show_no_size_are_reported_until_one_does() {
    let mut region = TrackedRegion::new(100);
    (0..7).for_each(|second| see_with(&mut region, second, f64::INFINITY));
    assert!(!region.is_blind());
    see_with(&mut region, 7, f64::INFINITY);
    assert!(region.is_blind());
    see(&mut region, 8);
    assert!(!region.is_blind());
}

#[test]
fn of_many_shards_one_must_be_surer_to_grow_than_a_single_map() {
    let sure = |confidence| Assessment { trend: Trend::Grower, drift: None, confidence, veto: None };
    let series = grown(Clearable::default()).series;
    let judged = |similar, confidence| among(similar, sure(confidence), None, &series).trend;
    assert_eq!((judged(1, 0.992), judged(4, 0.998)), (Trend::Grower, Trend::Grower));
    assert_ne!(judged(4, 0.992), Trend::Grower);
    let held = among(4, sure(0.993), Some(Trend::Grower), &series);
    assert_eq!(held.trend, Trend::Grower);
}

#[test]
fn a_later_capture_may_say_otherwise() {
    let mut region = grown(held_weakly(0.1));
    assert!(region.may_be_cleared());
    region.found_again(&grown(held_weakly(0.9)));
    (60..70).for_each(|second| see(&mut region, second));
    assert_eq!(region.trend(), Some(Trend::Oscillator));
    assert!(!region.may_be_cleared());
}

#[test]
fn it_fills_up_to_the_size_of_the_others_in_its_array_and_grows_beyond() {
    let mut region = grown(Clearable::default());
    region.full_like_siblings = Some(300);
    (60..70).for_each(|second| see(&mut region, second));
    assert_ne!(region.trend(), Some(Trend::Grower));
    assert_eq!(region.bound, Some(Bound::Peers(300)));
    (70..120).for_each(|second| see(&mut region, second));
    assert_eq!((region.trend(), region.bound), (Some(Trend::Grower), None));
}

#[test]
fn growth_is_doubted_until_the_next_capture_or_for_a_time() {
    let members = held_weakly(0.1);
    let mut region = grown(members);
    region.doubt(65.0);
    assert_eq!((region.trend(), region.bound), (Some(Trend::Oscillator), Some(Bound::Collector)));
    let mut looked_at = region.clone();
    (60..70).for_each(|second| see(&mut region, second));
    assert_eq!(region.trend(), Some(Trend::Grower), "no capture came");
    looked_at.found_again(&grown(members));
    (60..64).for_each(|second| see(&mut looked_at, second));
    assert_eq!(looked_at.trend(), Some(Trend::Grower), "its members stay");
}

#[test]
fn growth_that_was_not_seen_for_longer_than_it_was_watched_may_be_over() {
    let mut region = grown(Clearable::default());
    let (first, last) = (region.series.points()[0].at_s, region.series.points()[59].at_s);
    let lasts_s = (last - first).max(30.0);
    region.lapse(last + lasts_s);
    assert_eq!(region.trend(), Some(Trend::Grower));
    region.lapse(last + lasts_s + 1.0);
    assert_eq!(region.trend(), None);
    let next = (last + lasts_s) as u64 + 2;
    (next..next + 3).for_each(|second| see(&mut region, second));
    assert_eq!(region.trend(), Some(Trend::Grower), "it goes on");
}
