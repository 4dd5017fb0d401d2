//! The properties of a region that its relations depend on.

use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};

/// A region of one capture.
#[derive(Clone, Copy, Debug)]
pub struct Outline<'r> {
    /// L of the region key.
    pub leak_root: ObjectIdx,
    /// O of the region key.
    pub owner: ObjectIdx,
    /// Type of C.
    pub change_class: ClassIdx,
    /// Number of change-proxies.
    pub proxy_size: u64,
    /// Some of the change-proxies.
    pub changes: &'r [ObjectIdx],
}

/// Leak root, type of owner, type of change-proxy.
pub type Kind = (ObjectIdx, ClassIdx, ClassIdx);

impl Outline<'_> {
    /// Kind of the region: regions of one kind may be a population.
    #[must_use]
    pub fn kind(&self, graph: &ObjectGraph<'_>) -> Kind {
        (self.leak_root, graph.heap.class_of(self.owner), self.change_class)
    }
}
