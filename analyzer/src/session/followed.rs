//! The choice of the regions that are followed.

use crate::regions::Region;
use crate::relations::Standing;
use crate::tracking::Untracked;

/// Regions that are followed at the same time. LeakBot: "we need only monitor the few most highly ranked regions". In a
/// server half of them may belong to operations, and be gone within half a minute.
const MAX_TRACKED: usize = 96;
/// Maximum of followed regions that lie inside a member of another region. Most of those are operations that were under
/// way at the capture; one that goes on growing is a leak nevertheless.
const MAX_INSIDE: usize = 8;

/// For each region its plan, or the reason why it needs none. `plan` is asked for the plans of several at once: for as
/// many as there are places, and again for as many as could not be planned.
pub(super) fn plans<P, F>(
    regions: &[Region],
    mut plan: impl FnMut(&[&Region]) -> Vec<Result<P, F>>,
) -> Vec<Result<Result<P, F>, Untracked>> {
    let mut planned: Vec<Option<Result<P, F>>> = regions.iter().map(|_| None).collect();
    let mut places = Places { all: MAX_TRACKED, inside: MAX_INSIDE };
    loop {
        let mut taken = Vec::new();
        for (at, region) in regions.iter().enumerate() {
            if planned[at].is_none() && places.refuse(region).is_none() {
                places.take(region);
                taken.push(at);
            }
        }
        if taken.is_empty() {
            break;
        }
        let batch: Vec<&Region> = taken.iter().map(|&at| &regions[at]).collect();
        for (at, plan) in taken.into_iter().zip(plan(&batch)) {
            if plan.is_err() {
                places.give_back(&regions[at]);
            }
            planned[at] = Some(plan);
        }
    }
    let or_refused = |(plan, region): (Option<Result<P, F>>, &Region)| {
        plan.ok_or_else(|| places.refuse(region).unwrap_or(Untracked::RanksTooLow { most: MAX_TRACKED }))
    };
    planned.into_iter().zip(regions).map(or_refused).collect()
}

/// Remaining numbers of regions that may be followed.
struct Places {
    all: usize,
    inside: usize,
}

impl Places {
    /// Reason why a region is not to be followed, if there is one.
    fn refuse(&self, region: &Region) -> Option<Untracked> {
        match region.standing {
            Standing::OneOf(count) => Some(Untracked::OneOfMany { count }),
            Standing::Part => Some(Untracked::Part),
            Standing::InsideMember if self.inside == 0 => Some(Untracked::InsideMember),
            _ if self.all == 0 => Some(Untracked::RanksTooLow { most: MAX_TRACKED }),
            Standing::InsideMember | Standing::Alone | Standing::Together(_) => None,
        }
    }

    fn take(&mut self, region: &Region) {
        self.all -= 1;
        self.inside -= usize::from(region.standing == Standing::InsideMember);
    }

    fn give_back(&mut self, region: &Region) {
        self.all += 1;
        self.inside += usize::from(region.standing == Standing::InsideMember);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::{ClassIdx, ObjectIdx};

    fn region(number: u32, standing: Standing) -> Region {
        Region {
            leak_root: ObjectIdx(0),
            leak_root_rank: 1.0,
            owner: ObjectIdx(number),
            change_class: ClassIdx(0),
            proxy_size: 1,
            dump_size: 1,
            dump_bytes: 16,
            changes: Vec::new(),
            measured: Vec::new(),
            members: Vec::new(),
            standing,
            rank: 1.0,
        }
    }

    /// Numbers of the regions that are followed, where each whose number is divisible by three cannot be planned.
    fn followed(regions: &[Region]) -> Vec<u32> {
        let plan = |region: &&Region| if region.owner.0.is_multiple_of(3) { Err(()) } else { Ok(region.owner.0) };
        let plans = plans(regions, |batch| batch.iter().map(plan).collect());
        plans.into_iter().filter_map(|plan| plan.ok()?.ok()).collect()
    }

    #[test]
    fn those_that_cannot_be_planned_leave_their_places_to_the_next() {
        let alone: Vec<Region> = (0..200).map(|number| region(number, Standing::Alone)).collect();
        let expected: Vec<u32> = (0..200).filter(|number| number % 3 != 0).take(MAX_TRACKED).collect();
        assert_eq!(followed(&alone), expected);
        let inside: Vec<Region> = (0..50).map(|number| region(number, Standing::InsideMember)).collect();
        assert_eq!(followed(&inside), [1, 2, 4, 5, 7, 8, 10, 11]);
    }

    #[test]
    fn what_needs_no_place_takes_none_and_has_a_reason() {
        let parts: Vec<Region> = (0..3).map(|number| region(number, Standing::Part)).collect();
        let reasons: Vec<_> = plans::<(), ()>(&parts, |_| unreachable!()).into_iter().filter_map(Result::err).collect();
        assert_eq!(reasons, [Untracked::Part, Untracked::Part, Untracked::Part]);
    }
}
