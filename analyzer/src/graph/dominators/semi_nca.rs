//! Immediate dominators by the semi-NCA algorithm: L. Georgiadis, *Linear-Time Algorithms for Dominators and Related
//! Problems* (2005), §2.3. Semidominators come from path compression as in Lengauer and Tarjan; each immediate
//! dominator is the nearest common ancestor of the parent and the semidominator. No recursion. Works on numbers alone.

/// The number of the virtual root, which refers to every entry.
pub(in crate::graph) const VIRTUAL_ROOT: u32 = 0;

/// Referrers by number. They must include those other than the parent in the spanning tree, and no unreachable ones.
pub(in crate::graph) trait Incoming {
    /// The numbers of the referrers of `number`.
    fn of(&self, number: u32) -> impl Iterator<Item = u32>;
}

/// By number: the number of the immediate dominator. `parents` are those of a depth-first spanning tree, by number in
/// preorder; `entries` are the children of the virtual root.
pub(in crate::graph) fn immediate_dominators(
    parents: Vec<u32>,
    entries: impl Iterator<Item = u32>,
    incoming: &impl Incoming,
) -> Vec<u32> {
    let semidominators = semidominators(&parents, entries, incoming);
    let mut dominators = parents;
    // Dominators have smaller numbers, so those above `number` are final when they are read.
    for number in 1..dominators.len() {
        let mut candidate = dominators[number];
        while candidate > semidominators[number] {
            candidate = dominators[candidate as usize];
        }
        dominators[number] = candidate;
    }
    dominators
}

/// By number: the smallest number from which a path leads to the object through objects of larger numbers than the
/// object.
fn semidominators(parents: &[u32], entries: impl Iterator<Item = u32>, incoming: &impl Incoming) -> Vec<u32> {
    let mut semidominators = parents.to_vec();
    for entry in entries {
        semidominators[entry as usize] = VIRTUAL_ROOT;
    }
    let mut forest = Forest::new(parents);
    for number in (1..semidominators.len() as u32).rev() {
        let mut smallest = semidominators[number as usize];
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
    /// The smallest semidominator from the object up to its ancestor, which is left out.
    smallest: u32,
}

impl Forest {
    fn new(parents: &[u32]) -> Self {
        let links = parents.iter().zip(0..).map(|(&ancestor, number)| Link { ancestor, smallest: number }).collect();
        Self { links, path: Vec::new() }
    }

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
