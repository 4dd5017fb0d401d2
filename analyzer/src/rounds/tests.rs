//! The rule on sketched heaps, each a scenario after some runs.

use super::*;
use crate::heap::ObjectIdx;
use crate::heap::dsl::{HeapSketch, OLD};
use crate::naming::growth::Pattern as GrowthPattern;
use crate::structures::language::parse;
use crate::structures::{Language, LayoutOptions};

fn wanted(least_growth: u32) -> RoundsWanted {
    RoundsWanted { runs: 2, least_growth, ignored: Vec::new(), ignored_places: Vec::new() }
}

/// The report on a program after these numbers of runs.
fn report_of(runs: &[usize], wanted: RoundsWanted, program: impl Fn(&mut HeapSketch, usize)) -> RoundsReport {
    let heap = |&runs: &usize| {
        let mut sketch = HeapSketch::new();
        program(&mut sketch, runs);
        sketch.build()
    };
    let mut heaps: Vec<Heap> = runs.iter().map(heap).collect();
    let last = heaps.pop().unwrap();
    let mut rounds = Rounds::between(&heaps[0], &last, wanted);
    heaps.into_iter().for_each(|heap| rounds.add(heap));
    rounds.report(last)
}

fn report(runs: &[usize], program: impl Fn(&mut HeapSketch, usize)) -> RoundsReport {
    report_of(runs, wanted(2), program)
}

fn trace(grower: &crate::report::rounds::Grower) -> Vec<String> {
    grower.trace.lines().into_iter().map(|line| line.text).collect()
}

/// A list of the JDK with elements, at a static field.
fn list(sketch: &mut HeapSketch, field: &str, elements: &[ObjectIdx]) -> ObjectIdx {
    let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
    sketch.refer(list, "elementData", array);
    elements.iter().for_each(|&element| sketch.element(array, element));
    sketch.static_field("shop.Shop", field, list);
    list
}

fn objects(sketch: &mut HeapSketch, class: &str, count: usize) -> Vec<ObjectIdx> {
    (0..count).map(|_| sketch.old(class)).collect()
}

fn leaky(sketch: &mut HeapSketch, runs: usize) {
    let elements = objects(sketch, "shop.Leaky", runs);
    list(sketch, "leakies", &elements);
}

#[test]
fn a_list_that_gains_in_every_round_grows() {
    let report = report(&[2, 4, 6, 8], leaky);
    assert_eq!(report.verdict, "1 structure grew in every one of 3 rounds");
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!((grower.place.as_str(), grower.class.as_str()), ("static shop.Shop.leakies", "java.util.ArrayList"));
    assert_eq!((grower.element.as_str(), &grower.sizes[..]), ("shop.Leaky", &[2, 4, 6, 8][..]));
    assert_eq!((grower.retained_before, grower.retained_after), (48, 192));
    assert_eq!(grower.pattern, Some(GrowthPattern::SingleOwnershipContainer));
    assert_eq!(trace(grower), ["ArrayList static shop.Shop.leakies ⟶ elements", "  shop.Leaky"]);
    assert!((grower.per_run(grower.gained()) - 1.0).abs() < 1e-9);
}

#[test]
fn less_than_the_least_growth_in_one_round_is_none() {
    assert_eq!(report(&[2, 4, 5, 8], leaky).growing, []);
    assert_eq!(report(&[2, 4, 4, 8], leaky).verdict, "nothing grew in every one of 3 rounds");
    assert_eq!(report_of(&[2, 3, 4], wanted(1), leaky).growing.len(), 1);
}

#[test]
fn a_cache_that_is_full_has_stopped() {
    let cache = |sketch: &mut HeapSketch, runs: usize| leaky(sketch, runs.min(6));
    assert_eq!(report(&[2, 4, 6], cache).growing.len(), 1);
    assert_eq!(report(&[2, 4, 6, 8], cache).growing, []);
}

/// The nodes of a linked list are found from both ends.
#[test]
fn a_list_that_is_entered_at_both_ends_is_counted_as_one() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let list = sketch.old("shop.Chain");
        sketch.declare("shop.Chain$Node", "next", "Lshop/Chain$Node;");
        let nodes = objects(sketch, "shop.Chain$Node", runs);
        sketch.refer(list, "first", nodes[0]);
        sketch.refer(list, "last", nodes[runs - 1]);
        for pair in nodes.windows(2) {
            sketch.refer(pair[0], "next", pair[1]);
            sketch.refer(pair[1], "previous", pair[0]);
        }
        for &node in &nodes {
            let item = sketch.old("shop.Order");
            sketch.refer(node, "item", item);
        }
        sketch.static_field("shop.Shop", "chain", list);
    };
    let report = report(&[4, 6, 8, 10], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!(grower.sizes, [4, 6, 8, 10]);
    assert_eq!(grower.element, "shop.Chain$Node");
}

#[test]
fn of_nested_growth_the_outermost_is_reported() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let orders = objects(sketch, "shop.Order", runs);
        for &order in &orders {
            let lines = sketch.old("shop.Line[]");
            sketch.refer(order, "lines", lines);
            for line in objects(sketch, "shop.Line", 3) {
                sketch.element(lines, line);
            }
        }
        list(sketch, "orders", &orders);
    };
    let report = report(&[2, 4, 6], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!((grower.element.as_str(), &grower.sizes[..]), ("shop.Order", &[2, 4, 6][..]));
}

#[test]
fn growth_within_a_container_that_does_not_grow_is_found() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let shops = objects(sketch, "shop.Branch", 3);
        for &shop in &shops {
            let sales = sketch.old("shop.Sale[]");
            sketch.refer(shop, "sales", sales);
            for sale in objects(sketch, "shop.Sale", runs) {
                sketch.element(sales, sale);
            }
        }
        list(sketch, "branches", &shops);
    };
    let report = report(&[2, 4, 6], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!((grower.element.as_str(), &grower.sizes[..]), ("shop.Sale", &[6, 12, 18][..]));
}

#[test]
fn two_leaks_are_both_reported_and_elements_of_two_classes_are_one() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let mut mixed = objects(sketch, "shop.Cat", runs);
        mixed.extend(objects(sketch, "shop.Dog", 2 * runs));
        list(sketch, "animals", &mixed);
        leaky(sketch, runs);
    };
    let report = report(&[2, 4, 6], program);
    let found: Vec<_> = report.growing.iter().map(|grower| (grower.place.as_str(), &grower.sizes[..])).collect();
    assert_eq!(found, [("static shop.Shop.animals", &[6, 12, 18][..]), ("static shop.Shop.leakies", &[2, 4, 6][..])]);
}

#[test]
fn objects_in_two_structures_are_shared_and_each_names_the_other() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let orders = objects(sketch, "shop.Order", runs);
        list(sketch, "orders", &orders);
        let array = sketch.old("shop.Order[]");
        orders.iter().for_each(|&order| sketch.element(array, order));
        let audit = sketch.old("shop.Audit");
        sketch.refer(audit, "seen", array);
        let office = sketch.old("shop.Office");
        sketch.refer(office, "audit", audit);
        sketch.static_field("shop.Shop", "office", office);
    };
    let report = report(&[2, 4, 6], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!(grower.place, "static shop.Shop.orders", "the nearest one counts them");
    assert_eq!(grower.pattern, Some(GrowthPattern::SharedOwnershipContainer));
    assert_eq!(grower.also_held_by, ["static shop.Shop.office.audit.seen"]);
}

#[test]
fn ignored_structures_are_reported_apart() {
    let fingerprint = report(&[2, 4, 6], leaky).growing[0].fingerprint.to_string();
    let by_name = RoundsWanted { ignored: vec![fingerprint], ..wanted(2) };
    let by_place = RoundsWanted { ignored_places: vec![Pattern::new("static shop.*.leakies")], ..wanted(2) };
    for wanted in [by_name, by_place] {
        let report = report_of(&[2, 4, 6], wanted, leaky);
        assert_eq!((report.growing.len(), report.ignored.len()), (0, 1));
        assert_eq!(report.ignored[0].sizes, [2, 4, 6]);
    }
}

#[test]
fn loaders_that_keep_coming_are_reported_and_their_classes_are_not() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let loaders: Vec<ObjectIdx> = (0..runs).map(|_| sketch.fresh("shop.Loader")).collect();
        list(sketch, "loaders", &loaders);
        for &loader in &loaders {
            sketch.load_again("shop.Plugin");
            sketch.loaded_by("shop.Plugin", loader);
        }
    };
    let report = report(&[2, 4, 6], program);
    let found: Vec<_> = report.growing.iter().map(|grower| grower.element.as_str()).collect();
    assert_eq!(found, ["shop.Loader"]);
}

/// The loader's own list is at the place of the list that holds the loaders, since the path repeats itself.
#[test]
fn elements_with_lists_of_their_own_are_counted_themselves() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let plugins: Vec<ObjectIdx> = objects(sketch, "shop.Plugin", runs);
        list(sketch, "plugins", &plugins);
        for &plugin in &plugins {
            let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
            sketch.refer(list, "elementData", array);
            sketch.refer(plugin, "classes", list);
        }
    };
    let report = report(&[2, 4, 6], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!((grower.element.as_str(), &grower.sizes[..]), ("shop.Plugin", &[2, 4, 6][..]));
}

/// A tree folds onto itself, and nothing else grows.
#[test]
fn a_tree_that_grows_within_itself_is_found() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        let root = sketch.old("shop.Part");
        sketch.static_field("shop.Shop", "root", root);
        let mut above = root;
        for _ in 0..runs {
            let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
            let part = sketch.old("shop.Part");
            sketch.refer(above, "parts", list);
            sketch.refer(list, "elementData", array);
            sketch.element(array, part);
            above = part;
        }
    };
    assert_eq!(report(&[4, 6, 8], program).growing.len(), 1);
}

#[test]
fn one_array_that_becomes_longer_is_growth_by_length() {
    let program = |sketch: &mut HeapSketch, bytes: usize| {
        let (builder, text) = (sketch.old("java.lang.StringBuilder"), sketch.object("byte[]", bytes as u64, OLD));
        sketch.refer(builder, "value", text);
        sketch.static_field("shop.Shop", "log", builder);
    };
    let found = report(&[2_016, 4_016, 8_016, 8_016, 16_016], program);
    let [grower] = &found.growing[..] else { panic!("one: {:?}", found.growing) };
    assert_eq!((grower.grows, grower.element.as_str()), (crate::report::rounds::Grows::Length, "byte[]"));
    assert_eq!(grower.pattern, None);
    assert_eq!(report(&[2_016, 4_016, 4_016, 4_016], program).growing, []);
}

#[test]
fn threads_of_one_name_are_one_place_and_what_only_a_stack_holds_is_passing() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        for number in 0..runs {
            let thread = sketch.old("java.lang.Thread");
            sketch.thread(thread, &format!("worker-{number}"));
            let local = sketch.old("shop.Local");
            sketch.local(local);
        }
    };
    let report = report(&[2, 4, 6], program);
    let found: Vec<_> = report.growing.iter().map(|grower| (grower.element.as_str(), &grower.sizes[..])).collect();
    assert_eq!(found, [("java.lang.Thread", &[2, 4, 6][..])]);
}

#[test]
fn classes_that_a_scenario_generates_are_one_place() {
    let program = |sketch: &mut HeapSketch, runs: usize| {
        for number in 0..runs {
            sketch.class(&format!("shop.Script{number}"));
        }
    };
    let report = report(&[2, 4, 6], program);
    let [grower] = &report.growing[..] else { panic!("one: {:?}", report.growing) };
    assert_eq!(grower.sizes, [2, 4, 6]);
}

/// A shop with an index: a table of chained buckets, which gains an order with each run.
fn index(sketch: &mut HeapSketch, runs: usize) {
    sketch.declare("shop.Bucket", "next", "Lshop/Bucket;");
    let (index, table) = (sketch.old("shop.Index"), sketch.old("shop.Bucket[]"));
    sketch.refer(index, "table", table);
    let mut above = None;
    for order in objects(sketch, "shop.Order", runs) {
        let bucket = sketch.old("shop.Bucket");
        sketch.refer(bucket, "order", order);
        match above {
            None => sketch.element(table, bucket),
            Some(above) => sketch.refer(above, "next", bucket),
        }
        above = Some(bucket);
    }
    sketch.static_field("shop.Shop", "index", index);
    leaky(sketch, runs);
}

fn described(text: &str) -> RoundsReport {
    let heap = |runs: usize| {
        let mut sketch = HeapSketch::new();
        index(&mut sketch, runs);
        sketch.build()
    };
    let (first, last) = (heap(2), heap(6));
    let language = || {
        let mut language = Language::new();
        language.add(parse("shop.ds", text).unwrap());
        language
    };
    let descriptions = Descriptions { own: language(), all: language(), options: LayoutOptions::default() };
    let mut rounds = Rounds::between(&first, &last, wanted(2)).described_by(descriptions);
    rounds.add(first);
    rounds.add(heap(4));
    rounds.report(last)
}

#[test]
fn what_grows_within_a_described_structure_names_it_with_its_size() {
    let report = described("DS shop.Index { shop.Bucket[]; }\nshop.Bucket { shop.Bucket; (shop.Order); }");
    let structures: Vec<_> = report.growing.iter().map(|grower| (grower.place.as_str(), &grower.structure)).collect();
    let [(_, Some(found)), ("static shop.Shop.leakies", None)] = &structures[..] else { panic!("{structures:?}") };
    assert_eq!((found.class.as_str(), found.place.as_str(), found.count), ("shop.Index", "static shop.Shop.index", 1));
    // The head, its table, and two objects for each run.
    assert_eq!((found.objects_before, found.objects_after), (6, 14));
    assert_eq!(report.unmatched, Vec::<String>::new());
}

#[test]
fn a_structure_that_ends_before_the_growing_reference_is_not_named() {
    let report = described("DS shop.Index { (shop.Bucket[]); }\nDS shop.Till { (*); }");
    assert!(report.growing.iter().all(|grower| grower.structure.is_none()), "{:?}", report.growing);
    assert_eq!(report.unmatched, ["shop.ds:2:4: shop.Till"]);
}
