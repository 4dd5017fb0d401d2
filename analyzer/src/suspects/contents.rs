//! Contents of an object: number and class of its entries, and the classes below these.

use super::Forest;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::HashMap;

/// Most entries examined for the levels below them.
const SAMPLE: usize = 2_000;

/// Most levels of classes: for example a map's node, its list, its array, and the elements.
const LEVELS: usize = 4;

/// The entries of an object: those of its immediately dominated referees whose class retains most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Number of objects of any class that it dominates immediately: the entries of HeapLens's phase 2.
    pub child_count: u64,
    /// Number of entries, with the equal nodes that are chained to them, as in the buckets of a map.
    pub entry_count: u64,
    /// Retained size of the entries, in bytes.
    pub entry_bytes: u64,
    /// Classes from the entries down, each most of what the one above retains; the first is that of the entries.
    pub levels: Vec<ClassIdx>,
}

/// The contents of an object; `None` if it dominates nothing.
pub(super) fn of(forest: &Forest<'_>, object: ObjectIdx) -> Option<Contents> {
    let (heaviest_class, heaviest_children, child_count) = heaviest(forest, [object].into_iter(), |_| true)?;
    let class = entry_class(forest, object).unwrap_or(heaviest_class);
    let entries: Vec<ObjectIdx> =
        forest.dominated.of(object).filter(|&child| forest.class_of(child) == class).collect();
    let entry_bytes = entries.iter().map(|&entry| forest.retained_bytes(entry)).sum();
    let nodes = with_chained(forest, class, entries);
    let entry_count = nodes.len() as u64 + u64::from(forest.class_of(object) == class);
    let levels = if class == heaviest_class {
        levels(forest, class, spread(&nodes))
    } else {
        // The objects below the entries refer to each other across entries, and so belong to the object and to no
        // entry.
        [vec![class], levels(forest, heaviest_class, spread(&heaviest_children))].concat()
    };
    Some(Contents { child_count, entry_count, entry_bytes, levels })
}

/// Among the referees that the object dominates immediately, the class that retains most.
fn entry_class(forest: &Forest<'_>, object: ObjectIdx) -> Option<ClassIdx> {
    let mut by_class: HashMap<ClassIdx, u64> = HashMap::new();
    let referees = forest.heap().references().of(object).iter();
    for &child in referees.filter(|&&child| forest.ownership.immediate_dominator(child) == Some(object)) {
        *by_class.entry(forest.class_of(child)).or_default() += forest.retained_bytes(child);
    }
    by_class.into_iter().max_by_key(|&(class, bytes)| (bytes, std::cmp::Reverse(class))).map(|(class, _)| class)
}

/// Among the objects that `owners` dominate immediately and whose class `counts`: the class that retains most, its
/// objects, and the number of objects of all these classes.
fn heaviest(
    forest: &Forest<'_>,
    owners: impl Iterator<Item = ObjectIdx>,
    counts: impl Fn(ClassIdx) -> bool,
) -> Option<(ClassIdx, Vec<ObjectIdx>, u64)> {
    let mut by_class: HashMap<ClassIdx, u64> = HashMap::new();
    let mut children = Vec::new();
    for child in owners.flat_map(|owner| forest.dominated.of(owner)) {
        let class = forest.class_of(child);
        if counts(class) {
            *by_class.entry(class).or_default() += forest.retained_bytes(child);
            children.push(child);
        }
    }
    let (&class, _) = by_class.iter().max_by_key(|&(&class, &bytes)| (bytes, std::cmp::Reverse(class)))?;
    let child_count = children.len() as u64;
    children.retain(|&child| forest.class_of(child) == class);
    Some((class, children, child_count))
}

/// The nodes, with all of their class that they dominate without another class between.
fn with_chained(forest: &Forest<'_>, class: ClassIdx, mut nodes: Vec<ObjectIdx>) -> Vec<ObjectIdx> {
    let mut at = 0;
    while let Some(&node) = nodes.get(at) {
        nodes.extend(forest.dominated.of(node).filter(|&child| forest.class_of(child) == class));
        at += 1;
    }
    nodes
}

/// An even sample of the nodes.
fn spread(nodes: &[ObjectIdx]) -> Vec<ObjectIdx> {
    nodes.iter().copied().step_by(nodes.len().div_ceil(SAMPLE).max(1)).collect()
}

/// Goes down while one class has most of the bytes that a level retains apart from nodes of its own kind.
fn levels(forest: &Forest<'_>, class: ClassIdx, mut sample: Vec<ObjectIdx>) -> Vec<ClassIdx> {
    let mut levels = vec![class];
    let mut above = class;
    while levels.len() < LEVELS {
        let kept: u64 = sample.iter().map(|&each| own_bytes(forest, above, each)).sum();
        let Some((class, carried, _)) = heaviest(forest, sample.iter().copied(), |class| class != above) else { break };
        let carried_bytes: u64 = carried.iter().map(|&each| forest.retained_bytes(each)).sum();
        if 2 * carried_bytes < kept {
            break;
        }
        levels.push(class);
        (above, sample) = (class, spread(&carried));
    }
    levels
}

/// Bytes that a node retains without the nodes of its kind.
fn own_bytes(forest: &Forest<'_>, class: ClassIdx, node: ObjectIdx) -> u64 {
    let next = forest.dominated.of(node).filter(|&child| forest.class_of(child) == class);
    forest.retained_bytes(node) - next.map(|child| forest.retained_bytes(child)).sum::<u64>()
}
