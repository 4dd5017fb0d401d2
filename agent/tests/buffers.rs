//! Buffers in a real JVM: one array of primitive values that the program fills, outgrows and drops while a probe reads
//! its length.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, capture};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::*;

const BOX: &str = "Filling$Box";
const TEXT: &str = "java.lang.StringBuffer";
const BUILDER: &str = "java.lang.AbstractStringBuilder";
/// Reads of the box, the text and the array twice each, the numbers, and the length.
const MOST_READS: u32 = 8;

fn field(graph: &Graph, class: &str, name: &str, descriptor: &str) -> RouteVia {
    RouteVia::Field { declaring: graph.class(class), name: name.to_owned(), descriptor: descriptor.to_owned() }
}

/// A probe from the box by these fields to an object of the last class.
fn buffer(graph: &Graph, id: u32, steps: &[(&str, RouteVia)], last: &str) -> ProbeSpec {
    let place = |class: &str, counts, steps| RoutePlace { class: graph.class(class), counts, steps };
    let on_way = steps
        .iter()
        .zip(1..)
        .map(|((class, via), next)| place(class, false, vec![RouteStep { via: via.clone(), to: vec![next] }]));
    let mut places: Vec<RoutePlace> = on_way.collect();
    places.push(place(last, true, Vec::new()));
    let number = |name: &str, descriptor: &str| {
        let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
        let number = NumberField { declaring: graph.class(BUILDER), name, descriptor, is_static: false };
        CounterSpec {
            way: vec![field(graph, BOX, "text", "Ljava/lang/StringBuffer;")],
            number,
            cells: None,
            summed_at: None,
        }
    };
    ProbeSpec {
        probe: ProbeId(id),
        owner: OwnerRef::Id(graph.instance(BOX)),
        places,
        budget: 4096,
        bias: 1.0,
        counters: vec![number("count", "I")],
        shape: ProbeShape::Buffer { length_before: Some(16) },
    }
}

fn failures(analyzer: &mut Analyzer, snapshot: u32, probes: Vec<ProbeSpec>) -> Vec<Option<String>> {
    let (snapshot, keep) = (SnapshotId(snapshot), Vec::new());
    analyzer.say(&ToAgent::InstallProbes { snapshot, tick_ms: 20, probes, keep, keep_tags: false, most_stop_ms: 0 });
    analyzer.until(|message| match message {
        FromAgent::ProbesInstalled { results, .. } => Some(results.into_iter().map(|result| result.failure).collect()),
        _ => None,
    })
}

#[test]
fn a_text_that_grows_and_begins_anew_is_followed_and_collected_when_it_is_let_go() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx64m"], &["Filling", "20"]);
    let mut analyzer = Analyzer::accept(&listener);
    let is_there = |graph: &Graph| graph.classes.iter().any(|class| class.name == BOX);
    let mut captures = (1..20).map(|snapshot| (snapshot, capture(&mut analyzer, snapshot)));
    let (snapshot, graph) = captures.find(|(_, graph)| is_there(graph)).expect("the program makes its box");
    let to_text = (BOX, field(&graph, BOX, "text", "Ljava/lang/StringBuffer;"));
    let to_objects = (BOX, field(&graph, BOX, "objects", "[Ljava/lang/Object;"));
    let probes = vec![
        buffer(&graph, 1, &[to_text.clone(), (TEXT, field(&graph, BUILDER, "value", "[B"))], "byte[]"),
        // An object without a length is refused.
        buffer(&graph, 2, &[to_text], TEXT),
        buffer(&graph, 3, &[to_objects], "java.lang.Object[]"),
    ];
    assert_eq!(
        failures(&mut analyzer, snapshot, probes),
        [None, Some("Ljava/lang/StringBuffer; is no array".to_owned()), None,]
    );
    let (mut counted, mut empty, mut largest, mut references) = (0, 0, 0.0_f64, 0);
    let mut alive = 2;
    while alive > 0 {
        let report = analyzer.report();
        assert!(report.reads <= MOST_READS, "{report:?}");
        let VisitOutcome::Seen(seen) = report.outcome else {
            assert_eq!(report.outcome, VisitOutcome::OwnerGone);
            alive -= 1;
            continue;
        };
        if report.probe == ProbeId(3) {
            assert_eq!(seen.slots, Some(64), "{seen:?}");
            references += 1;
            continue;
        }
        let length = seen.slots.map_or(0.0, f64::from);
        assert!(seen.size <= length, "{seen:?}");
        empty += u32::from(seen.slots == Some(0));
        largest = largest.max(length);
        if let VisitMethod::Counter { counter: 0 } = seen.method {
            counted += 1;
        }
    }
    assert!(counted > 20 && empty > 0 && largest > 1_000.0, "{counted} counted, {empty} empty, {largest} at most");
    assert!(references > 20, "{references} reports of the array of references");
    let reason = analyzer.until(|message| match message {
        FromAgent::Goodbye { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason, GoodbyeReason::VmDeath);
    // Its status confirms that everything was collected.
    ends_well(program);
}
