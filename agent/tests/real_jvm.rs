//! The agent's reports from a real JVM: closed captures, growth, replaced members, collected owners.
#![allow(clippy::expect_used)]

use crate::jvm;

use jvm::graph::{capture, install, mark, try_capture};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::ids::{ObjectId, ProbeId};
use rootbound_wire::message::{FromAgent, GoodbyeReason, Sighting, ToAgent, VisitMethod, VisitOutcome};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

const MAP: ProbeId = ProbeId(1);
const LIST: ProbeId = ProbeId(2);
const CHAIN: ProbeId = ProbeId(3);
const RING: ProbeId = ProbeId(4);

/// The sightings of each probe, with their times, until every one was visited `visits` times.
fn watch(analyzer: &mut Analyzer, probes: usize, visits: usize) -> HashMap<ProbeId, Vec<(u64, Sighting)>> {
    let mut sightings: HashMap<ProbeId, Vec<(u64, Sighting)>> = HashMap::new();
    while sightings.len() < probes || sightings.values().any(|seen| seen.len() < visits) {
        let report = analyzer.report();
        let VisitOutcome::Seen(seen) = report.outcome else { panic!("{report:?}") };
        sightings.entry(report.probe).or_default().push((report.at_ms, seen));
    }
    sightings
}

#[test]
fn a_capture_is_closed_and_probes_see_growth_and_replacement() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "9");
    let mut analyzer = Analyzer::accept(&listener);
    std::thread::sleep(Duration::from_millis(500));
    assert!(mark(&mut analyzer, 1) > 1000);
    std::thread::sleep(Duration::from_millis(500));
    let graph = capture(&mut analyzer, 2);

    let known: HashSet<ObjectId> = graph.objects.keys().copied().collect();
    assert!(graph.references.iter().all(|edge| known.contains(&edge.referrer) && known.contains(&edge.referee)));
    let old = graph.first_seen_by(1);
    assert!(old * 10 > known.len() * 9 && old < known.len(), "{old} of {} are old", known.len());

    let probes = vec![graph.map_probe(), graph.list_probe(), graph.chain_probe(60), graph.ring_probe()];
    install(&mut analyzer, 2, probes);
    let sightings = watch(&mut analyzer, 4, 12);
    for probe in [MAP, LIST, CHAIN] {
        let seen = &sightings[&probe];
        let (first, last) = (seen.iter().position(|(_, seen)| seen.size_error == 0.0), seen.len() - 1);
        let ((t0, n0), (t1, n1)) = (seen[first.expect("counted")], seen[last]);
        let per_second = (n1.size - n0.size) / (t1 - t0) as f64 * 1e3;
        assert!((30.0..130.0).contains(&per_second), "{probe:?} grows by {per_second} a second: {seen:?}");
        assert!(seen.iter().all(|(_, seen)| seen.removals == 0.0), "{probe:?} only grows: {seen:?}");
    }
    assert_eq!(sightings[&CHAIN][1].1.method, VisitMethod::Frontier);
    let ring = &sightings[&RING];
    assert!(ring.iter().all(|(_, seen)| (190.0..=201.0).contains(&seen.size)), "{ring:?}");
    let removals: f64 = ring.iter().map(|(_, seen)| seen.removals).sum();
    let seconds = (ring[ring.len() - 1].0 - ring[0].0) as f64 / 1e3;
    // Ten are replaced each tenth of a second; visits that follow one another sooner see none in between.
    let replaced = ring.iter().skip(1).filter(|(_, seen)| seen.removals > 0.0).count();
    let expected = (10.0 * seconds).min((ring.len() - 1) as f64).max(6.0);
    assert!(2.0 * replaced as f64 >= expected, "members are replaced between two visits, {replaced} times: {ring:?}");
    assert!((50.0..150.0).contains(&(removals / seconds)), "{removals} in {seconds} s: {ring:?}");

    let tags = analyzer.tags_standing();
    assert!((64..=4 * 64).contains(&tags), "{tags} tags for the members of four probes");
    // The analyzer vanishes; the program must not notice.
    drop(analyzer);
    drop(listener);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn an_owner_that_was_collected_is_reported_and_the_exit_sends_goodbye() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "6");
    let mut analyzer = Analyzer::accept(&listener);
    let graph = capture(&mut analyzer, 1);
    install(&mut analyzer, 1, vec![graph.holder_probe()]);
    let mut seen = 0;
    loop {
        match analyzer.report().outcome {
            VisitOutcome::Seen(sighting) => {
                assert_eq!((sighting.size, sighting.removals), (3.0, 0.0));
                seen += 1;
            }
            outcome => break assert_eq!(outcome, VisitOutcome::OwnerGone),
        }
    }
    assert!(seen > 2);
    let reason = analyzer.until(|message| match message {
        FromAgent::Goodbye { reason, .. } => Some(reason),
        FromAgent::ProbeReport(report) => panic!("of a probe that has ended: {report:?}"),
        _ => None,
    });
    assert_eq!(reason, GoodbyeReason::VmDeath);
    assert_eq!(analyzer.next_or_end(), None);
    ends_well(program);
}

#[test]
fn a_bias_that_is_set_holds_and_without_probes_no_tag_stands() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("", "10");
    let mut analyzer = Analyzer::accept(&listener);
    assert_eq!(analyzer.tags_standing(), 0);
    let graph = capture(&mut analyzer, 1);
    install(&mut analyzer, 1, vec![graph.list_probe()]);
    assert!(analyzer.report().bias > 0.8);
    analyzer.say(&ToAgent::SetBias { biases: vec![(LIST, 0.2)] });
    let low = (0..20).map(|_| analyzer.report().bias).find(|&bias| bias < 0.5);
    assert!(low.is_some_and(|bias| (0.15..=0.25).contains(&bias)), "{low:?}");
    let tags = analyzer.tags_standing();
    assert!((1..=64).contains(&tags), "{tags} tags for the members of one probe");
    install(&mut analyzer, 1, vec![]);
    assert_eq!(analyzer.tags_standing(), 0);
    drop(analyzer);
    ends_well(program);
}

#[test]
fn after_a_failed_capture_the_next_still_distinguishes_old_from_new() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_connected("test-dry=1", "4");
    let mut analyzer = Analyzer::accept(&listener);
    let marked = mark(&mut analyzer, 1);
    std::thread::sleep(Duration::from_millis(500));
    let failure = try_capture(&mut analyzer, 2).err().unwrap_or_default();
    assert!(failure.contains("reads too slowly"), "{failure}");
    let graph = capture(&mut analyzer, 3);
    let (old, aborted, new) = (graph.first_seen_by(1), graph.first_seen_by(2), graph.first_seen_by(3));
    assert_eq!((old + new, aborted), (graph.objects.len(), 0));
    assert!(old as u64 <= marked && old > graph.objects.len() * 9 / 10 && new > 20, "{old} old, {new} new");
    drop(analyzer);
    ends_well(program);
}
