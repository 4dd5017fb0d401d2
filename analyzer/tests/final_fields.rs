//! Ages from final fields, which are set once, when their object is made.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::{HeapSketch, OLD};
use rootbound::heap::{Container, MarkTable, ObjectIdx, Stratum, TableMark};

/// Newness of an unmarked map in a field of a marked object.
fn newness_of_map(is_final: bool) -> f64 {
    let mut heap = HeapSketch::new();
    let (shop, map) = (heap.fresh("Shop"), heap.fresh("Map"));
    heap.static_field("Main", "shop", shop);
    heap.refer(shop, "audits", map);
    if is_final {
        heap.make_final("Shop", "audits");
    }
    let table = MarkTable {
        first_seen: OLD,
        marks: vec![TableMark { weight: 1.0, ..TableMark::default() }],
        strata: vec![Stratum { below: Container::Mirror(0), class: 1, count: 20, marked: 1 }],
        classes: ["Main", "Order"].map(str::to_owned).to_vec(),
        ..MarkTable::default()
    };
    let heap = heap.build_marked(table, &[(shop, 1)]);
    let graph = ObjectGraph::new(&heap);
    assert!(graph.ages.are_estimated());
    graph.ages.newness(map)
}

#[test]
fn what_a_final_field_of_an_old_object_holds_is_old_without_a_mark() {
    assert_eq!(newness_of_map(true), 0.0);
    assert!(newness_of_map(false) > 0.0);
}

/// Loggers of each context.
const EACH: usize = 20;

/// Newness of a logger of an old context, and of one of a new context. Two of four contexts are old, of which this
/// number bears a mark; a mark may have missed a third one. One logger in ten bears one.
fn newness_of_loggers(is_final: bool, marked_contexts: u32, was_missed: bool) -> [f64; 2] {
    let mut heap = HeapSketch::new();
    let (server, loggers, contexts) = (heap.fresh("Server"), heap.fresh("Object[]"), heap.fresh("Object[]"));
    heap.static_field("Main", "server", server);
    heap.refer(server, "loggers", loggers);
    heap.refer(server, "contexts", contexts);
    let mut of_contexts: Vec<(ObjectIdx, ObjectIdx)> = Vec::new();
    let mut marks = vec![(server, 3)];
    for at in 0..4 {
        let context = heap.fresh("Context");
        heap.element(contexts, context);
        let of_context: Vec<ObjectIdx> = (0..EACH).map(|_| heap.fresh("Logger")).collect();
        for &logger in &of_context {
            heap.element(loggers, logger);
            heap.refer(logger, "context", context);
        }
        if at < 2 {
            marks.extend(of_context.iter().take(EACH / 10).map(|&logger| (logger, 1)));
        }
        if at < marked_contexts {
            marks.push((context, 2));
        }
        of_contexts.push((of_context[EACH - 1], context));
    }
    if is_final {
        heap.make_final("Logger", "context");
    }
    let stratum = |class, count, marked| Stratum { below: Container::Marked(3), class, count, marked };
    let of_loggers = 2 * EACH as u32;
    let mark = |stratum| TableMark { stratum: Some(stratum), weight: 10.0, ..TableMark::default() };
    let table = MarkTable {
        first_seen: OLD,
        marks: vec![
            mark(0),
            TableMark { weight: 2.0 / f64::from(marked_contexts), ..mark(1) },
            TableMark { weight: 1.0, container_below: Some(Container::Roots), class: 4, ..TableMark::default() },
            TableMark { weight: f64::from(u8::from(!was_missed)), ..mark(1) },
        ],
        strata: vec![stratum(1, of_loggers, of_loggers / 10), stratum(0, 2, marked_contexts)],
        classes: ["Context", "Logger", "Main", "Object[]", "Server"].map(str::to_owned).to_vec(),
        ..MarkTable::default()
    };
    let heap = heap.build_marked(table, &marks);
    let graph = ObjectGraph::new(&heap);
    [of_contexts[0].0, of_contexts[3].0].map(|logger| graph.ages.newness(logger))
}

#[test]
fn what_refers_for_good_to_a_new_object_of_a_class_that_was_all_marked_is_new() {
    assert_eq!(newness_of_loggers(true, 2, false), [0.0, 1.0]);
    let [old, new] = newness_of_loggers(false, 2, false);
    assert!(old > 0.0 && old == new && new < 1.0, "{old} {new}");
}

#[test]
fn a_sample_of_a_class_shows_no_single_new_object_nor_do_marks_that_missed_one() {
    for [old, new] in [newness_of_loggers(true, 1, false), newness_of_loggers(true, 2, true)] {
        assert_eq!(old, new);
    }
}
