//! Plans replayed on the heap that they were made from, and the meaning of the marks.

use super::{Limits, OwnerPaths, Selecting, Selection, heads, select};
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, Label, ObjectIdx, Root, RootKind};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{MarkPlan, OwnerRef, PathVia};
use std::collections::HashSet;

const T1: SnapshotId = SnapshotId(7);

/// The agent's work on an unchanging heap: the object at which each step arrives.
fn replay(heap: &Heap, plan: &MarkPlan) -> Vec<ObjectIdx> {
    let object = |id| heap.objects().find(|&object| heap.id_of(object) == Some(id)).unwrap();
    let mirrors: Vec<ObjectIdx> = plan.classes.iter().map(|&id| object(id)).collect();
    let class = |at: u32| heap.class_of_mirror(mirrors[at as usize]).unwrap();
    let mut arrived: Vec<ObjectIdx> = Vec::new();
    for step in &plan.steps {
        let parent = arrived.get(step.parent as usize).copied();
        let here = match step.via {
            PathVia::Class(at) => mirrors[at as usize],
            PathVia::Thread(id) => object(id),
            PathVia::OnlyInstance(at) => {
                let mut instances = heap.objects().filter(|&object| heap.class_of(object) == class(at));
                let sole = instances.next().unwrap();
                assert_eq!(instances.next(), None);
                sole
            }
            PathVia::Local { class: at, nth, of } => {
                let is_local = |root: &&Root| root.kind == RootKind::OnStack && heap.class_of(root.object) == class(at);
                let mut locals: Vec<ObjectIdx> = heap.roots().iter().filter(is_local).map(|root| root.object).collect();
                locals.dedup();
                assert_eq!(locals.len(), of as usize);
                locals[nth as usize]
            }
            PathVia::Element(index) => read(heap, parent.unwrap(), |label| label.element_index() == Some(index)),
            PathVia::Field { field, times } => (0..times).fold(parent.unwrap(), |from, _| {
                let wanted = &plan.fields[field as usize];
                read(heap, from, |label| {
                    let of = if wanted.is_static { heap.class_of_mirror(from).unwrap() } else { heap.class_of(from) };
                    heap.classes().field(of, label).is_some_and(|found| {
                        let declaring = heap.classes().get(found.declaring).mirror;
                        (&found.name, found.is_static) == (&wanted.name, wanted.is_static)
                            && declaring == Some(mirrors[wanted.declaring as usize])
                    })
                })
            }),
        };
        let is_beginning = matches!(step.via, PathVia::Class(_));
        assert!(is_beginning || heap.class_of(here) == class(step.class), "the class is checked at each step");
        arrived.push(here);
    }
    arrived
}

fn read(heap: &Heap, from: ObjectIdx, wanted: impl Fn(Label) -> bool) -> ObjectIdx {
    heap.references().labelled(from).find(|&(_, label)| wanted(label)).unwrap().0
}

fn assert_reaches_what_was_chosen(heap: &Heap, selection: &Selection) {
    let arrived = replay(heap, &selection.plan);
    let mut numbers = HashSet::new();
    for (step, object) in selection.plan.steps.iter().zip(arrived).filter(|(step, _)| step.mark != 0) {
        assert_eq!(selection.objects[step.mark as usize - 1], object);
        assert!(numbers.insert(step.mark), "each mark once");
    }
    assert_eq!(numbers.len(), selection.objects.len());
}

/// A map of `orders` orders with a string each, an old list of pages, and a thread with an object of its own.
fn shop(orders: usize) -> HeapSketch {
    let mut sketch = HeapSketch::new();
    let map = sketch.old("Map");
    let table = sketch.old("Node[]");
    sketch.static_field("Shop", "orders", map);
    sketch.refer(map, "table", table);
    for _ in 0..orders {
        let [node, order, text] = ["Node", "Order", "Text"].map(|class| sketch.old(class));
        sketch.element(table, node);
        sketch.refer(node, "value", order);
        sketch.refer(order, "text", text);
    }
    let (list, thread) = (sketch.old("List"), sketch.old("Thread"));
    sketch.thread(thread, "worker");
    sketch.refer(thread, "pages", list);
    let mut last = list;
    for _ in 0..orders {
        let node = sketch.old("Page");
        sketch.refer(last, "next", node);
        last = node;
    }
    sketch
}

fn limits(budget: usize, seed: u64) -> Limits {
    Limits { budget, seed, may_iterate: true }
}

#[test]
fn a_plan_reaches_exactly_what_was_chosen_within_its_budget() {
    let heap = shop(400).build();
    for budget in [0, 1, 2, 10, 50, 200, 1000, 5000] {
        let selection = select(&heap, T1, limits(budget, 3));
        assert!(selection.objects.len() <= budget, "budget {budget}: {}", selection.objects.len());
        assert!(selection.objects.len() * 2 >= budget.min(1000), "budget {budget}: {}", selection.objects.len());
        assert_reaches_what_was_chosen(&heap, &selection);
    }
}

#[test]
fn the_same_seed_gives_the_same_selection() {
    let heap = shop(400).build();
    assert_eq!(select(&heap, T1, limits(100, 5)), select(&heap, T1, limits(100, 5)));
    assert_ne!(select(&heap, T1, limits(100, 5)).objects, select(&heap, T1, limits(100, 6)).objects);
}

#[test]
fn with_room_for_all_every_reachable_object_is_marked_and_stands_for_itself() {
    let heap = shop(100).build();
    let selection = select(&heap, T1, limits(100_000, 1));
    let table = selection.table(&[]);
    assert!((1..=selection.objects.len() as u32).all(|number| table.weight(number) == Some((T1, 1.0))));
    let held = heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == "Order");
    assert!(held.into_iter().all(|order| selection.objects.contains(&order)));
    assert!(!table.leaves_inherit);
}

#[test]
fn the_marks_of_a_class_stand_for_all_its_objects_but_those_that_were_gone() {
    let heap = shop(400).build();
    let selection = select(&heap, T1, limits(120, 9));
    let numbers_of = |class: &str| -> Vec<u32> {
        let numbered = selection.objects.iter().zip(1..);
        let is_such = |object: ObjectIdx| heap.classes().get(heap.class_of(object)).name == class;
        numbered.filter(|(object, _)| is_such(**object)).map(|(_, number)| number).collect()
    };
    for class in ["Order", "Page"] {
        let numbers = numbers_of(class);
        assert!((20..200).contains(&numbers.len()), "{class}: {}", numbers.len());
        for missed in [&[][..], &numbers[..7]] {
            let table = selection.table(missed);
            let sum: f64 = numbers.iter().filter_map(|&number| table.weight(number)).map(|(_, weight)| weight).sum();
            let left = 400.0 * (numbers.len() - missed.len()) as f64 / numbers.len() as f64;
            assert!((sum - left).abs() < 1e-6, "{class}: {sum}");
            assert!(missed.iter().all(|&number| table.weight(number).is_none()));
        }
    }
    assert!(numbers_of("Text").is_empty(), "leaves take the age of what holds them");
}

/// The mean of the survivors' total weight is right, whichever objects survive.
#[test]
fn weights_are_unbiased() {
    const SEEDS: u64 = 400;
    let heap = shop(300).build();
    let of_class = |class: &str| -> Vec<ObjectIdx> {
        heap.objects().filter(|&object| heap.classes().get(heap.class_of(object)).name == class).collect()
    };
    // A third of the orders survives, and every fifth of the chain's nodes.
    let orders: HashSet<ObjectIdx> = of_class("Order").into_iter().take(100).collect();
    let pages: HashSet<ObjectIdx> = of_class("Page").into_iter().step_by(5).collect();
    let (mut kept_orders, mut kept_pages) = (0.0, 0.0);
    for seed in 0..SEEDS {
        let selection = select(&heap, T1, limits(80, seed));
        let table = selection.table(&[]);
        for (object, number) in selection.objects.iter().zip(1..) {
            let weight = table.weight(number).unwrap().1;
            kept_orders += if orders.contains(object) { weight } else { 0.0 };
            kept_pages += if pages.contains(object) { weight } else { 0.0 };
        }
    }
    let mean = |sum: f64| sum / SEEDS as f64;
    assert!((mean(kept_orders) - 100.0).abs() < 6.0, "{}", mean(kept_orders));
    assert!((mean(kept_pages) - 60.0).abs() < 6.0, "{}", mean(kept_pages));
}

#[test]
fn chains_of_a_hundred_thousand_are_walked_in_runs() {
    let mut sketch = HeapSketch::new();
    let mut last = sketch.old("List");
    sketch.static_field("Main", "list", last);
    for _ in 0..100_000 {
        let node = sketch.old("Node");
        sketch.refer(last, "next", node);
        last = node;
    }
    let heap = sketch.build();
    let selection = select(&heap, T1, limits(200, 1));
    assert!(selection.objects.len() > 150, "{}", selection.objects.len());
    assert!(selection.plan.steps.len() < 2 * selection.objects.len() + 3, "runs are one step each");
    assert_reaches_what_was_chosen(&heap, &selection);
}

#[test]
fn an_owner_is_found_by_a_path_without_elements_where_there_is_one() {
    let mut sketch = HeapSketch::new();
    let [holder, middle, array, owner] = ["Holder", "Middle", "Owner[]", "Owner"].map(|class| sketch.old(class));
    sketch.static_field("Main", "array", array);
    sketch.element(array, owner);
    sketch.static_field("Main", "holder", holder);
    sketch.refer(holder, "middle", middle);
    sketch.refer(middle, "owner", owner);
    let hidden = sketch.old("Hidden");
    sketch.local(hidden);
    let heap = sketch.build();
    let plan = OwnerPaths::new(true).way_to(&heap, owner).unwrap();
    assert_eq!(replay(&heap, &plan).last(), Some(&owner));
    assert!(plan.steps.iter().all(|step| !matches!(step.via, PathVia::Element(_)) && step.mark == 0));
    assert!(OwnerPaths::new(true).way_to(&heap, hidden).is_none());
    assert!(matches!(OwnerPaths::new(true).find(&heap, owner), Ok(OwnerRef::Id(_))));
}

#[test]
fn a_local_variable_is_a_beginning_by_its_place_among_those_that_refer_to_its_class() {
    let mut sketch = HeapSketch::new();
    let mut list = |count: usize, is_local: bool| {
        let (list, array) = (sketch.old("List"), sketch.old("Object[]"));
        sketch.refer(list, "elements", array);
        for _ in 0..count {
            let element = sketch.old("Element");
            sketch.element(array, element);
        }
        match is_local {
            true => sketch.local(list),
            false => drop(sketch.static_field("Main", "list", list)),
        }
        list
    };
    let (local, _) = (list(100, true), list(50, false));
    let mut locals = |class: &str, count: usize| -> Vec<ObjectIdx> {
        let one = |_| {
            let object = sketch.old(class);
            (0..100).for_each(|_| {
                let entry = sketch.old("Entry");
                sketch.refer(object, "entry", entry);
            });
            sketch.local(object);
            object
        };
        (0..count).map(one).collect()
    };
    let (maps, sets) = (locals("Map", 2), locals("Set", 9));
    let heap = sketch.build();
    let owners = OwnerPaths::new(true);
    for (object, among) in [(local, (0, 1)), (maps[0], (0, 2)), (maps[1], (1, 2))] {
        let plan = owners.way_to(&heap, object).unwrap();
        let PathVia::Local { nth, of, .. } = plan.steps[0].via else { panic!("{plan:?}") };
        assert_eq!(((nth, of), replay(&heap, &plan)), (among, vec![object]));
    }
    assert!(sets.iter().all(|&set| owners.way_to(&heap, set).is_none()), "too many to be distinguished");
}

#[test]
fn what_hangs_from_a_local_variable_alone_is_reached_from_the_only_object_of_its_kind() {
    let mut sketch = HeapSketch::new();
    let company = sketch.old("Company");
    let districts = sketch.old("District[]");
    sketch.local(company);
    sketch.refer(company, "districts", districts);
    for _ in 0..100 {
        let district = sketch.old("District");
        sketch.element(districts, district);
    }
    let small = sketch.old("Small");
    sketch.local(small);
    let heap = sketch.build();
    let selection = select(&heap, T1, limits(1000, 1));
    assert_reaches_what_was_chosen(&heap, &selection);
    assert_eq!(selection.plan.steps.iter().filter(|step| matches!(step.via, PathVia::Local { .. })).count(), 1);
    assert!(selection.objects.len() >= 102, "{}", selection.objects.len());
    let without = select(&heap, T1, Limits { may_iterate: false, ..limits(1000, 1) });
    assert!(
        without.plan.steps.iter().all(|step| !matches!(step.via, PathVia::OnlyInstance(_) | PathVia::Local { .. }))
    );
    assert!(!without.objects.contains(&company));
}

#[test]
fn heads_are_planned_alike_with_the_paths_of_marks_and_without_a_pause() {
    let mut sketch = shop(50);
    let (shared, local) = (sketch.old("List"), sketch.old("Company"));
    sketch.static_field("Shop", "pages", shared);
    sketch.local(local);
    sketch.refer(local, "pages", shared);
    let districts: Vec<ObjectIdx> = (0..100)
        .map(|_| {
            let district = sketch.old("District");
            sketch.refer(local, "district", district);
            district
        })
        .collect();
    let heap = sketch.build();
    let selecting = Selecting::new(&heap, T1, limits(1000, 1));
    let marked = selecting.among(&crate::graph::Owned::new(&heap));
    assert!(districts.iter().all(|district| marked.objects.contains(district)), "marks may take a pause");
    let all: Vec<ObjectIdx> = heap.objects().collect();
    let (plan, reached) = selecting.heads(&all, 5);
    assert_eq!((plan, reached.clone()), heads(&heap, &all, 5));
    assert!(reached.contains(&shared) && reached.len() > 150);
    assert!(!reached.contains(&local) && districts.iter().all(|district| !reached.contains(district)));
}
