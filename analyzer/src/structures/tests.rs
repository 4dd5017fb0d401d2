//! Detection on sketched heaps: the figures of AntTracks §3.2.3, and cases beyond them.

use super::language::parse;
use super::*;
use crate::graph::{Entries, Intervals, Ownership, Size};
use crate::heap::dsl::HeapSketch;
use crate::heap::{Heap, ObjectIdx};

/// Descriptions for all tests.
const COLLECTIONS: &str = "
    namespace java.util {
      DS ArrayList { java.lang.Object[]; }
      DS LinkedList { LinkedList$Node; }
      LinkedList$Node { LinkedList$Node; (*); }
      DS HashSet { HashMap; }
      DS HashMap { HashMap$Node[]; }
      HashMap$Node { HashMap$Node; (*); }
    }";

struct Found<'a> {
    heap: &'a Heap,
    layout: &'a Layout,
    structures: &'a Structures,
}

impl Found<'_> {
    fn head(&self, object: ObjectIdx) -> HeadIdx {
        self.structures.heads.of(object).unwrap()
    }

    /// Objects of its own structure, of the deep one, and its leaves.
    fn counts(&self, object: ObjectIdx) -> (u64, u64, u64) {
        let (own, deep) = (self.structures.own(self.head(object)), self.structures.deep(self.head(object)));
        (own.unwrap().size.objects, deep.unwrap().size.objects, own.unwrap().leaves)
    }

    fn members(&self, object: ObjectIdx, reach: Reach) -> Vec<ObjectIdx> {
        sorted(Members::new(self.heap, self.layout).of(&[object], reach))
    }

    fn leaves(&self, object: ObjectIdx, reach: Reach) -> Vec<ObjectIdx> {
        sorted(Members::new(self.heap, self.layout).leaves(&[object], reach))
    }

    fn is_top_level(&self, object: ObjectIdx) -> bool {
        self.structures.is_top_level(self.head(object))
    }
}

fn sorted(mut objects: Vec<ObjectIdx>) -> Vec<ObjectIdx> {
    objects.sort_unstable();
    objects
}

/// Detects the structures of a heap.
fn found<T>(text: &str, sketch: HeapSketch, ask: impl FnOnce(Found<'_>) -> T) -> T {
    found_within(text, sketch, Detection::default(), ask)
}

fn found_within<T>(text: &str, sketch: HeapSketch, limits: Detection, ask: impl FnOnce(Found<'_>) -> T) -> T {
    let heap = sketch.build();
    let mut language = Language::new();
    language.add(parse("test.ds", text).unwrap());
    let layout = Layout::new(&language, &heap, LayoutOptions::default());
    let ownership = Ownership::of(&heap, &Entries::new(&heap));
    let structures = Structures::new(&Intervals::new(&ownership), &layout, limits);
    ask(Found { heap: &heap, layout: &layout, structures: &structures })
}

/// A list with a node for each element; the list is static.
fn linked_list(sketch: &mut HeapSketch, field: &str, elements: &[ObjectIdx]) -> (ObjectIdx, Vec<ObjectIdx>) {
    let list = sketch.old("java.util.LinkedList");
    let nodes: Vec<_> = elements.iter().map(|_| sketch.old("java.util.LinkedList$Node")).collect();
    sketch.refer(list, "first", nodes[0]);
    sketch.refer(list, "last", nodes[nodes.len() - 1]);
    for pair in nodes.windows(2) {
        sketch.refer(pair[0], "next", pair[1]);
        sketch.refer(pair[1], "prev", pair[0]);
    }
    for (&node, &element) in nodes.iter().zip(elements) {
        sketch.refer(node, "item", element);
    }
    sketch.static_field("Main", field, list);
    (list, nodes)
}

/// A map with a node for each key, all in one table.
fn hash_map(sketch: &mut HeapSketch, keys: &[ObjectIdx]) -> (ObjectIdx, Vec<ObjectIdx>) {
    let (map, table) = (sketch.old("java.util.HashMap"), sketch.old("java.util.HashMap$Node[]"));
    sketch.refer(map, "table", table);
    let mut members = vec![map, table];
    for &key in keys {
        let node = sketch.old("java.util.HashMap$Node");
        sketch.element(table, node);
        sketch.refer(node, "key", key);
        members.extend([node, key]);
    }
    (map, sorted(members))
}

#[test]
fn figure_7_a_linked_list_has_a_head_two_nodes_and_two_data_objects() {
    let mut sketch = HeapSketch::new();
    let data = [sketch.old("Data"), sketch.old("Data")];
    let other = [sketch.old("X"), sketch.old("X")];
    data.iter().zip(other).for_each(|(&data, other)| sketch.refer(data, "other", other));
    let (list, nodes) = linked_list(&mut sketch, "list", &data);
    found(COLLECTIONS, sketch, |found| {
        assert_eq!(found.counts(list), (5, 5, 2));
        assert_eq!(found.members(list, Reach::Own), sorted([&[list][..], &nodes, &data].concat()));
        assert_eq!(found.leaves(list, Reach::Own), data);
        assert!(found.is_top_level(list));
    });
}

#[test]
fn figure_6_a_hash_set_has_two_objects_and_its_map_the_other_six() {
    let mut sketch = HeapSketch::new();
    let keys = [sketch.old("Key"), sketch.old("Key")];
    let (map, members) = hash_map(&mut sketch, &keys);
    let set = sketch.old("java.util.HashSet");
    sketch.refer(set, "map", map);
    sketch.static_field("Main", "set", set);
    found(COLLECTIONS, sketch, |found| {
        assert_eq!(found.counts(set), (2, 7, 1));
        assert_eq!(found.counts(map), (6, 6, 2));
        assert_eq!(found.members(set, Reach::Own), sorted(vec![set, map]));
        assert_eq!(found.members(map, Reach::Own), members);
        assert_eq!((found.leaves(set, Reach::Own), found.leaves(set, Reach::Deep)), (vec![map], keys.to_vec()));
        assert!(found.is_top_level(set) && !found.is_top_level(map));
    });
}

#[test]
fn a_set_that_contains_itself_has_no_more_members_for_that() {
    let mut sketch = HeapSketch::new();
    let set = sketch.old("java.util.HashSet");
    let (map, members) = hash_map(&mut sketch, &[set]);
    sketch.refer(set, "map", map);
    sketch.static_field("Main", "set", set);
    found(COLLECTIONS, sketch, |found| {
        assert_eq!(found.members(set, Reach::Deep), members);
        assert_eq!((found.counts(set), found.counts(map)), ((2, 4, 1), (4, 4, 1)));
        assert!(found.is_top_level(set) && !found.is_top_level(map));
        assert!(found.leaves(set, Reach::Deep).is_empty());
    });
}

#[test]
fn a_map_that_two_others_share_stays_visible() {
    let mut sketch = HeapSketch::new();
    let (map, _) = hash_map(&mut sketch, &[]);
    let sets = [sketch.old("java.util.HashSet"), sketch.old("java.util.HashSet")];
    for (set, field) in sets.into_iter().zip(["one", "other"]) {
        sketch.refer(set, "map", map);
        sketch.static_field("Main", field, set);
    }
    // Main's mirror dominates the map, but is no head.
    found(COLLECTIONS, sketch, |found| {
        assert!([map, sets[0], sets[1]].into_iter().all(|head| found.is_top_level(head)));
    });
}

#[test]
fn a_list_owns_what_two_lists_within_it_share() {
    let mut sketch = HeapSketch::new();
    let shared = sketch.old("java.util.ArrayList");
    let inner = [sketch.old("java.util.ArrayList"), sketch.old("java.util.ArrayList")];
    for list in inner {
        let array = sketch.old("java.lang.Object[]");
        sketch.refer(list, "elementData", array);
        sketch.element(array, shared);
    }
    let (outer, _) = linked_list(&mut sketch, "outer", &inner);
    found(COLLECTIONS, sketch, |found| {
        assert!(found.is_top_level(outer) && !found.is_top_level(inner[0]) && !found.is_top_level(shared));
        assert_eq!(found.structures.top_of(found.head(shared)), found.head(outer));
        assert_eq!(found.counts(outer), (5, 8, 2));
    });
}

#[test]
fn two_lists_share_values_and_each_has_them_as_leaves() {
    let mut sketch = HeapSketch::new();
    let data = [sketch.old("Data"), sketch.old("Data")];
    let (one, _) = linked_list(&mut sketch, "one", &data);
    let (other, _) = linked_list(&mut sketch, "other", &data);
    found(COLLECTIONS, sketch, |found| {
        assert_eq!((found.counts(one), found.counts(other)), ((5, 5, 2), (5, 5, 2)));
        let both = Members::new(found.heap, found.layout).measure(&[one, other], Reach::Own);
        assert_eq!((both.size, both.leaves), (Size { objects: 8, bytes: 8 * 24 }, 2));
    });
}

#[test]
fn arrays_are_descended_and_so_is_a_described_type_in_them() {
    let mut sketch = HeapSketch::new();
    let (list, array) = (sketch.old("java.util.ArrayList"), sketch.old("java.lang.Object[]"));
    let (inner, node, plain) = (sketch.old("Data[]"), sketch.old("java.util.LinkedList$Node"), sketch.old("Data"));
    let (of_node, of_inner) = (sketch.old("Data"), sketch.old("Data"));
    sketch.refer(list, "elementData", array);
    [inner, node, plain].into_iter().for_each(|element| sketch.element(array, element));
    sketch.refer(node, "item", of_node);
    sketch.element(inner, of_inner);
    sketch.static_field("Main", "list", list);
    found(COLLECTIONS, sketch, |found| {
        assert_eq!(found.counts(list), (7, 7, 3));
        assert_eq!(found.leaves(list, Reach::Own), sorted(vec![plain, of_node, of_inner]));
    });
}

#[test]
fn an_empty_table_is_no_leaf() {
    let mut sketch = HeapSketch::new();
    let (map, _) = hash_map(&mut sketch, &[]);
    sketch.static_field("Main", "map", map);
    found(COLLECTIONS, sketch, |found| assert_eq!(found.counts(map), (2, 2, 0)));
}

#[test]
fn what_no_root_reaches_is_no_structure() {
    let mut sketch = HeapSketch::new();
    let (map, _) = hash_map(&mut sketch, &[]);
    found(COLLECTIONS, sketch, |found| {
        assert!(found.structures.heads.is_empty() && found.structures.heads.of(map).is_none());
    });
}

#[test]
fn beyond_the_limit_the_smaller_structures_have_no_size() {
    let mut sketch = HeapSketch::new();
    let lists = [100, 20].map(|count| {
        let data: Vec<_> = (0..count).map(|_| sketch.old("Data")).collect();
        linked_list(&mut sketch, &format!("of{count}"), &data).0
    });
    // The large list takes some 300 references, the small one 60.
    let limits = Detection { looks_per_reference: 0, least_looks: 330, deep_percent: 75 };
    found_within(COLLECTIONS, sketch, limits, |found| {
        let sizes = lists.map(|list| found.structures.own(found.head(list)).map(|measured| measured.leaves));
        assert_eq!((sizes, found.structures.unmeasured_count()), ([Some(100), None], 1));
    });
}
