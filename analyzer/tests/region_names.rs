//! What the regions of generated programs are called: fingerprints, places, paths and traces, held as they are.
//!
//! A fingerprint is the name of a structure over restarts and versions. Nothing that only changes the words may change
//! it.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::naming::PathStep;
use rootbound::report::Report;
use rootbound::session::{DumpFacts, Dumps};
use rootbound::view::json;
use serde_json::Value;
use std::fmt::Write;

const SHOP: &str = "com.example.Shop";

/// Adds a structure with a number of members to a program.
type Structure = fn(&mut HeapSketch, usize);

/// What grows in each program.
const STRUCTURES: [(&str, Structure); 14] = [
    ("a static map", |sketch, count| {
        let map = map(sketch, count, "com.example.Session");
        sketch.static_field(SHOP, "sessions", map);
    }),
    ("a map of lists", |sketch, count| {
        let lists: Vec<ObjectIdx> = (0..8).map(|at| list(sketch, count / 8 + at, "com.example.Order")).collect();
        let map = map_to(sketch, &lists);
        sketch.static_field(SHOP, "orders", map);
    }),
    ("a set", |sketch, count| {
        let (set, map) = (sketch.old("java.util.HashSet"), map(sketch, count, "com.example.Key"));
        sketch.refer(set, "map", map);
        sketch.static_field(SHOP, "seen", set);
    }),
    ("an array of the program", |sketch, count| {
        let (log, array) = (sketch.old("com.example.Log"), sketch.old("com.example.Event[]"));
        sketch.refer(log, "events", array);
        members(sketch, array, count, "com.example.Event");
        sketch.static_field(SHOP, "log", log);
    }),
    ("a chain of the program", |sketch, count| {
        let head = chain(sketch, count, "com.example.Node");
        sketch.static_field("com.example.Log", "head", head);
    }),
    ("chains in the slots of an array", |sketch, count| {
        let table = sketch.old("com.example.Node[]");
        for at in 0..4 {
            let head = chain(sketch, count / 4 + at, "com.example.Node");
            sketch.element(table, head);
        }
        sketch.static_field("com.example.Index", "table", table);
    }),
    ("a tree by arrays", |sketch, count| {
        let root = tree(sketch, count);
        sketch.static_field("com.example.Index", "root", root);
    }),
    ("a table of tables", |sketch, count| {
        let table = sketch.old("com.example.Cell[][]");
        for at in 0..4 {
            let row = sketch.old("com.example.Cell[]");
            sketch.element(table, row);
            members(sketch, row, count / 4 + at, "com.example.Cell");
        }
        sketch.static_field("com.example.Table", "cells", table);
    }),
    ("a list that only a thread holds", |sketch, count| {
        let (thread, worker) = (sketch.old("java.lang.Thread"), sketch.old("com.example.Worker"));
        let done = list(sketch, count, "com.example.Job");
        sketch.refer(thread, "target", worker);
        sketch.refer(worker, "done", done);
        sketch.thread(thread, "pool-1-thread-7");
    }),
    ("a list in a local variable", |sketch, count| {
        let measured = list(sketch, count, "com.example.Measurement");
        sketch.local(measured);
    }),
    ("an object that native code holds", |sketch, count| {
        let (cache, all) = (sketch.old("com.example.Cache"), map(sketch, count, "com.example.Page"));
        sketch.refer(cache, "pages", all);
        sketch.jni_global(cache);
    }),
    ("a class of the program that is a map", |sketch, count| {
        sketch.subclass("com.example.Cache", "java.util.HashMap");
        let (cache, table) = (sketch.old("com.example.Cache"), sketch.old("java.util.HashMap$Node[]"));
        sketch.inherited(cache, "java.util.HashMap", "table", table);
        nodes(sketch, table, count, "com.example.Page");
        sketch.static_field(SHOP, "cache", cache);
    }),
    ("what a lambda holds", |sketch, count| {
        let lambda = sketch.old("com.example.Main$$Lambda$14/0x0000000800066840");
        let held = list(sketch, count, "com.example.Event");
        sketch.refer(lambda, "arg$1", held);
        sketch.static_field("com.example.Main", "listener", lambda);
    }),
    ("an array of values", |sketch, count| {
        let builder = sketch.old("java.lang.StringBuilder");
        let text = sketch.object("byte[]", 16 + 64 * count as u64, OLD);
        sketch.refer(builder, "value", text);
        sketch.static_field("com.example.Service", "log", builder);
    }),
];

fn members(sketch: &mut HeapSketch, array: ObjectIdx, count: usize, class: &str) {
    for _ in 0..count {
        let (member, part) = (sketch.old(class), sketch.old("com.example.Part"));
        sketch.refer(member, "part", part);
        sketch.element(array, member);
    }
}

fn list(sketch: &mut HeapSketch, count: usize, class: &str) -> ObjectIdx {
    let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
    sketch.refer(list, "elementData", array);
    members(sketch, array, count, class);
    list
}

fn map(sketch: &mut HeapSketch, count: usize, class: &str) -> ObjectIdx {
    let (map, table) = (sketch.old("java.util.HashMap"), sketch.old("java.util.HashMap$Node[]"));
    sketch.refer(map, "table", table);
    nodes(sketch, table, count, class);
    map
}

fn nodes(sketch: &mut HeapSketch, table: ObjectIdx, count: usize, class: &str) {
    for _ in 0..count {
        let (node, value) = (sketch.old("java.util.HashMap$Node"), sketch.old(class));
        sketch.refer(node, "value", value);
        sketch.element(table, node);
    }
}

fn map_to(sketch: &mut HeapSketch, values: &[ObjectIdx]) -> ObjectIdx {
    let (map, table) = (sketch.old("java.util.HashMap"), sketch.old("java.util.HashMap$Node[]"));
    sketch.refer(map, "table", table);
    for &value in values {
        let node = sketch.old("java.util.HashMap$Node");
        sketch.refer(node, "value", value);
        sketch.element(table, node);
    }
    map
}

fn chain(sketch: &mut HeapSketch, count: usize, class: &str) -> ObjectIdx {
    let head = sketch.old(class);
    (1..count).fold(head, |last, _| {
        let next = sketch.old(class);
        sketch.refer(last, "next", next);
        next
    });
    head
}

/// Each node has four children.
fn tree(sketch: &mut HeapSketch, count: usize) -> ObjectIdx {
    let nodes: Vec<ObjectIdx> = (0..count).map(|_| sketch.old("com.example.Node")).collect();
    for children in nodes[1..].chunks(4).enumerate() {
        let array = sketch.old("com.example.Node[]");
        sketch.refer(nodes[children.0], "kids", array);
        children.1.iter().for_each(|&child| sketch.element(array, child));
    }
    nodes[0]
}

fn program(structure: Structure, count: usize) -> Heap {
    let mut sketch = HeapSketch::new();
    structure(&mut sketch, count);
    sketch.build()
}

fn facts(number: usize) -> DumpFacts {
    DumpFacts { file: format!("{number}.hprof"), taken_ms: Some(1_700_000_000_000 + number as u64 * 60_000) }
}

/// The JSON of the report on three dumps.
fn report(structure: Structure) -> String {
    let heaps = [200, 400, 600].map(|count| program(structure, count));
    let mut dumps = Dumps::between(&heaps[0], &heaps[2]);
    let [first, second, last] = heaps;
    dumps.add(first, facts(0));
    dumps.add(second, facts(1));
    json::to_json(&dumps.report(last, &facts(2), false)).expect("a report has a JSON")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn the_regions_of_generated_programs_are_called_as_ever() {
    let mut reported = String::new();
    for (name, structure) in STRUCTURES {
        let report: Value = serde_json::from_str(&report(structure)).expect("a report is JSON");
        let _ = writeln!(reported, "{name}");
        for region in report["regions"].as_array().into_iter().flatten() {
            let owner = &region["owner_proxy"];
            let (fingerprint, place) = (&region["fingerprint"], &owner["path"]);
            let _ = writeln!(reported, "  {fingerprint} {place} ({})", owner["kind"]);
            let _ = writeln!(reported, "    reached from {:?}", texts(&region["reached_from"]));
            let _ = writeln!(reported, "    path {:?}", texts(&region["path"]));
            texts(&region["trace"]).iter().for_each(|line| {
                let _ = writeln!(reported, "    | {line}");
            });
        }
    }
    insta::assert_snapshot!(reported);
}

#[test]
fn their_reports_are_read_back_and_written_again_to_the_byte() {
    for (name, structure) in STRUCTURES {
        let written = report(structure);
        let read = Report::from_json(&written).expect("a report is read");
        assert!(!read.regions.is_empty(), "{name}");
        assert_eq!(json::to_json(&read).expect("a report has a JSON"), written, "{name}");
        let holds_text = |step: &PathStep| matches!(step, PathStep::AsRead(_));
        let mut steps = read.regions.iter().flat_map(|region| region.path.iter().chain(&region.reached_from));
        assert!(!steps.any(holds_text), "{name}: a path of the JVM's names is read as steps");
    }
}

/// Unknown values and flags that are not set are left out: a new field that no dump has changes nothing here.
#[test]
fn their_reports_are_the_same_to_the_byte() {
    let of = |wanted: &str| STRUCTURES.iter().find(|each| each.0 == wanted).map(|each| report(each.1));
    let whole = of("a chain of the program").expect("there is one");
    let is_unset = |line: &&str| [": null", ": false"].iter().any(|end| line.trim_end_matches(',').ends_with(end));
    let stated: Vec<&str> = whole.lines().filter(|line| !is_unset(line)).collect();
    insta::assert_snapshot!(stated.join("\n"));
}
