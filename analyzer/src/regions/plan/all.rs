//! The plans of all regions of one analysis, by two threads.

use super::{Effort, PlanFailure, ProbePlan, SelfReferences, plan};
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::marking::OwnerPaths;
use crate::regions::Region;
use rustc_hash::FxHashMap;

/// The effort of all plans of one analysis, a half for each thread. Every other owner belongs to the second half,
/// whatever the number of processors: the same heap has the same plans everywhere.
#[derive(Debug)]
pub struct Halves {
    efforts: [Effort; 2],
    /// Whether an owner belongs to the second half.
    owners: FxHashMap<ObjectIdx, bool>,
}

impl Default for Halves {
    fn default() -> Self {
        Self { efforts: [Effort::half(), Effort::half()], owners: FxHashMap::default() }
    }
}

impl Halves {
    fn is_second(&mut self, owner: ObjectIdx) -> bool {
        let is_odd = self.owners.len() % 2 == 1;
        *self.owners.entry(owner).or_insert(is_odd)
    }
}

/// Derives the traversals of these regions, in their order.
///
/// # Errors
/// For each region, the reason why it cannot be followed.
pub fn plan_all(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    owners: &OwnerPaths,
    halves: &mut Halves,
    regions: &[&Region],
) -> Vec<Result<ProbePlan, PlanFailure>> {
    let are_second: Vec<bool> = regions.iter().map(|region| halves.is_second(region.owner)).collect();
    let plans = |effort: &mut Effort, second: bool| {
        let mine = regions.iter().zip(&are_second).filter(|&(_, &is_second)| is_second == second);
        mine.map(|(region, _)| plan(graph, selves, owners, effort, region)).collect::<Vec<_>>()
    };
    let [first, second] = &mut halves.efforts;
    let (first, second) = rayon::join(|| plans(first, false), || plans(second, true));
    let (mut first, mut second) = (first.into_iter(), second.into_iter());
    are_second.iter().filter_map(|&is_second| if is_second { second.next() } else { first.next() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_owner_belongs_to_the_second_half_and_stays_there() {
        let mut halves = Halves::default();
        let owners = [7, 8, 7, 9, 8, 10].map(ObjectIdx);
        assert_eq!(owners.map(|owner| halves.is_second(owner)), [false, true, false, false, true, true]);
    }
}
