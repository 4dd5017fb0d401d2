//! Which objects of a group are old ones: those that own old objects. No sum tells single objects apart, but what came
//! lately has rarely taken old objects over, and the head of a structure decides where its fringe runs.

use super::{DEPENDENT, Estimate, NEW, OLD};
use crate::graph::DominatorTree;
use crate::heap::{Heap, ObjectIdx};
use std::collections::BTreeMap;

/// A group with more members without a mark is a population, and most of its members are alike.
const FEW: usize = 32;
/// An object that owns less of what is old tells nothing.
const MIN_OLD_OWNED: f64 = 1.0;

/// Takes for old those of a group of uncertain age that own so much of what is old that they can hardly be new: of a small
/// group those that own the most, as many as it has old ones among the unmarked; of a larger one those that own more than
/// all that are new would own together if they owned as much as the others (the head among the indexes of a skip list).
///
/// The others are newer by as much, so that the group's gain stays what it is.
pub(super) fn settle(heap: &Heap, dominators: &DominatorTree, estimate: &mut [u32], estimates: &mut [Estimate]) {
    let is_uncertain = |at: u32| at > NEW && at != DEPENDENT && (0.0..1.0).contains(&estimates[at as usize].newness);
    let mut sizes = vec![0usize; estimates.len()];
    let uncertain = || dominators.preorder().iter().copied().filter(|object| is_uncertain(estimate[object.at()]));
    uncertain().for_each(|object| sizes[estimate[object.at()] as usize] += 1);
    if sizes.iter().all(|&size| size == 0) {
        return;
    }
    let before = old_before(dominators, estimate, estimates);
    let owners = || {
        uncertain().filter_map(|object| {
            let at = dominators.position(object) as usize;
            let owned = before[at + dominators.subtree(object).len()] - before[at + 1];
            let tells = owned >= MIN_OLD_OWNED && !continues_chain(heap, dominators, object);
            tells.then_some((owned, object, estimate[object.at()]))
        })
    };
    let mut owned_by_all = vec![0.0; estimates.len()];
    owners().for_each(|(owned, _, group)| owned_by_all[group as usize] += owned);
    let mut old: BTreeMap<u32, Vec<(f64, ObjectIdx)>> = BTreeMap::new();
    for (owned, object, group) in owners() {
        let newness = estimates[group as usize].newness;
        // Most groups of a heap gained nothing: all that own anything there need not be gathered to be called old.
        let owns_too_much = || newness > 0.0 && owned > newness * owned_by_all[group as usize];
        if sizes[group as usize] <= FEW || owns_too_much() {
            old.entry(group).or_default().push((owned, object));
        }
    }
    for (group, mut owners) in old {
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
