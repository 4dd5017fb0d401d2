//! Follows one probe over its visits as a plain structure, a tangled one, or a buffer. Decides nothing else.

use super::buffer::Buffer;
use super::memory::SizeProbe;
use super::tangled::Tangled;
use crate::probe::allowance::Grant;
use crate::probe::counter::candidates::Dropped;
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::Route;
use rootbound_wire::message::{MOST_TANGLED_READS, ProbeShape, VisitOutcome};

/// The memory of a probe.
pub enum Visitor<H> {
    /// Each member is reachable by one path.
    Plain(Box<SizeProbe<H>>),
    /// Members are reachable by several paths each.
    Tangled(Box<Tangled<H>>),
    /// One array of primitive values.
    Buffer(Box<Buffer<H>>),
}

impl<H> Visitor<H> {
    /// A probe before its first visit; see [`SizeProbe::new`].
    pub fn new(shape: ProbeShape, route: Route, counters: usize, budget: u32, number: u32) -> Self {
        match shape {
            ProbeShape::Plain => Self::Plain(Box::new(SizeProbe::new(route, counters, budget, number))),
            ProbeShape::Tangled => Self::Tangled(Box::new(Tangled::new(route, counters, budget, number))),
            ProbeShape::Buffer { length_before } => {
                Self::Buffer(Box::new(Buffer::new(route, counters, length_before, number)))
            }
        }
    }

    /// References that a visit may hold at a time, in addition to a few.
    pub fn room(&self, plain: usize) -> usize {
        match self {
            Self::Plain(_) | Self::Buffer(_) => plain,
            Self::Tangled(_) => MOST_TANGLED_READS as usize,
        }
    }

    /// Members that bear a mark of this probe.
    pub fn marks(&self) -> u64 {
        match self {
            Self::Plain(memory) => memory.marks(),
            Self::Tangled(tangled) => tangled.marks(),
            Self::Buffer(_) => 0,
        }
    }

    /// Removes the probe's marks from the heap.
    pub fn forget<R: HeapReader<Held = H>>(&mut self, reader: &R) {
        match self {
            Self::Plain(memory) => memory.forget(reader),
            Self::Tangled(tangled) => tangled.forget(reader),
            Self::Buffer(_) => {}
        }
    }

    /// The counters that were dropped since the last call.
    pub fn take_dropped(&mut self) -> Vec<Dropped> {
        match self {
            Self::Plain(memory) => memory.take_dropped(),
            Self::Tangled(tangled) => tangled.take_dropped(),
            Self::Buffer(buffer) => buffer.take_dropped(),
        }
    }

    /// One visit; a count of the whole may take up what is granted beyond its budget.
    pub fn visit<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref, grant: Grant) -> (VisitOutcome, u32) {
        match self {
            Self::Plain(memory) => {
                memory.grant(grant);
                memory.visit(reader, owner)
            }
            Self::Tangled(tangled) => tangled.visit(reader, owner, grant.now),
            Self::Buffer(buffer) => buffer.visit(reader, owner),
        }
    }

    /// Whether a count would go on between two visits if there were reads left.
    pub fn wants_to_go_on(&self) -> bool {
        matches!(self, Self::Plain(memory) if memory.wants_to_go_on())
    }

    /// Goes on with that count. Returns the number of objects read.
    pub fn go_on<R: HeapReader<Held = H>>(&mut self, reader: &R, owner: &R::Ref, budget: u32) -> u32 {
        match self {
            Self::Plain(memory) => memory.go_on(reader, owner, budget),
            Self::Tangled(_) | Self::Buffer(_) => 0,
        }
    }
}
