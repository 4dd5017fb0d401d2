//! Objects that the program drops while they are followed are collected as soon as without the agent, or a cycle later:
//! a structure, and a class loader with its classes. In every JVM at hand, with collectors that mark concurrently.
#![allow(clippy::expect_used)] // Helpers of tests may panic as tests do.

use crate::jvm;

use jvm::graph::{Graph, install};
use jvm::heap::order;
use jvm::plans::Plan;
use jvm::{Analyzer, Scene, ends_well};
use rootbound_wire::frame;
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::*;
use std::fs;

/// Marking them takes longer than the distance of two visits.
const BALLAST: &str = "2000000";
/// The collector marks again and again.
const G1: [&str; 4] = ["-XX:+UseG1GC", "-XX:-G1UseAdaptiveIHOP", "-XX:InitiatingHeapOccupancyPercent=5", "-Xmn24m"];

/// Shenandoah of JDK 11 unloads no class concurrently unless an option requests it.
const SHENANDOAH: [&str; 6] = [
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UseShenandoahGC",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:+ClassUnloadingWithConcurrentMark",
    "-XX:ShenandoahUnloadClassesFrequency=1",
    "-XX:ShenandoahGuaranteedGCInterval=300",
];

/// A probe from a class by a static field to a list, and on to its members.
fn list_probe(graph: &Graph, id: u32, owner: OwnerRef, places: [(&str, Option<&str>); 2]) -> ProbeSpec {
    let step = |via, to| vec![RouteStep { via, to: vec![to] }];
    let field = |name: &str, descriptor: &str| (name.to_owned(), descriptor.to_owned());
    let [(class, list), (member, _)] = places;
    let (name, descriptor) = field("elementData", "[Ljava/lang/Object;");
    let array = RouteVia::Field { declaring: graph.class("java.util.ArrayList"), name, descriptor };
    let place = |class: &str, counts, steps| RoutePlace { class: graph.class(class), counts, steps };
    let first = u16::from(list.is_some());
    let mut all = vec![
        place("java.util.ArrayList", false, step(array, 1 + first)),
        place("java.lang.Object[]", false, step(RouteVia::ArrayElement, 2 + first)),
        place(member, true, vec![]),
    ];
    if let Some(list) = list {
        let (name, descriptor) = field(list, "Ljava/util/ArrayList;");
        all.insert(0, place(class, false, step(RouteVia::StaticField { name, descriptor }, 1)));
    }
    ProbeSpec {
        probe: ProbeId(id),
        owner,
        places: all,
        budget: 65_536,
        bias: 1.0,
        counters: Vec::new(),
        shape: ProbeShape::Plain,
    }
}

/// Probes of a list that is the owner itself, and of the list of a class that is the owner.
fn probes(graph: &Graph) -> Vec<ProbeSpec> {
    let mut plan = Plan::new(graph);
    plan.at_static_of("Dropped", ("list", "Ljava/util/ArrayList;"), "java.util.ArrayList", 0);
    let tenant = OwnerRef::Id(graph.class("Tenant"));
    vec![
        list_probe(graph, 1, OwnerRef::Path(plan.plan), [("Dropped", None), ("Dropped$Member", None)]),
        list_probe(graph, 2, tenant, [("Tenant", Some("pieces")), ("Tenant$Piece", None)]),
    ]
}

fn is_gone_within_two_cycles(scene: &Scene, jvm: &[&str]) {
    let listener = scene.listen();
    let begin = scene.path("begin");
    let program = scene.start_program_connected(
        "",
        &[jvm, &["-Xmx400m"]].concat(),
        &["Dropped", &begin.display().to_string(), BALLAST],
    );
    let mut analyzer = Analyzer::accept(&listener);
    let captured = order(&mut analyzer, 1, CaptureMethod::InProcess);
    let graph = Graph { classes: captured.classes, ..Graph::default() };
    install(&mut analyzer, 1, probes(&graph));
    fs::write(begin, "").expect("written");
    let mut left: Vec<ProbeId> = Vec::new();
    let mut seen = 0;
    while let Some(message) = analyzer.next_or_end() {
        if let FromAgent::ProbeReport(report) = message {
            match report.outcome {
                VisitOutcome::OwnerGone => left.push(report.probe),
                _ => seen += 1,
            }
            // A probe without changes would be visited ever more rarely. At the end the agent does not listen any more.
            let _said = frame::write(&ToAgent::SetBias { biases: vec![(report.probe, 1.0)] }, &mut analyzer.stream);
        }
    }
    println!("{}: {jvm:?}: {seen} visits, gone: {left:?}", scene.java().display());
    ends_well(program);
    // On a busy machine cycles follow one another so closely that few visits find a pause between them.
    assert!(seen > 5, "{seen} visits");
}

#[test]
fn with_g1_it_is_gone_within_two_cycles() {
    for scene in Scene::of_all_versions() {
        is_gone_within_two_cycles(&scene, &G1);
    }
}

#[test]
fn with_shenandoah_it_is_gone_within_two_cycles() {
    for scene in Scene::of_all_versions().iter().filter(|scene| scene.takes(&SHENANDOAH)) {
        is_gone_within_two_cycles(scene, &SHENANDOAH);
    }
}
