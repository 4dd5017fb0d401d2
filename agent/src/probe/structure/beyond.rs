//! The method for a structure that no plain visit can count wholly, or that has no objects for members. Its shape
//! decides.

use super::buffer::Buffer;
use crate::probe::budget::Grant;
use crate::probe::cadence::{Backoff, Checks};
use crate::probe::chain::chained::Chained;
use crate::probe::counter::candidates::Counters;
use crate::probe::failure::VisitFailure;
use crate::probe::large::large_structure::{ESTIMATE_SHARE, LargeStructure};
use crate::probe::large::sampled;
use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::shape::Kind;
use crate::probe::visit::{Lesson, Outcome, Visit};
use crate::random::Random;
use rootbound_wire::message::VisitMethod;

/// The memory of that method.
pub enum Beyond<H> {
    /// By the length of its array, or a number that follows its fill.
    Buffer(Buffer<H>),
    /// From its ends, and by counts over several visits.
    Chain(Chained<H>),
    /// By granted counts of the whole alone: a sample or a part of a count would count paths, not members.
    Mesh(LargeMesh),
    /// By slots, counts over several visits, or random descents.
    Wide(LargeStructure<H>),
}

/// Granted counts of a mesh.
#[derive(Default)]
pub struct LargeMesh {
    /// While no counter is trusted.
    counts: Backoff,
    /// The last count was more than any visit may read.
    is_too_large: bool,
}

impl<H> Beyond<H> {
    /// State before the first visit.
    pub fn new(shape: Kind) -> Self {
        match shape {
            Kind::Chain(link) => Self::Chain(Chained::new(link)),
            Kind::MultiPath => Self::Mesh(LargeMesh::default()),
            Kind::Array { .. } | Kind::Buffer | Kind::Tree => Self::Wide(LargeStructure::new(shape)),
        }
    }

    /// The structure fits into a visit now.
    pub fn stop(&mut self) {
        match self {
            Self::Buffer(_) => {}
            Self::Chain(chain) => chain.stop(),
            Self::Mesh(mesh) => *mesh = LargeMesh::default(),
            Self::Wide(large) => large.stop(),
        }
    }

    /// The next counts for counters need not wait.
    pub fn counters_are_learned(&mut self) {
        match self {
            Self::Chain(chain) => chain.counters_are_learned(),
            Self::Buffer(_) | Self::Mesh(_) => {}
            Self::Wide(large) => large.counters_are_learned(),
        }
    }

    /// Finds the size; `last` is the size before.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, last: f64, random: &mut Random) -> Outcome {
        match self {
            Self::Buffer(buffer) => buffer.visit(visit, random),
            Self::Chain(chain) => chain.visit(visit),
            Self::Mesh(mesh) => Outcome::new(mesh.without_count(last), 0),
            Self::Wide(large) => large.visit(visit, last, random),
        }
    }

    /// An estimate of the size, to compare a counter with; a mesh has none, and a buffer no such counter.
    pub fn estimate<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>, random: &mut Random) -> Outcome {
        let budget = visit.budget / ESTIMATE_SHARE;
        if let Self::Wide(_) = self {
            let (seen, reads) = sampled::estimate(visit.reader, visit.route, visit.owner, budget, random);
            return Outcome::new(seen.ok_or(VisitFailure::TooDeep), reads);
        }
        self.visit(&visit.within(budget, visit.grant), 0.0, random)
    }

    /// Whether a count would go on between two visits if there were reads left.
    pub fn wants_to_go_on(&self, counters: &Counters, grant: Grant) -> bool {
        matches!(self, Self::Wide(large) if large.wants_count(counters, grant))
    }

    /// Goes on with that count. Returns it when it has ended, and the number of objects read.
    pub fn go_on<R: HeapReader<Held = H>>(&mut self, visit: &Visit<'_, R>) -> (Option<Lesson>, u32) {
        if let Self::Wide(large) = self { large.count(visit) } else { (None, 0) }
    }
}

impl LargeMesh {
    /// A visit begins.
    pub fn pass(&mut self) {
        self.counts.pass();
    }

    /// Whether the next count is due where no counter serves; `next` is the next try since one failed.
    pub fn is_due(&self, next: &Checks) -> bool {
        if self.is_too_large { next.are_due() } else { self.counts.is_over() }
    }

    /// A count did not come to its end; it was granted more reads than other visits have.
    pub fn has_failed(&mut self, was_granted: bool) {
        self.is_too_large = was_granted;
    }

    /// A granted count was made.
    pub fn was_counted(&mut self, has_learned: bool) {
        self.is_too_large = false;
        if has_learned {
            self.counts = Backoff::default();
        } else {
            self.counts.made();
        }
    }

    fn without_count(&self, last: f64) -> Result<Observation, VisitFailure> {
        if self.is_too_large { Err(VisitFailure::TooMany) } else { Ok(Observation::unknown(last, VisitMethod::Full)) }
    }
}
