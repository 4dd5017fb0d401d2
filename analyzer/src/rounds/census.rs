//! The objects of one heap at their spots, and the figures that are kept of it.

use super::spots::{Spot, Spots};
use crate::graph::RootPaths;
use crate::heap::{Heap, ObjectIdx};
use crate::matching::PlaceFinder;

/// The spot of each object: 4 bytes an object.
#[derive(Debug)]
pub(super) struct Placed {
    spots: Vec<Option<Spot>>,
    spot_count: usize,
}

impl Placed {
    /// Places every object along the shortest paths.
    pub(super) fn new(heap: &Heap, paths: &RootPaths, spots: &mut Spots) -> Self {
        spots.learn(heap);
        let mut finder = PlaceFinder::new(heap, paths, &mut spots.places);
        let places: Vec<_> = heap.objects().map(|object| finder.place_of(object)).collect();
        let placed = places.into_iter().map(|place| spots.of(place)).collect();
        Self { spots: placed, spot_count: spots.len() }
    }

    /// The spot of an object; `None` if no root reaches it.
    pub(super) fn spot(&self, object: ObjectIdx) -> Option<Spot> {
        self.spots[object.at()]
    }

    /// The figures that are kept.
    pub(super) fn census(&self, heap: &Heap) -> Census {
        let mut at = vec![Figures::default(); self.spot_count];
        for object in heap.objects() {
            let Some(spot) = self.spot(object) else { continue };
            let figures = &mut at[spot.at()];
            figures.objects += 1;
            figures.bytes += heap.shallow_bytes(object);
            figures.arrays = match (heap.is_array(object), heap.is_object_array(object)) {
                (false, _) => Arrays::None,
                (true, true) => Arrays::References,
                (true, false) => Arrays::Values,
            };
        }
        let objects = at.iter().map(|figures| figures.objects).sum();
        Census { at, objects }
    }
}

/// What a spot has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    /// Number of objects.
    pub(super) objects: u64,
    /// Their shallow sizes.
    pub(super) bytes: u64,
    /// Kind of its objects.
    pub(super) arrays: Arrays,
}

/// Whether the objects of a spot are arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Arrays {
    /// They are not.
    #[default]
    None,
    /// Of references.
    References,
    /// Of primitive values.
    Values,
}

/// The figures of one heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Census {
    at: Vec<Figures>,
    /// Reachable objects.
    pub(super) objects: u64,
}

impl Census {
    /// What a spot has; nothing where the heap has no such spot.
    pub(super) fn at(&self, spot: Spot) -> Figures {
        self.at.get(spot.at()).copied().unwrap_or_default()
    }

    #[cfg(test)]
    pub(super) fn of(at: Vec<Figures>) -> Self {
        Self { objects: at.iter().map(|figures| figures.objects).sum(), at }
    }
}
