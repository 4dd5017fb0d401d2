//! The answer of the sample reports, and of incomplete ones.

use super::*;
use crate::naming::{Fingerprint, Shared};
use crate::report::samples::{beside_the_heap, figure_5, healthy, static_field, waiting};
use crate::report::{AllocationSampling, CaptureMethod, Forecast, Report, Verdict};

fn undecided(status: Status, report: Report) -> Report {
    Report { status, verdict: Verdict::default(), regions: Vec::new(), ..report }
}

fn early(status: Status) -> Report {
    Report { snapshots: Vec::new(), ..undecided(status, healthy()) }
}

#[test]
fn a_leak_is_reported_with_all_that_is_known_of_it() {
    assert_eq!(
        text(&figure_5()),
        "LEAK: SimpleLeaker.integers (Vector) gains 480 Integer a minute, 450 KB/h. Heap full in about 9 h. \
         Added at Checkout.java:88 (Checkout.buy, 87 % of the samples). It never got smaller in 29 s so far; a \
         cache that is still filling looks the same. 2 more structures grow."
    );
}

#[test]
fn what_an_early_leak_may_be_instead_is_said_in_the_first_minute_of_a_watch_that_goes_on() {
    let says_so = |report: &Report| text(report).contains("looks the same");
    assert!(says_so(&figure_5()));
    assert!(!says_so(&Report { status: Status::Ended(End::Interrupted), ..figure_5() }));
    let mut later = figure_5();
    later.regions[0].history.push((120.0, 1_000.0));
    assert!(!says_so(&later));
}

#[test]
fn what_grows_at_the_pace_of_the_first_may_be_one_cause() {
    let mut report = figure_5();
    let (first, mut second) = (report.regions[0].clone(), report.regions[1].clone());
    let pace = |second: &Region| {
        let regions = vec![first.clone(), second.clone()];
        text(&Report { regions, ..figure_5() }).split(" grows").nth(1).map(str::to_owned)
    };
    assert_eq!(pace(&second).as_deref(), Some("."));
    (second.rate_low, second.rate_per_min, second.rate_high) = (Some(460.0), Some(475.0), Some(490.0));
    assert_eq!(pace(&second).as_deref(), Some(", at the same pace: one operation may add to both."));
    second.rate_high = Some(470.0);
    assert_eq!(pace(&second).as_deref(), Some("."), "beyond the errors");
    let in_step = Region { within: Some(first.fingerprint), in_step: true, ..second.clone() };
    assert_eq!(pace(&in_step).as_deref(), Some(", at the same pace: one operation may add to both."));
    (second.rate_high, second.alike) = (Some(490.0), 3);
    report.regions = vec![first, second];
    assert!(
        text(&report).ends_with("3 more structures grow, 3 at the same pace: one operation may add to all of these.")
    );
}

#[test]
fn what_gains_in_step_with_another_is_counted_with_it() {
    let report = figure_5();
    let leader = Region { fingerprint: Fingerprint(7), ..report.regions[1].clone() };
    let follower = Region { in_step: true, within: Some(leader.fingerprint), ..report.regions[1].clone() };
    let regions = vec![report.regions[0].clone(), leader, follower.clone(), follower];
    let text = text(&Report { regions, ..report });
    let expected = "3 more structures grow, 2 of them in step with ";
    assert!(text.contains(expected) && text.ends_with(": one operation adds to all of these."), "{text}");
}

#[test]
fn what_is_not_known_of_a_leak_is_left_out_or_said_to_be_on_its_way() {
    let mut report = figure_5();
    report.regions.truncate(1);
    let first = &mut report.regions[0];
    first.allocation_sites.clear();
    first.allocation_samples = None;
    first.time_to_full_s = None;
    first.updates.removals = 1;
    assert_eq!(
        text(&report),
        "LEAK: SimpleLeaker.integers (Vector) gains 480 Integer a minute, 450 KB/h. Time to a full heap: not known."
    );
    report.sampling.as_mut().unwrap().is_on = true;
    assert!(text(&report).ends_with("Code line: being sampled, known within about a minute."));
    report.heap.live_bytes = None;
    report.status = Status::Ended(End::Interrupted);
    assert!(text(&report).contains("Time to a full heap: known after the next garbage collection."));
    assert!(text(&report).ends_with("Code line: not found before the end; sampling takes about a minute."));
}

#[test]
fn a_code_line_that_sampling_did_not_find_is_said_not_to_be_known() {
    let mut report = figure_5();
    report.regions.truncate(1);
    report.regions[0].allocation_sites.clear();
    let last = |report: &Report| text(report).split(" Code line: ").nth(1).map(str::to_owned);
    report.sampling = Some(AllocationSampling { windows: 1, window_s: 60.0, ..AllocationSampling::default() });
    report.regions[0].allocation_samples = Some(0);
    let behind = " It never got smaller in 29 s.";
    let early = " It never got smaller in 29 s so far; a cache that is still filling looks the same.";
    assert_eq!(last(&report), Some(format!("not found in 1 min of sampling so far.{early}")));
    report.status = Status::Ended(End::Interrupted);
    assert_eq!(last(&report), Some(format!("not found in 1 min of sampling; a longer run samples again.{behind}")));
    report.sampling.as_mut().unwrap().refusal = Some("another agent uses the sampler".to_owned());
    assert_eq!(last(&report), Some(format!("not known, another agent uses the sampler.{behind}")));
    report.sampling = None;
    assert_eq!(last(&report), None, "nobody asked for it");
}

#[test]
fn of_a_buffer_the_line_is_where_its_arrays_are_made() {
    let mut report = figure_5();
    report.regions[0].buffer_slots = Some(32_768);
    assert!(text(&report).contains(" Longer arrays are made at Checkout.java:88 (Checkout.buy, 87 % of the samples)."));
}

#[test]
fn classes_that_come_with_the_elements_are_said() {
    let mut report = figure_5();
    report.regions.truncate(1);
    let with = |per_hour| Some(Native { classes_growth_per_hour: Some(per_hour), ..Native::default() });
    report.native = with(480.0 * 60.0);
    assert!(text(&report).ends_with("Classes are loaded at this pace, too, and stay: 480 a minute."));
    report.native = with(100.0);
    assert!(!text(&report).contains("Classes"));
}

#[test]
fn without_a_leak_it_says_what_was_watched_and_for_how_long() {
    let mut report = healthy();
    report.heap.growth_bytes_per_hour = Some(0.0);
    assert_eq!(
        text(&report),
        "NO LEAK SEEN in 1 min 10 s: 1 structure watched, it does not grow. The heap after collections is steady at \
         133 MB."
    );
    assert!(text(&report).starts_with("NO LEAK SEEN in 1 min 10 s: "));
    report.duration_s -= 61.0;
    assert!(text(&report).starts_with("NO LEAK SEEN so far, in 9 s: "));
    report.heap.growth_bytes_per_hour = None;
    assert!(text(&report).ends_with("not known: there were too few collections."));
    let captured = |low: f64, explained| {
        let mut report = report.clone();
        (report.heap.captured_growth_low, report.heap.captured_growth_high) = (Some(low), Some(79e6));
        report.heap.explained = explained;
        text(&report)
    };
    assert!(
        captured(68e6, None).contains("The objects in use grew by 64.8 MB/h to 75.3 MB/h between captures"),
        "{}",
        captured(68e6, None)
    );
    let mut bounded = report.clone();
    (bounded.heap.captured_growth_low, bounded.heap.captured_growth_high) = (Some(-1.0), Some(79e6));
    bounded.heap.captured_growth_captures = Some(3);
    assert!(text(&bounded).ends_with(" Between captures the objects in use grew by at most 75.3 MB/h."));
    bounded.heap.captured_growth_high = Some(-0.5);
    assert!(text(&bounded).ends_with(" Between captures the objects in use became fewer."));
    for known in [captured(-1.0, None), captured(68e6, Some(0.9))] {
        assert!(known.ends_with("not known: there were too few collections."), "{known}");
    }
    report.heap.growth_bytes_per_hour = Some(5e6);
    assert!(text(&report).contains("But the heap grows by 4.8 MB/h"));
}

#[test]
fn growth_between_captures_is_that_of_a_structure_that_has_stopped() {
    let mut report = healthy();
    report.heap.growth_bytes_per_hour = None;
    (report.heap.captured_growth_low, report.heap.captured_growth_high) = (Some(68e6), Some(79e6));
    report.heap.explained = None;
    report.regions[0].has_grown = true;
    let filled = text(&report);
    assert!(filled.contains(" between captures; ") && filled.ends_with(" grew at first, and has stopped."), "{filled}");
}

#[test]
fn where_all_that_is_in_use_fills_the_heap_much_sooner_both_times_are_said() {
    let mut report = figure_5();
    report.heap.growth_bytes_per_hour = Some(400e6);
    (report.heap.time_to_full_s, report.regions[0].time_to_full_s) = (Some(3_600.0), Some(36_000.0));
    let said = text(&report);
    let both = "Heap full in about 10 h by this structure alone, in about 60 min if all objects in use go on growing by 381 MB/h.";
    assert!(said.contains(both), "{said}");
    report.heap.time_to_full_s = Some(20_000.0);
    assert!(text(&report).contains("Heap full in about 10 h. "));
}

#[test]
fn what_another_structure_holds_too_must_be_removed_from_both() {
    let mut report = figure_5();
    let place = static_field("com.example.Shop", "byName");
    report.regions[0].also_held_by = vec![Shared { class: "com.example.Order".to_owned(), place, ..Shared::default() }];
    let said = text(&report);
    assert!(
        said.contains(" The same Order are in static com.example.Shop.byName, too: remove them from both."),
        "{said}"
    );
}

#[test]
fn what_grows_outside_the_heap_is_named() {
    assert_eq!(
        text(&beside_the_heap()),
        "MEMORY GROWS OUTSIDE THE HEAP: direct buffers +118 MB/h, memory of the process outside \
         the heap in all +120 MB/h. No structure of the Java heap is seen to grow."
    );
}

#[test]
fn before_a_verdict_it_says_what_is_missing_and_when_it_comes() {
    assert_eq!(
        text(&waiting()),
        "Waiting for a JVM on unix:/run/user/1000/rootbound.sock. To bring one here, start it with the agent: java \
         -agentpath:/opt/rootbound/librootbound_agent.so -jar shop.jar"
    );
    assert_eq!(
        text(&early(Status::Warming { due_s: 6, gap_s: 15 })),
        "TOO EARLY TO TELL: first snapshot in 6 s, second 15 s later, first verdict about 31 s from now."
    );
    assert_eq!(
        text(&early(Status::Settling { due_s: 12 })),
        "TOO EARLY TO TELL: second snapshot in 12 s, first verdict about 22 s from now."
    );
    let mut tracking = undecided(Status::Tracking, healthy());
    tracking.duration_s = 56.3;
    assert_eq!(text(&tracking), "TOO EARLY TO TELL: 0 candidates found and watched, verdict in at most 14 s.");
}

#[test]
fn an_end_that_came_too_early_says_how_early() {
    let end = || Status::Ended(End::ProgramEnded("exit status: 0".to_owned()));
    let mut report = early(end());
    report.duration_s = 0.3;
    assert_eq!(text(&report), "NOTHING JUDGED: the program ended after 300 ms, before the first snapshot.");
    let mut late = undecided(end(), healthy());
    late.duration_s = 53.3;
    assert_eq!(
        text(&late),
        "NOTHING JUDGED: the program ended 3 s after the second snapshot; a verdict takes about 10 s."
    );
    let nobody = Report { jvm: None, ..early(Status::Ended(End::Interrupted)) };
    assert_eq!(text(&nobody), "NOTHING JUDGED: no JVM was seen.");
}

#[test]
fn where_no_snapshot_is_allowed_the_reasons_are_said() {
    let method = |method, obstacle: &str| MethodForecast {
        method,
        pause_ms: 2650.0,
        duration_ms: 3000.0,
        memory_bytes: 0,
        obstacle: Some(obstacle.to_owned()),
    };
    let (fork, walk) = (CaptureMethod::Fork, CaptureMethod::InProcess);
    let methods = vec![method(fork, "a"), method(walk, "b"), method(CaptureMethod::Tags, "c")];
    let forecast = Some(Forecast { at_s: 10.0, objects: 5_000_000, method: None, methods });
    for status in [Status::GivenUp, Status::Ended(End::Detached)] {
        let report = Report { forecast: forecast.clone(), ..early(status) };
        let answer = "NOTHING JUDGED: no snapshot is possible or allowed (fork: a; in-process: b).";
        assert_eq!(text(&report), answer);
    }
    let ended = Report { forecast: forecast.clone(), ..undecided(Status::Ended(End::Detached), healthy()) };
    let marks = ended.snapshots.iter().filter(|snapshot| snapshot.kind == SnapshotKind::Mark).cloned().collect();
    let marked = Report { snapshots: marks, ..ended };
    let answer = "NOTHING JUDGED: no second snapshot is possible or allowed (fork: a; in-process: b).";
    assert_eq!(text(&marked), answer);
    let usable = Report { forecast, ..early(Status::GivenUp) };
    let forecast = usable.forecast.clone().map(|forecast| Forecast { method: Some(walk), ..forecast });
    assert_eq!(text(&Report { forecast, ..usable }), "NOTHING JUDGED: no snapshot succeeded.");
}

#[test]
fn growth_that_would_take_a_year_makes_no_headline() {
    let mut report = healthy();
    report.regions[0].trend = Some(Trend::Grower);
    report.regions[0].harmless = true;
    let answer = text(&report);
    assert!(answer.starts_with("NO LEAK SEEN"), "{answer}");
    assert!(answer.contains("1 grows, but would take more than a year to fill the heap"), "{answer}");
}
