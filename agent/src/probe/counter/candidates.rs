//! Numbers near the owner that may follow the size of its structure. Whole counts show which of them do, never a name.
//! Knows no JVM, and reports nothing.
//!
//! A candidate agrees with a count when its value, less a constant, is the count. It is *trusted* once it has agreed
//! with clearly different counts, and its agreements are more than chance (below). It is *equal* while it was found to
//! be the count itself at one size: that serves as long as it does not move. Two contradictions in a row drop a
//! candidate for good. Where a count took so long that the program may have disturbed it, a candidate that is off by
//! little agrees with it loosely; then the counts must differ by much more.
//!
//! Many numbers lie near many structures, so that one or the other agrees by accident. An independent number that moves
//! as far as the size lies within *c* of it after a motion *d* with a chance of about (2*c* + 1) ÷ *d*, and within *c*
//! of the first count *n* with one of about (2*c* + 1) ÷ *n*. The logarithms of these chances add up to the evidence,
//! in bits. A size field has enough after two counts; a number with a large constant needs more of them.

use super::span::Span;
use crate::probe::reading::reader::{HeapReader, Number};
use crate::probe::route::sum::Sum;

/// A count of a large structure may be wrong by one in this number, for the program goes on while it is made.
const DISTURBED_COUNT_SHARE: i64 = 64;
/// Counts with loose agreements must differ by more than this multiple of the candidate's deviation: a candidate that
/// does not move deviates by just the counts' difference.
const LOOSELY: i64 = 2;
/// Counts that differ by less are no evidence that a number follows.
const LEAST_DIFFERENCE: i64 = 8;
/// Bits of evidence from which on a candidate is trusted. An exact size field of a structure too large for a whole
/// count in each visit has them at its first agreement.
const PROOF_BITS: f64 = 8.0;
/// Contradictions in a row that drop a candidate: one may be a count that the program disturbed.
const STRIKES: u8 = 2;
/// Candidates move apart by less between their readings in one visit, and by one in this number of their motion.
const APART: i64 = 2;
const APART_SHARE: i64 = 64;
/// A number that moves near a structure during a count disturbs the count by as much, up to one in this number of
/// members.
const DISTURBED_SHARE: i64 = 32;

/// The candidates of one probe.
pub struct Counters {
    each: Vec<Candidate>,
    /// By candidate: the walk to the parts whose numbers it adds up, if it is a sum.
    sums: Vec<Option<Sum>>,
}

#[derive(Clone, Default)]
struct Candidate {
    /// Where value − size lies, by every count so far.
    offset: Option<Span>,
    /// Where the last contradiction put it.
    contradicted_by: Option<Span>,
    /// Counts that it agreed with: the least, the greatest and the latest.
    least: i64,
    most: i64,
    latest: i64,
    /// Bits of evidence that it does not agree by accident.
    evidence: f64,
    strikes: u8,
    /// Some count agreed but loosely.
    is_loose: bool,
    is_out: bool,
    /// Value at the last visit.
    last: Option<i64>,
}

/// Values of the candidates from the beginning of a count to its end.
pub struct Watch {
    spans: Vec<Option<Span>>,
}

/// The size by the best candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Which candidate.
    pub counter: usize,
    /// Members.
    pub size: f64,
    /// Standard error of `size`.
    pub error: f64,
    /// It has followed the size; otherwise it was found equal to it once.
    pub is_trusted: bool,
    /// Its value differs from that at the last visit.
    pub has_moved: bool,
    /// Candidates that followed the same size moved apart since the last visit: one of them no longer follows it.
    pub counters_disagree: bool,
}

/// A candidate that was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// Which candidate.
    pub counter: usize,
    /// Whether visits had relied on it.
    pub was_trusted: bool,
}

impl Counters {
    /// Creates `count` candidates, none of which has been read.
    pub fn new(count: usize) -> Self {
        Self { each: vec![Candidate::default(); count], sums: Vec::new() }
    }

    /// Makes sums of the candidates for which there is one.
    pub fn sum_over(&mut self, sums: Vec<Option<Sum>>) {
        self.sums = sums;
    }

    /// Whether a further count may teach something: no candidate is trusted, and some are left.
    pub fn wants_count(&self) -> bool {
        !self.has_trusted() && self.each.iter().any(|each| !each.is_out)
    }

    /// Whether a whole count now could bring one nearer to trust, if the count agreed. Returns the number of reads,
    /// too.
    pub fn could_prove<R: HeapReader>(&self, reader: &R, owner: &R::Ref) -> (bool, u32) {
        let mut reads = 0;
        let could = self.each.iter().enumerate().filter(|(_, each)| !each.is_out).any(|(counter, candidate)| {
            let number = number(&self.sums, reader, counter, owner);
            reads += number.map_or(1, |number| number.reads);
            number.is_some_and(|number| candidate.could_be_proved(number.value))
        });
        (could, reads)
    }

    /// Whether one is trusted, and could be read in this visit.
    pub fn has_trusted(&self) -> bool {
        self.each.iter().any(|each| each.is_trusted() && each.last.is_some())
    }

    /// Whether one is trusted.
    pub fn are_learned(&self) -> bool {
        self.each.iter().any(Candidate::is_trusted)
    }

    /// Whether this one is trusted.
    pub fn trusts(&self, counter: usize) -> bool {
        self.each[counter].is_trusted()
    }

    /// Begins a count. Returns the number of reads, too.
    pub fn begin<R: HeapReader>(&self, reader: &R, owner: &R::Ref) -> (Watch, u32) {
        let mut watch = Watch { spans: vec![None; self.each.len()] };
        let reads = self.look(reader, owner, &mut watch);
        (watch, reads)
    }

    /// Records the candidates' values while a count goes on. Returns the number of reads.
    pub fn look<R: HeapReader>(&self, reader: &R, owner: &R::Ref, watch: &mut Watch) -> u32 {
        let mut reads = 0;
        for (counter, span) in watch.spans.iter_mut().enumerate().filter(|&(counter, _)| !self.each[counter].is_out) {
            let Some(number) = number(&self.sums, reader, counter, owner) else { continue };
            reads += number.reads;
            let now = Span::at(number.value);
            *span = Some(span.map_or(now, |span| span.hull(now)));
        }
        reads
    }

    /// Ends a whole count that found this number of members. Returns the candidates that this drops.
    pub fn settle(&mut self, watch: &Watch, counted: Span) -> Vec<Dropped> {
        self.settle_within(watch, counted, 0)
    }

    /// The same for a large structure, which may have changed a little while it was counted.
    pub fn observe_disturbed(&mut self, watch: &Watch, counted: Span) -> Vec<Dropped> {
        self.settle_within(watch, counted, counted.high / DISTURBED_COUNT_SHARE)
    }

    fn settle_within(&mut self, watch: &Watch, counted: Span, slack: i64) -> Vec<Dropped> {
        let disturbance = self.disturbance(watch, counted);
        let mut dropped = Vec::new();
        for (counter, span) in watch.spans.iter().enumerate() {
            let candidate = &mut self.each[counter];
            let Some(span) = span.filter(|_| !candidate.is_out) else { continue };
            let was_trusted = candidate.is_trusted();
            let beyond_own = disturbance.saturating_sub(span.width()).max(0);
            candidate.compare(span.minus(counted).widened(beyond_own), counted, slack);
            if candidate.is_out {
                dropped.push(Dropped { counter, was_trusted });
            }
        }
        dropped
    }

    /// Bound on the disturbance of a count by the program: members that come and go at the same time move no size, but
    /// often some number near it.
    fn disturbance(&self, watch: &Watch, counted: Span) -> i64 {
        let live = watch.spans.iter().enumerate().filter(|&(counter, _)| !self.each[counter].is_out);
        let most = counted.high / DISTURBED_SHARE;
        live.filter_map(|(_, span)| *span).map(|span| span.width()).filter(|&width| width <= most).max().unwrap_or(0)
    }

    /// The best candidate that is trusted or equal; `None` when none can be read. Returns the number of reads, too.
    pub fn read<R: HeapReader>(&mut self, reader: &R, owner: &R::Ref) -> (Option<Reading>, u32) {
        let (mut best, mut reads) = (None::<Reading>, 0);
        let mut motions: Vec<i64> = Vec::new();
        // A candidate that agrees loosely may have lost the size; it puts none in doubt that agrees exactly.
        let are_exact = self.each.iter().any(|each| each.is_trusted() && !each.is_loose);
        for (counter, candidate) in self.each.iter_mut().enumerate().filter(|(_, each)| each.serves()) {
            let number = number(&self.sums, reader, counter, owner);
            reads += number.map_or(1, |number| number.reads);
            let before = std::mem::replace(&mut candidate.last, number.map(|number| number.value));
            let Some(reading) = number.and_then(|number| candidate.reading(counter, number.value, before)) else {
                continue;
            };
            if reading.is_trusted && !(are_exact && candidate.is_loose) {
                motions.extend(before.zip(candidate.last).map(|(before, now)| now.saturating_sub(before)));
            }
            if best.is_none_or(|best| (reading.is_trusted, -reading.error) > (best.is_trusted, -best.error)) {
                best = Some(reading);
            }
        }
        let counters_disagree = are_apart(&motions);
        (best.map(|best| Reading { counters_disagree, ..best }), reads)
    }

    /// An estimate contradicts the candidate: it serves no more until whole counts have proved it anew.
    pub fn doubt(&mut self, counter: usize) {
        let candidate = &mut self.each[counter];
        (candidate.strikes, candidate.evidence) = (candidate.strikes.max(1), 0.0);
    }
}

impl Counters {
    /// Trusted candidates contradict one another: none serves until a whole count decides between them.
    pub fn distrust_all(&mut self) {
        self.each.iter_mut().filter(|each| each.is_trusted()).for_each(|each| each.strikes = 1);
    }
}

/// The value of a candidate; `None` when it cannot be read.
fn number<R: HeapReader>(sums: &[Option<Sum>], reader: &R, counter: usize, owner: &R::Ref) -> Option<Number> {
    match sums.get(counter) {
        Some(Some(sum)) => sum.read(reader, owner, |part| reader.number(counter, part)),
        _ => reader.number(counter, owner),
    }
}

impl Candidate {
    fn agreed(&self) -> bool {
        !self.is_out && self.strikes == 0 && self.offset.is_some()
    }

    fn is_trusted(&self) -> bool {
        self.agreed() && self.most - self.least >= self.needed_difference() && self.evidence >= PROOF_BITS
    }

    /// The least difference that the agreeing counts must have.
    fn needed_difference(&self) -> i64 {
        let width = self.offset.map_or(0, |offset| offset.width());
        if self.is_loose {
            width.saturating_mul(LOOSELY).saturating_add(LEAST_DIFFERENCE)
        } else {
            width.max(LEAST_DIFFERENCE)
        }
    }

    /// Whether another count that agrees would bring it nearer to trust, at this value.
    fn could_be_proved(&self, value: i64) -> bool {
        let Some(offset) = self.offset.filter(|_| self.strikes == 0) else { return true };
        let size = value.saturating_sub(offset.middle());
        let needed = self.needed_difference();
        let reaches_far = self.most.max(size).saturating_sub(self.least.min(size)) >= needed;
        reaches_far && (self.evidence >= PROOF_BITS || size.abs_diff(self.latest) >= needed.unsigned_abs())
    }

    fn is_equal(&self) -> bool {
        self.agreed() && self.most >= LEAST_DIFFERENCE && self.offset.is_some_and(|offset| offset.contains(0))
    }

    fn serves(&self) -> bool {
        self.is_trusted() || self.is_equal()
    }

    fn compare(&mut self, offset: Span, counted: Span, slack: i64) {
        let size = counted.middle();
        let Some(known) = self.offset else {
            return self.begin(offset, size);
        };
        if let Some(met) = known.intersection(offset).filter(|_| !self.is_loose) {
            return self.agree(met, offset, size);
        }
        if (slack > 0 || self.is_loose) && known.gap(offset) <= slack {
            self.is_loose = true;
            return self.agree(known.hull(offset), offset, size);
        }
        self.strikes += 1;
        if self.strikes < STRIKES {
            self.contradicted_by = Some(offset);
        } else if let Some(met) = self.contradicted_by.take().filter(|_| self.least == self.most)
            && let Some(met) = met.intersection(offset)
        {
            // Two counts agree against the first and only one: that one was disturbed.
            self.begin(met, size);
        } else {
            self.is_out = true;
        }
    }

    /// The first count, or the first one that no contradiction puts in doubt.
    fn begin(&mut self, offset: Span, size: i64) {
        (self.least, self.most, self.latest) = (size, size, size);
        (self.offset, self.strikes, self.contradicted_by) = (Some(offset), 0, None);
        self.evidence = bits(size, offset.middle());
    }

    /// A count that agrees: its offset, as observed, is compatible with the one known so far. `offset` is what both
    /// say.
    fn agree(&mut self, offset: Span, observed: Span, size: i64) {
        let moved = size.saturating_sub(self.latest).saturating_abs();
        if let Some(known) = self.offset.filter(|_| moved >= LEAST_DIFFERENCE) {
            self.evidence += bits(moved, known.middle().saturating_sub(observed.middle()));
        }
        (self.least, self.most, self.latest) = (self.least.min(size), self.most.max(size), size);
        (self.offset, self.strikes, self.contradicted_by) = (Some(offset), 0, None);
    }

    fn reading(&self, counter: usize, value: i64, before: Option<i64>) -> Option<Reading> {
        let offset = self.offset?;
        let (offset, error) = if offset.contains(0) { (0, 0.0) } else { (offset.middle(), offset.standard_error()) };
        let size = value.saturating_sub(offset);
        let has_moved = before.is_none_or(|before| before != value);
        (size >= 0).then_some(Reading {
            counter,
            size: size as f64,
            error,
            is_trusted: self.is_trusted(),
            has_moved,
            counters_disagree: false,
        })
    }
}

/// Evidence from a number that lies this near to one of `values` places, all equally likely for an independent number.
fn bits(values: i64, distance: i64) -> f64 {
    (values as f64 / (2.0 * (distance as f64).abs() + 1.0)).log2().max(0.0)
}

fn are_apart(motions: &[i64]) -> bool {
    let (least, most) = (motions.iter().min(), motions.iter().max());
    let allowed = |least: i64, most: i64| APART + least.saturating_abs().max(most.saturating_abs()) / APART_SHARE;
    least.zip(most).is_some_and(|(&least, &most)| most.saturating_sub(least) > allowed(least, most))
}
