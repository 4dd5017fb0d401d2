//! A few members recognized by identity from one whole count to the next: those that are not met again have left,
//! however constant the size. Uses the reader for marks; owns no heap and counts nothing itself.

use crate::probe::observation::Turnover;
use crate::probe::reading::reader::HeapReader;
use crate::random::Random;
use rootbound_wire::message::MOST_RECOGNISED;

/// Most members remembered a probe: the standard error of a removed share is then at most 1/16.
pub const MOST: usize = 64;
/// Largest structure that is sampled: each member met costs a read of its mark, 40 ns (JDK 17).
pub const LARGEST: u64 = MOST_RECOGNISED as u64;

/// The members that one probe remembers, each by its mark and a weak reference.
pub struct Members<H> {
    /// The probe's number in the high bits of its marks; the low ones are the member's number.
    base: i64,
    held: Vec<H>,
    /// Size at the visit that drew them; `None` when none did.
    population: Option<u64>,
}

/// The members of a running count.
pub struct Meeting<O> {
    /// One bit for each remembered member that was met.
    again: u64,
    met: u64,
    drawn: Vec<O>,
}

const NUMBER_BITS: u32 = 8;

impl<O> Default for Meeting<O> {
    fn default() -> Self {
        Self { again: 0, met: 0, drawn: Vec::new() }
    }
}

impl<H> Members<H> {
    /// A memory without members. `probe` distinguishes the marks of probes.
    pub fn new(probe: u32) -> Self {
        Self { base: (i64::from(probe) + 1) << NUMBER_BITS, held: Vec::new(), population: None }
    }

    /// Members remembered now; each bears one mark.
    pub fn count(&self) -> usize {
        self.held.len()
    }

    /// The index of the member that bears `mark`, if it is remembered here.
    fn number(&self, mark: i64) -> Option<u32> {
        (mark >> NUMBER_BITS == self.base >> NUMBER_BITS).then_some((mark & (MOST as i64 - 1)) as u32)
    }

    /// A counted member: notes whether it is known, and draws it by chance (Vitter's algorithm R, 1985).
    pub fn meet<R: HeapReader<Held = H>>(
        &self,
        reader: &R,
        meeting: &mut Meeting<R::Ref>,
        member: &R::Ref,
        random: &mut Random,
    ) {
        meeting.met += 1;
        if meeting.met > LARGEST {
            return;
        }
        let mark = reader.mark(member);
        match self.number(mark) {
            Some(number) => meeting.again |= 1 << number,
            // One mark an object: a member that another probe remembers is left to it.
            None if mark != 0 => return,
            None => {}
        }
        let place = if meeting.drawn.len() < MOST { meeting.drawn.len() } else { random.below(meeting.met as usize) };
        if place < MOST
            && let Some(drawn) = reader.duplicate(member)
        {
            if place == meeting.drawn.len() { meeting.drawn.push(drawn) } else { meeting.drawn[place] = drawn }
        }
    }

    /// Ends a whole count: returns the turnover since the last one, and remembers the members drawn by this one.
    ///
    /// The whole sample is drawn anew: survivors alone would be older than the structure, and old members are those
    /// that a queue removes next.
    pub fn settle<R: HeapReader<Held = H>>(&mut self, reader: &R, meeting: &Meeting<R::Ref>) -> Option<Turnover> {
        let turnover = self.population.filter(|_| meeting.met <= LARGEST).map(|before| self.turnover(before, meeting));
        self.forget(reader);
        if meeting.met <= LARGEST {
            self.remember(reader, &meeting.drawn);
            self.population = Some(meeting.met);
        }
        turnover
    }

    fn turnover<O>(&self, before: u64, meeting: &Meeting<O>) -> Turnover {
        let net = meeting.met as f64 - before as f64;
        let missed = self.held.len() as f64 - f64::from(meeting.again.count_ones());
        let share = if self.held.is_empty() { 0.0 } else { missed.max(0.0) / self.held.len() as f64 };
        let removals = (share * before as f64).max(-net).max(0.0);
        Turnover { additions: (net + removals).max(0.0), removals }
    }

    fn remember<R: HeapReader<Held = H>>(&mut self, reader: &R, drawn: &[R::Ref]) {
        for member in drawn {
            // A member that was met twice may have been drawn twice.
            if reader.mark(member) != 0 {
                continue;
            }
            let Some(held) = reader.hold(member) else { continue };
            if reader.set_mark(member, self.base | self.held.len() as i64) {
                self.held.push(held);
            }
        }
    }

    /// Removes every mark and every weak reference.
    pub fn forget<R: HeapReader<Held = H>>(&mut self, reader: &R) {
        self.population = None;
        for held in self.held.drain(..) {
            if let Some(member) = reader.recall(&held) {
                reader.set_mark(&member, 0);
            }
        }
    }
}
