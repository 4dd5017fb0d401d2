//! The session from Hello to Goodbye, against a scripted agent: what it asks for and when, what it makes of the
//! answers, and what it tells when something fails.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

pub mod agent;
pub mod program;

use agent::{Agent, MARK_PAUSE_MS, hello, mark_done, owner_of, probe_report, seen, survey};
use program::{CAPTURE_PAUSE_MS, MEMBERS, NEW_MEMBERS, Shop, Structure};
use rootbound::report::{Basis, SizeProbe, SnapshotKind, Trend, Untracked};
use rootbound::session::{GrowthSettings, RequestOutcome, RequestRefusal, Session, Settings};
use rootbound::structures::LayoutOptions;
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::{
    AllocationSites, CaptureMethod, FromAgent, GcFinished, GoodbyeReason, Heartbeat, Hello, MethodSurvey, ProbeSites,
    ProbeSpec, RouteVia, SampledSite, SamplingReceipt, SiteBasis, SiteFrame, SnapshotRequest, Survey, ToAgent,
    VisitOutcome,
};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Two orders a second, above those of the capture.
fn grows(seconds: f64) -> VisitOutcome {
    seen(MEMBERS as f64 + 2.0 * seconds)
}

fn run_for(seconds: u64) -> Settings {
    Settings { run_for: Some(Duration::from_secs(seconds)), ..Settings::default() }
}

fn snapshots_asked(settings: Settings) -> Vec<(u64, &'static str)> {
    Agent::new(settings).pass(300).snapshots_asked()
}

// What is asked for, and when.

#[test]
fn a_mark_is_asked_after_10_s_and_a_capture_15_s_later_and_each_once() {
    assert_eq!(snapshots_asked(Settings::default()), [(10_000, "mark"), (25_000, "capture")]);
}

#[test]
fn a_short_run_is_shared_out() {
    assert_eq!(snapshots_asked(run_for(24)), [(4_000, "mark"), (10_000, "capture")]);
}

#[test]
fn a_long_run_keeps_the_defaults() {
    assert_eq!(snapshots_asked(run_for(3_600)), snapshots_asked(Settings::default()));
}

#[test]
fn given_durations_are_respected_even_in_a_short_run() {
    let settings = Settings {
        mark_after: Some(Duration::from_secs(20)),
        capture_after: Some(Duration::from_secs(2)),
        ..run_for(24)
    };
    assert_eq!(snapshots_asked(settings), [(20_000, "mark"), (22_000, "capture")]);
}

#[test]
fn the_given_tick_goes_to_the_probes() {
    let mut agent = Agent::new(Settings { tick: Some(Duration::from_millis(250)), ..Settings::default() });
    agent.capture();
    let ticks = agent.asked.iter().filter_map(|(_, command)| match command {
        ToAgent::InstallProbes { tick_ms, .. } => Some(*tick_ms),
        _ => None,
    });
    assert_eq!(ticks.collect::<Vec<_>>(), [250]);
}

#[test]
fn nothing_is_asked_before_hello() {
    assert_eq!(Session::new(Settings::default()).advance(60_000), []);
}

/// The structures whose allocations it was asked to sample, and when.
fn sampling_asked(agent: &Agent) -> Vec<(u64, Vec<ProbeId>)> {
    let order = |command: &ToAgent| match command {
        ToAgent::SampleAllocations(order) => Some(order.probes.clone()),
        _ => None,
    };
    agent.asked.iter().filter_map(|(at_ms, command)| Some((*at_ms, order(command)?))).collect()
}

#[test]
fn who_adds_is_asked_of_growers_alone_and_reported_in_the_report() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    let asked = sampling_asked(&agent);
    let [(at_ms, probes)] = &asked[..] else { panic!("one window: {asked:?}") };
    assert!((33_000..50_000).contains(at_ms), "when the trend is known: {asked:?}");
    let [orders] = &probes[..] else { panic!("of one structure: {asked:?}") };
    let frame = |class: &str, is_application| SiteFrame {
        class: class.to_owned(),
        method: "add".to_owned(),
        file: Some("Shop.java".to_owned()),
        line: Some(88),
        is_application,
    };
    let frames = vec![frame("java.util.ArrayList", false), frame("com.example.Shop", true)];
    let reported = ProbeSites {
        probe: *orders,
        basis: SiteBasis::Found,
        samples: 40,
        sites: vec![SampledSite { samples: 30, frames }],
    };
    let receipt = SamplingReceipt { window_ms: 60_000, events: 900, ..SamplingReceipt::default() };
    let sites = |refusal| AllocationSites {
        at_ms: agent.now_ms,
        is_over: true,
        refusal,
        probes: vec![reported.clone()],
        receipt,
    };
    let (found, refused) = (sites(None), sites(Some("another agent holds it".to_owned())));
    agent.say(FromAgent::AllocationSites(found));
    let region = agent.region(Structure::Orders);
    assert_eq!((region.allocation_samples, region.allocation_basis), (Some(40), Some(Basis::Found)));
    assert_eq!(region.allocation_sites[0].share, 0.75);
    assert_eq!(region.allocation_sites[0].frames[0].to_string(), "com.example.Shop.add(Shop.java:88)");
    assert_eq!(agent.region(Structure::Products).allocation_samples, None);
    assert_eq!(agent.report().sampling.map(|sampling| sampling.events), Some(900));
    agent.pass(400);
    assert_eq!(sampling_asked(&agent).len(), 1, "forty samples suffice");
    agent.say(FromAgent::AllocationSites(refused));
    let problems = agent.report().problems;
    assert!(problems.contains(&"allocation sites are not known: another agent holds it".to_owned()), "{problems:?}");
}

#[test]
fn nobody_is_sampled_who_does_not_grow_or_when_the_user_says_no() {
    let mut still = Agent::new(Settings::default());
    assert_eq!(sampling_asked(still.capture().pass(120)), []);
    assert_eq!(still.report().sampling, None);
    let settings = Settings { no_allocation_sites: true, ..Settings::default() };
    let mut unwanted = Agent::new(settings);
    unwanted.orders = grows;
    assert_eq!(sampling_asked(unwanted.capture().pass(120)), []);
}

#[test]
fn a_jvm_that_cannot_be_captured_is_asked_for_nothing() {
    let mut agent =
        Agent::saying(Settings::default(), Hello { incapable: Some("no can_tag_objects".to_owned()), ..hello() });
    agent.pass(300);
    assert_eq!(agent.asked, []);
    assert_eq!(agent.report().status.to_string(), "this JVM cannot be captured");
    assert_eq!(agent.report().problems, ["this JVM cannot be captured: no can_tag_objects"]);
}

// What is being waited for.

#[test]
fn the_status_says_what_is_waited_for_at_each_stage() {
    let mut session = Session::new(Settings::default());
    assert_eq!(session.report().status.to_string(), "waiting for a JVM");
    session.receive(FromAgent::Hello(hello()));
    session.advance(3_500);
    assert_eq!(session.report().status.to_string(), "warming up: marking what lives in 7 s");
    assert_eq!(session.advance(10_000), [ToAgent::Survey]);
    assert_eq!(session.report().status.to_string(), "looking at the heap's size and the limits");
    session.receive(FromAgent::Survey(survey()));
    assert_eq!(session.report().status.to_string(), "marking what lives");
    session.receive(mark_done(SnapshotId(1), 11_000));
    assert_eq!(session.report().status.to_string(), "waiting for what stays: capturing the heap in 15 s");
    session.advance(26_000);
    session.receive(FromAgent::Survey(survey()));
    assert_eq!(session.report().status.to_string(), "capturing the heap");
    for message in Shop::seen_by(SnapshotId(2)).capture(27_000, CaptureMethod::Tags) {
        session.receive(message);
    }
    assert_eq!(session.report().status.to_string(), "tracking regions");
}

#[test]
fn a_capture_that_is_never_due_is_waited_for() {
    let mut agent = Agent::new(Settings { capture_after: Some(Duration::MAX), ..Settings::default() });
    agent.pass(60);
    assert_eq!(agent.snapshots_asked(), [(10_000, "mark")]);
    let status = agent.report().status.to_string();
    assert!(status.starts_with("waiting for what stays") && !status.ends_with(" 0 s"), "{status}");
}

// Snapshots on request.

fn ask(session: &mut Session, request: SnapshotRequest, at_ms: u64) -> Vec<ToAgent> {
    session.request(request, at_ms).unwrap()
}

fn capture_of(session: &mut Session, shop: &Shop, at_ms: u64) {
    session.receive(FromAgent::Survey(survey()));
    shop.capture(at_ms, CaptureMethod::Tags).into_iter().for_each(|message| drop(session.receive(message)));
}

/// What a recording would hold of a mark after warming up, one operation, and a capture.
fn around_an_operation(session: &mut Session) {
    session.receive(FromAgent::Hello(hello()));
    assert_eq!(
        ask(session, SnapshotRequest::Mark, 3_000),
        [ToAgent::Requested(SnapshotRequest::Mark), ToAgent::Survey]
    );
    session.receive(FromAgent::Survey(survey()));
    assert_eq!(session.request(SnapshotRequest::Mark, 3_100), Err(RequestRefusal::Marking));
    session.receive(mark_done(SnapshotId(1), 3_200));
    assert!(matches!(session.take_outcome(), Some(RequestOutcome::Made(mark)) if mark.on_request));
    assert_eq!(session.take_outcome(), None, "once");
}

#[test]
fn a_mark_and_a_capture_on_request_come_when_they_are_asked_for() {
    let mut session = Session::new(Settings::default());
    assert_eq!(session.request(SnapshotRequest::Mark, 0), Err(RequestRefusal::NotConnected));
    around_an_operation(&mut session);
    // The operation takes a minute: the schedule waits for the user.
    assert_eq!(session.advance(63_000), []);
    let status = session.report().status.to_string();
    assert!(status.starts_with("marked on request"), "{status}");
    assert!(ask(&mut session, SnapshotRequest::Capture, 63_500).contains(&ToAgent::Survey));
    capture_of(&mut session, &Shop::seen_by(SnapshotId(2)), 64_000);
    assert!(matches!(session.take_outcome(), Some(RequestOutcome::Made(capture)) if capture.on_request));
    let snapshots = session.report().snapshots;
    assert_eq!(snapshots.len(), 2);
    assert!(snapshots.iter().all(|snapshot| snapshot.on_request));
    assert_eq!(snapshots[1].reason.as_deref().map(|reason| reason.starts_with("on request")), Some(true));
    assert!(!session.report().regions.is_empty());
    assert_eq!(session.request(SnapshotRequest::Capture, 65_000), Err(RequestRefusal::NotMarked));
}

#[test]
fn a_mark_on_request_that_nobody_follows_up_is_followed_by_a_capture_of_the_schedule() {
    let mut session = Session::new(Settings::default());
    around_an_operation(&mut session);
    assert_eq!(session.advance(600_000), []);
    assert_eq!(session.advance(603_200), [ToAgent::Survey]);
    capture_of(&mut session, &Shop::seen_by(SnapshotId(2)), 604_000);
    assert_eq!(session.take_outcome(), None, "nobody asked for it");
    let asked: Vec<bool> = session.report().snapshots.iter().map(|snapshot| snapshot.on_request).collect();
    assert_eq!(asked, [true, false]);
}

#[test]
fn a_request_is_refused_with_its_reason_where_a_snapshot_makes_no_sense() {
    let mut session = Session::new(Settings::default());
    session.receive(FromAgent::Hello(hello()));
    assert_eq!(session.request(SnapshotRequest::Capture, 1_000), Err(RequestRefusal::NotMarked));
    session.receive(FromAgent::Goodbye { at_ms: 2_000, reason: GoodbyeReason::VmDeath });
    assert_eq!(session.request(SnapshotRequest::Mark, 3_000), Err(RequestRefusal::NotConnected));
    let mut incapable = Session::new(Settings::default());
    incapable.receive(FromAgent::Hello(Hello { incapable: Some("no".to_owned()), ..hello() }));
    assert_eq!(incapable.request(SnapshotRequest::Mark, 1_000), Err(RequestRefusal::Incapable));
}

#[test]
fn a_mark_on_request_that_fails_is_reported_to_its_user_with_the_reason() {
    let mut session = Session::new(Settings { max_pause: Some(Duration::from_nanos(1)), ..Settings::default() });
    session.receive(FromAgent::Hello(hello()));
    ask(&mut session, SnapshotRequest::Mark, 1_000);
    session.receive(FromAgent::Survey(survey()));
    assert!(matches!(session.take_outcome(), Some(RequestOutcome::Failed(reason)) if !reason.is_empty()));
    assert!(session.request(SnapshotRequest::Mark, 2_000).is_ok(), "it may be tried again");
}

#[test]
fn a_recording_of_snapshots_on_request_replays_to_the_same_snapshots() {
    let mut live = Session::new(Settings::default());
    around_an_operation(&mut live);
    ask(&mut live, SnapshotRequest::Capture, 9_000);
    capture_of(&mut live, &Shop::seen_by(SnapshotId(2)), 9_500);

    let mut replay = Session::new(Settings { replays: true, ..Settings::default() });
    replay.receive(FromAgent::Hello(hello()));
    replay.recorded_command(ToAgent::Requested(SnapshotRequest::Mark));
    replay.recorded_command(ToAgent::Survey);
    replay.receive(FromAgent::Survey(survey()));
    replay.receive(mark_done(SnapshotId(1), 3_200));
    replay.recorded_command(ToAgent::Requested(SnapshotRequest::Capture));
    replay.recorded_command(ToAgent::Survey);
    capture_of(&mut replay, &Shop::seen_by(SnapshotId(2)), 9_500);

    let facts = |session: &Session| {
        let report = session.report();
        let snapshots: Vec<_> = report.snapshots.iter().map(|made| (made.kind, made.at_s, made.on_request)).collect();
        let regions: Vec<_> = report.regions.iter().map(|region| region.fingerprint).collect();
        (snapshots, regions)
    };
    assert_eq!(facts(&replay), facts(&live));
    assert!(facts(&live).0.iter().all(|(_, _, on_request)| *on_request));
}

// From a capture to probes.

fn probe_of(agent: &Agent, structure: Structure) -> ProbeSpec {
    let mut probes = agent.probes().into_iter().filter(|spec| agent.shop().structure_of(owner_of(spec)) == structure);
    let probe = probes.next().expect("the structure has a probe");
    assert!(probes.next().is_none(), "one probe follows it");
    probe
}

fn is_field(via: &RouteVia, wanted: &str) -> bool {
    matches!(via, RouteVia::Field { name, .. } if name == wanted)
}

/// Whether some place of the route reads this.
fn reads(probe: &ProbeSpec, wanted: impl Fn(&RouteVia) -> bool) -> bool {
    probe.places.iter().flat_map(|place| &place.steps).any(|step| wanted(&step.via))
}

fn counted_classes(agent: &Agent, probe: &ProbeSpec) -> Vec<String> {
    let counted = probe.places.iter().filter(|place| place.counts);
    counted.map(|place| agent.shop().class_name(place.class).to_owned()).collect()
}

#[test]
fn a_capture_leads_to_probes_with_routes_from_the_owner_to_the_members() {
    let mut agent = Agent::new(Settings::default());
    agent.capture();
    for (structure, field, member) in [
        (Structure::Orders, "elementData", "com.example.Order"),
        (Structure::Products, "table", "java.util.HashMap$Node"),
    ] {
        let probe = probe_of(&agent, structure);
        assert_eq!(agent.shop().class_name(probe.places[0].class), agent.shop().class_name(owner_of(&probe)));
        assert!(reads(&probe, |via| is_field(via, field)), "{probe:?}");
        assert!(reads(&probe, |via| *via == RouteVia::ArrayElement), "{probe:?}");
        assert_eq!(counted_classes(&agent, &probe), [member]);
    }
}

#[test]
fn a_capture_is_reported_with_its_figures() {
    let mut agent = Agent::new(Settings::default());
    agent.capture();
    agent.session.note_analysis_time(12.5);
    let report = agent.report();
    let [mark, capture] = report.snapshots.as_slice() else { panic!("one mark, one capture: {report:?}") };
    assert_eq!((mark.kind, mark.at_s, mark.objects, mark.marked), (SnapshotKind::Mark, 10.0, Some(60), Some(50)));
    assert_eq!((capture.kind, capture.at_s, capture.analysis_ms), (SnapshotKind::Capture, 25.0, Some(12.5)));
    let (objects, references) = agent.shop().counts();
    assert_eq!((capture.objects, capture.references), (Some(objects), Some(references)));
    assert_eq!(capture.heap_bytes, Some(agent.shop().heap_bytes()));
    assert_eq!(capture.failure, None);
}

// Trends and verdicts.

#[test]
fn a_growing_region_becomes_a_grower_with_its_rate_and_the_verdict_says_leaking() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    let orders = agent.region(Structure::Orders);
    assert_eq!(orders.trend, Some(Trend::Grower));
    assert_eq!(orders.tick, Some(Trend::Grower));
    assert_eq!(orders.proxy_size, NEW_MEMBERS + 60, "those of the capture and 2 a second since");
    let (rate, low, high) = (orders.rate_per_min.unwrap(), orders.rate_low.unwrap(), orders.rate_high.unwrap());
    assert!((rate - 120.0).abs() <= 6.0, "{rate}");
    assert!(low <= rate && rate <= high, "{low} {rate} {high}");
    let verdict = agent.report().verdict;
    assert_eq!(verdict.leaking, Some(true));
    assert!(verdict.summary.starts_with("1 structure grows without bound"), "{}", verdict.summary);
    assert!(verdict.summary.contains("com.example.Shop.orders"), "{}", verdict.summary);
}

#[test]
fn the_grower_stands_above_the_structure_that_stands_still() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    assert_eq!(agent.report().regions[0].change_proxy.class, "com.example.Order");
    assert!(agent.region(Structure::Orders).rank > agent.region(Structure::Products).rank);
}

#[test]
fn a_growing_region_shows_when_the_heap_will_be_full() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    assert_eq!(agent.region(Structure::Orders).time_to_full_s, None);
    let gc = GcFinished { at_ms: 55_000, collections: 3, used_bytes: 400, committed_bytes: 900, max_bytes: 1_000 };
    agent.say(FromAgent::GcFinished(gc));
    let orders = agent.region(Structure::Orders);
    let expected = 600.0 / orders.bytes_per_hour.unwrap() * 3600.0;
    assert_eq!(orders.time_to_full_s, Some(expected));
    let (low, high) = (orders.time_to_full_low_s.unwrap(), orders.time_to_full_high_s.unwrap());
    assert!(low < expected && expected < high, "{low} {expected} {high}");
    assert_eq!(agent.region(Structure::Products).time_to_full_s, None);
    assert_eq!((agent.report().heap.live_bytes, agent.report().heap.max_bytes), (Some(400), Some(1_000)));
}

#[test]
fn regions_that_stand_still_are_flatliners_and_no_leak_once_that_is_settled() {
    let mut agent = Agent::new(Settings::default());
    agent.pass(20);
    assert_eq!(agent.report().verdict.leaking, None, "before the capture");
    agent.pass(8);
    assert_eq!(agent.report().verdict.leaking, None, "just after the capture");
    assert_eq!(agent.region(Structure::Orders).trend, None);
    agent.pass(12);
    assert_eq!(agent.report().verdict.leaking, Some(false));
    for structure in [Structure::Orders, Structure::Products] {
        let region = agent.region(structure);
        assert_eq!((region.trend, region.proxy_size), (Some(Trend::Flatliner), NEW_MEMBERS));
        assert_eq!((region.updates.additions, region.updates.removals), (0, 0));
    }
}

#[test]
fn a_new_trend_sets_the_bias_once() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(60);
    let mut biases = agent.biases();
    biases.sort_by(|a, b| a.1.total_cmp(&b.1));
    assert_eq!(biases, [(Structure::Products, 0.1), (Structure::Orders, 1.0)]);
}

#[test]
fn a_region_that_stood_still_and_gains_a_member_is_looked_at_more_closely_at_once() {
    let mut agent = Agent::with_orders(|seconds| grows((seconds - 40.0).max(0.0)));
    agent.capture().pass(38);
    assert_eq!(agent.region(Structure::Orders).trend, Some(Trend::Flatliner));
    agent.pass(4);
    assert_eq!(agent.biases().last(), Some(&(Structure::Orders, 1.0)));
}

#[test]
fn a_heap_that_stands_still_without_a_grower_is_said_so() {
    let mut agent = Agent::new(Settings::default());
    agent.capture();
    let collected = |agent: &mut Agent, used_bytes| {
        let at_ms = agent.now_ms;
        let (committed_bytes, max_bytes) = (90_000_000, 100_000_000);
        let gc = GcFinished { at_ms, collections: 1, used_bytes, committed_bytes, max_bytes };
        agent.say(FromAgent::GcFinished(gc));
    };
    for number in 0..60 {
        agent.pass(1);
        collected(&mut agent, 50_000_000 + number % 7 * 100);
    }
    let verdict = agent.report().verdict;
    assert_eq!(verdict.leaking, Some(false));
    assert!(verdict.summary.ends_with("this heap does not grow"), "{}", verdict.summary);
    for number in 0..200 {
        agent.pass(1);
        collected(&mut agent, 50_000_000 + number * 100);
    }
    let summary = agent.report().verdict.summary;
    assert!(!summary.contains("does not grow"), "{summary}");
}

#[test]
fn a_region_that_stops_growing_is_noticed() {
    let mut agent = Agent::with_orders(|seconds| grows(seconds.min(60.0)));
    agent.capture().pass(60);
    assert_eq!(agent.region(Structure::Orders).trend, Some(Trend::Grower));
    agent.pass(120);
    assert_eq!(agent.region(Structure::Orders).trend, Some(Trend::Flatliner));
    assert_eq!(agent.report().verdict.leaking, Some(false));
    assert_eq!(agent.biases().last(), Some(&(Structure::Orders, 0.1)));
}

// Regions that are not followed.

fn unreadable(reason: &str) -> Option<Untracked> {
    Some(Untracked::Unreadable(reason.to_owned()))
}

#[test]
fn an_owner_that_is_gone_is_reported() {
    let mut agent = Agent::with_orders(|seconds| if seconds < 4.0 { seen(50.0) } else { VisitOutcome::OwnerGone });
    agent.capture().pass(3);
    assert_eq!(agent.region(Structure::Orders).untracked, None);
    agent.pass(3);
    let reason = agent.region(Structure::Orders).untracked.expect("it is not tracked any more");
    assert_eq!(reason, Untracked::OwnerGone);
    assert_eq!(agent.region(Structure::Products).untracked, None);
}

#[test]
fn a_grower_that_was_collected_is_none_any_more() {
    let mut agent = Agent::with_orders(|seconds| match seconds {
        ..30.0 => seen(50.0 + 2.0 * seconds),
        _ => VisitOutcome::OwnerGone,
    });
    agent.capture().pass(28);
    assert_eq!(agent.region(Structure::Orders).trend, Some(Trend::Grower));
    agent.pass(10);
    assert_eq!(agent.region(Structure::Orders).trend, None);
    assert_eq!(agent.report().verdict.leaking, Some(false));
}

#[test]
fn a_visit_that_fails_is_reported() {
    let mut agent = Agent::with_orders(|_| VisitOutcome::Failed("the field has another type".to_owned()));
    agent.capture().pass(2);
    assert_eq!(agent.region(Structure::Orders).untracked, unreadable("the field has another type"));
}

#[test]
fn a_probe_that_cannot_be_installed_is_reported_and_does_not_delay_the_verdict() {
    let mut agent = Agent::new(Settings::default());
    agent.refuses = Some((Structure::Orders, "no such field"));
    agent.capture().pass(15);
    let orders = agent.region(Structure::Orders);
    assert_eq!((orders.untracked, orders.trend, orders.probe), (unreadable("no such field"), None, None));
    assert_eq!(agent.region(Structure::Products).probe, Some(SizeProbe::Full));
    assert_eq!(agent.report().verdict.leaking, Some(false));
}

#[test]
fn a_structure_that_could_not_be_followed_is_reported_and_followed_after_another_capture() {
    let mut agent = Agent::forking(grows);
    agent.refuses = Some((Structure::Orders, "the owner has been collected"));
    agent.capture().pass(5);
    let problems = agent.report().problems;
    let reported =
        problems.iter().any(|problem| problem.contains("Order in ") && problem.ends_with("has been collected"));
    assert!(reported, "{problems:?}");
    agent.refuses = None;
    agent.pass(50);
    let orders = agent.region(Structure::Orders);
    assert_eq!((orders.untracked, orders.trend), (None, Some(Trend::Grower)));
    let reason = agent.report().snapshots.iter().rev().find_map(|snapshot| snapshot.reason.clone());
    assert!(reason.is_some_and(|reason| reason.contains("could not be followed")));
}

#[test]
fn a_program_that_hardly_collects_is_looked_at_again_where_that_is_cheap() {
    let watched = |collects| {
        let mut agent = Agent::forking(|_| seen(50.0));
        agent.collects = collects;
        agent.capture().pass(120);
        let count = agent.snapshots_asked().iter().filter(|(_, what)| *what == "capture").count();
        let mut reasons = agent.report().snapshots.into_iter().filter_map(|snapshot| snapshot.reason);
        (count, reasons.next_back().unwrap_or_default())
    };
    let (count, reason) = watched(false);
    assert!(count == 2 && reason.contains("may grow"), "{count}: {reason}");
    assert_eq!(watched(true).0, 1);
}

#[test]
fn that_no_growth_is_seen_does_not_mean_that_there_is_none() {
    let mut agent = Agent::new(Settings::default());
    agent.capture();
    for number in 0..60 {
        agent.pass(1);
        let used_bytes = 50_000_000 + number * 7_919 % 10 * 500_000;
        let (committed_bytes, max_bytes) = (90_000_000, 100_000_000);
        let at_ms = agent.now_ms;
        agent.say(FromAgent::GcFinished(GcFinished { at_ms, collections: 1, used_bytes, committed_bytes, max_bytes }));
    }
    let report = agent.report();
    assert_eq!(report.heap.growth_bytes_per_hour, Some(0.0));
    assert!(report.heap.most_growth_bytes_per_hour.is_some_and(|most| most > 1e6), "{:?}", report.heap);
    assert!(!report.verdict.summary.contains("does not grow"), "{}", report.verdict.summary);
}

#[test]
fn what_can_never_be_followed_is_not_looked_for_for_ever() {
    let mut agent = Agent::forking(grows);
    agent.refuses = Some((Structure::Orders, "no such field"));
    agent.capture().pass(600);
    assert_eq!(agent.snapshots_asked().iter().filter(|(_, what)| *what == "capture").count(), 4);
    assert_eq!(agent.region(Structure::Orders).untracked, unreadable("no such field"));
    assert!(agent.region(Structure::Products).history.len() > 50, "what is followed goes on being followed");
}

#[test]
fn a_visit_of_an_unknown_probe_or_without_a_number_is_passed_over() {
    let mut agent = Agent::with_orders(|_| seen(f64::NAN));
    agent.capture().pass(15);
    agent.say(probe_report(ProbeId(4_000), agent.now_ms, seen(7.0)));
    let orders = agent.region(Structure::Orders);
    assert_eq!((orders.trend, orders.proxy_size), (None, NEW_MEMBERS));
}

// What fails.

fn failed_snapshots(agent: &Agent) -> Vec<String> {
    agent.report().snapshots.into_iter().filter_map(|snapshot| snapshot.failure).collect()
}

#[test]
fn a_failed_capture_is_tried_three_times_and_its_reason_is_reported() {
    let mut agent = Agent::new(Settings::default());
    agent.capture_fails = Some("out of memory");
    agent.pass(300);
    let captures = [(25_000, "capture"), (30_000, "capture"), (35_000, "capture")];
    assert_eq!(agent.snapshots_asked()[1..], captures);
    assert_eq!(failed_snapshots(&agent), ["out of memory"; 3]);
    assert_eq!(
        agent.report().problems,
        ["a capture was thrown away: fork: not here; in-process: not here; tags: out of memory"]
    );
    assert_eq!(agent.report().status.to_string(), "no mark or no capture succeeded");
    assert_eq!(agent.report().verdict.leaking, None);
}

#[test]
fn a_capture_that_succeeds_the_second_time_leads_to_probes() {
    let mut agent = Agent::with_orders(grows);
    agent.capture_fails = Some("interrupted");
    agent.pass(26);
    agent.capture_fails = None;
    agent.pass(30);
    assert_eq!(failed_snapshots(&agent), ["interrupted"]);
    assert_eq!(agent.region(Structure::Orders).trend, Some(Trend::Grower));
    assert_eq!(agent.report().pauses.count, 3);
}

#[test]
fn every_snapshot_has_a_name_of_its_own() {
    let mut agent = Agent::new(Settings::default());
    agent.capture_fails = Some("interrupted");
    agent.pass(60);
    let names = agent.asked.iter().filter_map(|(_, command)| match command {
        ToAgent::Mark { snapshot, .. } | ToAgent::Capture { snapshot, .. } => Some(snapshot.0),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), [1, 2, 3, 4]);
}

#[test]
fn records_that_do_not_fit_make_a_failed_snapshot() {
    let mut agent = Agent::new(Settings::default());
    agent.refers_to_nowhere = true;
    agent.capture();
    let failures = failed_snapshots(&agent);
    assert_eq!(failures.len(), 1);
    assert!(failures[0].contains("999999"), "{failures:?}");
    assert!(agent.report().problems[0].ends_with(&failures[0]));
    assert_eq!(agent.probes(), []);
}

#[test]
fn a_mark_that_never_ends_is_given_up() {
    let mut agent = Agent::new(Settings::default());
    agent.marks = false;
    agent.pass(125);
    assert_eq!(agent.report().status.to_string(), "marking what lives");
    agent.pass(300);
    assert_eq!(agent.report().status.to_string(), "no mark or no capture succeeded");
    assert_eq!(agent.snapshots_asked(), [(10_000, "mark")]);
}

#[test]
fn problems_of_the_agent_are_reported_once() {
    let mut agent = Agent::new(Settings::default());
    for at_ms in [1_000, 2_000] {
        agent.say(FromAgent::Problem { at_ms, text: "a frame has no method".to_owned() });
    }
    assert_eq!(agent.report().problems, ["agent: a frame has no method"]);
}

// The end.

#[test]
fn a_lost_connection_is_reported() {
    let mut agent = Agent::new(Settings::default());
    agent.pass(5);
    agent.session.connection_lost();
    let asked = agent.pass(60).asked.len();
    let report = agent.report();
    assert!(agent.session.is_over());
    assert_eq!((asked, report.status.to_string().as_str()), (0, "the connection to the JVM broke"));
    assert_eq!(report.problems.len(), 1);
    assert_eq!(report.verdict.summary, "no capture was made");
}

#[test]
fn goodbye_ends_and_a_connection_that_closes_then_is_no_problem() {
    for (reason, status) in [(GoodbyeReason::VmDeath, "the program has ended"), (GoodbyeReason::Detached, "detached")] {
        let mut agent = Agent::new(Settings::default());
        agent.say(FromAgent::Goodbye { at_ms: 9_000, reason });
        agent.session.connection_lost();
        assert!(agent.session.is_over());
        assert_eq!(agent.pass(60).asked, []);
        let report = agent.report();
        assert_eq!((report.status.to_string().as_str(), report.duration_s), (status, 9.0));
        assert_eq!(report.problems.len(), 0);
    }
}

#[test]
fn a_leak_that_was_found_is_still_reported_after_the_end() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    agent.say(FromAgent::Goodbye { at_ms: agent.now_ms, reason: GoodbyeReason::VmDeath });
    assert_eq!(agent.report().verdict.leaking, Some(true));
}

// Receipts.

#[test]
fn dropped_events_are_reported() {
    let mut agent = Agent::new(Settings::default());
    let beat = Heartbeat { at_ms: 5_000, dropped_events: 17, agent_cpu_ms: 3, tags_standing: 0, member_tags: 4 };
    agent.say(FromAgent::Heartbeat(beat));
    assert_eq!(agent.report().dropped_events, 17);
    assert_eq!((agent.report().tags_standing, agent.report().member_tags), (Some(0), Some(4)));
}

#[test]
fn every_pause_is_reported() {
    let mut agent = Agent::new(Settings::default());
    assert_eq!(agent.report().pauses.count, 0);
    let pauses = agent.capture().report().pauses;
    assert_eq!((pauses.count, pauses.max_ms), (2, CAPTURE_PAUSE_MS));
    assert_eq!(pauses.total_ms, MARK_PAUSE_MS + CAPTURE_PAUSE_MS);
}

// Replay.

#[test]
fn recorded_probes_under_other_numbers_are_matched_to_ours() {
    let mut replayed = Agent::with_orders(grows);
    replayed.recorded_number = Some(|spec| ProbeId(3 - spec.probe.0));
    let mut live = Agent::with_orders(grows);
    assert_eq!(live.capture().probes().len(), 2, "so the recorded numbers are ours, exchanged");
    live.pass(30);
    replayed.capture().pass(30);
    assert_eq!(replayed.report(), live.report());
}

#[test]
fn a_recorded_probe_that_we_did_not_plan_is_taken_for_no_other() {
    let mut agent = Agent::new(Settings::default());
    agent.capture();
    let mut foreign = probe_of(&agent, Structure::Orders);
    foreign.owner = probe_of(&agent, Structure::Products).owner;
    let install = ToAgent::InstallProbes {
        snapshot: SnapshotId(2),
        tick_ms: 100,
        probes: vec![foreign.clone()],
        keep: Vec::new(),
        keep_tags: false,
        most_stop_ms: 0,
    };
    agent.session.recorded_command(install);
    agent.say(probe_report(foreign.probe, 60_000, VisitOutcome::OwnerGone));
    assert!(agent.report().regions.iter().all(|region| region.untracked.is_none()));
}

// The contract.

const REPORT_KEYS: &str = "schema jvm duration_s status snapshots pauses heap leak_roots regions verdict dropped_events problems \
    forecast tags_standing member_tags";
const REGION_KEYS: &str = "rank fingerprint leak_root owner_proxy change_proxy path proxy_size dump_bytes trend tick \
    updates rate_per_min rate_low rate_high bytes_per_hour bytes_per_hour_low bytes_per_hour_high bytes_per_member \
    bytes_per_member_error time_to_full_s time_to_full_low_s time_to_full_high_s confidence probe allocation_sites";

fn assert_keys(value: &Value, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(value.get(key).is_some(), "{key} is missing in {value:#}");
    }
}

#[test]
fn the_json_of_a_report_has_every_key_of_the_contract() {
    let mut agent = Agent::with_orders(grows);
    agent.capture().pass(30);
    let json = serde_json::to_value(agent.report()).unwrap();
    assert_keys(&json, REPORT_KEYS);
    assert_keys(&json["jvm"], "pid vm gc main");
    assert_keys(&json["snapshots"][1], "at_s kind method identity objects references pause_ms analysis_ms failure");
    assert_keys(&json["pauses"], "count total_ms max_ms stops");
    assert_keys(
        &json["heap"],
        "live_bytes reachable_bytes max_bytes growth_bytes_per_hour most_growth_bytes_per_hour explained",
    );
    assert_keys(&json["leak_roots"][0], "class kind reached_from rank owned_objects owned_bytes");
    assert_keys(&json["verdict"], "leaking summary");
    for region in json["regions"].as_array().unwrap() {
        assert_keys(region, REGION_KEYS);
        assert_keys(&region["leak_root"], "class kind");
        assert_keys(&region["owner_proxy"], "class kind path");
        assert_keys(&region["change_proxy"], "class");
        assert_keys(&region["updates"], "additions removals relinks quiet");
    }
}

#[test]
fn a_report_before_any_message_has_every_key_too() {
    let json = serde_json::to_value(Session::new(Settings::default()).report()).unwrap();
    assert_keys(&json, REPORT_KEYS);
    assert_eq!(json["jvm"], Value::Null);
    assert_eq!(json["verdict"]["leaking"], Value::Null);
}

#[test]
fn a_first_mark_that_fails_is_tried_again_soon() {
    let mut agent = Agent::new(Settings { mark_budget: Some(1_000), ..Settings::default() });
    agent.mark_fails = Some("the JVM did not answer");
    agent.pass(14);
    assert_eq!(agent.snapshots_asked(), [(10_000, "mark")]);
    agent.mark_fails = None;
    agent.pass(50);
    assert_eq!(agent.snapshots_asked()[1].1, "mark");
    assert!(agent.snapshots_asked()[1].0 < 17_000, "{:?}", agent.snapshots_asked());
    assert!(agent.report().verdict.leaking.is_some());
}

// Data structures.

fn with_growth(settings: &Settings) -> Settings {
    let mut language = rootbound::structures::Language::new();
    language.add(rootbound::structures::shipped::SHIPPED[0].descriptions().unwrap());
    let growth = GrowthSettings { language: Arc::new(language), layout: LayoutOptions::default() };
    Settings { growth: Some(growth), ..settings.clone() }
}

/// An agent whose captures are forked, asked for the growth of data structures.
fn growing_agent(forks: bool) -> Agent {
    let free = Survey { fork: MethodSurvey::default(), in_process: MethodSurvey::default(), ..survey() };
    let settings = with_growth(&Settings { mark_budget: Some(1_000), ..run_for(60) });
    let mut agent = Agent::new(settings);
    if forks {
        agent.forks = true;
        agent.survey = free;
    }
    agent
}

#[test]
fn with_growth_the_heap_is_captured_once_more_before_the_end() {
    let mut agent = growing_agent(true);
    agent.pass(60);
    assert_eq!(agent.snapshots_asked(), [(10_000, "mark"), (25_000, "capture"), (58_100, "capture")]);
    let structures = agent.report().structures.expect("there are two captures");
    assert_eq!(
        (structures.window.from.as_str(), structures.window.to.as_str()),
        ("capture after 25 s", "capture after 58 s")
    );
    assert_eq!(structures.states.len(), 2);
    assert!(!structures.window.is_long_enough, "nothing grows");
    assert_eq!(agent.probes().len(), 2, "what is followed stays followed");
}

#[test]
fn a_state_that_cannot_be_forked_is_not_captured_otherwise() {
    let mut agent = growing_agent(false);
    agent.pass(60);
    assert_eq!(agent.snapshots_asked(), [(10_000, "mark"), (25_000, "capture")]);
    let report = agent.report();
    assert!(report.structures.is_none());
    assert!(report.problems.iter().any(|problem| problem.contains("growth of structures")), "{:?}", report.problems);
    let trends: Vec<_> = report.regions.iter().map(|region| region.untracked.is_none()).collect();
    assert!(trends.contains(&true), "the regions are followed all the same");
}
