//! Which objects of a small group are the old ones: those that own old objects. No sum tells single objects apart, but
//! what came lately has rarely taken old objects over, and the head of a structure decides where its fringe runs.

use super::{DEPENDENT, Estimate, NEW, OLD};
use crate::graph::DominatorTree;
use crate::heap::{Heap, ObjectIdx};
use std::collections::BTreeMap;

/// A group with more members without a mark is a population, and its members are alike.
const FEW: usize = 32;
/// An object that owns less of what is old tells nothing.
const MIN_OLD_OWNED: f64 = 1.0;

/// Takes for old, of each small group of uncertain age, those that own the most of what is old: as many as the group has
/// old ones among the unmarked.
///
/// The others are newer by as much, so that the group's gain stays what it is.
pub(super) fn settle(heap: &Heap, dominators: &DominatorTree, estimate: &mut [u32], estimates: &mut [Estimate]) {
    let is_uncertain = |at: u32| at > NEW && at != DEPENDENT && (0.0..1.0).contains(&estimates[at as usize].newness);
    let mut sizes = vec![0usize; estimates.len()];
    let uncertain = |object: &&ObjectIdx| is_uncertain(estimate[object.at()]);
    dominators.preorder().iter().filter(uncertain).for_each(|object| sizes[estimate[object.at()] as usize] += 1);
    if !sizes.iter().any(|size| (1..=FEW).contains(size)) {
        return;
    }
    let owned = old_before(dominators, estimate, estimates);
    let mut owners: BTreeMap<u32, Vec<(f64, ObjectIdx)>> = BTreeMap::new();
    for &object in dominators.preorder().iter().filter(uncertain) {
        let (at, group) = (dominators.position(object) as usize, estimate[object.at()]);
        let old_owned = owned[at + dominators.subtree(object).len()] - owned[at + 1];
        if sizes[group as usize] <= FEW && old_owned >= MIN_OLD_OWNED && !continues_chain(heap, dominators, object) {
            owners.entry(group).or_default().push((old_owned, object));
        }
    }
    for (group, mut owners) in owners {
        owners.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (size, of_all) = (sizes[group as usize], &mut estimates[group as usize]);
        owners.truncate((size as f64 * (1.0 - of_all.newness)).round() as usize);
        owners.iter().for_each(|owner| estimate[owner.1.at()] = OLD);
        let share = size as f64 / size.saturating_sub(owners.len()).max(1) as f64;
        *of_all = Estimate { newness: (of_all.newness * share).min(1.0), variance: of_all.variance * share };
    }
}

/// By place in the preorder: how many old objects stand before it, by weight.
fn old_before(dominators: &DominatorTree, estimate: &[u32], estimates: &[Estimate]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut before = Vec::with_capacity(dominators.preorder().len() + 1);
    before.push(sum);
    for object in dominators.preorder() {
        sum += estimates.get(estimate[object.at()] as usize).map_or(0.0, |estimate| 1.0 - estimate.newness);
        before.push(sum);
    }
    before
}

/// Whether it hangs from an object of its class, as the nodes of lists and trees do: these own whatever lies behind them.
fn continues_chain(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> bool {
    let above = |object| dominators.immediate_dominator(object);
    let holder = above(object).and_then(|at| if heap.is_array(at) { above(at) } else { Some(at) });
    holder.is_some_and(|holder| heap.class_of(holder) == heap.class_of(object))
}
