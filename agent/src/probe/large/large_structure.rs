//! Structures too large for a visit that are no chains and have no counter. The methods are the fill or a sample of
//! one array's slots, a whole count over several visits, or random descents. One of them is chosen once, and kept.

use super::passes::{Pass, Passes};
use super::sampled::{self, Estimate};
use super::slots::{self, Slots};
use super::visit::Visit;
use crate::probe::counter::candidates::{Counters, Watch};
use crate::probe::failure::VisitFailure;
use crate::probe::members::known::Turnover;
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::{ArrayWay, Route};
use crate::random::Random;
use rootbound_wire::message::VisitMethod;

/// An estimate for choosing or checking may use this part of a visit's reads.
pub const ESTIMATE_SHARE: u32 = 4;
/// A count over this number of visits is still worth waiting for; a member costs about this number of reads.
const MOST_VISITS: f64 = 16.0;
const READS_A_MEMBER: f64 = 2.0;
/// A count that only counters want may read this number of objects over its visits: minutes of all that probes may
/// read.
const MOST_SPREAD_READS: f64 = 1_048_576.0;
/// After this number of visits without an end another method is chosen.
const LOST_PATIENCE: u32 = 64;

/// A size with its standard error, the turnover where that is known, and the method by which it was found.
pub type Found = ((f64, f64), Option<Turnover>, VisitMethod);

/// The memory of such a structure.
pub struct LargeStructure<H> {
    array: Option<ArrayWay>,
    kind: Option<Kind>,
    slots: Option<Slots<H>>,
    passes: Passes<H>,
    /// Result of a count over several visits, until a visit reports it.
    unreported_count: Option<(f64, f64)>,
    /// The array has been filled without gaps so far: the end of its fill teaches counters as much as a whole count.
    fills: bool,
    /// A count over several visits would not come to its end in any useful time.
    is_endless: bool,
    /// See [`Outcome::filled`].
    filled: Option<(Watch, u64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Slots,
    Passes,
    Descents,
}

/// The result of one visit.
pub struct Outcome {
    /// The size, or the reason why there is none.
    pub found: Result<Found, VisitFailure>,
    /// A whole count that has ended.
    pub pass: Option<Pass>,
    /// Values of the counters while the array was seen to be filled without gaps, and the members in it.
    pub filled: Option<(Watch, u64)>,
    /// Objects read.
    pub reads: u32,
}

impl<H> LargeStructure<H> {
    /// State before the first visit.
    pub fn new(route: &Route) -> Self {
        let array = route.array();
        let fills = may_fill(array.as_ref());
        Self {
            array,
            kind: None,
            slots: None,
            passes: Passes::default(),
            unreported_count: None,
            fills,
            is_endless: false,
            filled: None,
        }
    }

    /// The structure fits into a visit now.
    pub fn stop(&mut self) {
        (self.kind, self.slots, self.unreported_count) = (None, None, None);
        self.fills = may_fill(self.array.as_ref());
        self.passes.stop();
    }

    /// The next counts for counters need not wait.
    pub fn counters_are_learned(&mut self) {
        self.passes.count_anew();
    }

    /// Whether counts over several visits need teach the counters nothing: other counts will, which the program
    /// disturbs less.
    pub fn can_count_at_once(&self, to_come: u32) -> bool {
        self.passes.may_be_made_at_once(to_come)
    }

    /// Whether a whole count over several visits is wanted: to find the size, or for counters that no single-visit
    /// count is going to prove.
    pub fn wants_count(&self, counters: &Counters, to_come: u32) -> bool {
        let to_see = self.kind == Some(Kind::Passes) && !counters.has_trusted();
        let can_teach = !self.fills && !self.is_endless && !self.can_count_at_once(to_come);
        let to_teach = can_teach && counters.wants_count() && self.passes.are_due();
        !self.passes.are_refused() && (to_see || to_teach)
    }

    /// Makes a single-visit count where that may prove a counter or none is left to prove, or goes on with the whole
    /// count if one is wanted. Returns a count that has ended, and the number of objects read.
    pub fn count<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Pass>, u32) {
        let (is_to_be_made, mut reads) = self.is_to_be_made_at_once(visit);
        let (pass, read) = if is_to_be_made {
            self.passes.make(visit)
        } else if self.wants_count(visit.counters, visit.to_come) {
            self.passes.advance(visit, visit.budget.saturating_sub(reads))
        } else {
            (None, 0)
        };
        reads += read;
        self.unreported_count = pass.as_ref().map(|pass| (pass.size as f64, pass.error)).or(self.unreported_count);
        (pass, reads)
    }

    /// Reads that a single-visit count may make, where they may suffice by the present knowledge: a count that must
    /// fail would be wasted.
    fn worth_granting<R: HeapReader>(&mut self, visit: &Visit<'_, R>, size: f64) -> u32 {
        let needed = size * READS_A_MEMBER;
        if visit.to_come > 0 && needed > f64::from(visit.to_come) {
            self.passes.give_up_at_once();
        }
        if needed <= f64::from(visit.granted) { visit.granted } else { 0 }
    }

    fn is_to_be_made_at_once<R: HeapReader>(&self, visit: &Visit<'_, R>) -> (bool, u32) {
        let Visit { reader, owner, counters, budget, granted, .. } = visit;
        let is_granted = !self.fills && granted > budget && self.passes.may_teach_at_once(*granted);
        match is_granted {
            true if counters.wants_count() => counters.could_prove(*reader, owner),
            // No counter is going to follow the size.
            true => (self.kind == Some(Kind::Passes) && !counters.are_learned(), 0),
            false => (false, 0),
        }
    }

    /// Finds the size, and goes on with a count that is wanted; `last` is the size before.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, last: f64, random: &mut Random) -> Outcome {
        self.passes.wait();
        if self.kind == Some(Kind::Passes) && self.passes.visits() > LOST_PATIENCE {
            // It has grown since the method was chosen.
            self.kind = None;
        }
        let (mut reads, mut estimate) = (0, None);
        if self.kind.is_none() {
            estimate = self.choose(visit, random);
            reads += estimate.map_or(0, |seen| seen.reads);
        }
        let share = if self.kind == Some(Kind::Passes) { visit.budget } else { visit.budget / 2 };
        let size = estimate.map_or(last, |seen| seen.size);
        let granted = self.worth_granting(visit, size);
        self.is_endless = size * READS_A_MEMBER > MOST_SPREAD_READS;
        let (pass, read) = self.count(&Visit { budget: share.saturating_sub(reads), granted, ..*visit });
        reads += read;
        let (found, read) = self.see(visit, last, estimate, random);
        Outcome { found, pass, filled: self.filled.take(), reads: reads + read }
    }

    /// Chooses the method that will follow this structure from now on.
    fn choose<R: HeapReader>(&mut self, visit: &Visit<'_, R>, random: &mut Random) -> Option<Estimate> {
        if may_fill(self.array.as_ref()) {
            self.kind = Some(Kind::Slots);
            return None;
        }
        let budget = visit.budget / ESTIMATE_SHARE;
        let estimate = sampled::estimate(visit.reader, visit.route, visit.owner, budget, random);
        let most = f64::from(visit.budget) * MOST_VISITS;
        let is_short = |seen: &Estimate| (seen.size + 2.0 * seen.error) * READS_A_MEMBER <= most;
        self.kind = Some(match estimate {
            Some(seen) if !is_short(&seen) && self.array.is_some() => Kind::Slots,
            Some(seen) if !is_short(&seen) => Kind::Descents,
            _ => Kind::Passes,
        });
        estimate
    }

    fn see<R: HeapReader<Held = H>>(
        &mut self,
        visit: &Visit<'_, R>,
        last: f64,
        estimate: Option<Estimate>,
        random: &mut Random,
    ) -> (Result<Found, VisitFailure>, u32) {
        match (self.kind, &self.array) {
            (Some(Kind::Slots), Some(array)) => {
                let Visit { reader, route, owner, counters, .. } = visit;
                let begun = self.fills.then(|| counters.begin(*reader, owner));
                let (seen, mut reads) = slots::visit(*reader, route, array, owner, &mut self.slots, random);
                self.fills &= seen.is_some_and(|seen| seen.is_exact);
                self.filled = begun.zip(seen).filter(|_| self.fills).map(|((mut watch, read), seen)| {
                    reads += read + counters.look(*reader, owner, &mut watch);
                    (watch, seen.size as u64)
                });
                (Ok(seen.map_or_else(|| self.count_instead(last), by_slots)), reads)
            }
            (Some(Kind::Passes), _) if !self.passes.are_refused() => {
                let seen = self.unreported_count.take().unwrap_or((last, f64::INFINITY));
                (Ok((seen, None, VisitMethod::Cursor)), 0)
            }
            _ => {
                self.kind = Some(Kind::Descents);
                let budget = visit.budget / 2;
                let sample = || sampled::estimate(visit.reader, visit.route, visit.owner, budget, random);
                let known = estimate.map(|seen| Estimate { reads: 0, ..seen });
                match known.or_else(sample) {
                    Some(seen) => (Ok(((seen.size, seen.error), None, VisitMethod::Sampled)), seen.reads),
                    None => (Err(VisitFailure::TooDeep), budget),
                }
            }
        }
    }

    /// The slots hold whole structures.
    fn count_instead(&mut self, last: f64) -> Found {
        self.kind = Some(Kind::Passes);
        ((last, f64::INFINITY), None, VisitMethod::Cursor)
    }
}

/// Whether a fill may end in it: each slot holds one member.
fn may_fill(array: Option<&ArrayWay>) -> bool {
    array.is_some_and(|array| array.holds_leaves)
}

fn by_slots(seen: slots::Seen) -> Found {
    let turnover = Turnover { additions: seen.additions, removals: seen.removals };
    ((seen.size, seen.error), Some(turnover), VisitMethod::Slots)
}
