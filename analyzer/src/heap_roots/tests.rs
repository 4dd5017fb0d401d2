//! The lettered example of HeapRoots, and random graphs against a plain recursive search.

use super::*;
use crate::heap::dsl::HeapSketch;

/// Objects of one class without other referrers in the sketch.
fn graph(count: usize, references: &[(usize, usize)]) -> Heap {
    let mut sketch = HeapSketch::new();
    let mut objects = Vec::new();
    for _ in 0..count {
        objects.push(sketch.object("Letter", 10, crate::heap::dsl::OLD));
    }
    for (at, &(from, to)) in references.iter().enumerate() {
        sketch.refer(objects[from], &format!("field{}", at % 20), objects[to]);
    }
    sketch.build()
}

/// The object of a letter: the mirror of their class comes before them.
fn letter(name: char) -> ObjectIdx {
    ObjectIdx(name as u32 - 'A' as u32 + 1)
}

/// The example of the text and of the manual's sample file: A's only child is B, whose first child is C; E's children
/// are F and H; F's are G and C; I and J lie below B. L refers to K alone, K to L and B.
fn lettered() -> Heap {
    let text = ["AB", "BC", "BI", "BJ", "CD", "DE", "EF", "EH", "FG", "FC", "KL", "KB", "LK"];
    let place = |letter: u8| usize::from(letter - b'A');
    let references: Vec<(usize, usize)> =
        text.iter().map(|pair| (place(pair.as_bytes()[0]), place(pair.as_bytes()[1]))).collect();
    graph(12, &references)
}

#[test]
fn the_lettered_example_has_the_descendants_that_heaproots_gives() {
    let heap = lettered();
    let roots = HeapRoots::new(&heap);
    let counts = roots.descendant_counts();
    let of = |name| counts[letter(name).at()];
    let reported: Vec<(char, u32)> = "AEFGHKL".chars().map(|name| (name, of(name))).collect();
    assert_eq!(reported, [('A', 9), ('E', 3), ('F', 1), ('G', 0), ('H', 0), ('K', 1), ('L', 0)]);
}

#[test]
fn the_lettered_example_has_one_pure_root_and_one_artificial_one() {
    let heap = lettered();
    let roots = HeapRoots::new(&heap);
    let reported: Vec<(ObjectIdx, bool, u32, u64, u32)> = roots
        .roots()
        .iter()
        .filter(|root| root.object != ObjectIdx(0))
        .map(|root| (root.object, root.is_artificial, root.descendant_count, root.subtree_bytes, root.maximum_depth))
        .collect();
    assert_eq!(reported, [(letter('A'), false, 9, 100, 6), (letter('K'), true, 1, 20, 1)]);
    let order: Vec<ObjectIdx> = "ABCDEFGHIJ".chars().map(letter).collect();
    assert_eq!(roots.subtree(&roots.roots()[1]), order, "labelled in the order in which they are reached");
}

#[test]
fn a_cycle_becomes_one_root_and_what_hangs_below_it_none() {
    // The tail of the cycle has the smaller addresses.
    let heap = graph(4, &[(0, 1), (2, 3), (3, 2), (3, 0)]);
    let roots = HeapRoots::new(&heap);
    let artificial: Vec<u32> = roots.roots().iter().filter(|root| root.is_artificial).map(|r| r.object.0).collect();
    assert_eq!(artificial, [3]);
}

#[test]
fn an_object_that_only_refers_to_itself_is_an_artificial_root() {
    let heap = graph(1, &[(0, 0)]);
    assert!(HeapRoots::new(&heap).roots().iter().any(|root| root.object == ObjectIdx(1) && root.is_artificial));
}

#[test]
fn a_referent_is_soft_and_all_else_is_strong() {
    let mut sketch = HeapSketch::new();
    sketch.subclass("java.lang.ref.WeakReference", "java.lang.ref.Reference");
    let (reference, referent) = (sketch.old("java.lang.ref.WeakReference"), sketch.old("Thing"));
    sketch.inherited(reference, "java.lang.ref.Reference", "queue", referent);
    let heap = sketch.build();
    // The rules for live heaps cut the soft ones away; dumps can be read with them.
    assert_eq!(Softness::new(&heap).counts(), LinkCounts { strong: 1, soft: 0 });
}

/// The search of the text in its simplest, recursive form.
fn recursive(heap: &Heap) -> Vec<(ObjectIdx, u32, u64, u32)> {
    let referees = |object: ObjectIdx| {
        let class = heap.classes().get(heap.class_of(object)).mirror;
        heap.references().of(object).iter().copied().filter(move |&each| Some(each) != class)
    };
    let mut seen = vec![false; heap.object_count()];
    fn visit<I: Iterator<Item = ObjectIdx>>(
        at: ObjectIdx,
        heap: &Heap,
        seen: &mut [bool],
        referees: &impl Fn(ObjectIdx) -> I,
    ) -> (u32, u64, u32) {
        seen[at.at()] = true;
        let mut sums = (0, heap.shallow_bytes(at), 0);
        for child in referees(at) {
            if !seen[child.at()] {
                let below = visit(child, heap, seen, referees);
                sums = (sums.0 + 1 + below.0, sums.1 + below.1, sums.2.max(below.2 + 1));
            }
        }
        sums
    }
    let has_parent = |object| heap.objects().any(|other| referees(other).any(|child| child == object));
    let pure: Vec<ObjectIdx> = heap.objects().filter(|&object| !has_parent(object)).collect();
    let artificial = HeapRoots::new(heap);
    let artificial = artificial.roots().iter().filter(|root| root.is_artificial).map(|root| root.object);
    let mut reported = Vec::new();
    for root in pure.into_iter().chain(artificial) {
        let (count, bytes, depth) = visit(root, heap, &mut seen, &referees);
        reported.push((root, count, bytes, depth));
    }
    assert!(seen.iter().all(|&seen| seen), "every object has an owner");
    reported
}

#[test]
fn random_graphs_are_owned_as_a_recursive_search_owns_them() {
    let mut random = 1u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    for _ in 0..300 {
        let count = 1 + below(30);
        let references: Vec<(usize, usize)> = (0..below(2 * count + 1)).map(|_| (below(count), below(count))).collect();
        let heap = graph(count, &references);
        let roots = HeapRoots::new(&heap);
        let reported: Vec<(ObjectIdx, u32, u64, u32)> = roots
            .roots()
            .iter()
            .map(|root| (root.object, root.descendant_count, root.subtree_bytes, root.maximum_depth))
            .collect();
        assert_eq!(reported, recursive(&heap), "{references:?}");
        let positions = Positions::new(&heap, &roots);
        let depths = positions.maximum_depths();
        for root in roots.roots() {
            let object = root.object;
            assert_eq!(positions.owner(object), root, "{references:?}");
            assert_eq!(positions.subtree_bytes(object), root.subtree_bytes, "{references:?}");
            assert_eq!(depths[object.at()], root.maximum_depth, "{references:?}");
            let owned = roots.subtree(root).iter().all(|&below| positions.owner(below) == root);
            assert!(owned, "{references:?}");
        }
    }
}

#[test]
fn an_outline_leaves_out_what_is_deep_or_small_and_says_how_much() {
    let heap = lettered();
    let roots = HeapRoots::new(&heap);
    let limits = OutlineLimits { depth: 2, least_bytes: 25, lines: 100 };
    let reported = outlined(&heap, &roots, letter('A'), limits);
    assert_eq!(reported, ["0 A 9", "1 B 8", "2 C 5", "3 1 omitted, 50", "2 2 omitted, 20"]);
}

/// The lines of an outline: level, letter, objects below; `{…}` is open above, `<…>` owned by a root.
fn outlined(heap: &Heap, roots: &HeapRoots, top: ObjectIdx, limits: OutlineLimits) -> Vec<String> {
    let (positions, softness) = (Positions::new(heap, roots), Softness::new(heap));
    let outlines = Outlines { heap, positions: &positions, softness: &softness };
    let name = |object: ObjectIdx| char::from(b'A' + object.0 as u8 - 1);
    let line = |line: &OutlineLine| match *line {
        OutlineLine::Object { depth, object, edge: None, descendant_count, .. } => {
            format!("{depth} {} {descendant_count}", name(object))
        }
        OutlineLine::Object { depth, object, edge: Some(Edge::Open), .. } => format!("{depth} {{{}}}", name(object)),
        OutlineLine::Object { depth, object, edge: Some(Edge::OwnedBy(root)), .. } => {
            format!("{depth} <{} root:{}>", name(object), name(root))
        }
        OutlineLine::Omitted { depth, child_count, subtree_bytes } => {
            format!("{depth} {child_count} omitted, {subtree_bytes}")
        }
    };
    outlines.below(top, limits).lines.iter().map(line).collect()
}

const ALL: OutlineLimits = OutlineLimits { depth: 100, least_bytes: 0, lines: 1000 };

#[test]
fn references_out_of_the_tree_are_listed_where_they_stand() {
    let heap = lettered();
    let roots = HeapRoots::new(&heap);
    assert_eq!(outlined(&heap, &roots, letter('K'), ALL), ["0 K 1", "1 L 0", "2 {K}", "1 <B root:A>"]);
    assert_eq!(outlined(&heap, &roots, letter('E'), ALL), ["0 E 3", "1 F 1", "2 G 0", "2 {C}", "1 H 0"]);
}

#[test]
fn a_second_reference_to_a_child_is_no_edge_and_one_to_a_childs_child_is() {
    let heap = graph(3, &[(0, 1), (1, 2), (0, 2), (0, 1)]);
    let roots = HeapRoots::new(&heap);
    assert_eq!(outlined(&heap, &roots, letter('A'), ALL), ["0 A 2", "1 B 1", "2 C 0", "1 <C root:A>"]);
}

#[test]
fn any_object_has_a_root_an_own_subtree_and_a_depth() {
    let heap = lettered();
    let roots = HeapRoots::new(&heap);
    let positions = Positions::new(&heap, &roots);
    let depths = positions.maximum_depths();
    let of = |name| {
        let object = letter(name);
        (positions.owner(object).object, positions.subtree_bytes(object), depths[object.at()])
    };
    assert_eq!(of('A'), (letter('A'), 100, 6));
    assert_eq!(of('E'), (letter('A'), 40, 2));
    assert_eq!(of('J'), (letter('A'), 10, 0));
    assert_eq!(of('L'), (letter('K'), 10, 0));
    assert_eq!((positions.parent(letter('G')), positions.parent(letter('K'))), (Some(letter('F')), None));
}

#[test]
fn a_list_of_a_hundred_thousand_is_searched_without_recursion() {
    let references: Vec<(usize, usize)> = (0..99_999).map(|at| (at, at + 1)).collect();
    let heap = graph(100_000, &references);
    let roots = HeapRoots::new(&heap);
    assert!(roots.roots().iter().any(|root| root.maximum_depth == 99_999));
}
