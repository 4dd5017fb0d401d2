//! How snapshots are made: which method is asked for, what follows when one fails, what is refused, and what another
//! capture changes.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::session::agent::{Agent, seen};
use crate::session::program::Structure;
use rootbound::report::{CaptureMethod as By, MarkMethod, Method, SnapshotKind, Trend};
use rootbound::session::Settings;
use rootbound_wire::message::{CaptureMethod, Survey, ToAgent};
use std::time::Duration;

/// A JVM in which nothing stands in the way.
fn open_survey() -> Survey {
    Survey { used_bytes: 64 << 20, resident_bytes: Some(256 << 20), ..Survey::default() }
}

fn unhindered(settings: Settings) -> Agent {
    let mut agent = Agent::new(settings);
    agent.survey = open_survey();
    agent
}

/// What was asked for, without the times.
fn asked(agent: &Agent) -> Vec<String> {
    let name = |command: &ToAgent| match command {
        ToAgent::Survey => Some("survey".to_owned()),
        ToAgent::Mark { budget, .. } => Some(format!("mark {budget:?}")),
        ToAgent::Capture { method, .. } => Some(format!("{method:?}")),
        ToAgent::InstallProbes { probes, keep, .. } => Some(format!("{} new, {} kept", probes.len(), keep.len())),
        _ => None,
    };
    agent.asked.iter().filter_map(|(_, command)| name(command)).collect()
}

#[test]
fn what_fails_by_address_is_done_by_tags_and_the_reasons_are_shown() {
    let mut agent = unhindered(Settings::default());
    agent.capture();
    // Another fork may succeed where one did not.
    let first = ["survey", "Fork", "Fork", "Fork", "mark Some(200000)"];
    let second = ["survey", "Fork", "Fork", "Fork", "InProcess", "Tags", "2 new, 0 kept"];
    assert_eq!(asked(&agent), [&first[..], &second[..]].concat());
    let snapshots = agent.report().snapshots;
    let methods: Vec<_> = snapshots.iter().map(|s| (s.kind, s.method, s.failure.is_some())).collect();
    let failed = |method| (SnapshotKind::Capture, Some(Method::Capture(method)), true);
    let expected = [
        failed(By::Fork),
        failed(By::Fork),
        failed(By::Fork),
        (SnapshotKind::Mark, Some(Method::Mark(MarkMethod::Iteration)), false),
        failed(By::Fork),
        failed(By::Fork),
        failed(By::Fork),
        failed(By::InProcess),
        (SnapshotKind::Capture, Some(Method::Capture(By::Tags)), false),
    ];
    assert_eq!(methods, expected);
    let reason = "fork: no address was found; in-process: no address was found";
    assert_eq!(snapshots[8].reason.as_deref(), Some(reason));
    assert_eq!(agent.report().pauses.stops.len(), 9, "failures stop the program, too");
}

#[test]
fn a_method_that_is_forced_is_the_only_one() {
    let mut agent = unhindered(Settings { capture: Some(CaptureMethod::InProcess), ..Settings::default() });
    agent.pass(60);
    assert!(!asked(&agent).iter().any(|each| each == "Tags" || each == "Fork"), "{:?}", asked(&agent));
    assert_eq!(asked(&agent).iter().filter(|each| *each == "InProcess").count(), 3);
    assert_eq!(agent.report().status.to_string(), "no mark or no capture succeeded");
}

#[test]
fn what_would_stop_too_long_is_refused_with_advice() {
    let limit = Some(Duration::from_millis(1));
    let mut agent = unhindered(Settings { max_pause: limit, ..Settings::default() });
    agent.pass(60);
    assert_eq!(asked(&agent), ["survey"]);
    let problems = agent.report().problems.join(" ");
    assert!(problems.contains("--max-pause"), "{problems}");
    assert_eq!(agent.report().pauses.count, 0);
}

#[test]
fn a_dry_run_forecasts_and_touches_nothing() {
    let mut agent = unhindered(Settings { dry_run: true, ..Settings::default() });
    assert!(!agent.session.is_done());
    agent.pass(60);
    assert!(agent.session.is_done());
    assert_eq!(asked(&agent), ["survey"]);
    let forecast = agent.report().forecast.unwrap();
    assert_eq!((forecast.method, forecast.methods.len()), (Some(By::Fork), 3));
    assert!(forecast.methods.windows(2).all(|pair| pair[0].pause_ms < pair[1].pause_ms));
}

#[test]
fn a_walk_in_process_may_take_twice_its_forecast() {
    let mut agent = unhindered(Settings { capture: Some(CaptureMethod::InProcess), ..Settings::default() });
    agent.survey.used_bytes = 1 << 30;
    agent.pass(30);
    let bound = agent.asked.iter().find_map(|(_, command)| match command {
        ToAgent::Capture { abort_after_ms, .. } => Some(*abort_after_ms),
        _ => None,
    });
    let forecast = agent.report().forecast.unwrap().methods[0].pause_ms;
    assert_eq!(bound, Some((2.0 * forecast) as u32));
}

#[test]
fn another_capture_keeps_regions_their_probes_and_their_history() {
    let every = Some(Duration::from_secs(30));
    let mut agent = Agent::new(Settings { recapture_every: every, ..Settings::default() });
    agent.orders = |at_s| seen(50.0 + at_s.floor());
    agent.capture().pass(29);
    let before = agent.region(Structure::Orders);
    assert_eq!(before.trend, Some(Trend::Grower));
    agent.pass(20);
    assert_eq!(
        asked(&agent)[5..],
        ["survey", "mark Some(200000)", "survey", "Tags", "0 new, 2 kept"].map(str::to_owned)[..]
    );
    let after = agent.region(Structure::Orders);
    assert_eq!((after.fingerprint, after.trend), (before.fingerprint, Some(Trend::Grower)));
    assert!(after.history[0].0 <= before.history[0].0 + 1.0);
    let made_again = agent.report().snapshots.last().unwrap().reason.clone().unwrap();
    assert!(made_again.contains("made again: as asked"), "{made_again}");
}
