//! Dominance frontiers, as far as G9 needs them (LeakBot §3.4): the set of objects that have one.
//!
//! An object x has a frontier if an object that x dominates refers to a z that x does not strictly dominate. Two kinds
//! of z are left out, because they are no evidence of embedding. These are class mirrors that are roots (any object may
//! refer to those), and z that dominate the referrer themselves (parent pointers and other back references).

use super::{BitSet, DominatorTree};
use crate::heap::{Heap, RootKind};

/// The objects whose dominance frontier is not empty.
///
/// If the immediate dominator of z dominates a referrer y of z, x lies between the two exactly if it is above y and
/// deeper than idom(z). Otherwise only a later group of entries reaches y, and any x above y will do. So one minimum over
/// each subtree decides.
pub fn dominance_frontier_nonempty(heap: &Heap, dominators: &DominatorTree) -> BitSet {
    let mut is_class_root = BitSet::new(heap.object_count());
    for root in heap.roots().iter().filter(|root| root.kind == RootKind::Class) {
        is_class_root.insert(root.object.at());
    }
    let mut shallowest = vec![u32::MAX; heap.object_count()];
    let mut nonempty = BitSet::new(heap.object_count());
    for &object in dominators.preorder().iter().rev() {
        let mut least = shallowest[object.at()];
        for &referee in heap.references().of(object) {
            if !is_class_root.contains(referee.at()) && !dominators.dominates(referee, object) {
                let above = dominators.immediate_dominator(referee);
                let above = above.filter(|&above| dominators.dominates(above, object));
                least = least.min(above.map_or(0, |above| dominators.depth(above)));
            }
        }
        if least < dominators.depth(object) {
            nonempty.insert(object.at());
        }
        if let Some(above) = dominators.immediate_dominator(object) {
            shallowest[above.at()] = shallowest[above.at()].min(least);
        }
    }
    nonempty
}
