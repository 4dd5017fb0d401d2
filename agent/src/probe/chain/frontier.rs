//! Chains longer than a visit may read. A first *pass* counts the chain from its head over as many visits as it takes.
//! From then on a visit looks for new nodes at the head and behind the last node known. Changes that it cannot see
//! there (nodes that come or go in the middle, a tail cut off) are found by a further pass, every fourth to sixteenth
//! visit. That pass comes immediately when the head was lost or the end checks have not proved reliable
//! ([`EndChecks`]).
//!
//! A queue longer than the budget loses its head between any two visits. Its passes follow one another; meanwhile the
//! last size is reported with a finite error.

use super::chain_walk::{ChainWalk, End, Leg};
use super::looks::EndChecks;
use crate::probe::cadence::CHECK_EVERY;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::shape::Link;

/// Visits between two passes over a chain that shows no sign of loss: this number for each visit of a pass, at most
/// those between two checks.
const VISITS_A_PASS_VISIT: u32 = 4;
/// Head and tail may each use this part of a visit's reads, so that a pass always gets on.
const SHARE: u32 = 4;

/// The memory of a chain between two visits.
pub struct Frontier<H> {
    first: H,
    /// The last node, once a pass has reached it.
    last: Option<H>,
    size: f64,
    error: f64,
    pass: Option<Pass<H>>,
    visits_since_pass: u32,
    /// Visits from the end of the last pass to the next.
    pass_every: u32,
    end_checks: EndChecks,
    /// In the visit that runs: growth at the tail says nothing about the size then.
    is_head_lost: bool,
}

/// A count from the head that is under way.
struct Pass<H> {
    cursor: H,
    counted: f64,
    /// Members that came in behind the last node meanwhile.
    tail_growth: f64,
    /// Nodes were taken from the part that is counted already.
    is_cut: bool,
    visits: u32,
}

/// The result of one visit of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Members, as far as is known.
    pub size: f64,
    /// Standard error of `size`; infinite while the chain has never been counted to its end.
    pub error: f64,
    /// Objects read.
    pub reads: u32,
    /// A count from the first node to the last ended in this visit.
    pub is_counted: bool,
    /// Such a count is under way.
    pub is_counting: bool,
}

/// The policy for further passes over a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecountPolicy {
    /// The next pass waits until it is due.
    Patient,
    /// The next pass begins immediately.
    Eager,
    /// The next pass begins immediately, and the one under way is forgotten.
    Anew,
}

/// Visits the chain once more. `None` when it is empty or cannot be remembered; `memory` is then empty too.
pub fn visit<R: HeapReader>(
    reader: &R,
    way: (&Route, Link),
    owner: &R::Ref,
    memory: &mut Option<Frontier<R::Held>>,
    (budget, policy): (u32, RecountPolicy),
) -> Option<Progress> {
    let before = memory.take();
    let mut walk = ChainWalk::begin(reader, way, owner, budget)?;
    let mut known = match before {
        Some(known) => known,
        None => Frontier::new(reader.hold(&walk.first)?),
    };
    if policy != RecountPolicy::Patient {
        known.visits_since_pass = CHECK_EVERY;
    }
    if policy == RecountPolicy::Anew {
        known.pass = None;
    }
    if !known.look_at_head(&mut walk)? {
        known.look_at_tail(&mut walk)?;
        known.go_on_with_pass(&mut walk)?;
    }
    known.first = reader.hold(&walk.first)?;
    let is_counted = known.visits_since_pass == 0;
    let is_counting = known.pass.is_some();
    let (size, error) = known.estimate();
    let progress = Progress { size, error, reads: walk.reads, is_counted, is_counting };
    *memory = Some(known);
    Some(progress)
}

impl<H> Frontier<H> {
    fn new(first: H) -> Self {
        Self {
            first,
            last: None,
            size: 0.0,
            error: f64::INFINITY,
            pass: None,
            visits_since_pass: CHECK_EVERY,
            pass_every: CHECK_EVERY,
            end_checks: EndChecks::default(),
            is_head_lost: false,
        }
    }

    /// Size and standard error, without the expected losses in the middle of the chain.
    fn estimate(&self) -> (f64, f64) {
        if self.asks_a_pass() && self.visits_since_pass > 0 {
            return (self.size, f64::INFINITY);
        }
        let left = self.end_checks.expected_losses();
        ((self.size - left).max(0.0), self.error.max(left))
    }

    /// The chain was counted exactly, and only another pass can find its present size.
    fn asks_a_pass(&self) -> bool {
        self.error == 0.0 && !self.end_checks.is_reliable()
    }

    /// Adds nodes that a check has found in addition to those known.
    fn add(&mut self, count: f64) {
        self.size += count;
        self.end_checks.add(count);
    }

    /// Counts nodes inserted before the first node known. `true` when the check found the whole chain, and it is
    /// counted.
    fn look_at_head<R: HeapReader<Held = H>>(&mut self, walk: &mut ChainWalk<'_, R>) -> Option<bool> {
        self.is_head_lost = false;
        let known = walk.reader.recall(&self.first);
        if known.as_ref().is_some_and(|known| walk.reader.same(known, &walk.first)) {
            return Some(false);
        }
        let own = walk.worth_of_first();
        let start = walk.reader.duplicate(&walk.first)?;
        let leg = walk.follow(start, known.as_ref(), walk.budget() / SHARE);
        let counted = own + leg.counted;
        match leg.end {
            End::Met => {
                self.add(counted);
                self.pass.iter_mut().for_each(|pass| pass.counted += counted);
            }
            End::Last => self.end_pass(walk, counted, 0.0, &leg)?,
            End::Budget => self.lose_head(counted),
        }
        Some(leg.end == End::Last)
    }

    /// The number of nodes that left at the head is unknown.
    fn lose_head(&mut self, seen: f64) {
        if self.error.is_finite() {
            self.error = self.error.max(anywhere_within((self.size - seen).max(0.0)));
        }
        (self.is_head_lost, self.visits_since_pass) = (true, CHECK_EVERY);
        self.pass.iter_mut().for_each(|pass| pass.is_cut = true);
    }

    /// Counts nodes behind the last one known.
    fn look_at_tail<R: HeapReader<Held = H>>(&mut self, walk: &mut ChainWalk<'_, R>) -> Option<()> {
        let Some(held) = self.last.take() else { return Some(()) };
        let Some(last) = walk.reader.recall(&held) else {
            // The tail has been cut off, or the chain replaced by another.
            self.lose_head(0.0);
            return Some(());
        };
        let share = if self.pass.is_some() { walk.budget() / SHARE } else { walk.budget() };
        let leg = walk.follow(last, None, share);
        if !self.is_head_lost {
            self.add(leg.counted);
        }
        self.pass.iter_mut().for_each(|pass| pass.tail_growth += leg.counted);
        if leg.end == End::Budget {
            // As many may follow, and as many may have left: only a pass that ends knows the size again.
            self.error += leg.counted;
        }
        self.last = Some(walk.reader.hold(&leg.last)?);
        Some(())
    }

    fn go_on_with_pass<R: HeapReader<Held = H>>(&mut self, walk: &mut ChainWalk<'_, R>) -> Option<()> {
        self.visits_since_pass += 1;
        let started = self.pass.take().and_then(|pass| Some((walk.reader.recall(&pass.cursor)?, pass)));
        let (cursor, mut pass) = match started {
            Some(started) => started,
            None if self.visits_since_pass < self.pass_every && !self.asks_a_pass() => return Some(()),
            None => {
                let counted = walk.worth_of_first();
                let cursor = walk.reader.hold(&walk.first)?;
                (
                    walk.reader.duplicate(&walk.first)?,
                    Pass { cursor, counted, tail_growth: 0.0, is_cut: false, visits: 0 },
                )
            }
        };
        let leg = walk.follow(cursor, None, walk.budget());
        pass.counted += leg.counted;
        pass.visits += 1;
        match leg.end {
            End::Budget => {
                // One node back: a cursor without a successor is then never the chain's end, but was taken out of it.
                let (cursor, worth) = leg.before_last.unwrap_or((leg.last, 0.0));
                pass.cursor = walk.reader.hold(&cursor)?;
                pass.counted -= worth;
                if self.error.is_infinite() {
                    self.size = pass.counted;
                }
                self.pass = Some(pass);
            }
            _ if leg.hops == 0 && !self.is_end(walk, &leg.last) => {
                // The cursor's own node was taken out of the chain: the nodes behind it prove nothing. Start over.
                self.visits_since_pass = CHECK_EVERY;
            }
            _ => {
                let (size, error) = self.result_of(&pass);
                self.pass_every = (VISITS_A_PASS_VISIT * pass.visits).min(CHECK_EVERY);
                self.end_pass(walk, size, error, &leg)?;
            }
        }
        Some(())
    }

    /// Size and error. A pass that lost its beginning has counted members that are gone. Without those that came
    /// meanwhile it gives the size at its start; removals since then lie anywhere up to twice the additions.
    fn result_of(&self, pass: &Pass<H>) -> (f64, f64) {
        match pass.is_cut {
            false => (pass.counted, 0.0),
            true if self.error.is_infinite() => (pass.counted, anywhere_within(pass.counted)),
            true => {
                let size = (pass.counted - pass.tail_growth).max(0.0);
                (size, anywhere_within(2.0 * pass.tail_growth).max((size - self.size).abs()))
            }
        }
    }

    /// Whether a node without a successor is the chain's end: the last one known, or the only one.
    fn is_end<R: HeapReader<Held = H>>(&self, walk: &ChainWalk<'_, R>, node: &R::Ref) -> bool {
        let last = self.last.as_ref().and_then(|last| walk.reader.recall(last));
        walk.reader.same(node, &walk.first) || last.is_some_and(|last| walk.reader.same(&last, node))
    }

    fn end_pass<R: HeapReader<Held = H>>(
        &mut self,
        walk: &ChainWalk<'_, R>,
        size: f64,
        error: f64,
        leg: &Leg<R::Ref>,
    ) -> Option<()> {
        if self.error == 0.0 && error == 0.0 {
            self.end_checks.calibrate(self.size, size);
        }
        (self.size, self.error, self.pass, self.visits_since_pass) = (size, error, None, 0);
        self.end_checks.begin_anew();
        self.last = Some(walk.reader.hold(&leg.last)?);
        Some(())
    }
}

/// Standard error of a size that lies anywhere in an interval of this width.
fn anywhere_within(width: f64) -> f64 {
    width / 12.0_f64.sqrt()
}
