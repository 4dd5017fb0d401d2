//! Structures that several threads change while probes read them, in a real JVM: nothing breaks, counters are learned,
//! and objects that the program drops are collected.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, capture, install};
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::*;
use std::collections::{HashMap, HashSet};

const MAP: ProbeId = ProbeId(1);
const CHAIN: ProbeId = ProbeId(2);
const RING: ProbeId = ProbeId(3);
const TABLE: ProbeId = ProbeId(4);
/// The chain once more, by all its links in one step: each node is reached by several paths.
const TANGLE: ProbeId = ProbeId(5);
const PROBES: usize = 5;
const BUDGET: u32 = 4096;
/// Most reads beside a count: the counter, before it, at its beginning and at its end.
const BESIDE_A_COUNT: u32 = 8;

fn field(graph: &Graph, class: &str, name: &str, descriptor: &str) -> RouteVia {
    RouteVia::Field { declaring: graph.class(class), name: name.to_owned(), descriptor: descriptor.to_owned() }
}

fn number(graph: &Graph, class: &str, name: &str, descriptor: &str) -> NumberField {
    let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
    NumberField { declaring: graph.class(class), name, descriptor, is_static: false }
}

/// A probe from the box through places of these classes; objects of the last class are members.
fn probe(graph: &Graph, probe: ProbeId, steps: &[(&str, RouteVia)], own_link: Option<RouteVia>) -> ProbeSpec {
    let mut places = Vec::new();
    for (at, (class, via)) in steps.iter().enumerate() {
        let step = RouteStep { via: via.clone(), to: vec![at as u16 + 1] };
        places.push(RoutePlace { class: graph.class(class), counts: false, steps: vec![step] });
    }
    let member = match probe {
        MAP => "java.util.HashMap$Node",
        CHAIN | TANGLE => "java.util.LinkedList$Node",
        TABLE => "java.util.concurrent.ConcurrentHashMap$Node",
        _ => "Restless$Member",
    };
    let to = places.len() as u16;
    let steps = own_link.into_iter().map(|via| RouteStep { via, to: vec![to] }).collect();
    places.push(RoutePlace { class: graph.class(member), counts: true, steps });
    let owner = OwnerRef::Id(graph.instance("Restless$Box"));
    ProbeSpec { probe, owner, places, budget: BUDGET, bias: 1.0, counters: Vec::new(), shape: ProbeShape::Plain }
}

fn probes(graph: &Graph) -> Vec<ProbeSpec> {
    let of_box =
        |name: &str, class: &str| field(graph, "Restless$Box", name, &format!("L{};", class.replace('.', "/")));
    let (map, list, table) = ("java.util.HashMap", "java.util.LinkedList", "java.util.concurrent.ConcurrentHashMap");
    let node = |class: &str| format!("L{}$Node;", class.replace('.', "/"));
    let nodes = |class: &str, name: &str| field(graph, class, name, &format!("[{}", node(class)));
    let link = |class: &str| Some(field(graph, &format!("{class}$Node"), "next", &node(class)));
    let counter = |spec: ProbeSpec, name: &str, class: &str, numbers: Vec<(NumberField, Option<CounterCells>)>| {
        let way = vec![of_box(name, class)];
        let counters =
            numbers.into_iter().map(|(number, cells)| CounterSpec { way: way.clone(), number, cells, summed_at: None });
        ProbeSpec { counters: counters.collect(), ..spec }
    };
    let of_map = vec![(number(graph, map, "modCount", "I"), None), (number(graph, map, "size", "I"), None)];
    let cells = CounterCells {
        array: field(graph, table, "counterCells", "[Ljava/util/concurrent/ConcurrentHashMap$CounterCell;"),
    };
    let of_table = vec![(number(graph, table, "baseCount", "J"), Some(cells))];
    let elements = field(graph, "java.util.ArrayDeque", "elements", "[Ljava/lang/Object;");
    let every = || RouteVia::ArrayElement;
    let way = [("Restless$Box", of_box("map", map)), (map, nodes(map, "table")), ("java.util.HashMap$Node[]", every())];
    let map_probe = counter(probe(graph, MAP, &way, link(map)), "map", map, of_map);
    let way = [("Restless$Box", of_box("chain", list)), (list, field(graph, list, "first", &node(list)))];
    let of_list = vec![(number(graph, list, "size", "I"), None)];
    let chain_probe = counter(probe(graph, CHAIN, &way, link(list)), "chain", list, of_list);
    let ring = "java.util.ArrayDeque";
    let way = [("Restless$Box", of_box("ring", ring)), (ring, elements), ("java.lang.Object[]", every())];
    let ring_probe = probe(graph, RING, &way, None);
    let way = [
        ("Restless$Box", of_box("table", table)),
        (table, nodes(table, "table")),
        ("java.util.concurrent.ConcurrentHashMap$Node[]", every()),
    ];
    let table_probe = counter(probe(graph, TABLE, &way, link(table)), "table", table, of_table);
    let tangle_probe = tangled(graph, ProbeSpec { probe: TANGLE, ..chain_probe.clone() });
    vec![map_probe, chain_probe, ring_probe, table_probe, tangle_probe]
}

/// Continues from a chain's beginning and its end, and from each node in both directions.
fn tangled(graph: &Graph, mut spec: ProbeSpec) -> ProbeSpec {
    let node = "Ljava/util/LinkedList$Node;";
    for (place, class, name) in [(1, "java.util.LinkedList", "last"), (2, "java.util.LinkedList$Node", "prev")] {
        let back = RouteStep { via: field(graph, class, name, node), to: vec![2] };
        spec.places[place].steps.push(back);
    }
    ProbeSpec { shape: ProbeShape::Tangled, ..spec }
}

/// Captures once the collections are filled: the agent may run long before they are.
fn capture_when_filled(analyzer: &mut Analyzer) -> (u32, Graph) {
    let is_there = |graph: &Graph, name: &str| graph.classes.iter().any(|class| class.name == name);
    let is_filled = |graph: &Graph| {
        let nodes =
            ["java.util.HashMap$Node", "java.util.LinkedList$Node", "java.util.concurrent.ConcurrentHashMap$Node"];
        is_there(graph, "Restless$Member") && nodes.iter().all(|name| is_there(graph, name))
    };
    let mut captures = (1..20).map(|snapshot| (snapshot, capture(analyzer, snapshot)));
    captures.find(|(_, graph)| is_filled(graph)).expect("the program fills its collections")
}

#[test]
fn a_structure_that_changes_under_the_probes_is_followed_and_collected_when_dropped() {
    let Some(scene) = Scene::new() else { return };
    let listener = scene.listen();
    let program = scene.start_program_connected("", &["-Xmx256m"], &["Restless", "40"]);
    let mut analyzer = Analyzer::accept(&listener);
    let (snapshot, graph) = capture_when_filled(&mut analyzer);
    install(&mut analyzer, snapshot, probes(&graph));
    let mut sizes: HashMap<ProbeId, Vec<f64>> = HashMap::new();
    let (mut by_counter, mut gone) = (HashSet::new(), HashSet::new());
    while gone.len() < PROBES {
        let report = analyzer.report();
        // The chain is counted within a visit while its counter is learned, and has no more members than the tangle.
        let is_counted_at_once = [CHAIN, TANGLE].contains(&report.probe);
        // A structure in which the budget runs out is read to its end.
        let most = if is_counted_at_once { MOST_TANGLED_READS + BESIDE_A_COUNT } else { 3 * BUDGET + BUDGET / 16 };
        assert!(report.reads <= most, "{report:?}");
        assert!(!gone.contains(&report.probe), "{report:?}");
        match report.outcome {
            VisitOutcome::Seen(seen) => {
                if seen.size_error.is_finite() {
                    sizes.entry(report.probe).or_default().push(seen.size);
                }
                if let VisitMethod::Counter { counter } = seen.method {
                    by_counter.insert((report.probe, counter));
                }
            }
            VisitOutcome::OwnerGone => drop(gone.insert(report.probe)),
            VisitOutcome::Failed(reason) => panic!("{reason}"),
        }
    }
    // The number of all changes is not the size: entries leave, too.
    for counter in [(MAP, 1), (TABLE, 0), (TANGLE, 0)] {
        assert!(by_counter.contains(&counter), "{by_counter:?}");
    }
    for probe in [MAP, RING, TABLE, TANGLE] {
        let sizes = &sizes[&probe];
        assert!(sizes.len() > 10 && sizes[0] >= 1_000.0 && sizes[sizes.len() - 1] > sizes[0], "{probe:?}: {sizes:?}");
    }
    let reason = analyzer.until(|message| match message {
        FromAgent::Goodbye { reason, .. } => Some(reason),
        _ => None,
    });
    assert_eq!(reason, GoodbyeReason::VmDeath);
    // Its status confirms that everything was collected.
    ends_well(program);
}
