//! Structures too large for a visit that are no chains and have no counter. The methods are the fill or a sample of
//! one array's slots, a whole count over several visits, or random descents. One of them is chosen once, and kept.

use super::passes::Passes;
use super::sampled;
use super::slots::{self, Slots};
use crate::probe::budget::Grant;
use crate::probe::counter::candidates::Counters;
use crate::probe::counter::span::Span;
use crate::probe::failure::VisitFailure;
use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::shape;
use crate::probe::visit::{Lesson, Outcome, Visit};
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

/// The memory of such a structure.
pub struct LargeStructure<H> {
    shape: shape::Kind,
    kind: Option<Kind>,
    slots: Option<Slots<H>>,
    passes: Passes<H>,
    /// Result of a count over several visits, until a visit reports it.
    unreported_count: Option<Observation>,
    /// The array has been filled without gaps so far: the end of its fill teaches counters as much as a whole count.
    fills: bool,
    /// A count over several visits would not come to its end in any useful time.
    is_endless: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Slots,
    Passes,
    Descents,
}

impl<H> LargeStructure<H> {
    /// State before the first visit.
    pub fn new(shape: shape::Kind) -> Self {
        Self {
            shape,
            kind: None,
            slots: None,
            passes: Passes::default(),
            unreported_count: None,
            fills: shape.may_fill(),
            is_endless: false,
        }
    }

    /// The structure fits into a visit now.
    pub fn stop(&mut self) {
        (self.kind, self.slots, self.unreported_count) = (None, None, None);
        self.fills = self.shape.may_fill();
        self.passes.stop();
    }

    /// The next counts for counters need not wait.
    pub fn counters_are_learned(&mut self) {
        self.passes.count_anew();
    }

    /// Whether a whole count over several visits is wanted: to find the size, or for counters that no single-visit
    /// count is going to prove.
    pub fn wants_count(&self, counters: &Counters, grant: Grant) -> bool {
        let to_see = self.kind == Some(Kind::Passes) && !counters.has_trusted();
        let can_teach = !self.fills && !self.is_endless && !self.passes.single_visits.may_be_made(grant.later);
        let to_teach = can_teach && counters.wants_count() && self.passes.are_due();
        !self.passes.are_given_up() && (to_see || to_teach)
    }

    /// Makes a single-visit count where that may prove a counter or none is left to prove, or goes on with the whole
    /// count if one is wanted. Returns a count that has ended, and the number of objects read.
    pub fn count<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Lesson>, u32) {
        let (is_to_be_made, mut reads) = self.is_to_be_made_at_once(visit);
        let (pass, read) = if is_to_be_made {
            self.passes.make(visit)
        } else if self.wants_count(visit.counters, visit.grant) {
            self.passes.advance(visit, visit.budget.saturating_sub(reads))
        } else {
            (None, 0)
        };
        reads += read;
        self.unreported_count = pass.as_ref().map(|pass| pass.found).or(self.unreported_count);
        // A single-visit count is disturbed less, so that counters wait for it where there is going to be one.
        let are_better_ones_to_come = self.passes.single_visits.may_be_made(visit.grant.later);
        let pass = pass.filter(|pass| pass.is_single_visit || !are_better_ones_to_come);
        let lesson =
            pass.map(|pass| Lesson { watch: pass.watch, size: Span::at(pass.found.size as i64), is_disturbed: true });
        (lesson, reads)
    }

    /// Reads that a single-visit count may make, where they may suffice by the present knowledge: a count that must
    /// fail would be wasted.
    fn worth_granting<R: HeapReader>(&mut self, visit: &Visit<'_, R>, size: f64) -> u32 {
        let needed = size * READS_A_MEMBER;
        let Grant { now, later } = visit.grant;
        if later > 0 && needed > f64::from(later) {
            self.passes.single_visits.give_up();
        }
        if needed <= f64::from(now) { now } else { 0 }
    }

    fn is_to_be_made_at_once<R: HeapReader>(&self, visit: &Visit<'_, R>) -> (bool, u32) {
        let Visit { reader, owner, counters, budget, grant, .. } = visit;
        let is_granted = !self.fills && grant.now > *budget && self.passes.single_visits.may_teach(grant.now);
        match is_granted {
            true if counters.wants_count() => counters.could_prove(*reader, owner),
            // No counter is going to follow the size.
            true => (self.kind == Some(Kind::Passes) && !counters.are_learned(), 0),
            false => (false, 0),
        }
    }

    /// Finds the size, and goes on with a count that is wanted; `last` is the size before.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, last: f64, random: &mut Random) -> Outcome {
        self.passes.pass();
        if self.kind == Some(Kind::Passes) && self.passes.takes_long() {
            // It has grown since the method was chosen.
            self.kind = None;
        }
        let (estimate, mut reads) = if self.kind.is_none() { self.choose(visit, random) } else { (None, 0) };
        let share = if self.kind == Some(Kind::Passes) { visit.budget } else { visit.budget / 2 };
        let size = estimate.map_or(last, |seen| seen.size);
        let grant = Grant { now: self.worth_granting(visit, size), ..visit.grant };
        self.is_endless = size * READS_A_MEMBER > MOST_SPREAD_READS;
        let (lesson, read) = self.count(&visit.within(share.saturating_sub(reads), grant));
        reads += read;
        let seen = self.see(visit, last, estimate, random);
        Outcome { lesson: seen.lesson.or(lesson), reads: reads + seen.reads, ..seen }
    }

    /// Chooses the method that will follow this structure from now on: the one with the least error that it allows. A
    /// fill is exact, and a count nearly so. Slots err in their first size alone, descents by some percent each time.
    fn choose<R: HeapReader>(&mut self, visit: &Visit<'_, R>, random: &mut Random) -> (Option<Observation>, u32) {
        if self.shape.may_fill() {
            self.kind = Some(Kind::Slots);
            return (None, 0);
        }
        let budget = visit.budget / ESTIMATE_SHARE;
        let (estimate, reads) = sampled::estimate(visit.reader, visit.route, visit.owner, budget, random);
        let most = f64::from(visit.budget) * MOST_VISITS;
        let is_short = |seen: &Observation| (seen.size + 2.0 * seen.error) * READS_A_MEMBER <= most;
        self.kind = Some(match estimate {
            Some(seen) if !is_short(&seen) && self.shape.is_array() => Kind::Slots,
            Some(seen) if !is_short(&seen) => Kind::Descents,
            _ => Kind::Passes,
        });
        (estimate, reads)
    }

    fn see<R: HeapReader<Held = H>>(
        &mut self,
        visit: &Visit<'_, R>,
        last: f64,
        estimate: Option<Observation>,
        random: &mut Random,
    ) -> Outcome {
        match self.kind {
            Some(Kind::Slots) => self.see_slots(visit, last, random),
            Some(Kind::Passes) if !self.passes.are_given_up() => {
                let unknown = Observation::unknown(last, VisitMethod::Cursor);
                Outcome::new(Ok(self.unreported_count.take().unwrap_or(unknown)), 0)
            }
            _ => {
                self.kind = Some(Kind::Descents);
                let budget = visit.budget / 2;
                let (seen, reads) = match estimate {
                    Some(seen) => (Some(seen), 0),
                    None => sampled::estimate(visit.reader, visit.route, visit.owner, budget, random),
                };
                Outcome::new(seen.ok_or(VisitFailure::TooDeep), reads)
            }
        }
    }

    /// The fill of an array, or the change in some of its slots. Where the array is filled without gaps, the end of the
    /// fill teaches counters as much as a whole count.
    fn see_slots<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, last: f64, random: &mut Random) -> Outcome {
        let Visit { reader, route, owner, counters, .. } = *visit;
        let begun = self.fills.then(|| counters.begin(reader, owner));
        let (seen, mut reads) = slots::visit(reader, route, owner, &mut self.slots, random);
        self.fills &= seen.is_some_and(|seen| seen.is_exact);
        let lesson = begun.zip(seen).filter(|_| self.fills).map(|((mut watch, read), seen)| {
            reads += read + counters.look(reader, owner, &mut watch);
            Lesson { watch, size: Span::at(seen.found.size as i64), is_disturbed: false }
        });
        let found = Ok(seen.map_or_else(|| self.count_instead(last), |seen| seen.found));
        Outcome { lesson, ..Outcome::new(found, reads) }
    }

    /// The slots hold whole structures.
    fn count_instead(&mut self, last: f64) -> Observation {
        self.kind = Some(Kind::Passes);
        Observation::unknown(last, VisitMethod::Cursor)
    }
}
