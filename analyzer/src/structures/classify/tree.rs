//! The tree of one heap, or of two heaps together. Only the largest parts of each node are kept: of two heaps those
//! whose weight differs most.

use super::chain::{Chain, Classifier};
use super::split::{IN_NONE, Side};
use crate::graph::Dominance;
use crate::heap::ObjectIdx;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Most nodes of a tree: each is measured in a pass of 64.
const MOST_NODES: usize = 256;

/// Objects of an earlier heap and of a later one; the first is empty where there is only one heap.
type Both = [Vec<ObjectIdx>; 2];

/// One node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The classifier that made it.
    pub classifier: &'static str,
    /// Its key.
    pub key: String,
    /// Its objects in both heaps.
    pub objects: Both,
    /// Its parts, the largest first.
    pub parts: Vec<Node>,
    /// Number of smaller parts.
    pub omitted: usize,
}

/// A whole tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The uppermost nodes.
    pub nodes: Vec<Node>,
    /// Number of smaller ones.
    pub omitted: usize,
    /// Whether some nodes lack parts, because a limit of the search was reached.
    pub is_cut: bool,
}

/// One or two heaps whose trees are made together.
#[derive(Debug)]
pub struct Trees<'a, D> {
    before: Option<Side<'a, D>>,
    after: Side<'a, D>,
    /// Most parts of a node.
    limit: usize,
    left: usize,
}

impl<'a, D: Dominance> Trees<'a, D> {
    /// For one heap, or two.
    pub fn new(before: Option<Side<'a, D>>, after: Side<'a, D>, limit: usize) -> Self {
        Self { before, after, limit, left: MOST_NODES }
    }

    /// Splits the objects of the earlier heap, if there is one, and those of the later one.
    pub fn tree(&mut self, chain: &Chain, objects: &Both) -> Tree {
        let (nodes, omitted) = self.nodes(&chain.0, objects);
        let is_cut = self.after.is_exhausted || self.before.as_ref().is_some_and(|side| side.is_exhausted);
        Tree { nodes, omitted, is_cut: is_cut || self.left == 0 }
    }

    fn nodes(&mut self, chain: &[Classifier], objects: &Both) -> (Vec<Node>, usize) {
        let Some((by, rest)) = chain.split_first() else { return (Vec::new(), 0) };
        let mut parts: Vec<(u64, String, Both)> = self.parts(by, objects);
        parts.sort_by(|a, b| (Reverse(a.0), &a.1).cmp(&(Reverse(b.0), &b.1)));
        let count = parts.len();
        parts.truncate(self.limit.min(self.left));
        self.left -= parts.len();
        let omitted = count - parts.len();
        let node = |(_, key, objects): (u64, String, Both)| {
            let inner = match by {
                _ if key == IN_NONE => &[],
                Classifier::Leaves(_, inner) | Classifier::Contained(inner) | Classifier::Containing { inner, .. } => {
                    inner.0.as_slice()
                }
                _ => rest,
            };
            let (parts, omitted) = self.nodes(inner, &objects);
            Node { classifier: by.name(), key, objects, parts, omitted }
        };
        (parts.into_iter().map(node).collect(), omitted)
    }

    /// The parts in both heaps, with the weight by which they are ordered.
    fn parts(&mut self, by: &Classifier, [before, after]: &Both) -> Vec<(u64, String, Both)> {
        let mut both: BTreeMap<String, Both> = BTreeMap::new();
        if let Some(side) = &mut self.before {
            both.extend(side.parts(by, before).into_iter().map(|(key, objects)| (key, [objects, Vec::new()])));
        }
        for (key, objects) in self.after.parts(by, after) {
            both.entry(key).or_default()[1] = objects;
        }
        let weigh = |(key, objects): (String, Both)| {
            let before = self.before.as_ref().map_or(0, |side| side.weight(&objects[0]));
            (self.after.weight(&objects[1]).abs_diff(before), key, objects)
        };
        // Of two heaps the parts that changed.
        let is_changed = |part: &(u64, String, Both)| part.0 > 0 || part.2[0].len() != part.2[1].len();
        let is_difference = self.before.is_some();
        both.into_iter().map(weigh).filter(|part| !is_difference || is_changed(part)).collect()
    }
}
