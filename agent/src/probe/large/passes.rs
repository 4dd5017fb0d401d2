//! Whole counts spread over visits, one after the other, and the candidate counters' values meanwhile. The program's
//! changes during a count make its error; two counts in a row show how large that may be.

use super::cursor::{self, Advance, Cursor};
use crate::probe::cadence::{Backoff, LONGEST, SingleVisitCounts};
use crate::probe::counter::candidates::Watch;
use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::visit::Visit;
use rootbound_wire::message::VisitMethod;

/// The counts of one probe.
pub struct Passes<H> {
    cursor: Option<Cursor<H>>,
    watch: Option<Watch>,
    visits: u32,
    last: Option<f64>,
    /// A count had to be given up: no other would come to its end.
    are_given_up: bool,
    /// The wait before the next count over several visits that only counters want.
    spread: Backoff,
    /// Counts within one visit.
    pub single_visits: SingleVisitCounts,
}

/// A count that has ended.
pub struct Pass {
    /// The size.
    pub found: Observation,
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
            are_given_up: false,
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

    /// Whether none comes to its end: the structure is too deep, or a circle.
    pub fn are_given_up(&self) -> bool {
        self.are_given_up
    }

    /// Whether the count under way takes too many visits.
    pub fn takes_long(&self) -> bool {
        self.visits > LONGEST
    }

    /// Whether the next count may begin where only the counters want it. The first few begin immediately, then ever
    /// fewer, for a structure that does not change teaches nothing.
    pub fn are_due(&self) -> bool {
        self.spread.is_over() || self.cursor.is_some()
    }

    /// A visit begins.
    pub fn pass(&mut self) {
        self.spread.pass();
        self.single_visits.pass();
    }

    /// The next counts follow one another immediately, as the first did.
    pub fn count_anew(&mut self) {
        self.spread = Backoff::default();
        self.single_visits.begin_anew();
    }

    /// A single-visit count, from its beginning; if that needs more reads it goes on as others do.
    pub fn make<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Pass>, u32) {
        self.stop();
        let (pass, reads) = self.go_on(visit, visit.grant.now);
        self.single_visits.made(pass.is_some(), reads);
        (pass, reads)
    }

    /// Goes on with the count, or begins one. Returns it when it has ended, and the number of reads.
    pub fn advance<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, budget: u32) -> (Option<Pass>, u32) {
        let (pass, reads) = self.go_on(visit, budget);
        if pass.is_some() {
            self.spread.made();
        }
        (pass, reads)
    }

    fn go_on<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, budget: u32) -> (Option<Pass>, u32) {
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
                let (size, is_single_visit) = (size as f64, self.visits == 1);
                let found = Observation::new(size, self.error_of(size), VisitMethod::Cursor);
                self.last = Some(size);
                self.stop();
                (Some(Pass { found, watch, is_single_visit }), reads)
            }
            Advance::Unfinished => {
                self.watch = Some(watch);
                (None, reads)
            }
            Advance::GivenUp => {
                self.stop();
                self.are_given_up = true;
                self.single_visits.give_up();
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
