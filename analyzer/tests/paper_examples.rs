//! The worked examples of the LeakBot paper.

use rootbound::graph::ObjectGraph;
use rootbound::heap::dsl::HeapSketch;
use rootbound::heap::{ClassIdx, Heap, ObjectIdx};
use rootbound::ranking::{self, Ranking};
use rootbound::regions::path::class_name;
use rootbound::regions::ratios::{PathObject, change_ratios, distances, owner_ratios};
use rootbound::regions::{self, Region};

/// Puts a structure under `owner`: an array-backed vector in field `field`.
fn vector(heap: &mut HeapSketch, owner: ObjectIdx, field: &str) -> ObjectIdx {
    let vector = heap.old("Vector");
    let array = heap.old("java.lang.Object[]");
    heap.refer(owner, field, vector);
    heap.refer(vector, "elementData", array);
    array
}

/// Figure 2: transactions put orders into a global structure that several parents know; books leave, CDs stay.
fn active_orders() -> Heap {
    let mut heap = HeapSketch::new();
    let orders = heap.old("ActiveOrders");
    for parent in ["Checkout", "Warehouse", "Statistics"] {
        let holder = heap.old(parent);
        heap.static_field(parent, "instance", holder);
        heap.refer(holder, "orders", orders);
    }
    let array = vector(&mut heap, orders, "open");
    for number in 0..60 {
        let order = if number < 20 { heap.old("Order") } else { heap.fresh("Order") };
        let disc = if number < 20 { heap.old("CD") } else { heap.fresh("CD") };
        heap.element(array, order);
        heap.refer(order, "item", disc);
    }
    heap.build()
}

fn analyse(heap: &Heap) -> (Ranking, Vec<Region>) {
    let graph = ObjectGraph::new(heap);
    let ranking = ranking::rank(&graph);
    let regions = regions::find(&graph, &ranking);
    (ranking, regions)
}

#[test]
fn figure_2_active_orders_is_the_leak_root_not_the_vector_nor_the_array() {
    let heap = active_orders();
    let (ranking, regions) = analyse(&heap);
    let names: Vec<&str> = ranking.candidates.iter().map(|each| class_name(&heap, each.object)).collect();
    assert_eq!(names.first(), Some(&"ActiveOrders"), "{names:?}");
    assert!(!names.contains(&"Vector") && !names.contains(&"java.lang.Object[]"), "{names:?}");
    assert_eq!(class_name(&heap, regions[0].leak_root), "ActiveOrders");
    assert_eq!(class_name(&heap, regions[0].owner), "Vector");
    assert_eq!(heap.classes().get(regions[0].change_class).name, "Order");
    assert_eq!(regions[0].proxy_size, 40);
}

/// The leak path of the `Shirt` in Figure 3(b): root, list, then entries of mixed ages, and the shirt.
fn shirt_path() -> Vec<PathObject> {
    const ROOT: ClassIdx = ClassIdx(1);
    const LIST: ClassIdx = ClassIdx(2);
    const ENTRY: ClassIdx = ClassIdx(3);
    const SHIRT: ClassIdx = ClassIdx(4);
    let object = |class, is_new| PathObject { is_new, is_array: false, class };
    vec![
        object(ROOT, false),
        object(LIST, false),
        object(ENTRY, false),
        object(ENTRY, true),
        object(ENTRY, false),
        object(ENTRY, true),
        object(SHIRT, true),
    ]
}

fn assert_close(found: &[f64], printed: &[f64]) {
    assert_eq!(found.len(), printed.len());
    for (found, printed) in found.iter().zip(printed) {
        assert!((found - printed).abs() < 0.005, "{found} where the paper prints {printed}");
    }
}

#[test]
fn figure_4_the_two_rows_of_ratios_for_the_shirt() {
    let path = shirt_path();
    assert_eq!(distances(&path), [3, 2, 1, -1, 1, -1, -2].map(Some));
    // The paper prints +1.25 for the second object; its sign is a misprint: old objects have negative ratios.
    assert_close(&change_ratios(&path), &[-0.833, -1.25, -2.5, 0.333, -5.0, 1.0, 0.5]);
    assert_close(&owner_ratios(&path, path[5].class), &[3.33, 5.0, 0.0, 0.0, 0.0, 0.0, -0.125]);
}

#[test]
fn figure_3a_the_array_list_owns_every_editor() {
    let mut heap = HeapSketch::new();
    let page = heap.old("WorkbenchPage");
    let other = heap.old("Perspective");
    heap.static_field("Workbench", "page", page);
    heap.static_field("Workbench", "perspective", other);
    heap.refer(other, "page", page);
    let manager = heap.old("EditorManager");
    heap.refer(page, "manager", manager);
    let list = heap.old("ArrayList");
    let array = heap.old("java.lang.Object[]");
    heap.refer(manager, "editors", list);
    heap.refer(list, "elementData", array);
    for number in 0..5 {
        let editor = if number < 2 { heap.old("Editor") } else { heap.fresh("Editor") };
        let style = if number < 2 { heap.old("StyleRange") } else { heap.fresh("StyleRange") };
        heap.element(array, editor);
        heap.refer(editor, "style", style);
    }
    let heap = heap.build();
    let (ranking, regions) = analyse(&heap);
    assert_eq!(class_name(&heap, ranking.candidates[0].object), "WorkbenchPage");
    let region = &regions[0];
    assert_eq!(class_name(&heap, region.owner), "ArrayList");
    assert_eq!(heap.classes().get(region.change_class).name, "Editor");
    assert_eq!(region.proxy_size, 3, "three leaked editors, as in section 4.1");
    assert_eq!(region.dump_size, 6, "each with its style range");
}

/// Figure 3(b): a list whose entries hold shirts with buttons; new entries stand among old ones.
fn wardrobe() -> (Heap, Vec<ObjectIdx>) {
    let mut heap = HeapSketch::new();
    let list = heap.old("List");
    heap.static_field("Wardrobe", "shirts", list);
    let mut above = list;
    let mut garments = Vec::new();
    for is_new in [false, true, false, true, true] {
        let make = |heap: &mut HeapSketch, class: &str| if is_new { heap.fresh(class) } else { heap.old(class) };
        let (entry, shirt, button) = (make(&mut heap, "Entry"), make(&mut heap, "Shirt"), make(&mut heap, "Button"));
        heap.refer(above, if above == list { "first" } else { "next" }, entry);
        heap.refer(entry, "value", shirt);
        heap.refer(shirt, "button", button);
        garments.extend([shirt, button]);
        above = entry;
    }
    (heap.build(), garments)
}

#[test]
fn figure_3b_shirts_and_buttons_are_one_region_of_the_list() {
    let (heap, _) = wardrobe();
    let (_, regions) = analyse(&heap);
    assert_eq!(regions.len(), 1, "Definition 5: equal leak root, owner-proxy and type of change-proxy");
    let region = &regions[0];
    assert_eq!(class_name(&heap, region.owner), "List");
    assert_eq!(heap.classes().get(region.change_class).name, "Entry");
    assert_eq!(region.dump_size, 9, "three new entries, shirts and buttons");
}

#[test]
fn definition_5_change_proxies_of_related_types_are_one_region() {
    let mut heap = HeapSketch::new();
    heap.subclass("Node", "Object");
    heap.subclass("TreeNode", "Node");
    let map = heap.old("Map");
    heap.static_field("Registry", "map", map);
    let table = heap.old("Node[]");
    heap.refer(map, "table", table);
    for number in 0..10 {
        let class = if number % 2 == 0 { "Node" } else { "TreeNode" };
        let node = if number < 4 { heap.old(class) } else { heap.fresh(class) };
        heap.element(table, node);
    }
    let heap = heap.build();
    let (_, regions) = analyse(&heap);
    assert_eq!(regions.len(), 1);
    assert_eq!(heap.classes().get(regions[0].change_class).name, "Node");
    assert_eq!(regions[0].proxy_size, 6);
}
