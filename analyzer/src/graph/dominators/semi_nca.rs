//! Immediate dominators by the semi-NCA algorithm: L. Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems* (2005), §2.3. Semidominators by path compression as in Lengauer and Tarjan, then each immediate dominator
//! as the nearest common ancestor of the parent and the semidominator. No recursion.

use super::depth_first::{SpanningTree, VIRTUAL_ROOT};
use crate::graph::{Entries, Referrers};

/// By number: the number of the immediate dominator. Takes the tree's parents and puts the dominators in their place.
pub(super) fn immediate_dominators(referrers: &Referrers, entries: &Entries, tree: &mut SpanningTree) -> Vec<u32> {
    let semidominators = semidominators(referrers, entries, tree);
    let mut dominators = std::mem::take(&mut tree.parent);
    // Dominators have smaller numbers, so those above `number` are final when it asks for them.
    for number in 1..dominators.len() {
        let mut candidate = dominators[number];
        while candidate > semidominators[number] {
            candidate = dominators[candidate as usize];
        }
        dominators[number] = candidate;
    }
    dominators
}

/// By number: the smallest number from which a path leads to the object whose inner objects all have larger numbers
/// than the object itself.
fn semidominators(referrers: &Referrers, entries: &Entries, tree: &SpanningTree) -> Vec<u32> {
    let mut semidominators = tree.parent.clone();
    for entry in entries.objects() {
        semidominators[tree.number[entry.at()] as usize] = VIRTUAL_ROOT;
    }
    let mut forest = Forest::new(&tree.parent);
    for number in (1..semidominators.len() as u32).rev() {
        let mut smallest = semidominators[number as usize];
        for referrer in referrers.of(tree.vertex[number as usize]) {
            let referrer = tree.number[referrer.at()];
            // Number 0 would be the virtual root; here it says that nothing reaches the referrer.
            if referrer != 0 && smallest != VIRTUAL_ROOT {
                smallest = smallest.min(forest.smallest_above(referrer, number));
            }
        }
        semidominators[number as usize] = smallest;
        forest.links[number as usize].smallest = smallest;
    }
    semidominators
}

/// The part of the spanning tree that has been dealt with, its paths compressed as they are asked for.
struct Forest {
    links: Vec<Link>,
    path: Vec<u32>,
}

/// One object's place in the forest; the two are read together, hence stored together.
struct Link {
    ancestor: u32,
    /// The smallest semidominator from the object up to its ancestor, which is left out.
    smallest: u32,
}

impl Forest {
    fn new(parents: &[u32]) -> Self {
        let links = parents.iter().zip(0..).map(|(&ancestor, number)| Link { ancestor, smallest: number }).collect();
        Self { links, path: Vec::new() }
    }

    /// The smallest semidominator on the way from `from` up to the objects not dealt with yet, those up to `last`;
    /// `from` itself when it is one of them.
    fn smallest_above(&mut self, from: u32, last: u32) -> u32 {
        if from <= last {
            return from;
        }
        let mut top = from;
        while self.links[top as usize].ancestor > last {
            self.path.push(top);
            top = self.links[top as usize].ancestor;
        }
        while let Some(below) = self.path.pop() {
            self.compress(below, top);
            top = below;
        }
        self.links[from as usize].smallest
    }

    fn compress(&mut self, below: u32, above: u32) {
        let Link { ancestor, smallest } = self.links[above as usize];
        let link = &mut self.links[below as usize];
        link.smallest = link.smallest.min(smallest);
        link.ancestor = ancestor;
    }
}
