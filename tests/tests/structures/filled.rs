//! Runs a program that fills collections, reads its dumps, and compares each collection with its description.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::walk::{by_class, class_name, found, reached};
use e2e::java::Program;
use e2e::jvms::Jvm;
use e2e::process::Scratch;
use rootbound::heap::{DumpRules, Heap, ObjectIdx};
use rootbound::ingest::dump::read_heap;
use rootbound::structures::shipped::SHIPPED;
use rootbound::structures::{Language, Layout, LayoutOptions};
use std::path::Path;
use std::process::Command;

/// The numbers of elements; every program knows them.
pub(super) const COUNTS: [usize; 4] = [0, 1, 13, 1000];

/// The expected contents of one static field of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub name: &'static str,
    /// Keys and elements for each of `n`.
    pub keys: usize,
    pub elements: usize,
    /// Most keys and elements, where a collection takes not all.
    pub most: usize,
    /// Heads: 1, and those that the structure contains.
    pub heads: usize,
    /// Other objects that are leaves, too.
    pub beside: &'static [&'static str],
}

impl Field {
    pub(super) const fn of(name: &'static str, keys: usize, elements: usize, heads: usize) -> Self {
        Self { name, keys, elements, most: usize::MAX, heads, beside: &[] }
    }

    pub(super) const fn beside(self, beside: &'static [&'static str]) -> Self {
        Self { beside, ..self }
    }
}

/// Runs the program on that JVM, which writes `filled-N.hprof` into the folder that it gets.
pub(super) fn dumps(program: &Program, jvm: &Jvm, class_path: &[&Path]) -> Scratch {
    let scratch = Scratch::new();
    let all = [&[program.classes.as_path()], class_path].concat();
    let class_path = std::env::join_paths(all).expect("paths have no colon");
    let mut command = Command::new(&jvm.launcher);
    command.args(["-Xmx256m", "-XX:+UseSerialGC", "-cp"]).arg(class_path).arg(&program.main).arg(scratch.folder());
    let output = command.output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scratch
}

/// All differences of a dump from what is expected of its `count` elements.
pub(super) fn differences(
    scratch: &Scratch,
    class: &str,
    count: usize,
    fields: &[Field],
    exact_types: bool,
) -> Vec<String> {
    let file = scratch.file(&format!("filled-{count}.hprof"));
    let heap = read_heap(&file, DumpRules::default()).expect("a dump that a JVM wrote").heap;
    let layout = Layout::new(&language(), &heap, LayoutOptions { exact_types });
    let faults = |field: &Field| match value_of(&heap, class, field.name) {
        Some(head) => compare(&heap, &layout, head, field, class, count),
        None => vec!["no such field".to_owned()],
    };
    let named = |field: &Field| {
        let faults = faults(field);
        faults.into_iter().map(|fault| format!("{} with {count}: {fault}", field.name)).collect::<Vec<_>>()
    };
    fields.iter().flat_map(named).collect()
}

/// All shipped descriptions.
pub(super) fn language() -> Language {
    let mut language = Language::new();
    for shipped in SHIPPED {
        language.add(shipped.descriptions().expect("shipped files have no errors"));
    }
    language
}

fn compare(heap: &Heap, layout: &Layout, head: ObjectIdx, field: &Field, class: &str, count: usize) -> Vec<String> {
    let mut faults = Vec::new();
    if !layout.is_head(layout.type_of(heap, head)) {
        return vec![format!("{} is no head", class_name(heap, head))];
    }
    let found = found(heap, layout, head);
    if found.heads.len() != field.heads {
        faults.push(format!("heads: {:?}", by_class(heap, &found.heads)));
    }
    let [key, element] = ["Key", "Element"].map(|name| format!("{class}${name}"));
    let leaves = by_class(heap, &found.leaves);
    let expected = [field.keys, field.elements].map(|each| (each * count).min(field.most));
    let counts = [&key, &element].map(|name| leaves.get(name.as_str()).copied().unwrap_or(0));
    let others = leaves.keys().any(|name| *name != key && *name != element && !field.beside.contains(name));
    if counts != expected || others {
        faults.push(format!("leaves: {leaves:?}, expected {expected:?}"));
    }
    let is_leaf = |name: &str| name == key || name == element || field.beside.contains(&name);
    let reached = reached(heap, layout, head, |name| is_leaf(name) || is_no_part(name, class_name(heap, head)));
    if reached != found.inner {
        let beyond = |one: &std::collections::BTreeSet<ObjectIdx>, other| {
            by_class(heap, &(one - other)).into_iter().collect::<Vec<_>>()
        };
        let (missing, more) = (beyond(&reached, &found.inner), beyond(&found.inner, &reached));
        faults.push(format!("not found: {missing:?}; too much: {more:?}"));
    }
    faults
}

/// Objects that hang from a collection and are no part of it: locks, counters, comparators, and views that it keeps.
fn is_no_part(name: &str, head: &str) -> bool {
    const PACKAGES: [&str; 4] = [
        "java.util.concurrent.locks.",
        "java.util.concurrent.atomic.Atomic",
        "java.util.concurrent.atomic.Long",
        "java.lang.",
    ];
    const ENDS: [&str; 5] = ["KeySet", "KeySetView", "EntrySet", "$UnmodifiableSet", "Colour[]"];
    let is_array = name.ends_with("[]") && !name.ends_with("Colour[]");
    let is_outside =
        PACKAGES.iter().any(|package| name.starts_with(package)) || ENDS.iter().any(|end| name.ends_with(end));
    !is_array && is_outside && name != head && !name.ends_with("AtomicReferenceArray")
}

pub(super) fn value_of(heap: &Heap, class: &str, field: &str) -> Option<ObjectIdx> {
    let class = heap.classes().by_name(class)?;
    let mirror = heap.classes().get(class).mirror?;
    let is_named = |label| heap.classes().field(class, label).is_some_and(|known| known.name == field);
    heap.references().labelled(mirror).find(|&(_, label)| is_named(label)).map(|(value, _)| value)
}
