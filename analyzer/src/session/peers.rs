//! The size at which structures of one kind are full, learned from others of the kind that are followed. Reservoirs of
//! a library, histories of a fixed length, pools: some are full already, each with exactly as many members, none of
//! these gains, and none is larger. One that is smaller fills up to that size. So does one whose array is as long as those
//! that bound others of its kind: the nodes of a B-tree have arrays of one length, and a list that grows does not keep
//! its array.

use super::found_region::FoundRegion;
use crate::naming::place::Turn;
use crate::tracking::Trend;

/// Fewer structures of one exact size are chance.
const LEAST_FULL: usize = 3;
/// As many arrays of one length are no chance if one of them is far from full.
const LEAST_LIKE: usize = 8;
/// Equal small sizes are chance.
const LEAST_SIZE: f64 = 16.0;
/// References from which a place has its meaning: the field that holds the owner, and the one before.
const LAST: usize = 2;

/// Sizes at which the regions are full by others of their kinds, in their order. `None` where too few others have
/// exactly the size of the largest.
pub(super) fn full_sizes(regions: &[FoundRegion]) -> Vec<Option<u64>> {
    regions.iter().enumerate().map(|(at, _)| full_size(regions, at)).collect()
}

/// The same for one region.
pub(super) fn full_size(regions: &[FoundRegion], at: usize) -> Option<u64> {
    let of = regions.get(at)?;
    let others = || {
        let alike = regions.iter().enumerate().filter(|(other, region)| *other != at && are_alike(of, region));
        alike.filter_map(|(_, region)| Some((region.tracked.latest_size()?, region.trend())))
    };
    let most = others().map(|(size, _)| size).fold(0.0, f64::max);
    let is_full = |&(size, trend): &(f64, Option<Trend>)| size == most && trend == Some(Trend::Flatliner);
    (most >= LEAST_SIZE && others().filter(is_full).count() >= LEAST_FULL).then_some(most as u64)
}

/// The length of a structure's array, where the arrays of all others of its classes have this length, too, and some of
/// these are no lists that grow: they are bound by it, or far from full.
pub(super) fn array_like_others(regions: &[FoundRegion], at: usize) -> Option<u64> {
    let of = regions.get(at)?;
    let slots = of.tracked.fixed_slots()?;
    let others = regions.iter().enumerate().filter(|(other, region)| *other != at && have_equal_classes(of, region));
    let length = |(_, other): (usize, &FoundRegion)| Some((other.tracked.slots()?, other.tracked.is_no_growing_list()));
    let lengths: Vec<(u64, bool)> = others.filter_map(length).collect();
    let shown = lengths.iter().filter(|(_, is_shown)| *is_shown).count();
    let are_many = shown >= LEAST_FULL || shown > 0 && lengths.len() >= LEAST_LIKE;
    (are_many && lengths.iter().all(|&(length, _)| length == slots)).then_some(slots)
}

/// Whether both are structures of one kind, with sizes of one kind: the same classes, and the same fields that lead to
/// the owner. The length of an array that is outgrown again and again is no size at which it is full.
fn are_alike(one: &FoundRegion, other: &FoundRegion) -> bool {
    if other.tracked.extent.is_some_and(|extent| !extent.is_fill()) {
        return false;
    }
    have_equal_classes(one, other) && last(one) == last(other)
}

fn have_equal_classes(one: &FoundRegion, other: &FoundRegion) -> bool {
    one.change_class == other.change_class && one.owner.0 == other.owner.0
}

fn last(region: &FoundRegion) -> &[Turn] {
    let turns = &region.path.owner.turns;
    &turns[turns.len().saturating_sub(LAST)..]
}
