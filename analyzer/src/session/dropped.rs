//! Structures that the program drops and makes anew: memory tables that are written to a file, buffers that are
//! swapped, batches. A visit finds that the owner was collected; the next capture finds another one at the same place.
//! What was dropped at some size may be dropped there again, so growth up to that size is none without bound.

use super::found_region::FoundRegion;
use crate::naming::{Place, Reference};

/// Equal small sizes are chance.
const LEAST_SIZE: f64 = 16.0;
/// A structure that is larger from its first visit on, or nearly, was not begun anew: it is a copy of the dropped one.
const BEGUN_ANEW: f64 = 0.95;
/// Most places that are remembered, the latest.
const MOST: usize = 64;

/// The largest size of the structures that were dropped, by place and class of change-proxy.
#[derive(Debug, Default)]
pub(super) struct Dropped(Vec<Known>);

/// One place.
#[derive(Debug)]
struct Known {
    place: Place,
    change_class: String,
    most: f64,
}

impl Dropped {
    /// Notes that the program has dropped a structure, and with which size.
    pub(super) fn note(&mut self, region: &FoundRegion) {
        let sizes = region.tracked.series.points().iter().map(|point| point.size);
        let Some(most) = sizes.reduce(f64::max).filter(|&most| most >= LEAST_SIZE) else { return };
        match self.0.iter_mut().find(|known| known.is_of(region)) {
            Some(known) => known.most = known.most.max(most),
            None => {
                let (place, change_class) = (region.path.owner.clone(), region.change_class.clone());
                self.0.push(Known { place, change_class, most });
            }
        }
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    /// The largest size at which a structure like this one was dropped; `None` where it may be a copy of that one.
    pub(super) fn size(&self, region: &FoundRegion) -> Option<u64> {
        let sizes = self.0.iter().filter(|known| known.is_of(region)).map(|known| known.most);
        let most = sizes.reduce(f64::max)?;
        let first = region.tracked.series.points().first().map(|point| point.size);
        first.is_some_and(|first| first < BEGUN_ANEW * most).then_some(most as u64)
    }
}

impl Known {
    /// Whether a region is at this place or below, and goes with it, or on the way to it with the same members. Lengths of
    /// chains differ.
    fn is_of(&self, region: &FoundRegion) -> bool {
        let (dropped, place) = (references(&self.place), references(&region.path.owner));
        let is_above = dropped.starts_with(&place) && self.change_class == region.change_class;
        (place.starts_with(&dropped) || is_above) && self.place.origin == region.path.owner.origin
    }
}

fn references(place: &Place) -> Vec<&Reference> {
    place.turns.iter().map(|turn| &turn.reference).collect()
}
