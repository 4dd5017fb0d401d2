//! Regions that are weighed against those around them.

use super::{Findings, FoundRegion};
use crate::heap::Heap;
use crate::heap::dsl::HeapSketch;
use crate::regions::BufferLengths;
use crate::session::analysis::{Beside, Wish, analyse};
use crate::session::earlier::Followed;
use crate::tracking::{Bound, Trend};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{ProbeReport, Sighting, VisitMethod, VisitOutcome};

/// Regions alone, whose probes are numbered from here on.
pub(in crate::session) fn wish(first_probe: u32, lengths: &BufferLengths) -> Wish<'_> {
    Wish {
        explain: false,
        first_probe,
        marks: None,
        keeps_paths: false,
        may_iterate: true,
        lengths,
        growers: &[],
        followed: &[],
        weakly_held: &[],
    }
}

/// A map of sessions, half of them new; each old one has gained three entries.
fn sessions() -> Heap {
    let mut heap = HeapSketch::new();
    let (map, table) = (heap.old("Map"), heap.old("Node[]"));
    heap.static_field("Manager", "sessions", map);
    heap.refer(map, "table", table);
    for number in 0..80 {
        let make = |heap: &mut HeapSketch, class: &str| if number < 40 { heap.old(class) } else { heap.fresh(class) };
        let (node, session, all) =
            (make(&mut heap, "Node"), make(&mut heap, "Session"), make(&mut heap, "Attribute[]"));
        heap.element(table, node);
        heap.refer(node, "value", session);
        heap.refer(session, "attributes", all);
        for _ in 0..3 {
            let attribute = heap.fresh("Attribute");
            heap.element(all, attribute);
        }
    }
    heap.build()
}

fn found() -> Findings {
    found_from(0)
}

fn found_from(first_probe: u32) -> Findings {
    let lengths = BufferLengths::default();
    let wish = wish(first_probe, &lengths);
    analyse(&sessions(), &wish, |_| Beside::default()).findings
}

fn probe_of(findings: &Findings, change_class: &str) -> ProbeId {
    let region = findings.regions.iter().find(|region| region.change_class == change_class && region.probe.is_some());
    region.and_then(|region| region.probe).expect("the region is followed")
}

fn seen(findings: &mut Findings, probe: ProbeId, at_ms: u64, size: f64) {
    seen_by(findings, probe, at_ms, (size, VisitMethod::Full));
}

fn seen_by(findings: &mut Findings, probe: ProbeId, at_ms: u64, (size, method): (f64, VisitMethod)) {
    seen_in(findings, probe, at_ms, (size, method, None));
}

fn seen_in(
    findings: &mut Findings,
    probe: ProbeId,
    at_ms: u64,
    (size, method, slots): (f64, VisitMethod, Option<u32>),
) {
    let outcome = VisitOutcome::Seen(Sighting {
        size: size.round(),
        size_error: 0.0,
        additions: 0.0,
        removals: 0.0,
        relinked: false,
        slots,
        method,
    });
    findings.observe(probe, &ProbeReport { probe, at_ms, bias: 1.0, reads: 1, micros: 1, outcome }, None);
}

/// Trends of sessions and attributes after a minute with this number of sessions, each of which holds this number of
/// attributes; and the note on the attributes.
fn watched(
    sessions: impl Fn(f64) -> f64,
    attributes: impl Fn(f64) -> f64,
) -> (Option<Trend>, Option<Trend>, Option<String>) {
    let mut findings = found();
    let (outer, inner) = (probe_of(&findings, "Node"), probe_of(&findings, "Attribute"));
    for at in 0..120u64 {
        let at_ms = 500 * at;
        let (then_s, later_s) = (at_ms as f64 / 1e3, (at_ms + 150) as f64 / 1e3);
        seen(&mut findings, outer, at_ms, sessions(then_s));
        seen(&mut findings, inner, at_ms + 150, attributes(later_s) * sessions(later_s));
    }
    let region = |probe| findings.regions.iter().find(|region| region.probe == Some(probe)).expect("it is followed");
    let note = region(inner).course_note().map(|note| note.to_string());
    (region(outer).trend(), region(inner).trend(), note)
}

#[test]
fn sessions_of_which_each_gains_are_reported_so() {
    let (sessions, attributes, note) =
        watched(|at_s| 840.0 + 0.6 * at_s + 60.0 * (at_s / 2.0).sin(), |at_s| 3.0 + at_s / 10.0);
    assert_ne!(sessions, Some(Trend::Grower));
    assert_eq!(attributes, Some(Trend::Grower));
    assert_eq!(note.as_deref(), Some("each Node gains; their number does not grow"));
}

/// Six sessions more are no growth of the map; eighteen attributes more would be some, were they not theirs.
#[test]
fn what_comes_with_a_few_more_sessions_is_no_grower() {
    let (sessions, attributes, note) = watched(|at_s| 840.0 + at_s / 10.0, |_| 3.0);
    assert_eq!((sessions, attributes), (Some(Trend::Flatliner), Some(Trend::Flatliner)));
    assert_eq!(note.as_deref(), Some("each Node holds no more than before, and their number does not grow"));
}

/// Reservoirs of an agent of metrics, of which each has gained values.
fn reservoirs(count: usize) -> Heap {
    let mut heap = HeapSketch::new();
    for at in 0..count {
        let (timer, reservoir, values) = (heap.old("Timer"), heap.old("Reservoir"), heap.old("Values"));
        heap.static_field("Metrics", &format!("timer{at}"), timer);
        heap.refer(timer, "reservoir", reservoir);
        heap.refer(reservoir, "values", values);
        let table = heap.old("Value[]");
        heap.refer(values, "table", table);
        for value in 0..60 {
            let value = if value < 40 { heap.old("Value") } else { heap.fresh("Value") };
            heap.element(table, value);
        }
    }
    heap.build()
}

/// Trend of a reservoir that gains, while the others have these sizes.
fn trend_beside(others: &[f64]) -> (Option<Trend>, Option<Bound>) {
    let lengths = BufferLengths::default();
    let wish = wish(0, &lengths);
    let mut findings = analyse(&reservoirs(1 + others.len()), &wish, |_| Beside::default()).findings;
    let probes: Vec<ProbeId> = findings.probes.iter().map(|spec| spec.probe).collect();
    assert_eq!(probes.len(), 1 + others.len());
    for at in 0..120u64 {
        seen(&mut findings, probes[0], 500 * at, 60.0 + 5.0 * at as f64);
        for (other, &size) in others.iter().enumerate() {
            seen(&mut findings, probes[1 + other], 500 * at + 10, size);
        }
    }
    let grown = findings.region_of(probes[0]).expect("it is followed");
    (grown.trend(), grown.tracked.bound)
}

#[test]
fn a_structure_fills_up_to_the_size_at_which_others_of_its_kind_are_full() {
    let full = [1028.0, 1028.0, 1028.0, 400.0];
    assert_eq!(trend_beside(&full).1, Some(Bound::Peers(1028)));
    assert_ne!(trend_beside(&full).0, Some(Trend::Grower));
    for sizes in [[1028.0, 1028.0, 1029.0, 400.0], [1028.0, 1028.0, 700.0, 400.0], [500.0, 500.0, 500.0, 400.0]] {
        assert_eq!(trend_beside(&sizes), (Some(Trend::Grower), None), "{sizes:?}");
    }
}

/// Trend and bound of one that gains a member every two seconds in an array of 128, beside others with such an array
/// each: the size that a tick adds, the size at the beginning, and the length of the array.
fn trend_among_arrays(others: &[(f64, f64, u32)]) -> (Option<Trend>, Option<Bound>) {
    let lengths = BufferLengths::default();
    let wish = wish(0, &lengths);
    let mut findings = analyse(&reservoirs(1 + others.len()), &wish, |_| Beside::default()).findings;
    let probes: Vec<ProbeId> = findings.probes.iter().map(|spec| spec.probe).collect();
    for at in 0..120u64 {
        for (&probe, &(gain, first, slots)) in probes[1..].iter().zip(others) {
            let size = first + gain * at as f64;
            seen_in(&mut findings, probe, 500 * at, (size, VisitMethod::Full, Some(slots)));
        }
        seen_in(&mut findings, probes[0], 500 * at + 10, (62.0 + at as f64 / 4.0, VisitMethod::Full, Some(128)));
    }
    let grown = findings.region_of(probes[0]).expect("it is followed");
    (grown.trend(), grown.tracked.bound)
}

#[test]
fn an_array_of_the_length_that_bounds_others_of_its_kind_bounds_this_one() {
    let filling = |length| [(0.2, 40.0, 128), (0.3, 40.0, 128), (0.4, 40.0, 128), (0.4, 40.0, length)];
    let mut still = [95.0, 97.0, 99.0, 101.0, 103.0, 105.0, 107.0, 109.0].map(|size| (0.0, size, 128));
    assert_eq!(trend_among_arrays(&still), (Some(Trend::Grower), None), "lists that grew look like this");
    still[7].1 = 30.0;
    for others in [&filling(128)[..], &still] {
        let (trend, bound) = trend_among_arrays(others);
        assert!(matches!(bound, Some(Bound::Array(array)) if array.slots == 128), "{trend:?} {bound:?}");
        assert_ne!(trend, Some(Trend::Grower));
    }
    let (trend, bound) = trend_among_arrays(&filling(256));
    assert_eq!((trend, bound), (Some(Trend::Grower), None), "they have arrays of several lengths");
}

/// String builders at as many places, each with an array of one length.
fn builders(count: usize) -> Heap {
    let mut heap = HeapSketch::new();
    for at in 0..count {
        let (ship, log) = (heap.old("Ship"), heap.old("Builder"));
        let text = heap.object("byte[]", 16 + 4_096, crate::heap::dsl::OLD);
        heap.static_field("Fleet", &format!("ship{at}"), ship);
        heap.refer(ship, "log", log);
        heap.refer(log, "value", text);
    }
    heap.build()
}

#[test]
fn the_length_of_arrays_is_no_size_at_which_others_are_full() {
    let lengths = BufferLengths::default();
    let wish = wish(0, &lengths);
    let mut findings = analyse(&builders(4), &wish, |_| Beside::default()).findings;
    let probes: Vec<ProbeId> = findings.probes.iter().map(|spec| spec.probe).collect();
    assert_eq!(probes.len(), 4);
    for at in 0..120u64 {
        let fill = VisitMethod::Counter { counter: 0 };
        seen_by(&mut findings, probes[0], 500 * at, (1_000.0 + 20.0 * at as f64, fill));
        for &other in &probes[1..] {
            seen_by(&mut findings, other, 500 * at + 10, (4_096.0, VisitMethod::Length));
        }
    }
    let grown = findings.region_of(probes[0]).expect("it is followed");
    assert_eq!((grown.trend(), grown.tracked.bound), (Some(Trend::Grower), None));
}

#[test]
fn a_grower_that_was_called_a_leak_is_not_called_slow_before_it_takes_twice_as_long() {
    const HOURS_A_YEAR: f64 = 365.25 * 24.0;
    let mut findings = found();
    let probe = probe_of(&findings, "Attribute");
    for at in 0..120u64 {
        seen(&mut findings, probe, 500 * at, 100.0 + at as f64);
    }
    let region = findings.region_of(probe).expect("it is followed");
    let (_, _, high) = region.bytes_per_hour_interval().expect("it grows");
    let mut is_slow = |years: f64| {
        region.weigh(Some((high * HOURS_A_YEAR * years) as u64));
        region.is_slow
    };
    assert_eq!([1.1, 0.9, 1.1, 1.9, 2.1, 1.1].map(&mut is_slow), [true, false, false, false, true, true]);
}

/// Trend and bound of a new set of attributes that grows from `first` to `size` members, after the one before at its
/// place was dropped at 1,000.
fn trend_after_a_drop((first, size): (f64, f64)) -> (Option<Trend>, Option<Bound>) {
    let mut known = found();
    let probe = probe_of(&known, "Attribute");
    (0..60).for_each(|at| seen(&mut known, probe, 500 * at, 1_000.0 / 59.0 * at as f64));
    let gone = ProbeReport { probe, at_ms: 31_000, bias: 1.0, reads: 1, micros: 1, outcome: VisitOutcome::OwnerGone };
    known.observe(probe, &gone, None);
    let (mut renewed, _) = known.renewed_by(found_from(100));
    let probe = probe_of(&renewed, "Attribute");
    (0..60).for_each(|at| seen(&mut renewed, probe, 32_000 + 500 * at, first + (size - first) / 59.0 * at as f64));
    let region = renewed.region_of(probe).expect("it is followed");
    (region.trend(), region.tracked.bound)
}

#[test]
fn a_structure_that_is_dropped_and_made_anew_grows_when_it_outgrows_the_one_before() {
    let (trend, bound) = trend_after_a_drop((100.0, 900.0));
    assert!(trend != Some(Trend::Grower) && bound == Some(Bound::Dropped(1_000)), "{trend:?}, {bound:?}");
    assert_eq!(trend_after_a_drop((100.0, 3_000.0)), (Some(Trend::Grower), None));
    assert_eq!(trend_after_a_drop((1_010.0, 1_400.0)), (Some(Trend::Grower), None), "a copy goes on");
}

/// A router of a desk with more calls, to which a factory refers, too, in the second capture.
fn router(has_factory: bool) -> Heap {
    let mut heap = HeapSketch::new();
    let (desk, router, calls) = (heap.old("Desk"), heap.old("Router"), heap.old("Call[]"));
    heap.static_field("Main", "desk", desk);
    heap.refer(desk, "router", router);
    heap.refer(router, "calls", calls);
    if has_factory {
        heap.static_field("Factory", "router", router);
    }
    for at in 0..80 {
        let call = if at < 40 { heap.old("Call") } else { heap.fresh("Call") };
        heap.element(calls, call);
    }
    heap.build()
}

#[test]
fn a_structure_that_is_found_by_another_way_goes_on() {
    let lengths = BufferLengths::default();
    let probes_of_calls = |is_known: bool| {
        let known = analyse(&router(false), &wish(0, &lengths), |_| Beside::default()).findings;
        let followed = if is_known { Followed::owners(&known.regions) } else { Vec::new() };
        let wish = Wish { followed: &followed, ..wish(50, &lengths) };
        let later = analyse(&router(true), &wish, |_| Beside::default()).findings;
        let (first, second) = (probe_of(&known, "Call"), probe_of(&later, "Call"));
        let regions = known.renewed_by(later).0.regions;
        [first, second].map(|probe| regions.iter().any(|region| region.probe == Some(probe)))
    };
    assert_eq!([true, false].map(probes_of_calls), [[true, false], [true, true]]);
}

/// Users that were there at the mark. Each has gained three lines, or one alone a hundred.
fn histories(is_one_alone: bool) -> Heap {
    let mut heap = HeapSketch::new();
    let (shop, users) = (heap.old("Shop"), heap.old("User[]"));
    heap.static_field("Main", "shop", shop);
    heap.refer(shop, "users", users);
    for number in 0..200 {
        let (user, history) = (heap.old("User"), heap.old("Line[]"));
        heap.element(users, user);
        heap.refer(user, "history", history);
        let new = if is_one_alone { if number == 0 { 100 } else { 0 } } else { 3 };
        for at in 0..3 + new {
            let line = if at < 3 { heap.old("Line") } else { heap.fresh("Line") };
            heap.element(history, line);
        }
    }
    heap.build()
}

#[test]
fn one_history_does_not_go_on_as_all_of_them() {
    let lengths = BufferLengths::default();
    let find =
        |is_one_alone, first| analyse(&histories(is_one_alone), &wish(first, &lengths), |_| Beside::default()).findings;
    let mut all = find(false, 0);
    let probe = probe_of(&all, "Line");
    for second in 0..60 {
        seen(&mut all, probe, 1000 * second, 4_000.0 + 10.0 * second as f64);
    }
    assert_eq!(all.growing().len(), 1);
    let one = find(true, 50);
    let is_at_their_place = |region: &FoundRegion| all.growing().contains(&region.fingerprint);
    assert!(one.regions.iter().any(is_at_their_place), "both are at one place");
    let (renewed, kept) = all.renewed_by(one);
    let owners =
        renewed.regions.iter().filter(|region| region.probe == Some(probe)).map(|region| region.owner.0.as_str());
    assert_eq!((owners.collect::<Vec<_>>(), kept), (vec!["Shop"], vec![probe]));
}
