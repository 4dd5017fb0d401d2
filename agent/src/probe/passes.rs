//! Whole counts spread over visits, one after the other, and what the candidate counters told meanwhile. What the program
//! changes during a count makes its error; two counts in a row show how much that may be.

use super::counter::Watch;
use super::cursor::{self, Advance, Cursor};
use super::reader::HeapReader;
use super::visit::Visit;

/// After a count that had to be given up, so many requests for another are refused.
const REFUSED: u32 = 64;

/// So many counts follow one another at once, each further one after twice as many visits as the last.
const MADE_AT_ONCE: u32 = 4;

/// A count at once may take more than the last one by one in so many.
const GROWTH_SHARE: u32 = 8;

/// The counts of one probe.
pub struct Passes<H> {
    cursor: Option<Cursor<H>>,
    watch: Option<Watch>,
    visits: u32,
    last: Option<f64>,
    refused: u32,
    /// When the next one may be made that nothing but counters wants: over several visits, and at once.
    spread: Backoff,
    at_once: Backoff,
    /// What the last count at once read.
    read_at_once: u32,
    /// The structure is too large to be counted at once.
    are_long: bool,
}

/// Ever longer waits between counts.
#[derive(Default)]
struct Backoff {
    made: u32,
    /// Visits until the next.
    waits: u32,
}

impl Backoff {
    fn count(&mut self) {
        self.made += 1;
        self.waits = if self.made < MADE_AT_ONCE { 0 } else { (1 << (self.made - MADE_AT_ONCE).min(8)) - 1 };
    }
}

/// A count that has ended.
pub struct Pass {
    /// Members.
    pub size: u64,
    /// Standard error of the size; infinite when nothing tells it yet.
    pub error: f64,
    /// What the counters told meanwhile.
    pub watch: Watch,
    /// It was made within one visit.
    pub is_at_once: bool,
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
            at_once: Backoff::default(),
            read_at_once: 0,
            are_long: false,
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

    /// Whether the next count may begin where it is wanted for the counters alone: the first few at once, then ever more
    /// seldom, for what does not change teaches nothing.
    pub fn are_due(&self) -> bool {
        self.spread.waits == 0 || self.cursor.is_some()
    }

    /// A visit has passed.
    pub fn wait(&mut self) {
        for each in [&mut self.spread, &mut self.at_once] {
            each.waits = each.waits.saturating_sub(1);
        }
    }

    /// Whether counts may be made at once where so much may be read for one: the program changes little meanwhile.
    pub fn may_be_made_at_once(&self, reads: u32) -> bool {
        let needed = self.read_at_once.saturating_add(self.read_at_once / GROWTH_SHARE);
        !self.are_long && !self.are_refused() && reads > needed
    }

    /// The next counts follow one another at once, as the first did.
    pub fn count_anew(&mut self) {
        (self.spread, self.at_once) = (Backoff::default(), Backoff::default());
    }

    /// No count at once is going to end.
    pub fn give_up_at_once(&mut self) {
        self.are_long = true;
    }

    /// Whether the next one may be made now for the counters.
    pub fn may_teach_at_once(&self, reads: u32) -> bool {
        self.may_be_made_at_once(reads) && self.at_once.waits == 0
    }

    /// A count at once, from its beginning; if that needs more reads it goes on as others do.
    pub fn make<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Pass>, u32) {
        self.stop();
        let (pass, reads) = self.go_on(visit, visit.granted);
        self.at_once.count();
        (self.are_long, self.read_at_once) = (pass.is_none(), reads);
        (pass, reads)
    }

    /// Goes on with the count, or begins one. Gives it when it has ended, and what was read.
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
                let (error, is_at_once) = (self.error_of(size as f64), self.visits == 1);
                self.last = Some(size as f64);
                self.stop();
                (Some(Pass { size, error, watch, is_at_once }), reads)
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
