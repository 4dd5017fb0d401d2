//! Regions that do not speak for themselves: what a snapshot caught of an operation in progress (Observation 4).

use rootbound::graph::{ObjectGraph, RootPaths};
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{Container, Heap, MarkTable, ObjectIdx, Stratum, TableMark};
use rootbound::ranking;
use rootbound::regions::path::{class_name, leak_path};
use rootbound::regions::{self, Region};
use rootbound::relations::Standing;
use rootbound_wire::ids::SnapshotId;

fn regions_of(heap: &Heap) -> Vec<Region> {
    let graph = ObjectGraph::new(heap);
    regions::find(&graph, &ranking::rank(&graph))
}

/// A static map of topics, ten old and forty new, each with a set over a map of its own.
fn topics() -> (HeapSketch, ObjectIdx) {
    let mut heap = HeapSketch::new();
    let map = heap.old("Map");
    heap.static_field("Topics", "subscribers", map);
    let table = heap.old("Node[]");
    heap.refer(map, "table", table);
    for number in 0..50 {
        let make = |heap: &mut HeapSketch, class: &str| if number < 10 { heap.old(class) } else { heap.fresh(class) };
        let (node, set, inner) = (make(&mut heap, "Node"), make(&mut heap, "Set"), make(&mut heap, "Map"));
        heap.element(table, node);
        heap.refer(node, "value", set);
        heap.refer(set, "map", inner);
    }
    (heap, table)
}

#[test]
fn a_member_that_the_mark_fell_into_is_no_region_of_its_own() {
    let (mut heap, table) = topics();
    // The set was there at the mark, its map and its node in the topics came right after.
    let (node, set, inner) = (heap.fresh("Node"), heap.old("Set"), heap.fresh("Map"));
    heap.element(table, node);
    heap.refer(node, "value", set);
    heap.refer(set, "map", inner);
    let heap = heap.build();
    let regions = regions_of(&heap);
    let standing = |change: &str| {
        let found = regions.iter().find(|region| heap.classes().get(region.change_class).name == change);
        found.map(|region| region.standing)
    };
    assert_eq!(standing("Node"), Some(Standing::Alone));
    assert_eq!(standing("Map"), Some(Standing::InsideMember));
}

#[test]
fn a_thousand_customers_with_a_few_new_lines_each_are_a_population() {
    let mut heap = HeapSketch::new();
    let shop = heap.old("Shop");
    heap.static_field("Main", "shop", shop);
    let customers = heap.old("Customer[]");
    heap.refer(shop, "customers", customers);
    for _ in 0..1000 {
        let (customer, history) = (heap.old("Customer"), heap.old("Line[]"));
        heap.element(customers, customer);
        heap.refer(customer, "history", history);
        for number in 0..6 {
            let line = if number < 3 { heap.old("Line") } else { heap.fresh("Line") };
            heap.element(history, line);
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let (many, whole): (Vec<&Region>, Vec<&Region>) =
        regions.iter().partition(|region| region.standing == Standing::OneOf(1000));
    assert_eq!(many.len(), 1000);
    // Whether all of them together grow, tracking must tell; the shop ranks no higher for that.
    let [whole] = whole[..] else { panic!("{whole:?}") };
    assert_eq!(whole.standing, Standing::Together(1000));
    assert_eq!(class_name(&heap, whole.owner), "Shop");
    assert_eq!((whole.proxy_size, whole.dump_size), (3000, 3000));
    assert!(whole.rank <= 2.0 * many[0].rank);
}

/// A timer with sixty new tasks in a queue, and a hundred slots with a chain of six tasks each, of which three are new.
#[test]
fn small_chains_of_an_owner_are_a_population_beside_a_queue_of_the_same_class() {
    let mut heap = HeapSketch::new();
    let timer = heap.old("Timer");
    heap.static_field("Main", "timer", timer);
    let (queue, cells, wheel) = (heap.old("Queue"), heap.old("Object[]"), heap.old("Slot[]"));
    heap.refer(timer, "cancelled", queue);
    heap.refer(queue, "cells", cells);
    heap.refer(timer, "wheel", wheel);
    for _ in 0..60 {
        let task = heap.fresh("Task");
        heap.element(cells, task);
    }
    for _ in 0..100 {
        let mut last = heap.old("Slot");
        heap.element(wheel, last);
        for number in 0..6 {
            let task = if number < 3 { heap.old("Task") } else { heap.fresh("Task") };
            heap.refer(last, if number == 0 { "head" } else { "next" }, task);
            last = task;
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let [whole] = regions.iter().filter(|region| region.standing == Standing::Together(100)).collect::<Vec<_>>()[..]
    else {
        panic!("{regions:?}")
    };
    assert_eq!((class_name(&heap, whole.owner), whole.proxy_size), ("Timer", 300));
}

#[test]
fn parts_of_a_node_of_a_structure_are_no_region_of_their_own() {
    let mut heap = HeapSketch::new();
    let list = heap.old("SkipList");
    heap.static_field("Main", "list", list);
    // Towers of two levels: each eighth is on the upper one, which passes by the others, so that it owns them.
    let head = heap.old("Tower[]");
    heap.refer(list, "head", head);
    let mut last = [head; 2];
    for number in 0..56 {
        let make =
            |heap: &mut HeapSketch, class: &str| if number % 4 == 3 { heap.fresh(class) } else { heap.old(class) };
        let (tower, next) = (make(&mut heap, "Tower"), make(&mut heap, "Tower[]"));
        heap.refer(tower, "next", next);
        heap.element(last[0], tower);
        last[0] = next;
        if number % 8 == 0 {
            heap.element(last[1], tower);
            last[1] = next;
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let alone: Vec<&str> = regions
        .iter()
        .filter(|region| region.standing == Standing::Alone)
        .map(|region| class_name(&heap, region.owner))
        .collect();
    assert_eq!(alone, ["SkipList"], "{regions:#?}");
    let parts = regions.iter().filter(|region| region.standing == Standing::Part).count();
    assert!(parts > 0, "some towers own others, or this test shows nothing");
}

#[test]
fn what_a_queue_held_at_the_mark_lets_it_be_replaced_as_a_whole() {
    let replaced = |class_at_mark: &str| {
        let mut heap = HeapSketch::new();
        let queue = heap.old("Queue");
        heap.static_field("Main", "queue", queue);
        let slots = heap.old("Object[]");
        heap.refer(queue, "slots", slots);
        for _ in 0..40 {
            let letter = heap.fresh("Letter");
            heap.element(slots, letter);
        }
        let classes = ["Letter", "Main", "Object[]", "Queue", "Stamp"].map(str::to_owned).to_vec();
        let class = classes.iter().position(|name| name == class_at_mark).unwrap() as u32;
        let main = Container::Mirror(1);
        let mark = |container_below| TableMark { weight: 1.0, container_below, ..TableMark::default() };
        let table = MarkTable {
            first_seen: SnapshotId(1),
            marks: vec![mark(Some(main)), mark(Some(Container::Marked(1)))],
            strata: vec![Stratum { below: Container::Marked(2), class, count: 20, marked: 20 }],
            classes,
            ..MarkTable::default()
        };
        regions_of(&heap.build_marked(table, &[(queue, 1), (slots, 2)])).len()
    };
    assert_eq!(replaced("Letter"), 1, "what was replaced was no initialisation");
    assert_eq!(replaced("Stamp"), 0, "it had held something else: T4");
}

#[test]
fn a_structure_beside_a_larger_one_whose_members_look_like_its_array_is_its_own() {
    let mut heap = HeapSketch::new();
    let recent = heap.old("Object[]");
    heap.static_field("Main", "recent", recent);
    for _ in 0..400 {
        let buffer = heap.fresh("Object[]");
        heap.element(recent, buffer);
    }
    let list = heap.old("List");
    heap.static_field("Main", "list", list);
    let elements = heap.old("Object[]");
    heap.refer(list, "elements", elements);
    for number in 0..40 {
        let member = if number < 20 { heap.old("Member") } else { heap.fresh("Member") };
        heap.element(elements, member);
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let standing = |change: &str| {
        regions.iter().find(|region| class_name(&heap, region.changes[0]) == change).map(|region| region.standing)
    };
    assert_eq!(standing("Object[]"), Some(Standing::Alone), "{regions:#?}");
    assert_eq!(standing("Member"), Some(Standing::Alone), "{regions:#?}");
}

#[test]
fn a_dozen_large_caches_of_one_kind_stand_alone() {
    let mut heap = HeapSketch::new();
    let hub = heap.old("Hub");
    heap.static_field("Main", "hub", hub);
    let caches = heap.old("Cache[]");
    heap.refer(hub, "caches", caches);
    for _ in 0..12 {
        let (cache, entries) = (heap.old("Cache"), heap.old("Entry[]"));
        heap.element(caches, cache);
        heap.refer(cache, "entries", entries);
        for number in 0..200 {
            let entry = if number < 100 { heap.old("Entry") } else { heap.fresh("Entry") };
            heap.element(entries, entry);
        }
    }
    let heap = heap.build();
    let regions = regions_of(&heap);
    let alone = regions.iter().filter(|region| region.standing == Standing::Alone);
    assert_eq!(alone.map(|region| class_name(&heap, region.owner)).collect::<Vec<_>>(), vec!["Cache"; 12]);
}

#[test]
fn of_more_large_lists_than_can_be_followed_the_largest_stand_alone_and_the_others_are_one() {
    let standings = |tenants: usize| {
        let mut heap = HeapSketch::new();
        let (host, all) = (heap.old("Host"), heap.old("Tenant[]"));
        heap.static_field("Main", "host", host);
        heap.refer(host, "tenants", all);
        for number in 0..tenants {
            let (tenant, log) = (heap.old("Tenant"), heap.old("Event[]"));
            heap.element(all, tenant);
            heap.refer(tenant, "log", log);
            for at in 0..300 + number {
                let event = if at < 150 { heap.old("Event") } else { heap.fresh("Event") };
                heap.element(log, event);
            }
        }
        let heap = heap.build();
        let count = |standing| regions_of(&heap).iter().filter(|region| region.standing == standing).count();
        [Standing::Alone, Standing::OneOf(tenants), Standing::Together(tenants.saturating_sub(16))].map(count)
    };
    assert_eq!(standings(100), [16, 84, 1]);
    assert_eq!(standings(60), [60, 0, 0]);
}

/// A skip list of 400 nodes of which every fourth has an index, and then 20 nodes more: one node in ten and one index
/// in five bear a mark, and the first index, which holds all the others, bears none.
fn indexed_list() -> Heap {
    let mut heap = HeapSketch::new();
    let list = heap.fresh("Indexed");
    heap.static_field("Main", "list", list);
    let head = heap.fresh("Index");
    heap.refer(list, "head", head);
    let base = heap.fresh("Node");
    heap.refer(head, "node", base);
    let (mut marks, mut last, mut last_index) = (vec![(list, 1)], base, head);
    for number in 0..420 {
        let node = heap.fresh("Node");
        heap.refer(last, "next", node);
        last = node;
        let index = (number % 4 == 0).then(|| {
            let index = heap.fresh("Index");
            heap.refer(last_index, "right", index);
            heap.refer(index, "node", node);
            last_index = index;
            index
        });
        let is_marked = number < 400 && number % 10 == 0;
        if is_marked {
            marks.push((node, 2));
            marks.extend(index.map(|index| (index, 3)));
        }
    }
    let classes = ["Index", "Indexed", "Main", "Node"].map(str::to_owned).to_vec();
    let of = |stratum, weight| TableMark { weight, stratum: Some(stratum), ..TableMark::default() };
    let container = TableMark { weight: 1.0, container_below: Some(Container::Mirror(2)), ..TableMark::default() };
    let stratum = |class, count, marked| Stratum { below: Container::Marked(1), class, count, marked };
    let table = MarkTable {
        first_seen: SnapshotId(1),
        marks: vec![container, of(0, 401.0 / 40.0), of(1, 101.0 / 20.0)],
        strata: vec![stratum(3, 401, 40), stratum(0, 101, 20)],
        classes,
        ..MarkTable::default()
    };
    heap.build_marked(table, &marks)
}

#[test]
fn the_first_index_of_a_skip_list_is_old_and_its_nodes_are_no_part_of_it() {
    let heap = indexed_list();
    let regions = regions_of(&heap);
    let nodes = regions.iter().find(|region| heap.classes().get(region.change_class).name == "Node");
    let nodes = nodes.unwrap_or_else(|| panic!("{regions:#?}"));
    assert!((15..=25).contains(&nodes.proxy_size), "{nodes:#?}");
    assert_eq!(nodes.standing, Standing::Alone);
}

/// A shop with 400 users of 20 lines each; orders hold half of the users, too. Since the mark, which one object in ten
/// of each class bears, it has gained 100 of 1,100 products, `new_users` of the users, and `new_lines` in each user.
fn shop(new_users: usize, new_lines: usize) -> Heap {
    const USERS: usize = 400;
    const CLASSES: [&str; 8] = ["Line", "Line[]", "Main", "Order", "Product", "Shop", "User", "User[]"];
    let mut heap = HeapSketch::new();
    let mut marks = Vec::new();
    let mut counts = [(0_u32, 0_u32); CLASSES.len()];
    let mut object = |heap: &mut HeapSketch, class: &str, is_new: bool| {
        let object = heap.fresh(class);
        if let Some(at) = CLASSES.iter().position(|&known| known == class).filter(|_| !is_new) {
            counts[at].0 += 1;
            if counts[at].0 % 10 == 1 {
                counts[at].1 += 1;
                marks.push((object, at as u32 + 2));
            }
        }
        object
    };
    let shop = heap.fresh("Shop");
    heap.static_field("Main", "shop", shop);
    let [users, orders, products] = ["users", "orders", "products"].map(|field| {
        let array = object(&mut heap, "User[]", false);
        heap.refer(shop, field, array);
        array
    });
    for number in 0..1_100 {
        let product = object(&mut heap, "Product", number >= 1_000);
        heap.element(products, product);
    }
    for number in 0..USERS + new_users {
        let is_new = number >= USERS;
        let (user, history) = (object(&mut heap, "User", is_new), object(&mut heap, "Line[]", is_new));
        heap.element(users, user);
        heap.refer(user, "history", history);
        for line in 0..20 + new_lines {
            let line = object(&mut heap, "Line", is_new || line >= 20);
            heap.element(history, line);
        }
        if number % 2 == 0 {
            let order = object(&mut heap, "Order", is_new);
            heap.element(orders, order);
            heap.refer(order, "user", user);
        }
    }
    marks.push((shop, 1));
    let container = TableMark { weight: 1.0, container_below: Some(Container::Mirror(2)), ..TableMark::default() };
    let of = |(at, &(all, marked)): (usize, &(u32, u32))| TableMark {
        weight: f64::from(all) / f64::from(marked.max(1)),
        stratum: Some(at as u32),
        ..TableMark::default()
    };
    let stratum = |(class, &(count, marked)): (usize, &(u32, u32))| Stratum {
        below: Container::Marked(1),
        class: class as u32,
        count,
        marked,
    };
    let table = MarkTable {
        first_seen: SnapshotId(1),
        marks: std::iter::once(container).chain(counts.iter().enumerate().map(of)).collect(),
        strata: counts.iter().enumerate().map(stratum).collect(),
        classes: CLASSES.map(str::to_owned).to_vec(),
        ..MarkTable::default()
    };
    heap.build_marked(table, &marks)
}

/// Owner and proxy-size of the lines of many users as one region.
fn lines_together(heap: &Heap) -> Option<(String, u64)> {
    let regions = regions_of(heap);
    let lines = regions.iter().find(|region| {
        matches!(region.standing, Standing::Together(_)) && heap.classes().get(region.change_class).name == "Line"
    })?;
    Some((class_name(heap, lines.owner).to_owned(), lines.proxy_size))
}

#[test]
fn what_each_user_gains_is_one_region_beside_what_their_shop_gains_otherwise() {
    let Some((owner, size)) = lines_together(&shop(0, 2)) else { panic!("no population") };
    assert_eq!(owner, "Shop");
    assert!((600..=1_000).contains(&size), "{size} of 800");
}

#[test]
fn what_new_users_bring_is_no_region_beside_them() {
    assert_eq!(lines_together(&shop(40, 0)), None);
}

#[test]
fn a_path_leads_over_what_lasts_and_not_over_a_new_order_even_if_that_is_shorter() {
    let mut heap = HeapSketch::new();
    let (shop, users, orders) = (heap.old("Shop"), heap.old("Map"), heap.old("Order[]"));
    heap.static_field("Main", "shop", shop);
    heap.refer(shop, "orders", orders);
    heap.refer(shop, "users", users);
    let table = heap.old("Node[]");
    heap.refer(users, "table", table);
    for _ in 0..5 {
        let (node, user, history) = (heap.old("Node"), heap.old("User"), heap.old("Line[]"));
        heap.element(table, node);
        heap.refer(node, "value", user);
        heap.refer(user, "history", history);
        let order = heap.fresh("Order");
        heap.element(orders, order);
        heap.refer(order, "user", user);
        for number in 0..100 {
            let line = if number < 50 { heap.old("Line") } else { heap.fresh("Line") };
            heap.element(history, line);
        }
    }
    let heap = heap.build();
    let graph = ObjectGraph::new(&heap);
    let regions = regions::find(&graph, &ranking::rank(&graph));
    let roots = RootPaths::new(&heap);
    let paths = regions.iter().filter(|region| heap.classes().get(region.change_class).name == "Line");
    let owners: Vec<String> = paths.map(|region| leak_path(&graph, &roots, region).owner.to_string()).collect();
    assert_eq!(owners, vec!["static Main.shop.users.table[*].value"; 5]);
}
