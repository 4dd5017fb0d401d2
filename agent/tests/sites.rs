//! Allocation sites of growing structures' members, from a real JVM's allocation sampler.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, capture, install};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::*;

const MAP: ProbeId = ProbeId(1);
const LIST: ProbeId = ProbeId(2);

/// An analyzer that follows the map and the list of the program `Sites`.
fn following(scene: &Scene, options: &str, seconds: &str) -> (std::process::Child, Analyzer) {
    let listener = scene.listen();
    let program = scene.start_program_connected(options, &["-Xmx64m"], &["Sites", seconds]);
    let mut analyzer = Analyzer::accept(&listener);
    // On a busy machine the agent runs long before the program's classes are loaded.
    let mut captures = (1..=30).map(|snapshot| (snapshot, capture(&mut analyzer, snapshot)));
    let has_members = |graph: &Graph| graph.classes.iter().any(|class| class.name == "Sites$Member");
    let (snapshot, graph) = captures.find(|(_, graph)| has_members(graph)).expect("the program has begun");
    install(&mut analyzer, snapshot, vec![graph.map_probe(), graph.list_probe()]);
    (program, analyzer)
}

fn order(analyzer: &mut Analyzer, window_ms: u32) {
    analyzer.say(&ToAgent::SampleAllocations(SamplingOrder { probes: vec![MAP, LIST], window_ms }));
}

fn sites(analyzer: &mut Analyzer, is_wanted: impl Fn(&AllocationSites) -> bool) -> AllocationSites {
    analyzer.until(|message| match message {
        FromAgent::AllocationSites(sites) if is_wanted(&sites) => Some(sites),
        _ => None,
    })
}

/// The uppermost frame of the application, and the share, of each site of a structure.
fn places(sites: &AllocationSites, probe: ProbeId) -> Vec<(String, f64)> {
    let of_probe = sites.probes.iter().find(|sites| sites.probe == probe).expect("was asked for");
    assert_eq!(of_probe.basis, SiteBasis::Found);
    let place = |site: &SampledSite| {
        let upper = site.frames.iter().find(|frame| frame.is_application).expect("the program allocates");
        assert_eq!((upper.class.as_str(), upper.file.as_deref()), ("Sites", Some("Sites.java")));
        assert!(upper.line.is_some_and(|line| line > 10), "{upper:?}");
        (upper.method.clone(), f64::from(site.samples) / f64::from(of_probe.samples))
    };
    of_probe.sites.iter().map(place).collect()
}

#[test]
fn members_found_inside_show_their_sites_and_garbage_does_not() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = following(&scene, "", "45");
    let standing = analyzer.tags_standing();
    order(&mut analyzer, 16_000);
    let early = sites(&mut analyzer, |_| true);
    assert!(!early.is_over && early.receipt.window_ms < 16_000, "{early:?}");
    let last = sites(&mut analyzer, |sites| sites.is_over);
    println!("{:?}", last.receipt);

    let [(often, share), (seldom, _)] = &places(&last, MAP)[..] else { panic!("two sites: {last:?}") };
    assert_eq!((often.as_str(), seldom.as_str()), ("often", "seldom"));
    assert!((0.55..0.93).contains(share), "three quarters come from one: {last:?}");
    assert_eq!(places(&last, LIST), [("listed".to_owned(), 1.0)]);
    let above = &last.probes[0].sites[0].frames[0];
    assert!(!above.is_application && above.class.starts_with("java.util.HashMap"), "{above:?}");

    let receipt = last.receipt;
    assert!(receipt.samples > 50 && receipt.events > receipt.samples && receipt.callback_us > 0, "{receipt:?}");
    assert!(receipt.events < 4_000 * 20, "at most 2,000 a second are aimed at: {receipt:?}");
    assert!(receipt.tags <= 256 + 32, "{receipt:?}");
    assert!(receipt.least_interval_bytes < 512 << 10, "{receipt:?}");

    // Everything was released: no tag is set, no event comes, and the sampler is available again.
    assert!(analyzer.tags_standing() <= standing.max(2 * 64));
    order(&mut analyzer, 1_000);
    let again = sites(&mut analyzer, |sites| sites.is_over);
    assert_eq!(again.refusal, None);
    // The analyzer vanishes while a window is open; the program must not notice.
    order(&mut analyzer, 60_000);
    std::thread::sleep(std::time::Duration::from_millis(500));
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn beside_another_agent_that_holds_the_sampler_it_says_so_and_tracks_on() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = following(&scene, "test-sampler-held=1", "6");
    order(&mut analyzer, 10_000);
    let answer = sites(&mut analyzer, |_| true);
    assert!(answer.is_over && answer.probes.is_empty());
    assert_eq!(answer.refusal.as_deref(), Some("another agent in this JVM holds its allocation sampler"));
    assert!(matches!(analyzer.report().outcome, VisitOutcome::Seen(_)));
    drop(analyzer);
    assert_eq!(ends_well(program), [""; 0]);
}

#[test]
fn a_panic_on_an_allocating_thread_never_reaches_the_program() {
    let Some(scene) = Scene::new() else { return };
    let (program, mut analyzer) = following(&scene, "test-panic=allocation", "8");
    order(&mut analyzer, 60_000);
    let said = ends_well(program);
    let [line] = &said[..] else { panic!("{said:?}") };
    assert!(line.contains("dormant") && line.contains("planted panic: allocation"), "{line}");
}
