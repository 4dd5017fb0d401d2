//! One probe over its visits: chooses the cheapest method that finds the size. Knows no JVM.
//!
//! In this order: a counter that has proved to follow the size; a whole count, while the structure is small; a chain's
//! ends; the fill or a sample of one array's slots; a whole count over several visits; random descents. Every method
//! but the first also checks the candidate counters whenever it counts the whole. Now and then it is used to check
//! whether a counter still follows the size.

use super::reporter::{VisitReporter, failed, from_counter, is_usable};
use crate::jvmti::jni::NoReferences;
use crate::probe::allowance::Grant;
use crate::probe::chain::chained::{Chained, Counted};
use crate::probe::counter::candidates::{Counters, Dropped, Reading};
use crate::probe::counter::span::Span;
use crate::probe::failure::VisitFailure;
use crate::probe::full::traversal::{self, Full};
use crate::probe::large::large_structure::{ESTIMATE_SHARE, Found, LargeStructure};
use crate::probe::large::passes::Pass;
use crate::probe::large::sampled;
use crate::probe::large::visit::Visit;
use crate::probe::members::known::{Meeting, Members, Turnover};
use crate::probe::members::owner_path::{OwnerPath, PathState};
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::Route;
use crate::random::Random;
use rootbound_wire::message::{MOST_TANGLED_READS, VisitMethod, VisitOutcome};

/// After this number of visits by other methods the whole count is tried again: the structure may have shrunk.
const RETRY_FULL: u32 = 32;
/// A structure of this number of members is counted wholly, and its members are recognized again; a counter is not
/// worth losing that.
pub(in crate::probe) const SMALL: f64 = 256.0;
/// Visits that rely on a counter before it is checked.
pub(in crate::probe) const CHECK_EVERY: u32 = 16;
/// A counter is distrusted when an estimate lies this number of standard errors away, and by more than this share of
/// the size.
const DOUBTED_ERRORS: f64 = 5.0;
const DOUBTED_SHARE: f64 = 0.02;

/// The memory of a probe.
pub struct SizeProbe<H> {
    route: Route,
    chain: Option<Chained<H>>,
    budget: u32,
    random: Random,
    counters: Counters,
    /// Visits since a counter was last confirmed.
    since_check: u32,
    large: LargeStructure<H>,
    /// The last visit needed nothing but a counter.
    has_relied: bool,
    members: Members<H>,
    owner_path: OwnerPath<H>,
    reporter: VisitReporter,
    /// Visits since a whole count failed; 0 while whole counts serve.
    beyond_full: u32,
    /// Reads that the next visit may make for a single-visit count, if the counters want one.
    granted: Grant,
    /// Something was granted before.
    was_granted: bool,
    dropped: Vec<Dropped>,
}

/// The result of an attempt to count everything.
struct WholeCount {
    /// Size and turnover; `None` when the budget did not suffice.
    seen: Option<(u64, Option<Turnover>)>,
    reads: u32,
}

impl<H> SizeProbe<H> {
    /// A probe before its first visit, with `counters` candidate counters. `number` distinguishes the probes of one
    /// connection.
    pub fn new(route: Route, counters: usize, budget: u32, number: u32) -> Self {
        Self {
            chain: Chained::new(&route),
            large: LargeStructure::new(&route),
            route,
            budget,
            random: Random::new(u64::from(number) + 1),
            counters: Counters::new(counters),
            since_check: 0,
            has_relied: false,
            members: Members::new(number),
            owner_path: OwnerPath::default(),
            reporter: VisitReporter::default(),
            beyond_full: 0,
            granted: Grant::default(),
            was_granted: false,
            dropped: Vec::new(),
        }
    }

    /// Allows the next visit to read this number of objects, if the counters want a single-visit count; 0: no more
    /// than its budget.
    pub fn grant(&mut self, granted: impl Into<Grant>) {
        self.granted = granted.into();
        self.was_granted |= self.granted.later > 0;
    }

    /// Members that bear a mark of this probe.
    pub fn marks(&self) -> u64 {
        self.members.count() as u64
    }

    /// Removes the probe's marks from the heap.
    pub fn forget<R: HeapReader<Held = H>>(&mut self, reader: &R) {
        self.members.forget(reader);
    }

    /// The counters that were dropped since the last call.
    pub fn take_dropped(&mut self) -> Vec<Dropped> {
        std::mem::take(&mut self.dropped)
    }

    /// One visit. Returns the outcome and the number of objects read.
    ///
    /// A visit reads at most the budget, except the one that finds a whole count too large. That one immediately goes
    /// on with another method, and reads at most twice the budget, and the granted reads ([`SizeProbe::grant`]). The
    /// other method is then kept for [`RETRY_FULL`] visits, and for as long as the last size alone exceeds the budget.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref) -> (VisitOutcome, u32) {
        let mut state = self.owner_path.check(reader, &self.route, owner);
        let (reading, read) = self.counters.read(reader, owner);
        let mut reads = self.owner_path.reads() + read;
        self.has_relied = false;
        if let Some(reading) = reading.filter(|reading| self.relies_on(reading)) {
            (self.has_relied, self.since_check) = (true, self.since_check + 1);
            return (self.reporter.sighting(from_counter(&reading), state), reads);
        }
        if self.tries_full() {
            let Some(count) = self.count_all(reader, owner, &mut state) else {
                return (failed(NoReferences.into()), reads);
            };
            reads += count.reads;
            if let Some((size, turnover)) = count.seen {
                let found = self.counted(size, turnover, reading);
                return (self.reporter.sighting(found, state), reads);
            }
            self.beyond_full = 0;
        }
        self.members.forget(reader);
        self.beyond_full += 1;
        let (found, read) = self.visit_beyond(reader, owner, reading);
        let outcome = found.map_or_else(failed, |found| self.reporter.sighting(found, state));
        (outcome, reads + read)
    }

    /// Goes on with a count that is under way or wanted, between two visits. Returns the number of objects read.
    pub fn go_on<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref, budget: u32) -> u32 {
        if !self.wants_to_go_on() {
            return 0;
        }
        let (counters, to_come) = (&self.counters, self.to_come());
        let visit = Visit { reader, route: &self.route, owner, counters, budget, granted: 0, to_come };
        let (pass, reads) = self.large.count(&visit);
        self.end_pass(pass);
        reads
    }

    /// Whether a count would go on if there were reads left.
    pub fn wants_to_go_on(&self) -> bool {
        let is_wide = self.beyond_full > 0 && self.chain.is_none();
        is_wide && !self.has_relied && self.large.wants_count(&self.counters, self.to_come())
    }

    /// Whether a counter is all that this visit needs.
    fn relies_on(&self, reading: &Reading) -> bool {
        reading.size > SMALL && is_usable(reading) && self.since_check < CHECK_EVERY
    }

    fn tries_full(&self) -> bool {
        let may_fit = self.reporter.last_size().is_none_or(|size| size <= f64::from(self.budget));
        self.beyond_full == 0 || (self.beyond_full >= RETRY_FULL && may_fit)
    }

    /// `None` when the JVM is out of references.
    fn count_all<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        path: &mut PathState,
    ) -> Option<WholeCount> {
        let mut all_reads = 0;
        loop {
            let (members, random, mut meeting) = (&self.members, &mut self.random, Meeting::default());
            let meet = |member: &R::Ref| members.meet(reader, &mut meeting, member, random);
            let (mut watch, read) = self.counters.begin(reader, owner);
            let budget = self.budget.saturating_sub(all_reads);
            let counted = traversal::traverse(reader, &self.route, reader.duplicate(owner)?, budget, meet);
            all_reads += 2 * read;
            let (size, reads) = match counted {
                Full::Counted { size, reads } => (size, reads),
                Full::OverBudget { reads } => return Some(WholeCount { seen: None, reads: all_reads + reads }),
            };
            self.counters.look(reader, owner, &mut watch);
            all_reads += reads;
            // A table that was replaced meanwhile was read while its members moved out: count the new one.
            let state = self.owner_path.check(reader, &self.route, owner);
            let is_moved = state.relinked;
            *path = PathState { relinked: path.relinked || is_moved, ..state };
            if !is_moved || all_reads > self.budget / 2 {
                if !is_moved {
                    self.dropped.extend(self.counters.settle(&watch, Span::at(size as i64)));
                }
                let seen = Some((size, self.members.settle(reader, &meeting)));
                return Some(WholeCount { seen, reads: all_reads });
            }
        }
    }

    /// A whole count within the visit. A counter that agreed with it keeps its name in the report.
    fn counted(&mut self, size: u64, turnover: Option<Turnover>, reading: Option<Reading>) -> Found {
        self.chain.iter_mut().for_each(Chained::stop);
        (self.beyond_full, self.since_check) = (0, 0);
        self.large.stop();
        let turnover = self.reporter.unreported(turnover);
        let size = size as f64;
        let relied =
            reading.filter(|reading| size > SMALL && reading.is_trusted && self.counters.trusts(reading.counter));
        let method = relied.map_or(VisitMethod::Full, |reading| from_counter(&reading).2);
        ((size, 0.0), turnover, method)
    }

    fn visit_beyond<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        reading: Option<Reading>,
    ) -> (Result<Found, VisitFailure>, u32) {
        if reading.is_some_and(|reading| reading.counters_disagree) {
            self.counters.distrust_all();
        }
        match reading.filter(is_usable) {
            Some(reading) => self.check(reader, owner, &reading),
            None if self.chain.is_some() => self.visit_chain(reader, owner, self.budget),
            None => self.visit_wide(reader, owner),
        }
    }

    /// Checks with another method whether the counter still follows the size.
    fn check<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        reading: &Reading,
    ) -> (Result<Found, VisitFailure>, u32) {
        let budget = self.budget / ESTIMATE_SHARE;
        let (estimate, reads) = if self.chain.is_some() {
            let (found, reads) = self.visit_chain(reader, owner, budget);
            (found.ok().map(|found| found.0), reads)
        } else {
            let estimate = sampled::estimate(reader, &self.route, owner, budget, &mut self.random);
            (estimate.map(|seen| (seen.size, seen.error)), estimate.map_or(budget, |seen| seen.reads))
        };
        (self.has_relied, self.since_check) = (true, 0);
        if estimate.is_some_and(|estimate| is_contradicted(reading.size, estimate)) {
            self.counters.doubt(reading.counter);
        }
        (Ok(from_counter(reading)), reads)
    }

    fn visit_chain<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        budget: u32,
    ) -> (Result<Found, VisitFailure>, u32) {
        let (granted, to_come) = (self.granted.now, self.to_come());
        let Some(chain) = &mut self.chain else { return (Err(VisitFailure::NoChain), 0) };
        let visit = Visit { reader, route: &self.route, owner, counters: &self.counters, budget, granted, to_come };
        let outcome = chain.visit(&visit);
        if let Some(Counted { watch, size, is_single_visit }) = outcome.counted {
            let counters = &mut self.counters;
            let dropped =
                if is_single_visit { counters.observe_disturbed(&watch, size) } else { counters.settle(&watch, size) };
            self.dropped.extend(dropped);
            self.forget_waits_if_learned();
        }
        (Ok(outcome.found), outcome.reads)
    }

    /// Counts taught the counters enough. Should one be distrusted later, the next count need not wait.
    fn forget_waits_if_learned(&mut self) {
        if self.counters.are_learned() {
            self.large.counters_are_learned();
            self.chain.iter_mut().for_each(Chained::counters_are_learned);
        }
    }

    fn visit_wide<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
    ) -> (Result<Found, VisitFailure>, u32) {
        let last = self.reporter.last_size().unwrap_or(0.0);
        let (counters, budget) = (&self.counters, self.budget);
        let (granted, to_come) = (self.granted.now, self.to_come());
        let visit = Visit { reader, route: &self.route, owner, counters, budget, granted, to_come };
        let outcome = self.large.visit(&visit, last, &mut self.random);
        self.end_pass(outcome.pass);
        if let Some((watch, filled)) = outcome.filled {
            self.dropped.extend(self.counters.settle(&watch, Span::at(filled as i64)));
            self.forget_waits_if_learned();
        }
        (outcome.found, outcome.reads)
    }

    /// Most reads that a single-visit count will be granted.
    fn to_come(&self) -> u32 {
        if self.was_granted { self.granted.later.max(MOST_TANGLED_READS) } else { 0 }
    }

    fn end_pass(&mut self, pass: Option<Pass>) {
        let are_better_ones_to_come = self.large.can_count_at_once(self.to_come());
        if let Some(pass) = pass.filter(|pass| pass.is_single_visit || !are_better_ones_to_come) {
            self.dropped.extend(self.counters.observe_disturbed(&pass.watch, Span::at(pass.size as i64)));
            self.since_check = 0;
            self.forget_waits_if_learned();
        }
    }
}

fn is_contradicted(size: f64, (estimate, error): (f64, f64)) -> bool {
    error.is_finite() && (size - estimate).abs() > DOUBTED_ERRORS * error + DOUBTED_SHARE * size.max(estimate)
}
