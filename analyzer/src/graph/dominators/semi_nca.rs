//! Immediate dominators by semi-NCA (Georgiadis, *Linear-time algorithms for dominators and related problems*, 2005):
//! semidominators with path compression, then the nearest common ancestor on the tree built so far.

use super::search::DepthFirst;
use crate::graph::{Entries, Referrers};

/// By depth-first number: number of the immediate dominator; the virtual root is 0.
pub(super) fn immediate_dominators(referrers: &Referrers, entries: &Entries, order: &DepthFirst) -> Vec<u32> {
    let is_entry = entry_numbers(entries, order);
    let reached = order.objects.len();
    let mut forest = Forest::new(order);
    for number in (1..=reached as u32).rev() {
        let mut semi = if is_entry[number as usize] { 0 } else { order.parent[number as usize] };
        for referrer in referrers.of(order.objects[number as usize - 1]) {
            let from = order.number[referrer.at()];
            if from != 0 && semi != 0 {
                semi = semi.min(forest.least_semi(from, number));
            }
        }
        forest.semi[number as usize] = semi;
    }
    let Forest { semi, .. } = forest;
    let mut idom = order.parent.clone();
    for number in 1..=reached {
        while idom[number] > semi[number] {
            idom[number] = idom[idom[number] as usize];
        }
    }
    idom
}

fn entry_numbers(entries: &Entries, order: &DepthFirst) -> Vec<bool> {
    let mut is_entry = vec![false; order.objects.len() + 1];
    for entry in entries.objects() {
        is_entry[order.number[entry.at()] as usize] = true;
    }
    is_entry
}

/// The search tree as far as it has been processed, with compressed paths.
struct Forest {
    semi: Vec<u32>,
    /// Vertex of least semidominator on the compressed path to the ancestor.
    label: Vec<u32>,
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(order: &DepthFirst) -> Self {
        let identity: Vec<u32> = (0..order.parent.len() as u32).collect();
        Self { semi: identity.clone(), label: identity, ancestor: order.parent.clone(), path: Vec::new() }
    }

    /// Least semidominator among the vertices above `vertex` (itself included) that have been processed, that is whose
    /// number is above `last_linked`; for a vertex not yet processed, its own number.
    fn least_semi(&mut self, vertex: u32, last_linked: u32) -> u32 {
        if vertex <= last_linked {
            return vertex;
        }
        self.compress(vertex, last_linked);
        self.semi[self.label[vertex as usize] as usize]
    }

    fn compress(&mut self, vertex: u32, last_linked: u32) {
        self.path.clear();
        let mut at = vertex;
        while self.ancestor[at as usize] > last_linked {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(below) = self.path.pop() {
            let above = self.ancestor[below as usize] as usize;
            let (label, label_above) = (self.label[below as usize] as usize, self.label[above] as usize);
            if self.semi[label_above] < self.semi[label] {
                self.label[below as usize] = label_above as u32;
            }
            self.ancestor[below as usize] = self.ancestor[above];
        }
    }
}
