//! Data structures, their closures and retained sizes, against recursive definitions.

use super::brute_force::{Domination, reached, reached_in_ranks, root_objects};
use super::random_heap::{dominators_of, for_each};
use rootbound::graph::{Dominance, Entries, Intervals, Ownership, Referrers, Size, SizedTree};
use rootbound::heap::{Heap, ObjectIdx};
use rootbound::structures::language::parse;
use rootbound::structures::{
    Branch, Detection, Language, Layout, LayoutOptions, Members, Reach, Structures, reached_by_each,
    retained_by_classes, retained_by_each,
};
use std::collections::BTreeSet;

/// Descriptions of the classes of random heaps, so that each branch occurs.
const LANGUAGES: [&str; 3] = [
    "DS Node { Node[]; } ",
    "DS Node { Node[]; (int[]); } int[] { Node; int[]; }",
    "Node { Node; (Node[]); (int[]); } DS int[] { *; }",
];

fn layouts(heap: &Heap) -> impl Iterator<Item = Layout> + '_ {
    LANGUAGES.into_iter().filter_map(|text| {
        let mut language = Language::new();
        language.add(parse("test.ds", text).ok()?);
        Some(Layout::new(&language, heap, LayoutOptions::default()))
    })
}

type Objects = BTreeSet<ObjectIdx>;

/// Members of the structures of heads, and those of them that are followed.
#[derive(Default)]
struct Oracle {
    members: Objects,
    followed: Objects,
}

impl Oracle {
    fn follow(&mut self, heap: &Heap, layout: &Layout, object: ObjectIdx, reach: Reach) {
        self.members.insert(object);
        if !self.followed.insert(object) {
            return;
        }
        for (referee, label) in heap.references().labelled(object) {
            let (from, to) = (layout.type_of(heap, object), layout.type_of(heap, referee));
            if !layout.is_pointer(heap, object, label) {
                continue;
            }
            match layout.branch(from, to) {
                Branch::Head if reach == Reach::Deep => self.follow(heap, layout, referee, reach),
                Branch::Follow if layout.has_pointed_to(to) => self.follow(heap, layout, referee, reach),
                Branch::Head | Branch::Leaf | Branch::Follow => drop(self.members.insert(referee)),
                Branch::Outside => {}
            }
        }
    }

    fn of(heap: &Heap, layout: &Layout, heads: &[ObjectIdx], reach: Reach) -> Self {
        let mut oracle = Self::default();
        heads.iter().for_each(|&head| oracle.follow(heap, layout, head, reach));
        oracle
    }

    fn leaves(&self) -> Objects {
        self.members.difference(&self.followed).copied().collect()
    }
}

fn size<'a>(heap: &Heap, objects: impl IntoIterator<Item = &'a ObjectIdx>) -> Size {
    let mut size = Size::default();
    objects.into_iter().for_each(|&object| size.add_object(heap.shallow_bytes(object)));
    size
}

#[test]
fn structures_have_the_members_that_their_descriptions_reach() {
    for_each(|heap| {
        let ownership = Ownership::of(heap, &Entries::new(heap));
        for layout in layouts(heap) {
            let limits = Detection { looks_per_reference: 10_000, ..Detection::default() };
            let found = Structures::new(&Intervals::new(&ownership), &layout, limits);
            let expected = heap
                .objects()
                .filter(|&object| ownership.is_reachable(object) && layout.is_head(layout.type_of(heap, object)));
            assert_eq!(found.heads.iter().map(|(_, object)| object).collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            let mut members = Members::new(heap, &layout);
            for (head, object) in found.heads.iter() {
                for (reach, measured) in [(Reach::Own, found.own(head)), (Reach::Deep, found.deep(head))] {
                    let oracle = Oracle::of(heap, &layout, &[object], reach);
                    assert_eq!(measured.unwrap().size, size(heap, &oracle.members), "{object:?} {reach:?}");
                    assert_eq!(measured.unwrap().leaves, oracle.leaves().len() as u64);
                    assert_eq!(Objects::from_iter(members.of(&[object], reach)), oracle.members);
                    assert_eq!(Objects::from_iter(members.leaves(&[object], reach)), oracle.leaves());
                }
            }
            let all: Vec<ObjectIdx> = found.heads.iter().map(|(_, object)| object).collect();
            let together = Oracle::of(heap, &layout, &all, Reach::Own);
            assert_eq!(members.measure(&all, Reach::Own).size, size(heap, &together.members));
        }
    });
}

#[test]
fn a_structure_is_contained_where_one_that_dominates_it_reaches_it_through_structures() {
    for_each(|heap| {
        let truth = Domination::new(heap);
        let (tree, ownership) = (dominators_of(heap), Ownership::of(heap, &Entries::new(heap)));
        for layout in layouts(heap) {
            let limits = Detection { looks_per_reference: 10_000, ..Detection::default() };
            let found = Structures::new(&SizedTree::new(heap, &tree), &layout, limits);
            let same = Structures::new(&Intervals::new(&ownership), &layout, limits);
            for (head, object) in found.heads.iter() {
                let is_contained = found.heads.iter().any(|(_, above)| {
                    let deep = Oracle::of(heap, &layout, &[above], Reach::Deep);
                    above != object && truth.dominates(above, object) && deep.members.contains(&object)
                });
                assert_eq!(found.is_top_level(head), !is_contained, "{object:?}");
                assert_eq!(same.is_top_level(head), !is_contained, "{object:?}");
            }
        }
    });
}

/// Some groups of objects: single ones, pairs, classes, everything, nothing.
fn groups(heap: &Heap) -> Vec<Vec<ObjectIdx>> {
    let objects: Vec<ObjectIdx> = heap.objects().collect();
    let by_class = heap
        .classes()
        .iter()
        .map(|(class, _)| objects.iter().copied().filter(|&object| heap.class_of(object) == class).collect());
    let pairs = objects.windows(2).map(<[ObjectIdx]>::to_vec);
    let single = objects.iter().map(|&object| vec![object]);
    by_class.chain(pairs).chain(single).chain([objects.clone(), Vec::new()]).collect()
}

#[test]
fn a_group_retains_what_no_root_reaches_without_it() {
    for_each(|heap| {
        let (entries, ownership) = (Entries::new(heap), Ownership::of(heap, &Entries::new(heap)));
        let groups = groups(heap);
        let slices: Vec<&[ObjectIdx]> = groups.iter().map(Vec::as_slice).collect();
        let retained = retained_by_each(&Intervals::new(&ownership), &entries, &slices);
        let all = reached(heap, &root_objects(heap, None), None);
        for (group, retained) in groups.iter().zip(retained) {
            let left = reached_in_ranks(heap, &entries, |object| !group.contains(&object));
            let lost: Vec<ObjectIdx> = heap.objects().filter(|object| all[object.at()] && !left[object.at()]).collect();
            assert_eq!(retained, size(heap, &lost), "{group:?}");
            if let [single] = group.as_slice() {
                assert_eq!(retained, Intervals::new(&ownership).retained(*single));
                assert_eq!(retained, SizedTree::new(heap, &dominators_of(heap)).retained(*single));
            }
        }
    });
}

#[test]
fn all_instances_of_a_class_retain_what_the_group_of_them_does() {
    for_each(|heap| {
        let (entries, ownership) = (Entries::new(heap), Ownership::of(heap, &Entries::new(heap)));
        let dominance = Intervals::new(&ownership);
        let classes: Vec<_> = heap.classes().iter().map(|(class, _)| class).collect();
        let groups: Vec<Vec<ObjectIdx>> = classes
            .iter()
            .map(|&class| heap.objects().filter(|&object| heap.class_of(object) == class).collect())
            .collect();
        let slices: Vec<&[ObjectIdx]> = groups.iter().map(Vec::as_slice).collect();
        let expected = retained_by_each(&dominance, &entries, &slices);
        assert_eq!(retained_by_classes(&dominance, &entries, &classes), expected);
    });
}

#[test]
fn a_group_reaches_all_behind_it_but_no_class() {
    for_each(|heap| {
        let groups = groups(heap);
        let slices: Vec<&[ObjectIdx]> = groups.iter().map(Vec::as_slice).collect();
        let deep = reached_by_each(heap, &Referrers::new(heap), &slices);
        for (group, deep) in groups.iter().zip(deep) {
            let is_entered = |object: &ObjectIdx| heap.class_of_mirror(*object).is_none() || group.contains(object);
            let (mut seen, mut pending) = (Objects::new(), group.clone());
            while let Some(object) = pending.pop() {
                if seen.insert(object) {
                    pending.extend(heap.references().of(object).iter().copied().filter(is_entered));
                }
            }
            assert_eq!(deep, size(heap, &seen), "{group:?}");
        }
    });
}

#[test]
fn intervals_say_who_dominates_whom() {
    for_each(|heap| {
        let (ownership, truth) = (Ownership::of(heap, &Entries::new(heap)), Domination::new(heap));
        let (intervals, tree) = (Intervals::new(&ownership), dominators_of(heap));
        let sized = SizedTree::new(heap, &tree);
        assert_eq!(intervals.reachable(), sized.reachable());
        for (above, below) in heap.objects().flat_map(|above| heap.objects().map(move |below| (above, below))) {
            assert_eq!(intervals.dominates(above, below), truth.dominates(above, below), "{above:?} {below:?}");
            assert_eq!(sized.dominates(above, below), truth.dominates(above, below), "{above:?} {below:?}");
        }
    });
}
