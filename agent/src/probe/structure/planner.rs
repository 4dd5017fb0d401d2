//! One probe over its visits: plans the next observation, and makes it. Knows no JVM.
//!
//! Of the methods that the visit can pay for it takes the one with the least error, and of those the one with the
//! fewest reads. So a counter that has proved to follow the size comes first (exact, two or three reads), then a whole
//! count while the structure is small (exact, and recognizes members), then the method for its shape ([`Beyond`]). A
//! counter is checked by whole counts or estimates, the more seldom the more these read ([`Checks`]).

use super::beyond::Beyond;
use super::buffer::Buffer;
use super::reporter::{VisitReporter, failed, from_counter, is_usable};
use crate::probe::budget::Grant;
use crate::probe::cadence::Checks;
use crate::probe::counter::candidates::{Counters, Dropped, Reading};
use crate::probe::full::whole::{WholeCount, WholeCounts};
use crate::probe::observation::{Observation, Turnover};
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::sum::Sum;
use crate::probe::visit::{Lesson, Outcome, Visit};
use crate::random::Random;
use rootbound_wire::message::{MOST_TANGLED_READS, VisitMethod, VisitOutcome};

/// A structure of this number of members is counted wholly, and its members are recognized again; a counter is not
/// worth losing that.
const SMALL: f64 = 256.0;
/// A counter is distrusted when an estimate lies this number of standard errors away, and by more than this share of
/// the size.
const DOUBTED_ERRORS: f64 = 5.0;
const DOUBTED_SHARE: f64 = 0.02;

/// The memory of a probe.
pub struct SizeProbe<H> {
    route: Route,
    budget: u32,
    random: Random,
    counters: Counters,
    /// Checks of the counter that visits rely on.
    checks: Checks,
    /// The next whole count, since one took more than the budget; `None` while whole counts serve.
    next_count: Option<Checks>,
    beyond: Beyond<H>,
    /// The last visit needed nothing but a counter.
    has_relied: bool,
    whole: WholeCounts<H>,
    reporter: VisitReporter,
    /// Reads that a count of the whole may make beyond the budget.
    grant: Grant,
    dropped: Vec<Dropped>,
}

impl<H> SizeProbe<H> {
    /// A probe before its first visit, with `counters` candidate counters. `number` distinguishes the probes of one
    /// connection.
    pub fn new(route: Route, counters: usize, budget: u32, number: u32) -> Self {
        Self {
            beyond: Beyond::new(route.shape.kind),
            route,
            budget,
            random: Random::new(u64::from(number) + 1),
            counters: Counters::new(counters),
            checks: Checks::default(),
            next_count: None,
            has_relied: false,
            whole: WholeCounts::new(number),
            reporter: VisitReporter::default(),
            grant: Grant::default(),
            dropped: Vec::new(),
        }
    }

    /// Makes sums of the counters for which there is one.
    pub fn summing(mut self, sums: Vec<Option<Sum>>) -> Self {
        self.counters.sum_over(sums);
        self
    }

    /// A probe of one array that gains no new object; `before` is a length that it had once.
    pub fn of_buffer(route: Route, counters: usize, before: Option<u32>, number: u32) -> Self {
        Self { beyond: Beyond::Buffer(Buffer::new(counters, before)), ..Self::new(route, 0, 0, number) }
    }

    /// Allows the next visits to read this number of objects for a single-visit count; 0: no more than the budget.
    pub fn grant(&mut self, grant: impl Into<Grant>) {
        self.grant = grant.into();
    }

    /// Members that bear a mark of this probe.
    pub fn marks(&self) -> u64 {
        self.whole.members.count() as u64
    }

    /// Removes the probe's marks from the heap.
    pub fn forget<R: HeapReader<Held = H>>(&mut self, reader: &R) {
        self.whole.members.forget(reader);
    }

    /// The counters that were dropped since the last call.
    pub fn take_dropped(&mut self) -> Vec<Dropped> {
        std::mem::take(&mut self.dropped)
    }

    /// One visit. Returns the outcome and the number of objects read.
    ///
    /// A visit reads at most the budget, except the one that finds a whole count too large. That one immediately goes
    /// on with another method, and reads at most twice the budget, and the granted reads ([`SizeProbe::grant`]). The
    /// other method is then kept until the next try is due ([`Checks`]), and for as long as the last size alone exceeds
    /// the budget.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref) -> (VisitOutcome, u32) {
        let mut state = self.whole.owner_path.check(reader, &self.route, owner);
        let (reading, read) = self.counters.read(reader, owner);
        let mut reads = self.whole.owner_path.reads() + read;
        let serving = reading.filter(|reading| reading.size > SMALL && is_usable(reading));
        let relied = serving.filter(|_| !self.checks.are_due());
        self.has_relied = relied.is_some();
        if let Some(relied) = relied {
            self.checks.pass();
            return (self.reporter.sighting(from_counter(&relied), state), reads);
        }
        if let Some(most) = self.most_of_whole_count(serving.is_some()) {
            let (counters, grant) = (&self.counters, self.grant);
            let visit = Visit { reader, route: &self.route, owner, counters, budget: most, grant };
            let mut count = match self.whole.count(&visit, &mut state, &mut self.random) {
                Ok(count) => count,
                Err(failure) => return (failed(failure), reads),
            };
            reads += count.reads;
            self.learn(count.lesson.take());
            self.note(&count, most);
            if let Some((size, turnover)) = count.seen {
                let seen = self.counted(size, turnover, reading);
                return (self.reporter.sighting(seen, state), reads);
            }
            self.whole.members.forget(reader);
        }
        self.next_count.iter_mut().for_each(Checks::pass);
        let outcome = self.visit_beyond(reader, owner, reading);
        let state = state.and(outcome.path);
        let report = outcome.found.map_or_else(failed, |found| self.reporter.sighting(found, state));
        (report, reads + outcome.reads)
    }

    /// Goes on with a count that is under way or wanted, between two visits. Returns the number of objects read.
    pub fn go_on<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref, budget: u32) -> u32 {
        if !self.wants_to_go_on() {
            return 0;
        }
        let grant = Grant { now: 0, ..self.grant };
        let visit = Visit { reader, route: &self.route, owner, counters: &self.counters, budget, grant };
        let (lesson, reads) = self.beyond.go_on(&visit);
        self.learn(lesson);
        reads
    }

    /// Whether a count would go on if there were reads left.
    pub fn wants_to_go_on(&self) -> bool {
        self.next_count.is_some() && !self.has_relied && self.beyond.wants_to_go_on(&self.counters, self.grant)
    }

    /// Reads that a whole count may make in this visit; `None` when there shall be none. `serves`: a counter finds the
    /// size, and is to be checked.
    fn most_of_whole_count(&mut self, serves: bool) -> Option<u32> {
        let granted = self.grant.now.min(MOST_TANGLED_READS);
        match (&mut self.beyond, &self.next_count) {
            (Beyond::Buffer(_), _) => None,
            (Beyond::Mesh(_), None) => Some(self.budget.max(granted)),
            (Beyond::Mesh(mesh), Some(next)) => {
                mesh.pass();
                ((serves || mesh.is_due(next)) && granted > self.budget).then_some(granted)
            }
            (_, None) => Some(self.budget),
            (_, Some(next)) => {
                let may_fit = self.reporter.last_size().is_none_or(|size| size <= f64::from(self.budget));
                (next.are_due() && may_fit).then_some(self.budget)
            }
        }
    }

    /// Notes the reads that a whole count took, for the time of the next.
    fn note(&mut self, count: &WholeCount, most: u32) {
        let is_large = count.seen.is_none() || count.needed > self.budget;
        self.checks = Checks::after(count.reads);
        self.next_count = is_large.then(|| Checks::after(count.reads));
        match &mut self.beyond {
            Beyond::Mesh(mesh) if count.seen.is_none() => mesh.has_failed(most > self.budget),
            Beyond::Mesh(mesh) if is_large => mesh.was_counted(self.counters.has_trusted()),
            beyond if !is_large => beyond.stop(),
            _ => {}
        }
    }

    /// A whole count within the visit. A counter that agreed with it keeps its name in the report.
    fn counted(&mut self, size: f64, turnover: Option<Turnover>, reading: Option<Reading>) -> Observation {
        let turnover = self.reporter.unreported(turnover);
        let relied =
            reading.filter(|reading| size > SMALL && reading.is_trusted && self.counters.trusts(reading.counter));
        let method = relied.map_or(VisitMethod::Full, |reading| from_counter(&reading).method);
        Observation::new(size, 0.0, method).with(turnover)
    }

    fn visit_beyond<R: HeapReader<Held = H>>(
        &mut self,
        reader: &R,
        owner: &R::Ref,
        reading: Option<Reading>,
    ) -> Outcome {
        if reading.is_some_and(|reading| reading.counters_disagree) {
            self.counters.distrust_all();
        }
        let (counters, budget, grant) = (&self.counters, self.budget, self.grant);
        let visit = Visit { reader, route: &self.route, owner, counters, budget, grant };
        let reading = reading.filter(is_usable);
        let mut outcome = match reading {
            None => self.beyond.visit(&visit, self.reporter.last_size().unwrap_or(0.0), &mut self.random),
            Some(_) => self.beyond.estimate(&visit, &mut self.random),
        };
        self.learn(outcome.lesson.take());
        self.dropped.append(&mut outcome.dropped);
        match reading {
            None => outcome,
            Some(reading) => Outcome { found: Ok(self.check(&reading, outcome.found.ok())), ..outcome },
        }
    }

    /// Compares a counter with an estimate, and returns the size by the counter.
    fn check(&mut self, reading: &Reading, estimate: Option<Observation>) -> Observation {
        let counter = from_counter(reading);
        if estimate.is_some_and(|estimate| estimate.differs(&counter, DOUBTED_ERRORS, DOUBTED_SHARE)) {
            self.counters.doubt(reading.counter);
        }
        (self.checks, self.has_relied) = (Checks::default(), true);
        counter
    }

    /// Checks the counters by a whole count. Should one be distrusted later, the next count need not wait.
    fn learn(&mut self, lesson: Option<Lesson>) {
        let Some(Lesson { watch, size, is_disturbed }) = lesson else { return };
        let counters = &mut self.counters;
        let dropped =
            if is_disturbed { counters.observe_disturbed(&watch, size) } else { counters.settle(&watch, size) };
        self.dropped.extend(dropped);
        self.checks = Checks::default();
        if self.counters.are_learned() {
            self.beyond.counters_are_learned();
        }
    }
}
