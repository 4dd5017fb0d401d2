//! Chains too long for a visit: checks at their ends, counts over several visits, and counts within one where that may
//! prove a counter.

use super::frontier::{self, Frontier, RecountPolicy};
use crate::probe::counter::backoff::SingleVisitCounts;
use crate::probe::counter::candidates::Watch;
use crate::probe::counter::span::Span;
use crate::probe::large::large_structure::Found;
use crate::probe::large::visit::Visit;
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{Chain, Route};
use rootbound_wire::message::VisitMethod;

/// A count along a chain that may be wrong by more than one in this number proves nothing.
const UNSURE_SHARE: f64 = 8.0;

/// The memory of such a structure.
pub struct Chained<H> {
    chain: Chain,
    frontier: Option<Frontier<H>>,
    /// Values of the counters since a count began.
    watch: Option<Watch>,
    single_visits: SingleVisitCounts,
}

/// A whole count.
pub struct Counted {
    /// Values of the counters meanwhile.
    pub watch: Watch,
    /// The size.
    pub size: Span,
    /// It was made within one visit, and began at one end while the program went on at the other.
    pub is_single_visit: bool,
}

/// The result of one visit.
pub struct Outcome {
    /// The size.
    pub found: Found,
    /// A whole count that has ended and may prove something.
    pub counted: Option<Counted>,
    /// Objects read.
    pub reads: u32,
}

impl<H> Chained<H> {
    /// State before the first visit; `None` when the route leads along no chain.
    pub fn new(route: &Route) -> Option<Self> {
        Some(Self { chain: route.chain()?, frontier: None, watch: None, single_visits: SingleVisitCounts::default() })
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
        let seen = frontier::visit(reader, route, &self.chain, owner, &mut self.frontier, (budget, policy));
        reads += counters.look(reader, owner, &mut watch);
        let Some(seen) = seen else {
            return Outcome { found: ((0.0, 0.0), None, VisitMethod::Frontier), counted: None, reads: reads + 1 };
        };
        if policy == RecountPolicy::Anew {
            self.single_visits.made(seen.is_counted, seen.reads);
        }
        let mut counted = None;
        if seen.is_counted {
            let unsure = (2.0 * seen.error).ceil();
            let proves = unsure <= seen.size / UNSURE_SHARE;
            let size = Span::around(seen.size as i64, unsure as i64);
            counted = proves.then(|| Counted { watch, size, is_single_visit: policy == RecountPolicy::Anew });
        } else if seen.is_counting {
            self.watch = Some(watch);
        }
        let found = ((seen.size, seen.error), None, VisitMethod::Frontier);
        Outcome { found, counted, reads: reads + seen.reads }
    }

    /// The policy and budget of this visit, and the reads needed to choose them. A chain that is longer than a granted
    /// single-visit count may read is counted on over the next visits, so that no read is wasted.
    fn policy<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> ((u32, RecountPolicy), u32) {
        let Visit { reader, owner, counters, budget, granted, to_come, .. } = *visit;
        self.single_visits.wait();
        if !counters.wants_count() {
            return ((budget, RecountPolicy::Patient), 0);
        }
        let is_granted = granted > budget && self.single_visits.may_teach(granted);
        let (is_single_visit, reads) = if is_granted { counters.could_prove(reader, owner) } else { (false, 0) };
        let way = match is_single_visit {
            true => (granted, RecountPolicy::Anew),
            false if self.single_visits.may_be_made(to_come) => (budget, RecountPolicy::Patient),
            false => (budget, RecountPolicy::Eager),
        };
        (way, reads)
    }
}
