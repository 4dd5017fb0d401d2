//! The plans of all regions of one analysis, by two threads.

use super::{Effort, PlanFailure, ProbePlan, SelfReferences, plan};
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::marking::OwnerPaths;
use crate::regions::Region;
use rustc_hash::FxHashMap;

/// Derives the traversals of these regions, in their order. Every other owner is one thread's, with half of the effort,
/// whatever the number of processors: the same heap has the same plans everywhere.
///
/// # Errors
/// For each region, the reason why it cannot be followed.
pub fn plan_all(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    owners: &OwnerPaths,
    regions: &[&Region],
) -> Vec<Result<ProbePlan, PlanFailure>> {
    let mut places: FxHashMap<ObjectIdx, usize> = FxHashMap::default();
    let halves: Vec<bool> = regions
        .iter()
        .map(|region| {
            let next = places.len();
            places.entry(region.owner).or_insert(next).is_multiple_of(2)
        })
        .collect();
    let of_half = |half: bool| {
        let effort = Effort::half();
        let mine = regions.iter().zip(&halves).filter(move |&(_, &of)| of == half);
        mine.map(|(region, _)| plan(graph, selves, owners, &effort, region)).collect::<Vec<_>>().into_iter()
    };
    let (mut first, mut second) = rayon::join(|| of_half(true), || of_half(false));
    halves.iter().filter_map(|&half| if half { first.next() } else { second.next() }).collect()
}
