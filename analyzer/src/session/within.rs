//! Growth that other growth explains: the time-stamps of pooled objects grow as the pool does, three for each object.
//!
//! Both are observed to grow, and the one with the most members would come first. An engineer looks for the structure
//! that gains members, not for the contents of each member. So a grower is reported as part of another grower if its
//! members lie within the other's members, and each of those holds no more than before. This is LeakBot's Observation
//! 4, applied to tracking; F2 of §3.5 discounts false identifications by half. The same holds for a side table whose
//! keys another grower keeps: a weak map, the locals of a thread. It grows because the other grows.

use crate::naming::class::is_array;
use crate::naming::{PathStep, Step};
use crate::report::{Note, Region};

/// Share by which the inner rate may exceed the one that the outer growth explains.
const TOLERANCE: f64 = 0.25;
const DISCOUNT: f64 = 2.0;

/// Marks growers that others explain, discounts them, and orders all by rank again.
pub(super) fn mark(regions: &mut [Region]) {
    let mut around: Vec<Option<usize>> = (0..regions.len()).map(|inner| nearest_around(regions, inner)).collect();
    for inner in 0..regions.len() {
        // Of two that explain each other one must be reported.
        let keeper = || keeper(regions, inner).filter(|&outer| around[outer] != Some(inner));
        around[inner] = around[inner].or_else(keeper);
    }
    for (inner, outer) in around.into_iter().enumerate() {
        let Some(outer) = outer else { continue };
        let around = &regions[outer];
        let class = around.change_proxy.class.clone();
        let note = match keeps(around, &regions[inner]) {
            true => Note::GrowsWithKeeper { class, place: around.owner_proxy.path.clone() },
            false => Note::GrowsWithin { class },
        };
        let fingerprint = around.fingerprint;
        let region = &mut regions[inner];
        region.note.get_or_insert(note);
        region.within = Some(fingerprint);
        region.rank /= DISCOUNT;
    }
    regions.sort_by(|a, b| b.rank.total_cmp(&a.rank));
}

/// The grower whose members are the nearest around this one's and explain its growth; of two with equal counts the
/// first.
fn nearest_around(regions: &[Region], inner: usize) -> Option<usize> {
    let is_outer = |&outer: &usize| {
        let (around, region) = (&regions[outer], &regions[inner]);
        let lengths = (hops(around).count(), hops(region).count());
        (lengths.0 < lengths.1 || lengths.0 == lengths.1 && outer < inner)
            && leads_through(around, region)
            && !is_chunk(around, region)
            && explains(around, region)
    };
    (0..regions.len()).filter(is_outer).max_by_key(|&outer| hops(&regions[outer]).count())
}

/// The first grower that keeps the objects to which this one's members refer weakly, and explains its growth.
fn keeper(regions: &[Region], inner: usize) -> Option<usize> {
    regions.iter().position(|other| keeps(other, &regions[inner]) && explains(other, &regions[inner]))
}

fn keeps(outer: &Region, inner: &Region) -> bool {
    inner.kept_by.as_ref() == Some(&outer.owner_proxy.path)
}

/// Whether the path to the members of the second leads through members of the first.
fn leads_through(outer: &Region, inner: &Region) -> bool {
    outer.reached_from == inner.reached_from && hops(outer).zip(hops(inner)).all(|(a, b)| is_same_hop(a, b))
}

/// Whether the outer members are only the arrays, or nodes with an array, in which the inner ones lie: a list in chunks
/// gains the elements of its chunks.
fn is_chunk(outer: &Region, inner: &Region) -> bool {
    let rest: Vec<Option<&Step>> = hops(inner).skip(hops(outer).count()).map(|hop| hop.step()).collect();
    match rest[..] {
        [Some(element)] => element.reference.is_element(),
        [Some(array), Some(element)] => is_array(&array.class) && element.reference.is_element(),
        _ => false,
    }
}

/// Whether both are the same element of a path. The length of a chain does not matter.
fn is_same_hop(one: &PathStep, other: &PathStep) -> bool {
    match (one, other) {
        (PathStep::Step(one), PathStep::Step(other)) => {
            (&one.reference, &one.class) == (&other.reference, &other.class)
        }
        _ => one == other,
    }
}

/// The steps of a region's path; those from a node to a node of its class, of which there may be any number, left out.
fn hops(region: &Region) -> impl Iterator<Item = &PathStep> {
    let mut before = None;
    region.path.iter().filter(move |hop| {
        let class = hop.step().map(|step| step.class.as_str());
        let is_chained = class.is_some() && class == before;
        before = class;
        !is_chained
    })
}

/// Whether there are no more of the inner members to each of the outer ones than before.
fn explains(outer: &Region, inner: &Region) -> bool {
    let growth = |region: &Region| {
        let size = region.history.last().map(|point| point.1).filter(|&size| region.is_grower() && size > 0.0)?;
        Some((region.rate_per_min? / region.entries_each(), size))
    };
    let (Some((outer_rate, outer_size)), Some((rate, size))) = (growth(outer), growth(inner)) else { return false };
    rate <= (1.0 + TOLERANCE) * outer_rate * size / outer_size
}

#[cfg(test)]
#[path = "within_tests.rs"]
mod tests;
