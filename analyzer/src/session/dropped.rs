//! Structures that the program drops and makes anew: memory tables that are written to a file, buffers that are
//! swapped, batches. A visit finds that the owner was collected; the next capture finds another one at the same place.
//! What was dropped at some size may be dropped there again, so growth up to that size is none without bound.

use super::found_region::FoundRegion;
use crate::naming::Fingerprint;
use std::collections::HashMap;

/// Equal small sizes are chance.
const LEAST_SIZE: f64 = 16.0;
/// A structure that is larger from its first visit on, or nearly, was not begun anew: it is a copy of the dropped one.
const BEGUN_ANEW: f64 = 0.95;

/// The largest size of the structures that were dropped, by place and class of change-proxy.
#[derive(Debug, Default)]
pub(super) struct Dropped(HashMap<(Fingerprint, String), f64>);

impl Dropped {
    /// Notes that the program has dropped a structure, and with which size.
    pub(super) fn note(&mut self, region: &FoundRegion) {
        let sizes = region.tracked.series.points().iter().map(|point| point.size);
        let Some(most) = sizes.reduce(f64::max).filter(|&most| most >= LEAST_SIZE) else { return };
        let known = self.0.entry(key(region)).or_default();
        *known = known.max(most);
    }

    /// The largest size at which a structure like this one was dropped; `None` where it may be a copy of that one.
    pub(super) fn size(&self, region: &FoundRegion) -> Option<u64> {
        let most = *self.0.get(&key(region))?;
        let first = region.tracked.series.points().first().map(|point| point.size);
        first.is_some_and(|first| first < BEGUN_ANEW * most).then_some(most as u64)
    }
}

fn key(region: &FoundRegion) -> (Fingerprint, String) {
    (region.fingerprint, region.change_class.clone())
}
