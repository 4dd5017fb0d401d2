//! Finds an owner that has no name again after the capture: by a lasting path.

use super::paths::Paths;
use super::plan;
use crate::heap::{Heap, ObjectIdx};
use rootbound_wire::message::{MarkPlan, OwnerRef};
use std::sync::OnceLock;

/// The agent cannot find an owner again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the owner cannot be found again: no path leads to it from a class, a thread or the only object of its kind")]
pub struct NoPath;

/// Paths to the owners of one heap, searched on first use.
#[derive(Debug)]
pub struct OwnerPaths {
    paths: OnceLock<Paths>,
    may_iterate: bool,
}

impl OwnerPaths {
    /// Starts without a search. Without `may_iterate`, paths begin only at classes and threads: to find another
    /// beginning, the agent must pause the program.
    pub fn new(may_iterate: bool) -> Self {
        Self { paths: OnceLock::new(), may_iterate }
    }

    /// Searches the paths now: while another thread has other work.
    pub fn search(&self, heap: &Heap) {
        self.paths(heap);
    }

    fn paths(&self, heap: &Heap) -> &Paths {
        self.paths.get_or_init(|| Paths::lasting(heap, self.may_iterate))
    }

    /// A plan without marks whose last step arrives at the object, over as few elements of arrays as possible. `None`
    /// if JNI cannot reach it from a class or a thread.
    pub fn way_to(&self, heap: &Heap, object: ObjectIdx) -> Option<MarkPlan> {
        plan::way_to(heap, self.paths(heap), object)
    }

    /// The reference to the owner: by its name in the capture, by its mark, or by its path, whichever exists first.
    ///
    /// # Errors
    /// [`NoPath`] when none of them exists.
    pub fn find(&self, heap: &Heap, owner: ObjectIdx) -> Result<OwnerRef, NoPath> {
        if let Some(id) = heap.id_of(owner) {
            return Ok(OwnerRef::Id(id));
        }
        if let Some((first_seen, number)) = heap.planned_mark_of(owner) {
            return Ok(OwnerRef::Marked { first_seen, number });
        }
        self.way_to(heap, owner).map(OwnerRef::Path).ok_or(NoPath)
    }
}
