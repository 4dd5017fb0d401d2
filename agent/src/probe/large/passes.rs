//! Whole counts spread over visits, one after the other, and the candidate counters' values meanwhile. The program's
//! changes during a count make its error; two counts in a row show how large that may be.

use super::cursor::{self, Advance, Cursor};
use super::visit::Visit;
use crate::probe::counter::backoff::{Backoff, SingleVisitCounts};
use crate::probe::counter::candidates::Watch;
use crate::probe::reading::reader::HeapReader;

/// After a count that had to be given up, this number of requests for another is refused.
const REFUSED: u32 = 64;

/// The counts of one probe.
pub struct Passes<H> {
    cursor: Option<Cursor<H>>,
    watch: Option<Watch>,
    visits: u32,
    last: Option<f64>,
    refused: u32,
    /// The wait before the next count over several visits that only counters want.
    spread: Backoff,
    single_visits: SingleVisitCounts,
}

/// A count that has ended.
pub struct Pass {
    /// Members.
    pub size: u64,
    /// Standard error of the size; infinite while it is unknown.
    pub error: f64,
    /// Values of the counters meanwhile.
    pub watch: Watch,
    /// It was made within one visit.
    pub is_single_visit: bool,
}

impl<H> Default for Passes<H> {
    fn default() -> Self {
        Self {
            cursor: None,
            watch: None,
            visits: 0,
            last: None,
            refused: 0,
            spread: Backoff::default(),
            single_visits: SingleVisitCounts::default(),
        }
    }
}

impl<H> Passes<H> {
    /// Forgets the count under way.
    pub fn stop(&mut self) {
        (self.cursor, self.watch, self.visits) = (None, None, 0);
    }

    /// Whether counts cannot be made for now.
    pub fn are_refused(&self) -> bool {
        self.refused > 0
    }

    /// Visits that the count under way has taken so far.
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Whether the next count may begin where only the counters want it. The first few begin immediately, then ever
    /// fewer, for a structure that does not change teaches nothing.
    pub fn are_due(&self) -> bool {
        self.spread.is_over() || self.cursor.is_some()
    }

    /// A visit has passed.
    pub fn wait(&mut self) {
        self.spread.wait();
        self.single_visits.wait();
    }

    /// Whether single-visit counts may be made where this number of reads is granted for one: the program changes
    /// little meanwhile.
    pub fn may_be_made_at_once(&self, reads: u32) -> bool {
        !self.are_refused() && self.single_visits.may_be_made(reads)
    }

    /// The next counts follow one another immediately, as the first did.
    pub fn count_anew(&mut self) {
        self.spread = Backoff::default();
        self.single_visits.begin_anew();
    }

    /// No single-visit count is going to end.
    pub fn give_up_at_once(&mut self) {
        self.single_visits.give_up();
    }

    /// Whether the next one may be made now for the counters.
    pub fn may_teach_at_once(&self, reads: u32) -> bool {
        !self.are_refused() && self.single_visits.may_teach(reads)
    }

    /// A single-visit count, from its beginning; if that needs more reads it goes on as others do.
    pub fn make<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Pass>, u32) {
        self.stop();
        let (pass, reads) = self.go_on(visit, visit.granted);
        self.single_visits.made(pass.is_some(), reads);
        (pass, reads)
    }

    /// Goes on with the count, or begins one. Returns it when it has ended, and the number of reads.
    pub fn advance<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, budget: u32) -> (Option<Pass>, u32) {
        let (pass, reads) = self.go_on(visit, budget);
        if pass.is_some() {
            self.spread.count();
        }
        (pass, reads)
    }

    fn go_on<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, budget: u32) -> (Option<Pass>, u32) {
        if self.refused > 0 {
            self.refused -= 1;
            return (None, 0);
        }
        let Visit { reader, route, owner, counters, .. } = *visit;
        let (mut watch, mut reads) = match self.watch.take() {
            Some(mut watch) => {
                let reads = counters.look(reader, owner, &mut watch);
                (watch, reads)
            }
            None => counters.begin(reader, owner),
        };
        let (advance, read) = cursor::advance(reader, route, owner, &mut self.cursor, budget.saturating_sub(reads));
        reads += read + counters.look(reader, owner, &mut watch);
        self.visits += 1;
        match advance {
            Advance::Counted { size } => {
                let (error, is_single_visit) = (self.error_of(size as f64), self.visits == 1);
                self.last = Some(size as f64);
                self.stop();
                (Some(Pass { size, error, watch, is_single_visit }), reads)
            }
            Advance::Unfinished => {
                self.watch = Some(watch);
                (None, reads)
            }
            Advance::GivenUp => {
                self.stop();
                self.refused = REFUSED;
                (None, reads)
            }
        }
    }

    fn error_of(&self, size: f64) -> f64 {
        match self.last {
            _ if self.visits == 1 => 0.0,
            Some(last) => (size - last).abs() / 12.0_f64.sqrt(),
            None => f64::INFINITY,
        }
    }
}
