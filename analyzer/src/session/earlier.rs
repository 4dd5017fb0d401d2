//! Followed regions of an earlier capture, in the heap of a later one. Shortest paths differ between captures, so that a
//! structure may be found at another place; the earlier place still leads to it.

use super::found_region::FoundRegion;
use crate::graph::RootPaths;
use crate::heap::{Heap, ObjectIdx};
use crate::naming::Place;
use crate::regions::objects_at;
use crate::regions::path::LeakPath;
use crate::tracking::Trend;
use rustc_hash::FxHashSet;

/// The owner of followed regions.
#[derive(Debug)]
pub(super) struct Followed {
    place: Place,
    /// Whether one of the regions is known to grow.
    grows: bool,
}

impl Followed {
    /// The owners of these regions, each place once.
    pub(super) fn owners(regions: &[FoundRegion]) -> Vec<Self> {
        let mut owners: Vec<Self> = Vec::new();
        for region in regions.iter().filter(|region| region.is_followed()) {
            let (place, grows) = (&region.path.owner, region.trend() == Some(Trend::Grower));
            match owners.iter_mut().find(|known| known.place == *place) {
                Some(known) => known.grows |= grows,
                None => owners.push(Self { place: place.clone(), grows }),
            }
        }
        owners
    }
}

/// Where a later heap has the owner of followed regions.
#[derive(Debug)]
pub(super) struct Earlier {
    /// Its earlier place.
    place: Place,
    grows: bool,
    /// The objects to which that place leads.
    at: FxHashSet<ObjectIdx>,
    /// The path to it, where the place leads to it alone.
    path: Option<LeakPath>,
}

impl Earlier {
    /// Looks an owner up.
    pub(super) fn new(heap: &Heap, roots: &RootPaths, followed: &Followed) -> Self {
        let at = objects_at(heap, &followed.place);
        let alone = at.iter().next().filter(|_| at.len() == 1);
        let path = alone.map(|&owner| LeakPath::to_owner(heap, roots, owner));
        Self { place: followed.place.clone(), grows: followed.grows, at, path }
    }

    /// Whether it is the owner of a region that was known to grow.
    pub(super) fn grew_at(&self, found: &FoundRegion) -> bool {
        self.grows && self.path.is_some() && self.leads_to(found)
    }

    /// Whether `found` may go on as `known`: this is the place of the one, and leads to the owner of the other. Where it
    /// leads to several objects, the known region must grow.
    pub(super) fn joins(&self, known: &FoundRegion, found: &FoundRegion) -> bool {
        let is_certain = self.path.is_some() || known.trend() == Some(Trend::Grower);
        self.place == known.path.owner && is_certain && self.leads_to(found)
    }

    /// The path to the owner of a region from an earlier capture, if it is another one now.
    pub(super) fn new_path(&self, known: &FoundRegion) -> Option<&LeakPath> {
        self.path.as_ref().filter(|path| self.place == known.path.owner && path.owner != self.place)
    }

    fn leads_to(&self, found: &FoundRegion) -> bool {
        found.owner_object.is_some_and(|owner| self.at.contains(&owner))
    }
}
