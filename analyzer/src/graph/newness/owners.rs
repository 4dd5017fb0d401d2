//! The old objects of a group: those that own old objects. Sums do not distinguish single objects. But a recent object
//! has rarely taken over old ones, and the head of a structure determines where its fringe lies.
//!
//! The exception is a structure that is copied on change: its new root owns all that the old one did. The old root was
//! a container, and all containers are marked; where one is gone, the unmarked object that owns the most replaced it.

use super::{DEPENDENT, Estimate, FIRST_GROUP, NEW, OLD};
use crate::graph::DominatorTree;
use crate::heap::{Heap, ObjectIdx};
use std::collections::BTreeMap;

/// Limit of a small group. A group with more unmarked members is a population, and most of its members are similar.
const FEW: usize = 32;
/// Least weight of owned old objects that is evidence.
const MIN_OLD_OWNED: f64 = 1.0;

/// Marks as old those members of uncertain groups that own too many old objects to be new. In a small group these are
/// the members that own the most, as many as it has old ones among the unmarked. In a larger one they are members that
/// own more than all new ones would own together if they owned as much as the others. An example is the head among the
/// indexes of a skip list. Where `gone` containers of a group are no more, as many of its members replaced them, those
/// that own the most, and are new.
///
/// The others become newer or older by the same amount, so that the group's gain stays the same.
pub(super) fn settle(
    heap: &Heap,
    dominators: &DominatorTree,
    estimate: &mut [u32],
    (estimates, gone): (&mut [Estimate], &[u32]),
) {
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
            let is_evidence = owned >= MIN_OLD_OWNED && !continues_chain(heap, dominators, object);
            is_evidence.then_some((owned, object, estimate[object.at()]))
        })
    };
    let mut owned_by_all = vec![0.0; estimates.len()];
    owners().for_each(|(owned, _, group)| owned_by_all[group as usize] += owned);
    let mut old: BTreeMap<u32, Vec<(f64, ObjectIdx)>> = BTreeMap::new();
    for (owned, object, group) in owners() {
        let newness = estimates[group as usize].newness;
        // Most groups gained nothing: then every member that owns anything is old anyway and need not be collected.
        let owns_too_much = || newness > 0.0 && owned > newness * owned_by_all[group as usize];
        if sizes[group as usize] <= FEW || owns_too_much() {
            old.entry(group).or_default().push((owned, object));
        }
    }
    for (group, mut owners) in old {
        owners.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (size, of_all) = (sizes[group as usize], &mut estimates[group as usize]);
        let gain = size as f64 * of_all.newness;
        let gone = gone.get((group - FIRST_GROUP) as usize).map_or(0, |&gone| gone as usize);
        let replaced = gone.min(gain.round() as usize).min(owners.len());
        let old = owners.len().min(replaced + (size as f64 - gain).round() as usize);
        owners[..replaced].iter().for_each(|owner| estimate[owner.1.at()] = NEW);
        owners[replaced..old].iter().for_each(|owner| estimate[owner.1.at()] = OLD);
        let others = size.saturating_sub(old).max(1) as f64;
        let newness = ((gain - replaced as f64) / others).clamp(0.0, 1.0);
        *of_all = Estimate { newness, variance: of_all.variance * size as f64 / others };
    }
}

/// By index in the preorder: weight of the old objects before it.
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

/// Whether an object of its own class holds it, as in lists and trees: such a node owns all objects behind it.
fn continues_chain(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> bool {
    let above = |object| dominators.immediate_dominator(object);
    let holder = above(object).and_then(|at| if heap.is_array(at) { above(at) } else { Some(at) });
    holder.is_some_and(|holder| heap.class_of(holder) == heap.class_of(object))
}
