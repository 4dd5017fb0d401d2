//! Chains too long for a visit: checks at their ends, counts over several visits, and counts within one where that may
//! prove a counter.

use super::frontier::{self, Frontier, RecountPolicy};
use crate::probe::cadence::SingleVisitCounts;
use crate::probe::counter::candidates::Watch;
use crate::probe::counter::span::Span;
use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::shape::Link;
use crate::probe::visit::{Lesson, Outcome, Visit};
use rootbound_wire::message::VisitMethod;

/// A count along a chain that may be wrong by more than one in this number proves nothing.
const UNSURE_SHARE: f64 = 8.0;

/// The memory of such a structure.
pub struct Chained<H> {
    link: Link,
    frontier: Option<Frontier<H>>,
    /// Values of the counters since a count began.
    watch: Option<Watch>,
    single_visits: SingleVisitCounts,
}

impl<H> Chained<H> {
    /// State before the first visit.
    pub fn new(link: Link) -> Self {
        Self { link, frontier: None, watch: None, single_visits: SingleVisitCounts::default() }
    }

    /// The structure fits into a visit now.
    pub fn stop(&mut self) {
        (self.frontier, self.watch) = (None, None);
    }

    /// The next counts for counters need not wait.
    pub fn counters_are_learned(&mut self) {
        self.single_visits.begin_anew();
    }

    /// Finds the size, and goes on with a count.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> Outcome {
        let Visit { reader, route, owner, counters, .. } = *visit;
        let ((budget, policy), mut reads) = self.policy(visit);
        let mut watch = match self.watch.take() {
            Some(watch) if policy != RecountPolicy::Anew => watch,
            _ => {
                let (watch, read) = counters.begin(reader, owner);
                reads += read;
                watch
            }
        };
        let seen = frontier::visit(reader, (route, self.link), owner, &mut self.frontier, (budget, policy));
        reads += counters.look(reader, owner, &mut watch);
        let Some(seen) = seen else {
            return Outcome::new(Ok(Observation::new(0.0, 0.0, VisitMethod::Frontier)), reads + 1);
        };
        if policy == RecountPolicy::Anew {
            self.single_visits.made(seen.is_counted, seen.reads);
        }
        let mut lesson = None;
        if seen.is_counted {
            let unsure = (2.0 * seen.error).ceil();
            let proves = unsure <= seen.size / UNSURE_SHARE;
            let size = Span::around(seen.size as i64, unsure as i64);
            // A single-visit count begins at one end while the program goes on at the other.
            lesson = proves.then(|| Lesson { watch, size, is_disturbed: policy == RecountPolicy::Anew });
        } else if seen.is_counting {
            self.watch = Some(watch);
        }
        let found = Ok(Observation::new(seen.size, seen.error, VisitMethod::Frontier));
        Outcome { lesson, ..Outcome::new(found, reads + seen.reads) }
    }

    /// The policy and budget of this visit, and the reads needed to choose them. A chain that is longer than a granted
    /// single-visit count may read is counted on over the next visits, so that no read is wasted.
    fn policy<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> ((u32, RecountPolicy), u32) {
        let Visit { reader, owner, counters, budget, grant, .. } = *visit;
        self.single_visits.pass();
        if !counters.wants_count() {
            return ((budget, RecountPolicy::Patient), 0);
        }
        let is_granted = grant.now > budget && self.single_visits.may_teach(grant.now);
        let (is_single_visit, reads) = if is_granted { counters.could_prove(reader, owner) } else { (false, 0) };
        let way = match is_single_visit {
            true => (grant.now, RecountPolicy::Anew),
            false if self.single_visits.may_be_made(grant.later) => (budget, RecountPolicy::Patient),
            false => (budget, RecountPolicy::Eager),
        };
        (way, reads)
    }
}
