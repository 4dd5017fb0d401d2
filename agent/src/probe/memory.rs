//! One probe over its visits: which way of counting serves, what changed since the last visit. Knows no JVM.

use super::frontier::{self, Frontier};
use super::full::{self, Full};
use super::random::Random;
use super::reader::HeapReader;
use super::route::{Chain, Route};
use super::sampled;
use rootbound_wire::message::{Sighting, VisitMethod, VisitOutcome};

/// After so many sampled visits the whole is tried again: the structure may have shrunk.
const RETRY_FULL: u32 = 32;

/// What a probe remembers.
pub struct Memory<H> {
    route: Route,
    chain: Option<Chain>,
    budget: u32,
    random: Random,
    frontier: Option<Frontier<H>>,
    way: Vec<H>,
    last: Option<(f64, f64)>,
    beyond_full: u32,
}

impl<H> Memory<H> {
    /// A probe before its first visit.
    pub fn new(route: Route, budget: u32, seed: u64) -> Self {
        let chain = route.chain();
        let random = Random::new(seed);
        Self { route, chain, budget, random, frontier: None, way: Vec::new(), last: None, beyond_full: 0 }
    }

    /// One visit. Gives what was seen and how many objects were read.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref) -> (VisitOutcome, u32) {
        let relinked = self.look_at_way(reader, owner);
        let mut reads = self.way.len() as u32;
        if self.beyond_full == 0 {
            let Some(start) = reader.duplicate(owner) else { return (failed("the JVM is out of references"), reads) };
            match full::traverse(reader, &self.route, start, self.budget, |_| {}) {
                Full::Counted { size, reads: read } => {
                    self.frontier = None;
                    let seen = self.sighting(size as f64, 0.0, VisitMethod::Full, relinked);
                    return (seen, reads + read);
                }
                Full::OverBudget { reads: read } => reads += read,
            }
        }
        self.beyond_full = (self.beyond_full + 1) % RETRY_FULL;
        let (outcome, read) = self.visit_beyond(reader, owner, relinked);
        (outcome, reads + read)
    }

    fn visit_beyond<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        relinked: bool,
    ) -> (VisitOutcome, u32) {
        if let Some(chain) = self.chain {
            return match frontier::visit(reader, &self.route, chain, owner, &mut self.frontier, self.budget) {
                Some(seen) => {
                    let error = if seen.ended { 0.0 } else { f64::INFINITY };
                    (self.sighting(seen.size, error, VisitMethod::Frontier, relinked), seen.reads)
                }
                None => (self.sighting(0.0, 0.0, VisitMethod::Frontier, relinked), 1),
            };
        }
        match sampled::estimate(reader, &self.route, owner, self.budget, &mut self.random) {
            Some(seen) => (self.sighting(seen.size, seen.error, VisitMethod::Sampled, relinked), seen.reads),
            None => (failed("the structure is too deep to be sampled within the budget"), self.budget),
        }
    }

    /// Net change only: within twice the error nothing is claimed.
    fn sighting(&mut self, size: f64, size_error: f64, method: VisitMethod, relinked: bool) -> VisitOutcome {
        let change = match self.last {
            Some((last, last_error)) if size_error.is_finite() => {
                let change = size - last;
                if change.abs() > 2.0 * size_error.hypot(last_error) { change } else { 0.0 }
            }
            _ => 0.0,
        };
        if size_error.is_finite() {
            self.last = Some((size, size_error));
        }
        let (additions, removals) = (change.max(0.0), (-change).max(0.0));
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
            let Some(to) = self.route.admit(reader, step, &next) else { break };
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
