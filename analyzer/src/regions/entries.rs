//! Number of entries of one change-proxy: one entry; or, where it is a node of a search tree or a chunk of a queue, as
//! many as such a node holds.
//!
//! In a map with chains each node is one entry, and one operation added it. A B-tree splits a node once in many
//! operations: its nodes show that it grows, but its entries are the useful count. Such structures are recognised by
//! shape. Nodes hang from nodes of their type by arrays, and an array of each node holds other objects. Inner nodes
//! hold none of these, or as many as nodes, or one less. An element of a document, whose attributes are unrelated to
//! its children, is no such node. The other shape: each but the last leads to one further node by a slot of the very
//! array that holds its entries, as the chunks of unbounded queues do.

use super::Region;
use super::footprint::mean_of_measured;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Label, ObjectIdx};
use std::collections::{BTreeMap, BTreeSet};

/// Share of the inner nodes that must fit the shape: others were captured during a split.
const FITTING: f64 = 0.9;

/// Entries that a search tree's node holds, or a queue's chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entries {
    /// The most frequent type of them.
    pub class: ClassIdx,
    /// Mean of the sampled nodes.
    pub per_change: f64,
    /// Its standard error; 0 where every node was examined.
    pub error: f64,
}

/// Entries of a region's change-proxies; `None` where each is one itself.
pub fn entries(graph: &ObjectGraph<'_>, region: &Region) -> Option<Entries> {
    let tree = Tree { graph, class: region.change_class };
    let inner: BTreeSet<ObjectIdx> = region.measured.iter().filter_map(|&node| tree.node_above(node)).collect();
    if inner.is_empty() {
        return None;
    }
    let (field, class) = tree.payload_field(&region.measured)?;
    let fitting = inner.iter().filter(|&&node| tree.fits(node, field)).count();
    if (fitting as f64) < FITTING * inner.len() as f64 {
        return None;
    }
    let (per_change, error) = mean_of_measured(graph, region, |node| tree.counts(node, field).payload as f64)?;
    (per_change > 1.0).then_some(Entries { class, per_change, error })
}

/// Numbers of objects in the arrays of one node.
#[derive(Default)]
struct Counts {
    /// Nodes below it.
    nodes: usize,
    /// Number of these nodes that are among its entries.
    among: usize,
    /// Its entries.
    payload: usize,
}

struct Tree<'a, 'h> {
    graph: &'a ObjectGraph<'h>,
    /// The nodes' type.
    class: ClassIdx,
}

impl Tree<'_, '_> {
    fn is_node(&self, object: ObjectIdx) -> bool {
        self.graph.heap.classes().is_subclass(self.graph.heap.class_of(object), self.class)
    }

    /// The node from which this one hangs by an array.
    fn node_above(&self, node: ObjectIdx) -> Option<ObjectIdx> {
        let dominator = |object| self.graph.dominators.immediate_dominator(object);
        let array = dominator(node).filter(|&above| self.graph.heap.is_object_array(above))?;
        dominator(array).filter(|&above| self.is_node(above))
    }

    /// Object arrays that belong to the node alone, by the field.
    fn arrays(&self, node: ObjectIdx) -> impl Iterator<Item = (Label, ObjectIdx)> + '_ {
        let is_own = move |&(array, label): &(ObjectIdx, Label)| {
            label.is_instance_field()
                && self.graph.heap.is_object_array(array)
                && self.graph.dominators.immediate_dominator(array) == Some(node)
        };
        self.graph.heap.references().labelled(node).filter(is_own).map(|(array, label)| (label, array))
    }

    /// The field whose array holds the most objects that are no nodes, and their most frequent type.
    fn payload_field(&self, nodes: &[ObjectIdx]) -> Option<(Label, ClassIdx)> {
        let mut fields: BTreeMap<Label, BTreeMap<ClassIdx, u64>> = BTreeMap::new();
        for (label, array) in nodes.iter().flat_map(|&node| self.arrays(node)) {
            let payload = self.graph.heap.references().of(array).iter().filter(|&&element| !self.is_node(element));
            for &element in payload {
                *fields.entry(label).or_default().entry(self.graph.heap.class_of(element)).or_default() += 1;
            }
        }
        let (field, classes) = fields.into_iter().max_by_key(|(_, classes)| classes.values().sum::<u64>())?;
        let (class, _) = classes.into_iter().max_by_key(|&(_, count)| count)?;
        Some((field, class))
    }

    /// Counts the objects in a node's arrays.
    fn counts(&self, node: ObjectIdx, field: Label) -> Counts {
        let mut counts = Counts::default();
        for (label, array) in self.arrays(node) {
            let elements = self.graph.heap.references().of(array);
            let below = elements.iter().filter(|&&element| self.is_node(element)).count();
            counts.nodes += below;
            if label == field {
                (counts.among, counts.payload) = (below, elements.len() - below);
            }
        }
        counts
    }

    /// Whether the node fits the shape: an inner node without entries; one with nodes on both sides or on one side of
    /// each entry; or a chunk that leads to the next.
    fn fits(&self, node: ObjectIdx, field: Label) -> bool {
        let Counts { nodes, among, payload } = self.counts(node, field);
        let is_chunk = (nodes, among) == (1, 1) && payload > 1;
        payload == 0 || nodes == payload || nodes == payload + 1 || is_chunk
    }
}
