//! What may grow by exact counts, in the latest capture. Few captures prove no growth, but they show where it may be:
//! regions of places that have gained by them are followed by probes, which prove it sooner than further captures.

use crate::graph::{Ages, ObjectGraph};
use crate::heap::ObjectIdx;
use crate::matching::{PlaceIdx, Places};
use crate::regions::{self, Region};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Regions that are followed because of counts alone.
const MOST_FOLLOWED: usize = 4;

/// The places that may grow.
#[derive(Debug)]
pub(super) struct RisingPlaces {
    /// Ages by which only what these places have gained is new.
    pub(super) ages: Ages,
    pub(super) places: BTreeSet<PlaceIdx>,
    pub(super) by_place: ByPlace,
}

/// The place of each object of the latest capture.
#[derive(Debug)]
pub(super) struct ByPlace {
    pub(super) all: Arc<Places>,
    /// By object.
    pub(super) place: Vec<PlaceIdx>,
}

/// The regions that may grow, by falling rank.
#[derive(Debug)]
pub(super) struct RisingRegions {
    regions: Vec<Region>,
    by_place: ByPlace,
}

impl RisingPlaces {
    /// Finds the regions of these places in the graph of the latest capture, whatever its ages.
    pub(super) fn find(self, graph: &ObjectGraph<'_>) -> RisingRegions {
        let Self { ages, places, by_place } = self;
        let regions = regions::find_alone(&graph.with_ages(ages));
        let regions = outermost(regions, |region| by_place.places_of(region), &places, &by_place.all);
        RisingRegions { regions, by_place }
    }
}

impl RisingRegions {
    /// Adds the first few to regions that are followed, and sorts all by falling rank. What lies within the members of a
    /// followed one, or in its structure, grows with it.
    pub(super) fn join(self, followed: &mut Vec<Region>) {
        let Self { regions, by_place } = self;
        let places: BTreeSet<PlaceIdx> = followed.iter().flat_map(|region| by_place.places_of(region)).collect();
        let owners: FxHashSet<ObjectIdx> = followed.iter().map(|region| region.owner).collect();
        let all = &by_place.all;
        let is_below = |&place: &PlaceIdx| places.iter().any(|&outer| place != outer && all.is_within(place, outer));
        let is_known =
            |region: &Region| owners.contains(&region.owner) || by_place.places_of(region).iter().all(is_below);
        followed.extend(regions.into_iter().filter(|region| !is_known(region)).take(MOST_FOLLOWED));
        followed.sort_by(|one, other| other.rank.total_cmp(&one.rank));
    }
}

impl ByPlace {
    fn places_of(&self, region: &Region) -> BTreeSet<PlaceIdx> {
        region.changes.iter().map(|change| self.place[change.at()]).collect()
    }
}

/// The regions whose members lie at these places alone, by falling rank. Sizes belong to places: regions at one place, or
/// within what grows there, are one, the outermost. Where there are many, that is all of them together.
pub(super) fn outermost(
    mut regions: Vec<Region>,
    places_of: impl Fn(&Region) -> BTreeSet<PlaceIdx>,
    places: &BTreeSet<PlaceIdx>,
    all: &Places,
) -> Vec<Region> {
    regions.retain(|region| places_of(region).is_subset(places));
    regions.sort_by_cached_key(|region| {
        let depth = places_of(region).into_iter().map(|place| all.depth(place)).min();
        (depth, !region.standing.is_population())
    });
    let mut known: Vec<PlaceIdx> = Vec::new();
    regions.retain(|region| {
        let places = places_of(region);
        let is_within = |&place: &PlaceIdx| known.iter().any(|&outer| all.is_within(place, outer));
        let is_known = places.iter().all(is_within);
        known.extend(places.iter().filter(|_| !is_known));
        !is_known
    });
    regions.sort_by(|one, other| other.rank.total_cmp(&one.rank));
    regions
}

#[cfg(test)]
#[path = "rising_tests.rs"]
mod tests;
