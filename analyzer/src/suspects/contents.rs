//! What an object is full of: how many entries it has, of which class, and what these carry.

use super::Forest;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::HashMap;

/// Entries looked at to learn what they carry.
const SAMPLE: usize = 2_000;

/// Levels below the entries: a map's node, its list, its array, and what is in that.
const LEVELS: usize = 4;

/// The entries of an object: of the classes of what it dominates immediately, the one that retains most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Objects that it dominates immediately, of whatever class: the entries of HeapLens's phase 2.
    pub child_count: u64,
    /// The entries, with the equal nodes that are chained to them, as in the buckets of a map.
    pub entry_count: u64,
    /// What the entries retain.
    pub entry_bytes: u64,
    /// Classes from the entries down, each most of what the one above retains; the first is that of the entries.
    pub levels: Vec<ClassIdx>,
}

/// `None` when the object dominates nothing.
pub(super) fn of(forest: &Forest<'_>, object: ObjectIdx) -> Option<Contents> {
    let (class, entries, child_count) = heaviest(forest, [object].into_iter(), |_| true)?;
    let entry_bytes = entries.iter().map(|&entry| forest.retained_bytes(entry)).sum();
    let nodes = with_chained(forest, class, entries);
    let is_node_itself = forest.class_of(object) == class;
    let entry_count = nodes.len() as u64 + u64::from(is_node_itself);
    Some(Contents { child_count, entry_count, entry_bytes, levels: levels(forest, class, spread(&nodes)) })
}

/// Of what `owners` dominate immediately and `counts`: the class that retains most, its objects, and how many there are
/// of any class.
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

/// The nodes, and all of their class that they dominate without another class between.
fn with_chained(forest: &Forest<'_>, class: ClassIdx, mut nodes: Vec<ObjectIdx>) -> Vec<ObjectIdx> {
    let mut at = 0;
    while let Some(&node) = nodes.get(at) {
        nodes.extend(forest.dominated.of(node).filter(|&child| forest.class_of(child) == class));
        at += 1;
    }
    nodes
}

/// Some of them, evenly.
fn spread(nodes: &[ObjectIdx]) -> Vec<ObjectIdx> {
    nodes.iter().copied().step_by(nodes.len().div_ceil(SAMPLE).max(1)).collect()
}

/// Goes down while one class has most of what a level keeps beside nodes of its own kind.
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

/// What a node retains without the nodes of its kind.
fn own_bytes(forest: &Forest<'_>, class: ClassIdx, node: ObjectIdx) -> u64 {
    let next = forest.dominated.of(node).filter(|&child| forest.class_of(child) == class);
    forest.retained_bytes(node) - next.map(|child| forest.retained_bytes(child)).sum::<u64>()
}
