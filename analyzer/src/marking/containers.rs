//! The objects that are marked for themselves: class loaders, threads, and objects that own many, the largest first.
//!
//! The first node of a list is no container, for lists lose their first nodes and get others. A large population
//! consists of objects of one class that are reached through the same classes: the orders in a map, the nodes of a
//! list. Its members are no containers, apart from exceptions: samples are drawn from them.

use super::paths::Paths;
use crate::graph::DominatorTree;
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::HashSet;
use std::hash::BuildHasher;

/// Least number of owned objects that makes a container.
const MIN_OWNED: usize = 16;
/// Least number of objects of one kind that makes a population.
const POPULATION: usize = 32;
/// A member of a population with this many times its mean is an exception.
const EXCEPTIONAL: usize = 4;

/// The position of an object, by the classes that lead to it. Arrays and repetitions of a class are left out, so that
/// all nodes of a list have one position.
type Place = u64;

/// At most `most` containers that paths reach, in dominator-tree preorder.
pub(super) fn choose(heap: &Heap, dominators: &DominatorTree, paths: &Paths, most: usize) -> Vec<ObjectIdx> {
    let mut populations: FxHashMap<Place, (usize, usize)> = FxHashMap::default();
    let chains = first_nodes(heap, dominators);
    for_each_candidate(heap, dominators, |object, place| {
        let population = populations.entry(place).or_default();
        *population = (population.0 + 1, population.1 + dominators.subtree(object).len());
    });
    let mut chosen: Vec<ObjectIdx> = Vec::new();
    for_each_candidate(heap, dominators, |object, place| {
        let (count, owned) = populations.get(&place).copied().unwrap_or_default();
        let is_alone = count < POPULATION || dominators.subtree(object).len() * count >= EXCEPTIONAL * owned;
        if is_alone && paths.reach(object) && !chains.contains(&object) {
            chosen.push(object);
        }
    });
    let always = always(heap, dominators, paths);
    chosen.retain(|object| !always.contains(object));
    chosen.sort_by_key(|&object| std::cmp::Reverse(dominators.subtree(object).len()));
    chosen.splice(0..0, always);
    chosen.truncate(most);
    chosen.sort_by_key(|&object| dominators.position(object));
    chosen
}

/// Class loaders and threads, loaders first: the ages of classes depend on theirs.
fn always(heap: &Heap, dominators: &DominatorTree, paths: &Paths) -> Vec<ObjectIdx> {
    let loaders = heap.classes().iter().filter_map(|(_, class)| class.loader);
    let threads = heap.threads().iter().map(|thread| thread.object);
    let mut seen = HashSet::new();
    loaders
        .chain(threads)
        .filter(|&object| dominators.is_reachable(object) && paths.reach(object) && seen.insert(object))
        .collect()
}

/// Objects that are the holder of an object of their class, but have no holder of their class themselves.
fn first_nodes(heap: &Heap, dominators: &DominatorTree) -> FxHashSet<ObjectIdx> {
    let mut first = FxHashSet::default();
    for &object in dominators.preorder().iter().filter(|&&object| !heap.is_array(object)) {
        let of_class = |other: &ObjectIdx| heap.class_of(*other) == heap.class_of(object);
        if let Some(holder) = holder(heap, dominators, object).filter(of_class)
            && self::holder(heap, dominators, holder).is_none_or(|above| heap.class_of(above) != heap.class_of(holder))
        {
            first.insert(holder);
        }
    }
    first
}

/// The nearest object above that is no array.
fn holder(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> Option<ObjectIdx> {
    let above = |object: &ObjectIdx| dominators.immediate_dominator(*object);
    std::iter::successors(above(&object), above).find(|&above| !heap.is_array(above))
}

/// Calls `found` for each object that owns enough, in preorder. Mirrors and arrays are left out.
fn for_each_candidate(heap: &Heap, dominators: &DominatorTree, mut found: impl FnMut(ObjectIdx, Place)) {
    // Ends of the open subtrees, with the class and place of each.
    let mut open: Vec<(usize, Option<ClassIdx>, Place)> = vec![(usize::MAX, None, 0)];
    for (position, &object) in dominators.preorder().iter().enumerate() {
        while open.last().is_some_and(|&(end, ..)| end <= position) {
            open.pop();
        }
        let (_, class_above, above) = open.last().copied().unwrap_or((usize::MAX, None, 0));
        let owned = dominators.subtree(object).len();
        if owned <= 1 || heap.is_array(object) {
            continue;
        }
        let class = heap.class_of(object);
        if let Some(mirrored) = heap.class_of_mirror(object) {
            open.push((position + owned, None, FxBuildHasher.hash_one((u32::MAX, mirrored.0))));
            continue;
        }
        let repeats = class_above == Some(class);
        let place = if repeats { above } else { FxBuildHasher.hash_one((above, class.0)) };
        open.push((position + owned, Some(class), place));
        if owned > MIN_OWNED && !repeats {
            found(object, place);
        }
    }
}
