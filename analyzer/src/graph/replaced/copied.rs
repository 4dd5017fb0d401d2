//! Classes of nodes that are copied on change: no old node holds anything new, and most new ones replaced others.
//!
//! Where marks are a sample, an object without a mark has the mean newness of its group, whoever holds it. So what old
//! nodes hold is counted by its marks: each stands for a number of old objects. Where these make up all that the old
//! nodes hold, nothing of it is new, however many of the group are. Few marks may show neither.

use super::parts::Parts;
use crate::heap::{ClassIdx, ObjectIdx};
use std::collections::{HashMap, HashSet};

/// Largest share of what old nodes of a class hold that may be new by the estimates, where the class is copied on
/// change.
const COPIED_SHARE: f64 = 0.02;
/// Most nodes from which the classes are learned.
const MOST_NODES: usize = 100_000;
/// Part of the new objects of such a class, at least, that replaced others. What a collection of the JDK gains hangs from
/// old ones, though somebody may have replaced a wrapper with maps of maps in it.
const MOSTLY: f64 = 0.5;

/// Evidence whether objects of a class are copied on change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copied {
    /// Old ones hold nothing new.
    Always,
    /// No old one holds anything, or the marks are too few.
    Unknown,
    /// Old ones hold something new.
    Never,
}

impl Copied {
    /// The evidence by all old objects of a class.
    pub(super) fn of<N, M>(parts: &Parts<'_, N, M>, class: ClassIdx) -> Self
    where
        N: Fn(ObjectIdx) -> f64,
        M: Fn(ObjectIdx) -> Option<f64>,
    {
        let stands_for = |object| (parts.known.stands_for)(object);
        let is_old = |object| stands_for(object).map_or_else(|| !parts.is_new(object), |weight| weight > 0.0);
        let old = parts.heap.objects().filter(|&object| parts.heap.class_of(object) == class && is_old(object));
        let (mut held, mut new, mut variance) = (0.0, 0.0, 0.0);
        for content in old.flat_map(|node| parts.content(node)) {
            let Some(weight) = stands_for(content) else {
                (held, new) = (held + 1.0, new + parts.newness(content));
                continue;
            };
            // Where no object of a class bears a mark, one without says nothing.
            if let Some(each) = parts.mean_weight(parts.heap.class_of(content)) {
                (held, new, variance) = (held + 1.0, new + 1.0 - weight, variance + each - 1.0);
            }
        }
        let error = 2.0 * f64::sqrt(variance);
        if held <= error {
            Self::Unknown
        } else if new <= f64::max(COPIED_SHARE * held, error) {
            Self::Always
        } else {
            Self::Never
        }
    }
}

/// The classes of nodes below these parts that hold nodes like themselves and are copied on change, and those that hold
/// such nodes where nothing shows the contrary. Nodes that may be new and lead to old members (`leads_to_old`) replaced
/// others; those that a B-tree gains hold new ones alone.
pub(super) fn copied_classes<N, M>(
    parts: &Parts<'_, N, M>,
    uppermost: &[ObjectIdx],
    mut leads_to_old: impl FnMut(ObjectIdx) -> bool,
) -> Vec<ClassIdx>
where
    N: Fn(ObjectIdx) -> f64,
    M: Fn(ObjectIdx) -> Option<f64>,
{
    let mut holds = Holds::default();
    let mut nodes: Vec<ObjectIdx> = uppermost.iter().copied().take(MOST_NODES).collect();
    let mut met: HashSet<ObjectIdx> = nodes.iter().copied().collect();
    let mut at = 0;
    while let Some(&node) = nodes.get(at) {
        for below in parts.below(node).filter(|&below| parts.may_be_new(below) && leads_to_old(below)) {
            holds.insert(parts.heap.class_of(node), parts.heap.class_of(below));
            if nodes.len() < MOST_NODES && met.insert(below) {
                nodes.push(below);
            }
        }
        at += 1;
    }
    let mut classes = holds.nodes(|class| parts.copied(class));
    if !classes.is_empty() {
        retain_replaced(parts, uppermost, &mut classes);
    }
    classes
}

/// Keeps the classes of which most new objects are these parts, or below them. Where those are too many to examine, all
/// classes are kept.
fn retain_replaced<N, M>(parts: &Parts<'_, N, M>, uppermost: &[ObjectIdx], classes: &mut Vec<ClassIdx>)
where
    N: Fn(ObjectIdx) -> f64,
    M: Fn(ObjectIdx) -> Option<f64>,
{
    let Some(below) = all_below(parts, uppermost) else { return };
    let mut new: HashMap<ClassIdx, (f64, f64)> = classes.iter().map(|&class| (class, (0.0, 0.0))).collect();
    for object in parts.heap.objects() {
        if let Some((all, replaced)) = new.get_mut(&parts.heap.class_of(object)) {
            *all += parts.newness(object);
            *replaced += if below.contains(&object) { parts.newness(object) } else { 0.0 };
        }
    }
    classes.retain(|class| new[class].1 >= MOSTLY * new[class].0);
}

/// These parts and all parts below them; `None` if they are too many.
fn all_below<N, M>(parts: &Parts<'_, N, M>, uppermost: &[ObjectIdx]) -> Option<HashSet<ObjectIdx>>
where
    N: Fn(ObjectIdx) -> f64,
    M: Fn(ObjectIdx) -> Option<f64>,
{
    let mut found: HashSet<ObjectIdx> = uppermost.iter().copied().collect();
    let mut ahead: Vec<ObjectIdx> = found.iter().copied().collect();
    while let Some(part) = ahead.pop() {
        ahead.extend(parts.below(part).filter(|&below| parts.may_be_new(below) && found.insert(below)));
        if found.len() > MOST_NODES {
            return None;
        }
    }
    Some(found)
}

/// The classes of parts, and those of the parts that each holds.
#[derive(Default)]
struct Holds(HashMap<ClassIdx, HashSet<ClassIdx>>);

impl Holds {
    fn insert(&mut self, holder: ClassIdx, part: ClassIdx) {
        self.0.entry(holder).or_default().insert(part);
    }

    /// All classes that are held by parts of one of these, over any number of parts.
    fn below(&self, class: ClassIdx) -> HashSet<ClassIdx> {
        let mut found = HashSet::new();
        let mut ahead = vec![class];
        while let Some(holder) = ahead.pop() {
            let parts = self.0.get(&holder).into_iter().flatten();
            ahead.extend(parts.filter(|&&part| found.insert(part)));
        }
        found
    }

    /// Classes of nodes that hold nodes like themselves, directly or through others, where one of these classes is
    /// copied on change, or nothing shows the contrary of any; and classes above them of which nothing shows it.
    fn nodes(&self, copied: impl Fn(ClassIdx) -> Copied) -> Vec<ClassIdx> {
        let below: HashMap<ClassIdx, HashSet<ClassIdx>> =
            self.0.keys().map(|&class| (class, self.below(class))).collect();
        let are_mutual = |one: ClassIdx, other: ClassIdx| below[&one].contains(&other) && below[&other].contains(&one);
        let is_node = |&class: &ClassIdx| {
            let mutual = || below.keys().filter(|&&other| are_mutual(class, other)).map(|&other| copied(other));
            let may_be = mutual().all(|evidence| evidence == Copied::Unknown);
            mutual().next().is_some() && (may_be || mutual().any(|evidence| evidence == Copied::Always))
        };
        let mut nodes: Vec<ClassIdx> = below.keys().copied().filter(is_node).collect();
        let holds_nodes = |class: &ClassIdx| nodes.iter().any(|node| below[class].contains(node));
        let may_be_above = |class: &ClassIdx| !nodes.contains(class) && holds_nodes(class);
        // The evidence for a class is a pass over the heap, so it is asked for last.
        let is_above = |class: &ClassIdx| may_be_above(class) && copied(*class) == Copied::Unknown;
        let above: Vec<ClassIdx> = below.keys().copied().filter(is_above).collect();
        nodes.extend(above);
        nodes.sort_unstable();
        nodes
    }
}
