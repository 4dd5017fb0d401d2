//! The region that keeps the objects to which another's members refer weakly ([`Rule::Keeper`](super::Rule::Keeper)):
//! keys of a side table, thread locals.

use super::Outline;
use super::referents::{Sample, nearest};
use super::rules::THRESHOLDS;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;

/// The owner of another region that keeps the objects to which a region's change-proxies refer weakly. It must keep
/// most of the examined ones; of several owners, one within another, the innermost counts. `None` where the region's
/// own owner keeps them, or no owner does.
#[must_use]
pub fn keeper(graph: &ObjectGraph<'_>, region: &Outline<'_>, others: &[Outline<'_>]) -> Option<ObjectIdx> {
    let dominators = &graph.dominators;
    let is_change = |class| graph.heap.classes().is_subclass(class, region.change_class);
    let asked = Sample::of(graph.owned(), region.owner, is_change).asked;
    let referents = asked.iter().filter_map(|&change| nearest(graph.owned(), change, |_| true));
    let kept: Vec<ObjectIdx> = referents.filter(|&referent| dominators.is_reachable(referent)).collect();
    let least = (THRESHOLDS.mostly_kept * asked.len() as f64).max(1.0);
    if (kept.len() as f64) < least {
        return None;
    }
    let is_other = |&owner: &ObjectIdx| !dominators.dominates(owner, region.owner);
    let keeps_most = |owner: &ObjectIdx| {
        kept.iter().filter(|&&referent| dominators.dominates(*owner, referent)).count() as f64 >= least
    };
    let owners = others.iter().map(|other| other.owner).filter(is_other).filter(keeps_most);
    owners.max_by_key(|&owner| dominators.depth(owner))
}
