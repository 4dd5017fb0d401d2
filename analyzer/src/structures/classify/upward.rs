//! From objects that no structure contains against the references, up to the members of structures. The search ends at
//! mirrors of classes without a description: static fields are GC roots, and a loader's list of classes owns nothing.

use crate::graph::{BitSet, Dominance};
use crate::heap::{Heap, ObjectIdx};
use crate::structures::census::Detected;

/// Result of the search.
#[derive(Debug)]
pub(super) struct Upward {
    /// The objects on the way that are no members, the starts included.
    passed: BitSet,
    /// The first members on each way, each once.
    pub(super) met: Vec<ObjectIdx>,
}

impl Upward {
    /// Searches from `starts`; `None` once `most_looks` references were followed.
    pub(super) fn search<D: Dominance>(
        of: &Detected<'_, D>,
        members: &BitSet,
        starts: &[ObjectIdx],
        most_looks: u64,
    ) -> Option<Self> {
        let object_count = of.dominance.heap().object_count();
        let (mut search, mut seen) =
            (Self { passed: BitSet::new(object_count), met: Vec::new() }, BitSet::new(object_count));
        let mut open: Vec<ObjectIdx> =
            starts.iter().copied().filter(|start| search.passed.insert(start.at())).collect();
        let mut looks = 0;
        while let Some(object) = open.pop() {
            let referrers = of.referrers.of(object);
            looks += referrers.len() as u64;
            if looks > most_looks {
                return None;
            }
            for &referrer in referrers.iter().filter(|referrer| leads_up(of, **referrer)) {
                if members.contains(referrer.at()) {
                    if seen.insert(referrer.at()) {
                        search.met.push(referrer);
                    }
                } else if search.passed.insert(referrer.at()) {
                    open.push(referrer);
                }
            }
        }
        Some(search)
    }

    /// Those of the starts to which no member leads: back along the references, through what was passed.
    pub(super) fn unreached(&self, heap: &Heap, starts: &[ObjectIdx]) -> Vec<ObjectIdx> {
        let mut reached = BitSet::new(heap.object_count());
        let mut open = self.met.clone();
        while let Some(object) = open.pop() {
            for &referee in heap.references().of(object) {
                if self.passed.contains(referee.at()) && reached.insert(referee.at()) {
                    open.push(referee);
                }
            }
        }
        starts.iter().copied().filter(|start| !reached.contains(start.at())).collect()
    }
}

/// Whether the search goes on at a referrer.
fn leads_up<D: Dominance>(of: &Detected<'_, D>, referrer: ObjectIdx) -> bool {
    let is_mirror = of.dominance.heap().class_of_mirror(referrer).is_some();
    of.dominance.is_reachable(referrer) && (!is_mirror || of.structures.heads.of(referrer).is_some())
}
