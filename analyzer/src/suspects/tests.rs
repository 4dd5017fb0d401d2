//! The phases on sketched heaps: the worked example of HeapLens, and cases beyond it.

use super::*;
use crate::graph::{Dominated, Ownership};
use crate::heap::Heap;
use crate::heap::dsl::{HeapSketch, OLD};

const MB: u64 = 1_000_000;

/// Runs `ask` on a heap with its forest and suspects.
fn asked<T>(sketch: HeapSketch, ask: impl FnOnce(&Heap, &Forest<'_>, &Suspects) -> T) -> T {
    let heap = sketch.build();
    let ownership = Ownership::new(&heap);
    let dominated = Dominated::new(&ownership);
    let forest = Forest::new(&ownership, &dominated);
    ask(&heap, &forest, &find(&forest, &Thresholds::default()))
}

fn class_name(heap: &Heap, object: ObjectIdx) -> String {
    heap.classes().get(heap.class_of(object)).name.clone()
}

/// `HIGH WebappClassLoader 68 %`.
fn line(heap: &Heap, suspect: &Suspect) -> String {
    let name = match suspect.subject {
        Subject::Loader { loader, .. } => class_name(heap, loader),
        Subject::Object(structure) => class_name(heap, structure.head),
        Subject::Statics(structure) => {
            let class = heap.class_shown_by(structure.head);
            format!("statics of {}", heap.classes().get(class).name)
        }
        Subject::Class { class, instance_count, .. } => {
            format!("{instance_count} {}", heap.classes().get(class).name)
        }
    };
    format!("{} {name} {:.0} %", suspect.severity.name(), suspect.share * 100.0)
}

fn lines(heap: &Heap, suspects: &Suspects) -> Vec<String> {
    suspects.suspects.iter().map(|suspect| line(heap, suspect)).collect()
}

/// An array with `count` elements of a class and size.
fn filled(sketch: &mut HeapSketch, array: &str, count: u64, class: &str, bytes: u64) -> ObjectIdx {
    let array = sketch.old(array);
    for _ in 0..count {
        let element = sketch.object(class, bytes, OLD);
        sketch.element(array, element);
    }
    array
}

/// HeapLens's worked example: 500 MB, of which a web application keeps 340, a log buffer 85 and scattered arrays 60.
fn worked_example() -> HeapSketch {
    let mut sketch = HeapSketch::new();
    let loader = sketch.fresh("WebappClassLoader");
    sketch.jni_global(loader);
    sketch.loaded_by("SessionManager", loader);
    let table = filled(&mut sketch, "HashMap$Node[]", 650, "Session", 340 * MB / 650);
    let map = sketch.old("HashMap");
    sketch.refer(map, "table", table);
    sketch.static_field("SessionManager", "sessions", map);
    let buffer = sketch.old("LogBuffer");
    for _ in 0..85 {
        let page = sketch.object("LogPage", MB, OLD);
        sketch.refer(buffer, "page", page);
    }
    sketch.static_field("Log", "buffer", buffer);
    let (first, second) = (sketch.old("Object[]"), sketch.old("Object[]"));
    for _ in 0..15_000 {
        let array = sketch.object("byte[]", 60 * MB / 15_000, OLD);
        sketch.element(first, array);
        sketch.element(second, array);
    }
    sketch.static_field("Reader", "first", first);
    sketch.static_field("Writer", "second", second);
    let rest = sketch.object("Rest", 15 * MB, OLD);
    sketch.static_field("Program", "rest", rest);
    sketch.object("Garbage", 100 * MB, OLD);
    sketch
}

#[test]
fn the_worked_example_of_heaplens_is_reported_as_it_shows_it() {
    asked(worked_example(), |heap, forest, found| {
        let expected = ["HIGH WebappClassLoader 68 %", "MEDIUM LogBuffer 17 %", "MEDIUM 15000 byte[] 12 %"];
        assert_eq!(lines(heap, found), expected);
        let Subject::Loader { accumulation, is_built_in, .. } = found.suspects[0].subject else { panic!() };
        assert!(!is_built_in);
        assert_eq!(class_name(heap, accumulation), "HashMap$Node[]");
        assert_eq!(contents::of(forest, accumulation).unwrap().child_count, 650);
    });
}

#[test]
fn what_nothing_reaches_counts_for_no_percentage() {
    asked(worked_example(), |heap, forest, _| {
        let unreachable = heap.total_bytes() - forest.reachable_bytes();
        assert!((100 * MB..101 * MB).contains(&unreachable), "{unreachable}");
    });
}

#[test]
fn the_loader_that_every_program_has_hides_nothing_that_is_large_below_it() {
    let mut sketch = HeapSketch::new();
    let loader = sketch.fresh("jdk.internal.loader.ClassLoaders$AppClassLoader");
    sketch.static_field("java.lang.ClassLoader", "scl", loader);
    sketch.loaded_by("Shop", loader);
    let active = filled(&mut sketch, "Order[]", 300, "Order", MB);
    sketch.static_field("Shop", "active", active);
    let leak = filled(&mut sketch, "Event[]", 250, "Event", MB / 10);
    sketch.static_field("Shop", "events", leak);
    asked(sketch, |heap, forest, found| {
        let names: Vec<String> = lines(heap, found);
        assert_eq!(names[0], "HIGH jdk.internal.loader.ClassLoaders$AppClassLoader 100 %");
        assert!(names.contains(&"MEDIUM Event[] 8 %".to_owned()), "{names:?}");
        let answer = verdict(forest, &found.suspects, &Thresholds::default()).map(|at| &found.suspects[at]).unwrap();
        let Subject::Loader { accumulation, .. } = answer.subject else { panic!("{answer:?}") };
        assert_eq!(accumulation, active);
        assert_eq!(found.drops[0].head, active);
        assert_eq!(found.drops[1].head, leak);
    });
}

/// One class with two large structures in static fields, and another structure elsewhere.
fn two_statics_of_one_class() -> HeapSketch {
    let mut sketch = HeapSketch::new();
    let orders = filled(&mut sketch, "Order[]", 40, "Order", MB);
    let events = filled(&mut sketch, "Event[]", 40, "Event", MB);
    sketch.static_field("Shop", "orders", orders);
    sketch.static_field("Shop", "events", events);
    let log = filled(&mut sketch, "Line[]", 20, "Line", MB);
    sketch.static_field("Log", "lines", log);
    sketch
}

#[test]
fn a_class_with_several_large_statics_is_a_suspect_of_its_own_kind() {
    asked(two_statics_of_one_class(), |heap, forest, found| {
        let expected = ["HIGH Order[] 40 %", "HIGH Event[] 40 %", "MEDIUM Line[] 20 %", "HIGH statics of Shop 80 %"];
        assert_eq!(lines(heap, found)[..4], expected);
        let relations = relations(forest, &found.suspects);
        let within: Vec<_> = relations.iter().take(4).map(|relation| relation.within).collect();
        assert_eq!(within, [Some(3), Some(3), None, None]);
    });
}

#[test]
fn mirrors_take_no_place_of_the_ten_instances() {
    let mut sketch = HeapSketch::new();
    for at in 0..12 {
        let (one, other) = (filled(&mut sketch, "Page[]", 30, "Page", MB), filled(&mut sketch, "Row[]", 1, "Row", MB));
        sketch.static_field(&format!("Class{at}"), "pages", one);
        sketch.static_field(&format!("Class{at}"), "rows", other);
    }
    asked(sketch, |_, _, found| {
        let objects = found.suspects.iter().filter(|each| matches!(each.subject, Subject::Object(_)));
        assert_eq!(objects.count(), 10);
        assert!(!found.suspects.iter().any(|each| matches!(each.subject, Subject::Statics(_))), "each passes most on");
    });
}

#[test]
fn suspects_below_one_object_of_the_program_are_of_one_group_and_others_are_independent() {
    let mut sketch = HeapSketch::new();
    let orders = filled(&mut sketch, "Order[]", 40, "Order", MB);
    let events = filled(&mut sketch, "Event[]", 30, "Event", MB);
    let shop = sketch.old("Shop");
    sketch.refer(shop, "orders", orders);
    sketch.refer(shop, "events", events);
    let app = sketch.old("App");
    sketch.refer(app, "shop", shop);
    sketch.static_field("Main", "app", app);
    let log = filled(&mut sketch, "Line[]", 20, "Line", MB);
    sketch.static_field("Log", "lines", log);
    asked(sketch, |heap, forest, found| {
        let relations = relations(forest, &found.suspects);
        let at = |class: &str| lines(heap, found).iter().position(|line| line.contains(class)).unwrap();
        let group = |class: &str| relations[at(class)].group.unwrap();
        assert_eq!(group("Order[]"), group("Event[]"));
        assert_ne!(group("Order[]"), group("Line[]"));
        assert_eq!(
            relations[at("Order[]")].within,
            found
                .suspects
                .iter()
                .position(|each| { matches!(each.subject, Subject::Object(structure) if structure.head == shop) })
        );
    });
}

#[test]
fn an_object_that_passes_nine_tenths_on_is_not_suspected_itself() {
    for (own, expected) in [(9, "MEDIUM Holder 10 %"), (12, "MEDIUM Holder 10 %")] {
        let mut sketch = HeapSketch::new();
        let pages = filled(&mut sketch, "Page[]", 91, "Page", 1000);
        let holder = sketch.object("Holder", own * 1000, OLD);
        sketch.refer(holder, "pages", pages);
        sketch.static_field("Program", "holder", holder);
        let rest = filled(&mut sketch, "Rest[]", 900, "Rest", 1000);
        let other = filled(&mut sketch, "Rest[]", 1, "Rest", 1000);
        sketch.static_field("Program", "rest", rest);
        sketch.static_field("Other", "other", other);
        asked(sketch, |heap, _, found| {
            let is_reported = lines(heap, found).iter().any(|line| line == expected);
            assert_eq!(is_reported, own == 12, "{own}: {:?}", lines(heap, found));
        });
    }
}

#[test]
fn a_singly_linked_list_is_one_structure_and_not_as_many_as_it_has_nodes() {
    let mut sketch = HeapSketch::new();
    let nodes: Vec<ObjectIdx> = (0..1000).map(|_| sketch.old("Node")).collect();
    for pair in nodes.windows(2) {
        sketch.refer(pair[0], "next", pair[1]);
    }
    for &node in &nodes {
        let item = sketch.object("Item", 500, OLD);
        sketch.refer(node, "item", item);
    }
    let queue = sketch.old("Queue");
    sketch.refer(queue, "head", nodes[0]);
    sketch.static_field("Program", "queue", queue);
    asked(sketch, |_, forest, found| {
        let objects: Vec<&Suspect> =
            found.suspects.iter().filter(|suspect| matches!(suspect.subject, Subject::Object(_))).collect();
        let Subject::Object(list) = objects[0].subject else { panic!() };
        assert_eq!((objects.len(), list.head, list.node_count, list.largest_below_bytes), (1, nodes[0], 1000, 500));
        let contents = contents::of(forest, nodes[0]).unwrap();
        assert_eq!(contents.entry_count, 1000);
    });
}

#[test]
fn instances_that_others_of_their_class_dominate_retain_nothing_on_top() {
    let mut sketch = HeapSketch::new();
    let outer = sketch.object("Folder", 100, OLD);
    let inner = sketch.object("Folder", 100, OLD);
    let file = sketch.object("File", 50, OLD);
    sketch.refer(outer, "child", inner);
    sketch.refer(inner, "file", file);
    sketch.static_field("Program", "root", outer);
    asked(sketch, |heap, _, found| {
        let folder = heap.classes().by_name("Folder").unwrap();
        let row = found.census.rows.iter().find(|row| row.class == folder).unwrap();
        assert_eq!((row.instance_count, row.shallow_bytes, row.retained_bytes), (2, 200, 250));
    });
}

#[test]
fn a_heap_without_roots_has_no_suspects() {
    let mut sketch = HeapSketch::new();
    sketch.old("Lonely");
    asked(sketch, |_, forest, found| {
        let verdict = verdict(forest, &found.suspects, &Thresholds::default()).map(|at| &found.suspects[at]);
        // The class mirror of the sketch is a root.
        assert!(verdict.is_some_and(|suspect| matches!(suspect.subject, Subject::Statics(_))));
    });
}

#[test]
fn a_map_is_full_of_entries_even_where_they_share_buckets() {
    let mut sketch = HeapSketch::new();
    let table = sketch.old("Node[]");
    for _ in 0..10 {
        let (first, second) = (sketch.old("Node"), sketch.old("Node"));
        sketch.element(table, first);
        sketch.refer(first, "next", second);
        for node in [first, second] {
            let value = sketch.object("Session", 500, OLD);
            sketch.refer(node, "value", value);
        }
    }
    sketch.static_field("Program", "table", table);
    asked(sketch, |heap, forest, _| {
        let contents = contents::of(forest, table).unwrap();
        let levels: Vec<&str> = contents.levels.iter().map(|&class| heap.classes().get(class).name.as_str()).collect();
        assert_eq!((contents.child_count, contents.entry_count), (10, 20));
        assert_eq!(levels, ["Node", "Session"]);
    });
}

#[test]
fn values_that_refer_to_each_other_are_still_counted_by_the_nodes_that_hold_them() {
    let mut sketch = HeapSketch::new();
    let table = sketch.old("Node[]");
    let mut last = None;
    for _ in 0..10 {
        let (node, value) = (sketch.old("Node"), sketch.object("Product", 500, OLD));
        sketch.element(table, node);
        sketch.refer(node, "value", value);
        if let Some(last) = last.replace(value) {
            sketch.refer(value, "alternative", last);
        }
    }
    sketch.static_field("Program", "table", table);
    asked(sketch, |heap, forest, _| {
        let contents = contents::of(forest, table).unwrap();
        let levels: Vec<&str> = contents.levels.iter().map(|&class| heap.classes().get(class).name.as_str()).collect();
        assert_eq!((contents.entry_count, levels), (10, vec!["Node", "Product"]));
    });
}

#[test]
fn of_classes_that_keep_as_much_the_one_of_the_program_is_the_answer() {
    let mut sketch = HeapSketch::new();
    let loader = sketch.fresh("Loader");
    sketch.jni_global(loader);
    sketch.loaded_by("Product", loader);
    let (first, second) = (sketch.old("Object[]"), sketch.old("Object[]"));
    let mut largest = None;
    for at in 0..100 {
        let (product, picture) = (sketch.old("Product"), sketch.object("byte[]", 1000 + at, OLD));
        sketch.refer(product, "picture", picture);
        sketch.element(first, product);
        sketch.element(second, product);
        largest = Some(product);
    }
    sketch.static_field("First", "all", first);
    sketch.static_field("Second", "all", second);
    asked(sketch, |heap, forest, found| {
        let at = verdict(forest, &found.suspects, &Thresholds::default()).unwrap();
        let Subject::Class { class, example, .. } = found.suspects[at].subject else { panic!("{at}") };
        assert_eq!((heap.classes().get(class).name.as_str(), example), ("Product", largest));
    });
}
