//! Propagation along references: every object receives the bits of all objects that reach it. One depth-first search
//! against the references, after R. Tarjan, *Depth-first search and linear graph algorithms* (1972). Objects on a cycle
//! share one result, and each reference is followed once, whatever the number of bits. No recursion.

use super::Referrers;
use crate::heap::ObjectIdx;

/// Joins to each object's bits those of all objects from which references lead to it, directly or not. An object that
/// does not pass bits on receives them and ends the flow.
pub fn join_inflow(referrers: &Referrers, passes_on: impl Fn(ObjectIdx) -> bool, bits: &mut [u64]) {
    let order = vec![UNSEEN; bits.len()];
    let (last, open, visits) = (UNSEEN, Vec::new(), Vec::new());
    let mut search = Search { referrers, passes_on, bits, order, last, open, visits };
    for object in (0..search.order.len() as u32).map(ObjectIdx) {
        if search.order[object.at()] == UNSEEN {
            search.enter(object);
            search.exhaust();
        }
    }
}

/// Order of an object that is not yet visited.
const UNSEEN: u32 = 0;
/// Order of an object whose bits are final.
const DONE: u32 = u32::MAX;

struct Search<'a, F> {
    referrers: &'a Referrers,
    passes_on: F,
    bits: &'a mut [u64],
    /// By object: the order of its visit, [`UNSEEN`], or [`DONE`].
    order: Vec<u32>,
    last: u32,
    /// Objects that have been left but are on a cycle with one that has not been left.
    open: Vec<ObjectIdx>,
    visits: Vec<Visit>,
}

/// An object whose referrers are being followed.
#[derive(Clone, Copy)]
struct Visit {
    object: ObjectIdx,
    followed: u32,
    /// Order of the earliest object known to be on a cycle with this one.
    earliest: u32,
}

impl<F: Fn(ObjectIdx) -> bool> Search<'_, F> {
    fn enter(&mut self, object: ObjectIdx) {
        self.last += 1;
        self.order[object.at()] = self.last;
        self.visits.push(Visit { object, followed: 0, earliest: self.last });
    }

    fn exhaust(&mut self) {
        while let Some(mut visit) = self.visits.pop() {
            match self.follow(&mut visit) {
                Some(unseen) => {
                    self.visits.push(visit);
                    self.enter(unseen);
                }
                None => self.leave(visit),
            }
        }
    }

    /// Follows referrers up to an unvisited one, which is returned as the object to visit next.
    fn follow(&mut self, visit: &mut Visit) -> Option<ObjectIdx> {
        let mut joined = self.bits[visit.object.at()];
        let mut unseen = None;
        for &referrer in &self.referrers.of(visit.object)[visit.followed as usize..] {
            visit.followed += 1;
            if !(self.passes_on)(referrer) {
                continue;
            }
            match self.order[referrer.at()] {
                UNSEEN => unseen = Some(referrer),
                DONE => joined |= self.bits[referrer.at()],
                // Not final, but on a cycle with this object: both get the same bits when the cycle is closed.
                order => visit.earliest = visit.earliest.min(order),
            }
            if unseen.is_some() {
                break;
            }
        }
        self.bits[visit.object.at()] = joined;
        unseen
    }

    fn leave(&mut self, visit: Visit) {
        if visit.earliest == self.order[visit.object.at()] {
            self.close_cycle(visit.object);
        } else {
            self.open.push(visit.object);
        }
        if let Some(referee) = self.visits.last_mut() {
            referee.earliest = referee.earliest.min(visit.earliest);
            self.bits[referee.object.at()] |= self.bits[visit.object.at()];
        }
    }

    /// Closes a cycle: the object and all open objects visited after it are on cycles with each other.
    fn close_cycle(&mut self, first: ObjectIdx) {
        let begin = self.order[first.at()];
        let start = self.open.iter().rposition(|each| self.order[each.at()] < begin).map_or(0, |before| before + 1);
        let members = &self.open[start..];
        let joined = members.iter().fold(self.bits[first.at()], |joined, each| joined | self.bits[each.at()]);
        for &each in members.iter().chain([&first]) {
            self.bits[each.at()] = joined;
            self.order[each.at()] = DONE;
        }
        self.open.truncate(start);
    }
}
