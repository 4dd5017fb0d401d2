//! The graph of regions, and what flows along it: every region takes on what the regions that refer to it have. One
//! depth-first search against the references, after R. Tarjan, *Depth-first search and linear graph algorithms*
//! (1972): regions on a cycle share one result, and each reference is followed once. No recursion.

use super::{DominatorTree, Referrers};
use crate::heap::ObjectIdx;

/// Regions that are entered through their heads alone.
pub(super) struct RegionGraph<'a> {
    /// By object: its region.
    pub(super) region: &'a [u32],
    /// By region: its head.
    pub(super) heads: &'a [ObjectIdx],
    pub(super) referrers: &'a Referrers,
    pub(super) dominators: &'a DominatorTree,
}

/// Order of a region that the search has not come to.
const UNSEEN: u32 = 0;
/// Order of a region whose vector is final.
const DONE: u32 = u32::MAX;

impl RegionGraph<'_> {
    /// Joins to the vector of each region those of all regions from which references lead to it, directly or not.
    pub(super) fn join(&self, vectors: &mut [u64]) {
        let mut search = Search {
            graph: self,
            vectors,
            order: vec![UNSEEN; self.heads.len()],
            last: 0,
            open: vec![],
            visits: vec![],
        };
        for region in 0..self.heads.len() as u32 {
            if search.order[region as usize] == UNSEEN {
                search.enter(region);
                search.exhaust();
            }
        }
    }
}

struct Search<'a> {
    graph: &'a RegionGraph<'a>,
    vectors: &'a mut [u64],
    /// By region: when the search came to it, [`UNSEEN`], or [`DONE`].
    order: Vec<u32>,
    last: u32,
    /// Regions seen that are not done, in the order in which they were seen.
    open: Vec<u32>,
    visits: Vec<Visit>,
}

/// A region whose referrers are being followed.
struct Visit {
    region: u32,
    followed: u32,
    /// The earliest open region known to be on a cycle with this one.
    earliest: u32,
}

impl Search<'_> {
    fn enter(&mut self, region: u32) {
        self.last += 1;
        self.order[region as usize] = self.last;
        self.open.push(region);
        self.visits.push(Visit { region, followed: 0, earliest: self.last });
    }

    fn exhaust(&mut self) {
        while let Some(mut visit) = self.visits.pop() {
            match self.follow(&mut visit) {
                Some(unseen) => {
                    self.visits.push(visit);
                    self.enter(unseen);
                }
                None => self.leave(&visit),
            }
        }
    }

    /// Follows referrers up to one whose region has not been seen: the region to visit next.
    fn follow(&mut self, visit: &mut Visit) -> Option<u32> {
        let RegionGraph { region, heads, referrers, dominators } = *self.graph;
        let referrers = &referrers.of(heads[visit.region as usize])[visit.followed as usize..];
        for &referrer in referrers {
            visit.followed += 1;
            if dominators.is_reachable(referrer) {
                let from = region[referrer.at()];
                match self.order[from as usize] {
                    UNSEEN => return Some(from),
                    DONE => {}
                    order => visit.earliest = visit.earliest.min(order),
                }
                // What is open still may be incomplete, but then it is on a cycle with this region and shares its end.
                self.vectors[visit.region as usize] |= self.vectors[from as usize];
            }
        }
        None
    }

    fn leave(&mut self, visit: &Visit) {
        if visit.earliest == self.order[visit.region as usize] {
            self.close_cycle(visit.region);
        }
        if let Some(below) = self.visits.last_mut() {
            below.earliest = below.earliest.min(visit.earliest);
            self.vectors[below.region as usize] |= self.vectors[visit.region as usize];
        }
    }

    /// All regions seen since `first` and not done lie on cycles with it.
    fn close_cycle(&mut self, first: u32) {
        let start = self.open.iter().rposition(|&region| region == first).unwrap_or(0);
        let members = self.open.split_off(start);
        let joined = members.iter().fold(0, |joined, &region| joined | self.vectors[region as usize]);
        for region in members {
            self.vectors[region as usize] = joined;
            self.order[region as usize] = DONE;
        }
    }
}
