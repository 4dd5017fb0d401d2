//! Immediate dominators by the semi-NCA algorithm: L. Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems* (2005), §2.3. Semidominators come from path compression as in Lengauer and Tarjan; each immediate
//! dominator is the nearest common ancestor of the parent and the semidominator. No recursion. Works on numbers alone.

use super::ascents::Ascents;

/// The number of the virtual root, which refers to every entry.
pub(in crate::graph) const VIRTUAL_ROOT: u32 = 0;

/// Referrers by number. With those that the [`SearchTree`] has received they must include all but the parent in the
/// tree, and no unreachable ones.
pub(in crate::graph) trait Incoming {
    /// The numbers of the referrers of `number`. It is asked once for each number, the largest first.
    fn of(&mut self, number: u32) -> impl Iterator<Item = u32>;
}

/// A depth-first spanning tree below the virtual root, by number in preorder. 8 bytes a number.
pub(in crate::graph) struct SearchTree {
    /// First the parent, and the smallest referrer that is known.
    links: Vec<Link>,
}

impl SearchTree {
    /// The virtual root alone, with room for more.
    pub(in crate::graph) fn new(room: usize) -> Self {
        let mut links = Vec::with_capacity(room);
        links.push(Link { ancestor: VIRTUAL_ROOT, smallest: VIRTUAL_ROOT });
        Self { links }
    }

    /// Adds the next object below its parent; returns its number.
    pub(in crate::graph) fn add(&mut self, parent: u32) -> u32 {
        let number = self.links.len() as u32;
        self.links.push(Link { ancestor: parent, smallest: parent });
        number
    }

    /// Adds a reference from a smaller number to a larger one. The virtual root refers to the entries.
    pub(in crate::graph) fn refer(&mut self, referrer: u32, referee: u32) {
        let smallest = &mut self.links[referee as usize].smallest;
        *smallest = referrer.min(*smallest);
    }

    /// Number of objects, the virtual root included.
    pub(in crate::graph) fn len(&self) -> usize {
        self.links.len()
    }
}

/// By number: the number of the immediate dominator.
pub(in crate::graph) fn immediate_dominators(tree: SearchTree, incoming: &mut impl Incoming) -> Vec<u32> {
    let ascents = Ascents::new(tree.len(), |number| tree.links[number as usize].ancestor);
    let mut dominators = semidominators(tree, incoming);
    // Dominators have smaller numbers, so those above `number` are final when they are read.
    for (parent, number) in ascents.parents().zip(1..) {
        let (mut candidate, semidominator) = (parent, dominators[number]);
        while candidate > semidominator {
            candidate = dominators[candidate as usize];
        }
        dominators[number] = candidate;
    }
    dominators
}

/// By number: the smallest number from which a path leads to the object through objects of larger numbers than the
/// object.
fn semidominators(tree: SearchTree, incoming: &mut impl Incoming) -> Vec<u32> {
    let mut semidominators = vec![VIRTUAL_ROOT; tree.len()];
    let mut forest = Forest { links: tree.links, path: Vec::new() };
    for number in (1..semidominators.len() as u32).rev() {
        let mut smallest = forest.links[number as usize].smallest;
        if smallest != VIRTUAL_ROOT {
            for referrer in incoming.of(number) {
                smallest = smallest.min(forest.smallest_above(referrer, number));
            }
        }
        semidominators[number as usize] = smallest;
        forest.links[number as usize].smallest = smallest;
    }
    semidominators
}

/// The processed part of the spanning tree; its paths are compressed on access.
struct Forest {
    links: Vec<Link>,
    path: Vec<u32>,
}

/// One object's entry in the forest; both fields are read together, hence stored together.
struct Link {
    ancestor: u32,
    /// The smallest semidominator from the object up to its ancestor, which is left out; until the object is processed,
    /// the smallest referrer that is known.
    smallest: u32,
}

impl Forest {
    /// The smallest semidominator on the path from `from` up to the unprocessed objects, those up to `last`; `from`
    /// itself if it is one of them.
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
