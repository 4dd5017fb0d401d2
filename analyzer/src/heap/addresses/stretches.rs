//! The references of one object may stand in several chunks: each holds a stretch of them. The chunks themselves say
//! which of them share an object. An object must go on where the chunk before stopped.

use super::unproven::Unproven;
use crate::heap::{Label, ObjectIdx};
use rootbound_wire::graph::Address;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A reference of a watched object, as the stream reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Witness {
    pub(super) referrer: ObjectIdx,
    pub(super) label: Label,
    pub(super) referee: Address,
}

/// The part of one chunk that concerns other chunks.
#[derive(Debug, Default)]
pub(super) struct Share {
    /// The object whose references an earlier chunk began, and its edges here.
    resumed: Option<(ObjectIdx, u32)>,
    /// The object that a batch began last, and its edges here.
    begun: Option<(ObjectIdx, u32)>,
    pub(super) witnesses: Vec<Witness>,
}

impl Share {
    pub(super) fn batch(&mut self, object: ObjectIdx, degrees: &[AtomicU32]) {
        self.close_begun(degrees);
        self.begun = Some((object, 0));
    }

    /// Resumes an object, which is possible only at the beginning of a chunk.
    pub(super) fn resume(&mut self, object: ObjectIdx) -> Result<(), Unproven> {
        if self.begun.is_some() || self.resumed.is_some() {
            return Err(Unproven::Resumed);
        }
        self.resumed = Some((object, 0));
        Ok(())
    }

    #[inline]
    pub(super) fn count(&mut self, edges: u32) {
        if let Some((_, count)) = self.begun.as_mut().or(self.resumed.as_mut()) {
            *count += edges;
        }
    }

    pub(super) fn note(&mut self, label: Label, referee: Address) {
        if let Some((referrer, _)) = self.begun.or(self.resumed) {
            self.witnesses.push(Witness { referrer, label, referee });
        }
    }

    /// Closes the chunk after its last record. The resumed edges are added later ([`starts`]), so that each object has
    /// one writer.
    pub(super) fn close(&self, degrees: &[AtomicU32]) {
        self.close_begun(degrees);
    }

    #[inline]
    fn close_begun(&self, degrees: &[AtomicU32]) {
        if let Some((object, edges)) = self.begun {
            degrees[object.at()].store(edges, Relaxed);
        }
    }
}

/// By chunk: the number of edges, in earlier chunks, of the object that it resumes. Adds those edges to the object's.
pub(super) fn starts(shares: &[Share], degrees: &mut [u32]) -> Result<Vec<u32>, Unproven> {
    let mut open: Option<(ObjectIdx, u32)> = None;
    let mut starts = Vec::with_capacity(shares.len());
    for share in shares {
        let mut start = 0;
        if let Some((object, edges)) = share.resumed {
            start = open.filter(|open| open.0 == object).ok_or(Unproven::Resumed)?.1;
            degrees[object.at()] += edges;
            open = Some((object, start + edges));
        }
        starts.push(start);
        open = share.begun.or(open);
    }
    Ok(starts)
}
