//! The shallow size of every object. Several threads report it wherever they meet the object, with the same value each
//! time.

use super::survey::Survey;
use super::unproven::Unproven;
use crate::heap::ObjectIdx;
use crate::heap::places::Places;
use rootbound_wire::graph::Shape;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// By object: its size; 0 until it is reported.
#[derive(Debug)]
pub(super) struct Sizes {
    bytes: Vec<AtomicU32>,
}

impl Sizes {
    /// Starts with the sizes that the survey found.
    pub(super) fn new(survey: &Survey, places: &Places) -> Result<Self, Unproven> {
        let bytes = std::iter::repeat_with(AtomicU32::default).take(places.object_count()).collect();
        let sizes = Self { bytes };
        for &(object, shape) in &survey.sizes {
            let object = places.index(object).ok_or(Unproven::Unexpanded { by: "GC root" })?;
            sizes.set(object, shape)?;
        }
        Ok(sizes)
    }

    /// Records the size of an object that a thread has met.
    #[inline]
    pub(super) fn set(&self, object: ObjectIdx, shape: Shape) -> Result<(), Unproven> {
        let (Shape::Bytes(bytes) | Shape::Array { bytes, .. }) = shape;
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let place = &self.bytes[object.at()];
        let before = match place.load(Relaxed) {
            // Two threads may both come first; one of them reads the other's value.
            0 => place.compare_exchange(0, bytes, Relaxed, Relaxed).unwrap_or_else(|present| present),
            present => present,
        };
        if bytes != 0 && (before == bytes || before == 0) {
            return Ok(());
        }
        Err(Unproven::Size { what: if bytes == 0 { "is 0" } else { "was reported with two values" } })
    }

    /// All sizes. The memory stays where it is.
    pub(super) fn finish(self) -> Result<Vec<u32>, Unproven> {
        let bytes: Vec<u32> = self.bytes.into_iter().map(AtomicU32::into_inner).collect();
        if bytes.contains(&0) { Err(Unproven::Size { what: "was not reported" }) } else { Ok(bytes) }
    }
}
