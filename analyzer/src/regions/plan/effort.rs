//! The work that all plans of one analysis may take together. In a heap of a few large structures, each of many regions
//! has a million objects below its owner, and a plan walks over them a dozen times.

use super::found::Found;
use crate::heap::ObjectIdx;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Objects that one walk visits, at most.
const MOST_OF_A_WALK: usize = 1_000_000;
/// The same when the plans have used up their part: enough to see how members are reached, though not all of them.
const LEAST_OF_A_WALK: usize = 32_768;
/// Objects that the walks of one plan, and of all plans, visit before that.
const MOST_OF_A_PLAN: usize = 6_000_000;
const MOST: usize = 24_000_000;

/// The objects that may still be visited.
#[derive(Debug)]
pub struct Effort {
    all: Cell<usize>,
    plan: Cell<usize>,
    /// The latest owner, and the objects that were found below it: regions of one owner often have ranks next to each
    /// other.
    latest: RefCell<Option<(ObjectIdx, Arc<Found>)>>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { all: Cell::new(MOST), plan: Cell::new(MOST_OF_A_PLAN), latest: RefCell::default() }
    }
}

impl Effort {
    /// Half of it, for one of two threads.
    pub(super) fn half() -> Self {
        Self { all: Cell::new(MOST / 2), ..Self::default() }
    }

    /// Another plan begins.
    pub(super) fn begin_plan(&self) {
        self.plan.set(MOST_OF_A_PLAN);
    }

    /// The objects below an owner: those of the latest search, where it was for the same owner.
    pub(super) fn found_below(&self, owner: ObjectIdx, search: impl FnOnce() -> Found) -> Arc<Found> {
        let mut latest = self.latest.borrow_mut();
        match &*latest {
            Some((known, found)) if *known == owner => Arc::clone(found),
            _ => Arc::clone(&latest.insert((owner, Arc::new(search()))).1),
        }
    }

    /// Objects that the next walk may visit.
    pub(super) fn of_next_walk(&self) -> usize {
        self.all.get().min(self.plan.get()).clamp(LEAST_OF_A_WALK, MOST_OF_A_WALK)
    }

    /// A walk has visited this number.
    pub(super) fn spend(&self, visits: usize) {
        for left in [&self.all, &self.plan] {
            left.set(left.get().saturating_sub(visits));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_and_all_of_them_have_their_bounds_and_each_walk_sees_something() {
        let effort = Effort::default();
        let walks = || {
            effort.begin_plan();
            let whole = (0..20).take_while(|_| {
                let most = effort.of_next_walk();
                effort.spend(most);
                most == MOST_OF_A_WALK
            });
            whole.count()
        };
        assert_eq!([(); 4].map(|()| walks()), [6, 6, 6, 5], "the last spends what was left, too");
        assert_eq!(effort.of_next_walk(), LEAST_OF_A_WALK);
    }
}
