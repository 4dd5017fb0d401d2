//! Collections of libraries, where Debian's packages of them are installed: each is found with all its keys and
//! elements, and no object of the library itself is a leaf.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::filled::{COUNTS, dumps, language, value_of};
use super::walk::{by_class, found};
use e2e::java::Program;
use e2e::process::Scratch;
use e2e::{jvms, places};
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::read_heap;
use rootbound::structures::{Layout, LayoutOptions};
use std::path::Path;

/// A library, and the program that fills its collections.
struct Library {
    /// Main class, in `tests/java`.
    class: &'static str,
    jars: &'static [&'static str],
    /// Beginning of the names of its classes.
    package: &'static str,
    /// Classes of the library that are contents: shared values, and ends of lists.
    contents: &'static [&'static str],
    fields: &'static [Field],
}

/// A static field with the keys and elements for each of `n`.
type Field = (&'static str, usize, usize);

fn is_filled(library: &Library) {
    is_filled_with(library, &library.jars.iter().map(Path::new).collect::<Vec<_>>());
}

fn is_filled_with(library: &Library, jars: &[&Path]) {
    if let Some(missing) = jars.iter().find(|jar| !jar.is_file()) {
        eprintln!("skipped: {} is not installed", missing.display());
        return;
    }
    let source = places::workspace().join(format!("tests/java/{}.java", library.class));
    let program = Program::compiled_with(library.class, &source, library.class, jars);
    let scratch = dumps(&program, &jvms::at_hand()[0], jars);
    let wrong: Vec<String> = COUNTS.iter().flat_map(|&count| differences(library, &scratch, count)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn differences(library: &Library, scratch: &Scratch, count: usize) -> Vec<String> {
    let file = scratch.file(&format!("filled-{count}.hprof"));
    let heap = read_heap(&file, DumpRules::default()).expect("a dump that a JVM wrote").heap;
    let layout = Layout::new(&language(), &heap, LayoutOptions::default());
    let named = |field: &Field| {
        let faults = faults(library, &heap, &layout, field, count);
        faults.into_iter().map(|fault| format!("{} with {count}: {fault}", field.0)).collect::<Vec<_>>()
    };
    library.fields.iter().flat_map(named).collect()
}

fn faults(library: &Library, heap: &Heap, layout: &Layout, field: &Field, count: usize) -> Vec<String> {
    let &(name, keys, elements) = field;
    let Some(head) = value_of(heap, library.class, name) else { return vec!["no such field".to_owned()] };
    if !layout.is_head(layout.type_of(heap, head)) {
        let class = &heap.classes().get(heap.class_of(head)).name;
        return vec![format!("{class} is no head")];
    }
    let found = found(heap, layout, head);
    let leaves = by_class(heap, &found.leaves);
    let counts = ["Key", "Element"].map(|part| {
        let class = format!("contents.{part}");
        leaves.get(class.as_str()).copied().unwrap_or(0)
    });
    let mut faults = Vec::new();
    if counts != [keys * count, elements * count] {
        faults.push(format!(
            "keys and elements {counts:?} instead of {:?}: {leaves:?}",
            [keys * count, elements * count]
        ));
    }
    let is_inner = |class: &&str| class.starts_with(library.package) && !library.contents.contains(class);
    let inner: Vec<&str> = leaves.keys().copied().filter(is_inner).collect();
    if !inner.is_empty() {
        faults.push(format!("leaves of the library: {inner:?}"));
    }
    faults
}

#[test]
fn guava_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledGuava",
        jars: &["/usr/share/java/guava.jar"],
        package: "com.google.common.",
        contents: &["com.google.common.collect.Count"],
        fields: &[
            ("hashMultimap", 1, 1),
            ("listMultimap", 1, 1),
            ("linkedListMultimap", 1, 1),
            ("linkedHashMultimap", 1, 1),
            ("hashBiMap", 1, 1),
            ("cache", 1, 1),
            ("boundedCache", 1, 1),
            ("immutableMap", 1, 1),
            ("immutableSet", 1, 0),
            ("immutableList", 0, 1),
            ("hashMultiset", 1, 0),
            ("treeMultiset", 1, 0),
            ("table", 2, 1),
            ("evictingQueue", 0, 1),
            ("minMaxQueue", 0, 1),
        ],
    });
}

#[test]
fn caffeine_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledCaffeine",
        jars: &["/usr/share/java/caffeine.jar"],
        package: "com.github.benmanes.",
        contents: &[],
        fields: &[("bounded", 1, 1), ("timed", 1, 1), ("unbounded", 1, 1)],
    });
}

#[test]
fn netty_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledNetty",
        jars: &["/usr/share/java/netty-common.jar"],
        package: "io.netty.",
        contents: &[],
        fields: &[("intMap", 0, 1), ("longMap", 0, 1)],
    });
}

#[test]
fn fastutil_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledFastutil",
        jars: &["/usr/share/java/fastutil.jar"],
        package: "it.unimi.",
        contents: &[],
        fields: &[
            ("intMap", 0, 1),
            ("intTree", 0, 1),
            ("longMap", 0, 1),
            ("openMap", 1, 1),
            ("linkedMap", 1, 1),
            ("treeMap", 1, 1),
            ("counts", 1, 0),
            ("list", 0, 1),
            ("set", 1, 0),
        ],
    });
}

#[test]
fn scala_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledScala",
        jars: &["/usr/share/java/scala-library.jar"],
        package: "scala.",
        contents: &[],
        fields: &[("mutableMap", 1, 1), ("linkedMap", 1, 1), ("buffer", 0, 1), ("mutableSet", 1, 0), ("trieMap", 1, 1)],
    });
}

#[test]
fn clojure_is_found_with_its_elements() {
    is_filled(&Library {
        class: "FilledClojure",
        jars: &[
            "/usr/share/java/clojure.jar",
            "/usr/share/java/spec.alpha.jar",
            "/usr/share/java/core.specs.alpha.jar",
        ],
        package: "clojure.lang.",
        contents: &[],
        fields: &[("hashMap", 1, 1), ("treeMap", 1, 1), ("vector", 0, 1), ("set", 1, 0)],
    });
}

/// Debian's package is older than these collections. `ROOTBOUND_KOTLIN` names another `kotlin-stdlib.jar`.
#[test]
fn kotlin_is_found_with_its_elements() {
    let Some(jar) = std::env::var_os("ROOTBOUND_KOTLIN") else {
        eprintln!("skipped: ROOTBOUND_KOTLIN names no kotlin-stdlib.jar");
        return;
    };
    let library = Library {
        class: "FilledKotlin",
        jars: &[],
        package: "kotlin.",
        contents: &[],
        fields: &[("deque", 0, 1), ("list", 0, 1), ("map", 1, 1), ("set", 1, 0)],
    };
    is_filled_with(&library, &[Path::new(&jar)]);
}
