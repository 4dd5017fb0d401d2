//! One probe over its visits: which way of counting serves, what changed since the last visit. Knows no JVM.

use super::frontier::{self, Frontier};
use super::full::{self, Full};
use super::members::{Meeting, Members, Turnover};
use super::random::Random;
use super::reader::HeapReader;
use super::route::{Chain, Route};
use super::sampled;
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

/// After so many visits by other ways the whole is tried again: the structure may have shrunk.
const RETRY_FULL: u32 = 32;

/// What a probe remembers.
pub struct Memory<H> {
    route: Route,
    chain: Option<Chain>,
    budget: u32,
    random: Random,
    frontier: Option<Frontier<H>>,
    members: Members<H>,
    way: Vec<H>,
    last: Option<(f64, f64)>,
    /// Visits since a whole count failed; 0 while whole counts serve.
    beyond_full: u32,
}

/// What an attempt to count everything came to.
struct WholeCount {
    /// Size and turnover; `None` when the budget did not suffice.
    seen: Option<(u64, Option<Turnover>)>,
    reads: u32,
}

impl<H> Memory<H> {
    /// A probe before its first visit. `number` tells the probes of one connection apart.
    pub fn new(route: Route, budget: u32, number: u32) -> Self {
        Self {
            chain: route.chain(),
            route,
            budget,
            random: Random::new(u64::from(number) + 1),
            frontier: None,
            members: Members::new(number),
            way: Vec::new(),
            last: None,
            beyond_full: 0,
        }
    }

    /// Members that bear a mark of this probe.
    pub fn marks(&self) -> u64 {
        self.members.count() as u64
    }

    /// Takes back what stands in the heap.
    pub fn forget<R: HeapReader<Held = H>>(&mut self, reader: &R) {
        self.members.forget(reader);
    }

    /// One visit. Gives what was seen and how many objects were read.
    ///
    /// A visit reads at most the budget, but for the one that finds a whole count too much: it counts on in another
    /// way at once, and reads at most twice the budget. The other way is then kept for [`RETRY_FULL`] visits, and for
    /// as long as the last size alone exceeds the budget.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref) -> (VisitOutcome, u32) {
        let mut relinked = self.look_at_way(reader, owner);
        let mut reads = self.way.len() as u32;
        if self.tries_full() {
            let Some(count) = self.count_all(reader, owner, &mut relinked) else {
                return (failed("the JVM is out of references"), reads);
            };
            reads += count.reads;
            if let Some((size, turnover)) = count.seen {
                (self.frontier, self.beyond_full) = (None, 0);
                return (self.sighting((size as f64, 0.0), turnover, VisitMethod::Full, relinked), reads);
            }
            self.beyond_full = 0;
        }
        self.members.forget(reader);
        self.beyond_full += 1;
        let (outcome, read) = self.visit_beyond(reader, owner, relinked);
        (outcome, reads + read)
    }

    fn tries_full(&self) -> bool {
        let may_fit = self.last.is_none_or(|(size, _)| size <= f64::from(self.budget));
        self.beyond_full == 0 || (self.beyond_full >= RETRY_FULL && may_fit)
    }

    /// `None` when the JVM is out of references.
    fn count_all<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        relinked: &mut bool,
    ) -> Option<WholeCount> {
        let mut all_reads = 0;
        loop {
            let (members, random, mut meeting) = (&self.members, &mut self.random, Meeting::default());
            let meet = |member: &R::Ref| members.meet(reader, &mut meeting, member, random);
            let budget = self.budget - all_reads;
            let (size, reads) = match full::traverse(reader, &self.route, reader.duplicate(owner)?, budget, meet) {
                Full::Counted { size, reads } => (size, reads),
                Full::OverBudget { reads } => return Some(WholeCount { seen: None, reads: all_reads + reads }),
            };
            all_reads += reads;
            // A table that was replaced meanwhile was read while its members moved out: count the new one.
            let is_moved = self.look_at_way(reader, owner);
            *relinked |= is_moved;
            if !is_moved || all_reads > self.budget / 2 {
                let seen = Some((size, self.members.settle(reader, &meeting)));
                return Some(WholeCount { seen, reads: all_reads });
            }
        }
    }

    fn visit_beyond<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        relinked: bool,
    ) -> (VisitOutcome, u32) {
        if let Some(chain) = &self.chain {
            let seen = frontier::visit(reader, &self.route, chain, owner, &mut self.frontier, self.budget);
            let (size, error, reads) = seen.map_or((0.0, 0.0, 1), |seen| (seen.size, seen.error, seen.reads));
            return (self.sighting((size, error), None, VisitMethod::Frontier, relinked), reads);
        }
        match sampled::estimate(reader, &self.route, owner, self.budget, &mut self.random) {
            Some(seen) => (self.sighting((seen.size, seen.error), None, VisitMethod::Sampled, relinked), seen.reads),
            None => (failed("the structure is too deep to be sampled within the budget"), self.budget),
        }
    }

    /// What members known by identity tell of the change, else its net; within twice the error nothing is claimed.
    fn sighting(
        &mut self,
        (size, size_error): (f64, f64),
        turnover: Option<Turnover>,
        method: VisitMethod,
        relinked: bool,
    ) -> VisitOutcome {
        let net = match self.last {
            Some((last, last_error)) if size_error.is_finite() => {
                let change = size - last;
                if change.abs() > 2.0 * size_error.hypot(last_error) { change } else { 0.0 }
            }
            _ => 0.0,
        };
        if size_error.is_finite() {
            self.last = Some((size, size_error));
        }
        let net = Turnover { additions: net.max(0.0), removals: (-net).max(0.0) };
        let Turnover { additions, removals } = turnover.unwrap_or(net);
        VisitOutcome::Seen(Sighting { size, size_error, additions, removals, relinked, method })
    }

    /// Compares the objects on the unbranched way from the owner (a map's table) with those of the last visit.
    fn look_at_way<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref) -> bool {
        const LONGEST: usize = 4;
        let known = std::mem::take(&mut self.way);
        let (mut relinked, mut place) = (false, 0);
        let mut at = reader.duplicate(owner);
        while let Some(object) = at.take() {
            let [step] = &self.route.places[place].steps[..] else { break };
            if step.is_array || self.way.len() == LONGEST || step.to.contains(&place) {
                break;
            }
            let Some(next) = reader.field(place, 0, &object) else { break };
            // A member is no part of the way to it.
            let to = self.route.admit(reader, step, &next).filter(|&to| !self.route.places[to].counts);
            let Some(to) = to else { break };
            if let Some(before) = known.get(self.way.len()) {
                relinked |= !reader.recall(before).is_some_and(|before| reader.same(&before, &next));
            }
            self.way.extend(reader.hold(&next));
            (place, at) = (to, Some(next));
        }
        relinked
    }
}

fn failed(reason: &str) -> VisitOutcome {
    VisitOutcome::Failed(reason.to_owned())
}
