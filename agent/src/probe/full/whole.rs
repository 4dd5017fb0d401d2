//! A whole count within one visit, by a traversal or, in a mesh, by one with marks. Members are recognized again, the
//! path to them is checked, and counters are read around the count.

use super::marked;
use crate::jvmti::jni::NoReferences;
use crate::probe::counter::span::Span;
use crate::probe::failure::VisitFailure;
use crate::probe::members::known::{Meeting, Members};
use crate::probe::members::owner_path::{OwnerPath, PathState};
use crate::probe::observation::Turnover;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::shape::Kind;
use crate::probe::route::traversal::{self, Full};
use crate::probe::visit::{Lesson, Visit};
use crate::random::Random;

/// The memory of a probe's whole counts.
pub struct WholeCounts<H> {
    /// Members that the last count met.
    pub members: Members<H>,
    /// The path to the members.
    pub owner_path: OwnerPath<H>,
}

/// The result of an attempt to count everything.
pub struct WholeCount {
    /// Size and turnover; `None` when the reads did not suffice.
    pub seen: Option<(f64, Option<Turnover>)>,
    /// For the counters, unless the count proves nothing.
    pub lesson: Option<Lesson>,
    /// Reads of the last traversal alone.
    pub needed: u32,
    /// All reads.
    pub reads: u32,
}

impl<H> WholeCounts<H> {
    /// State before the first visit. `number` distinguishes the probes of one connection.
    pub fn new(number: u32) -> Self {
        Self { members: Members::new(number), owner_path: OwnerPath::default() }
    }

    /// Counts everything, or nothing where the visit's budget does not suffice; `path` is updated.
    pub fn count<R: HeapReader<Held = H>>(
        &mut self,
        visit: &Visit<'_, R>,
        path: &mut PathState,
        random: &mut Random,
    ) -> Result<WholeCount, VisitFailure> {
        let Visit { reader, route, owner, counters, budget, .. } = *visit;
        let mut all_reads = 0;
        loop {
            let mut meeting = Meeting::default();
            let (mut watch, read) = counters.begin(reader, owner);
            let left = visit.within(budget.saturating_sub(all_reads), visit.grant);
            let counted = traverse(&left, |member| self.members.meet(reader, &mut meeting, member, random))?;
            all_reads += read;
            let (size, needed) = match counted {
                Full::Counted { size, reads } => (size, reads),
                Full::OverBudget { reads } => {
                    return Ok(WholeCount { seen: None, lesson: None, needed: reads, reads: all_reads + reads });
                }
            };
            all_reads += needed + counters.look(reader, owner, &mut watch);
            let state = self.owner_path.check(reader, route, owner);
            let is_moved = state.relinked;
            *path = path.and(state);
            // A table that was replaced meanwhile was read while its members moved out: count the new one.
            if !is_moved || all_reads > budget / 2 {
                let lesson = Lesson { watch, size: Span::at(size as i64), is_disturbed: false };
                let seen = Some((size as f64, self.members.settle(reader, &meeting)));
                return Ok(WholeCount { seen, lesson: (!is_moved).then_some(lesson), needed, reads: all_reads });
            }
        }
    }
}

fn traverse<R: HeapReader>(visit: &Visit<'_, R>, meet: impl FnMut(&R::Ref)) -> Result<Full, VisitFailure> {
    let Visit { reader, route, owner, budget, .. } = *visit;
    let owner = reader.duplicate(owner).ok_or(NoReferences)?;
    if route.shape.kind == Kind::MultiPath {
        return marked::traverse(reader, route, owner, budget, meet).ok_or(VisitFailure::Unmarkable);
    }
    Ok(traversal::traverse(reader, route, owner, budget, meet))
}
