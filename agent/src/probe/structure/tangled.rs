//! One probe over its visits where members are reachable by several paths each. It uses a counter that has proved to
//! follow the size, otherwise a count of the whole within one visit. Never a sample and never a part of a count: those
//! would count paths, not members. Knows no JVM.

use super::memory::{CHECK_EVERY, SMALL};
use super::reporter::{VisitReporter, failed, from_counter, is_usable};
use crate::jvmti::jni::NoReferences;
use crate::probe::counter::candidates::{Counters, Dropped, Reading};
use crate::probe::counter::span::Span;
use crate::probe::failure::VisitFailure;
use crate::probe::full::marked;
use crate::probe::full::traversal::Full;
use crate::probe::large::large_structure::Found;
use crate::probe::members::known::{Meeting, Members};
use crate::probe::members::owner_path::{OwnerPath, PathState};
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::Route;
use crate::random::Random;
use rootbound_wire::message::{VisitMethod, VisitOutcome};

/// Visits that rely on a counter before it is checked by a count that is larger than a visit: half a minute or more.
const CHECK_LARGE_EVERY: u32 = 512;
/// Number of large counts that follow one another immediately. Each further one comes after twice as many visits as
/// the last, up to 64.
const LARGE_AT_ONCE: u32 = 4;
const MOST_DOUBLINGS: u32 = 6;

/// The memory of a probe of a tangled structure.
pub struct Tangled<H> {
    route: Route,
    budget: u32,
    random: Random,
    counters: Counters,
    members: Members<H>,
    owner_path: OwnerPath<H>,
    reporter: VisitReporter,
    /// Reads that the last count took; more than the budget, where that did not suffice.
    needs: Option<u32>,
    /// The last count was more than any visit may read.
    is_beyond: bool,
    /// Visits since the last count.
    since_count: u32,
    /// Large counts since a counter was last trusted.
    large_counts: u32,
    dropped: Vec<Dropped>,
}

impl<H> Tangled<H> {
    /// A probe before its first visit, with `counters` candidate counters. `number` distinguishes the probes of one
    /// connection.
    pub fn new(route: Route, counters: usize, budget: u32, number: u32) -> Self {
        Self {
            route,
            budget,
            random: Random::new(u64::from(number) + 1),
            counters: Counters::new(counters),
            members: Members::new(number),
            owner_path: OwnerPath::default(),
            reporter: VisitReporter::default(),
            needs: None,
            is_beyond: false,
            since_count: 0,
            large_counts: 0,
            dropped: Vec::new(),
        }
    }

    /// Members that bear a mark of this probe between visits.
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

    /// One visit, in which a count may read the budget, or `granted` where that is more. Returns the outcome and the
    /// number of objects read.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref, granted: u32) -> (VisitOutcome, u32) {
        let state = self.owner_path.check(reader, &self.route, owner);
        let (reading, read) = self.counters.read(reader, owner);
        let reads = self.owner_path.reads() + read;
        if reading.is_some_and(|reading| reading.counters_disagree) {
            self.counters.distrust_all();
        }
        self.since_count += 1;
        let reading = reading.filter(is_usable);
        let serves = reading.is_some_and(|reading| reading.size > SMALL);
        match self.may_read(serves, granted) {
            Some(most) => {
                let (outcome, read) = self.count(reader, owner, (state, reading), most);
                (outcome, reads + read)
            }
            None => (self.without_count(reading, state), reads),
        }
    }

    /// Reads that a count may make in this visit; `None` when there shall be none. `serves`: a counter knows the size.
    fn may_read(&self, serves: bool, granted: u32) -> Option<u32> {
        let is_large = self.needs.is_some_and(|needs| needs > self.budget);
        let waits = match (serves, is_large) {
            (true, false) => CHECK_EVERY,
            (true, true) => CHECK_LARGE_EVERY,
            (false, false) => 0,
            (false, true) if self.is_beyond => CHECK_LARGE_EVERY,
            (false, true) => {
                self.large_counts.checked_sub(LARGE_AT_ONCE).map_or(0, |more| 1 << more.min(MOST_DOUBLINGS))
            }
        };
        let is_due = self.since_count > waits;
        match (is_large, self.needs) {
            _ if !is_due => None,
            (false, Some(_)) => Some(self.budget),
            (false, None) => Some(self.budget.max(granted)),
            (true, _) => (granted > self.budget).then_some(granted),
        }
    }

    fn count<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        (state, reading): (PathState, Option<Reading>),
        most: u32,
    ) -> (VisitOutcome, u32) {
        let (mut watch, read) = self.counters.begin(reader, owner);
        let (members, random, mut meeting) = (&self.members, &mut self.random, Meeting::default());
        let meet = |member: &R::Ref| members.meet(reader, &mut meeting, member, random);
        let Some(from) = reader.duplicate(owner) else { return (failed(NoReferences.into()), read) };
        let Some(counted) = marked::traverse(reader, &self.route, from, most, meet) else {
            return (failed(VisitFailure::Unmarkable), read);
        };
        self.since_count = 0;
        match counted {
            Full::OverBudget { reads } => {
                (self.needs, self.is_beyond) = (Some(self.budget.max(most) + 1), most > self.budget);
                self.members.forget(reader);
                (self.without_count(reading, state), read + reads)
            }
            Full::Counted { size, reads } => {
                self.counters.look(reader, owner, &mut watch);
                let after = self.owner_path.check(reader, &self.route, owner);
                // A table that was replaced meanwhile was read in part only, which proves nothing.
                if !after.relinked {
                    self.dropped.extend(self.counters.settle(&watch, Span::at(size as i64)));
                }
                let state = PathState { relinked: state.relinked || after.relinked, ..after };
                self.took(reads);
                let turnover = self.members.settle(reader, &meeting);
                let turnover = self.reporter.unreported(turnover);
                let method = self.method(size as f64, reading);
                (self.reporter.sighting(((size as f64, 0.0), turnover, method), state), 2 * read + reads)
            }
        }
    }

    /// Notes that a whole count took this number of reads.
    fn took(&mut self, reads: u32) {
        (self.needs, self.is_beyond) = (Some(reads), false);
        let is_large = reads > self.budget;
        self.large_counts = if is_large && !self.counters.has_trusted() { self.large_counts + 1 } else { 0 };
    }

    /// The method to report: a counter that agreed with the count keeps its name.
    fn method(&self, size: f64, reading: Option<Reading>) -> VisitMethod {
        let agrees = |reading: &Reading| reading.is_trusted && self.counters.trusts(reading.counter);
        reading
            .filter(|reading| size > SMALL && agrees(reading))
            .map_or(VisitMethod::Full, |reading| from_counter(&reading).2)
    }

    /// The counter's size; otherwise the last size with an infinite error.
    fn without_count(&mut self, reading: Option<Reading>, state: PathState) -> VisitOutcome {
        let unknown = |last: Option<f64>| -> Found { ((last.unwrap_or(0.0), f64::INFINITY), None, VisitMethod::Full) };
        match reading {
            Some(reading) => self.reporter.sighting(from_counter(&reading), state),
            None if self.is_beyond => failed(VisitFailure::TooMany),
            None => self.reporter.sighting(unknown(self.reporter.last_size()), state),
        }
    }
}
