//! Counted growth that lies in more objects, and not in more to each: the maps of each session grow as sessions do. Names
//! the regions that hold these objects, so that the report explains one growth by the other
//! ([`crate::relations::Rule::Inside`]).

use super::found_region::FoundRegion;
use crate::heap::Heap;
use crate::matching::{Around, HeldFrom, PlaceIdx, Places, Way};
use crate::naming::class::without_hidden_suffix;
use crate::naming::{Place, Route, Shared, SharedRole};
use crate::regions::path::class_name;
use std::collections::BTreeSet;

/// Most regions that are named for each.
const MOST_NAMED: usize = 4;

/// A region that is known to grow.
#[derive(Clone, Debug)]
pub(super) struct KnownGrower {
    pub(super) owner: Place,
    /// To its change-proxies.
    pub(super) route: Route,
}

/// The place of an owner, and where its members are.
struct Holder {
    owner: Place,
    members: Members,
}

enum Members {
    At(BTreeSet<PlaceIdx>),
    Along(Way),
}

impl Holder {
    /// Whether a member, or a part of one, is at the place.
    fn has(&self, place: PlaceIdx, places: &Places) -> bool {
        match &self.members {
            Members::At(members) => members.iter().any(|&member| places.is_within(place, member)),
            Members::Along(way) => places.is_along(place, way),
        }
    }
}

/// Names, for each of the regions found, those of them, and of the known ones, whose members hold the objects around its
/// own.
pub(super) fn name_around(
    heap: &Heap,
    (around, places): (&Around<'_>, &Places),
    found: &mut [FoundRegion],
    known: &[KnownGrower],
) {
    let along = |known: &KnownGrower| {
        let members = Members::Along(places.way(&known.route)?);
        Some(Holder { owner: known.owner.clone(), members })
    };
    let counted = |region: &FoundRegion| {
        let members = Members::At(region.places.clone());
        Holder { owner: region.path.owner.clone(), members }
    };
    let holders: Vec<Holder> = known.iter().filter_map(along).chain(found.iter().map(counted)).collect();
    for region in found {
        let held: Vec<HeldFrom> = region.places.iter().flat_map(|&place| around.held_from(place)).collect();
        let holds = |holder: &Holder| held.iter().find(|held| holder.has(held.holder, places)).copied();
        let others = holders.iter().filter(|holder| holder.owner != region.path.owner);
        let mut shared: Vec<Shared> = Vec::new();
        for holder in others {
            let is_known = shared.iter().any(|known| known.place == holder.owner);
            if let Some(held) = holds(holder).filter(|_| !is_known && shared.len() < MOST_NAMED) {
                let class = without_hidden_suffix(class_name(heap, held.object));
                shared.push(Shared { class, place: holder.owner.clone(), role: SharedRole::Around });
            }
        }
        region.shared = shared;
    }
}
