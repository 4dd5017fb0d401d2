//! Single-entry regions (LeakBot §3.2): the collapse after which the paper's graphs have an eighth of their nodes.
//!
//! An object heads a region when the graph is entered through it, or when those of its referrers that it does not
//! dominate itself (parent pointers, cycles) lie in more than one region. Any other object belongs to the region of its
//! referrers. In Figure 2 `ActiveOrders`, which has several parents, is a head; the `Vector` and its array are not.

use super::{BitSet, DominatorTree, Entries, Referrers};
use crate::heap::{Heap, ObjectIdx};

/// Passes over the heap at most. Heads only become fewer from pass to pass; the rest is noise to the ranking.
const MAX_PASSES: usize = 4;

/// Heads of single-entry regions, and who belongs to which.
#[derive(Debug)]
pub struct SingleEntry {
    head: Vec<ObjectIdx>,
}

impl SingleEntry {
    /// Collapses until nothing changes, or [`MAX_PASSES`] passes.
    pub fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree, entries: &Entries) -> Self {
        let mut is_entry = BitSet::new(heap.object_count());
        for entry in entries.objects() {
            is_entry.insert(entry.at());
        }
        let mut head: Vec<ObjectIdx> = heap.objects().collect();
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            for &object in dominators.preorder().iter().filter(|object| !is_entry.contains(object.at())) {
                let found = common_head(object, &head, referrers, dominators).unwrap_or(object);
                changed |= found != head[object.at()];
                head[object.at()] = found;
            }
            if !changed {
                break;
            }
        }
        Self { head }
    }

    /// Whether the object heads its region.
    #[inline]
    pub fn is_head(&self, object: ObjectIdx) -> bool {
        self.head[object.at()] == object
    }

    /// Head of the object's region.
    #[inline]
    pub fn head_of(&self, object: ObjectIdx) -> ObjectIdx {
        self.head[object.at()]
    }
}

/// The one region that all outside referrers lie in.
fn common_head(
    object: ObjectIdx,
    head: &[ObjectIdx],
    referrers: &Referrers,
    dominators: &DominatorTree,
) -> Option<ObjectIdx> {
    let mut common = None;
    for &referrer in referrers.of(object) {
        if dominators.is_reachable(referrer) && !dominators.dominates(object, referrer) {
            let region = head[referrer.at()];
            if common.is_some_and(|common| common != region) {
                return None;
            }
            common = Some(region);
        }
    }
    common
}
