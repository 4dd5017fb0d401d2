//! Relations by typed paths ([`Rule::Path`], [`Rule::Chunk`], [`Rule::Beside`], [`Rule::Keeper`], [`Rule::Jointly`],
//! [`Rule::Neighbour`]).
//! Paths outlive a capture, so a region that only an earlier capture found has its relations, too.

use super::rules::Rule;
use crate::naming::class::is_array;
use crate::naming::{PathStep, Place, Shared, Step};

/// A region by names.
#[derive(Clone, Copy, Debug)]
pub struct Named<'n> {
    /// Path from the leak root to a change-proxy.
    pub path: &'n [PathStep],
    /// Index of the owner on it.
    pub owner_at: usize,
    /// Path from a GC root to the leak root.
    pub reached_from: &'n [PathStep],
    /// Place of the owner.
    pub owner: &'n Place,
    /// Place of the owner that keeps the objects to which the members refer weakly.
    pub kept_by: Option<&'n Place>,
    /// Objects that members of another region hold, too.
    pub shared: &'n [Shared],
}

/// Another region to which a region has a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Related {
    /// Index of the other region.
    pub outer: usize,
    /// The rule that found the relation.
    pub rule: Rule,
    /// Number of hops on the path to the other's members, chains counted once.
    pub depth: usize,
    /// Whether the paths to the members of both are equal.
    pub is_one_path: bool,
    /// Whether fields alone lead from each of the other's members to these: to one each, unless those are chained.
    pub is_single: bool,
}

/// Relations between the regions of one capture, and those that stayed from earlier ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relations {
    by_inner: Vec<Vec<Related>>,
}

impl Relations {
    /// Compares all pairs of regions. Indices are those of `regions`.
    #[must_use]
    pub fn new(regions: &[Named<'_>]) -> Self {
        let hops: Vec<Vec<&PathStep>> = regions.iter().map(|region| hops(region.path)).collect();
        let related = |inner: usize| -> Vec<Related> {
            let others = (0..regions.len()).filter(|&outer| outer != inner);
            let mut found = Vec::new();
            for outer in others {
                let is_on_way = regions[outer].reached_from == regions[inner].reached_from;
                let by_path = by_path(&hops[outer], &hops[inner]).filter(|_| is_on_way);
                let keeps = (regions[inner].kept_by == Some(regions[outer].owner)).then_some(Rule::Keeper);
                let (depth, is_one_path) = (hops[outer].len(), hops[outer].len() == hops[inner].len());
                let is_of_one_owner = is_on_way && regions[outer].owner == regions[inner].owner;
                let is_beside = is_of_one_owner
                    && (are_beside(&hops[outer], &hops[inner]) || are_in_one(&regions[outer], &regions[inner]));
                let shared = regions[inner].shared.iter().find(|shared| shared.place == *regions[outer].owner);
                let content = shared.is_some_and(|shared| shared.are_contents);
                let alike = [
                    (is_beside, Rule::Beside),
                    (content, Rule::Content),
                    (shared.is_some() && !content, Rule::Jointly),
                ];
                let alike = alike.into_iter().filter_map(|(applies, rule)| applies.then_some(rule));
                let rules = by_path.into_iter().chain(keeps).chain(alike);
                let is_single = hops[inner].get(depth..).is_some_and(are_fields);
                found.extend(rules.map(|rule| Related { outer, rule, depth, is_one_path, is_single }));
            }
            found
        };
        Self { by_inner: (0..regions.len()).map(related).collect() }
    }

    /// Relations of a region to others; empty for an index that is not one of these regions.
    #[must_use]
    pub fn of(&self, inner: usize) -> &[Related] {
        self.by_inner.get(inner).map_or(&[], Vec::as_slice)
    }
}

/// Whether both are parts of one structure: the owner of one lies on the path to the owner of the other
/// ([`Rule::Neighbour`]).
#[must_use]
pub fn are_neighbours(one: &Place, other: &Place) -> bool {
    one.is_at_or_below(other) || other.is_at_or_below(one)
}

/// The rule by which the path to the inner members leads through the outer ones.
fn by_path(outer: &[&PathStep], inner: &[&PathStep]) -> Option<Rule> {
    let leads_through = outer.len() <= inner.len() && outer.iter().zip(inner).all(|(a, b)| is_same_hop(a, b));
    let rest = inner.get(outer.len()..).filter(|_| leads_through)?;
    Some(if is_chunk(rest) { Rule::Chunk } else { Rule::Path })
}

/// Whether members of both are elements of the same arrays: the paths differ in the last class alone.
fn are_beside(one: &[&PathStep], other: &[&PathStep]) -> bool {
    let (Some((last, before)), Some((other_last, other_before))) = (one.split_last(), other.split_last()) else {
        return false;
    };
    let is_element = |hop: &PathStep| hop.step().is_some_and(|step| step.reference.is_element());
    let is_one_way =
        before.len() == other_before.len() && before.iter().zip(other_before).all(|(a, b)| is_same_hop(a, b));
    is_one_way && is_element(last) && is_element(other_last) && class(last) != class(other_last)
}

/// Whether fields lead to the members of both from the same elements of their owner: two objects of each entry.
fn are_in_one(one: &Named<'_>, other: &Named<'_>) -> bool {
    let [one, other] = [one, other].map(|region| hops(region.path.get(region.owner_at..).unwrap_or_default()));
    let common = one.iter().zip(&other).take_while(|(a, b)| is_same_hop(a, b)).count();
    let is_element = |hop: &&PathStep| hop.step().is_some_and(|step| step.reference.is_element());
    let apart = [&one[common..], &other[common..]];
    one[..common].iter().any(is_element) && apart.iter().all(|hops| !hops.is_empty() && !hops.iter().any(is_element))
}

/// Whether these hops, of which there is at least one, are fields. A chain may lie among them.
fn are_fields(rest: &[&PathStep]) -> bool {
    !rest.is_empty() && rest.iter().all(|hop| hop.step().is_some_and(|step| !step.reference.is_element()))
}

/// Whether these hops lead from an outer member only to its array's elements: a list in chunks gains the elements of
/// its chunks.
fn is_chunk(rest: &[&PathStep]) -> bool {
    let rest: Vec<Option<&Step>> = rest.iter().map(|hop| hop.step()).collect();
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

/// The steps of a path; those from a node to a node of its class, of which there may be any number, left out.
fn hops(path: &[PathStep]) -> Vec<&PathStep> {
    let mut hops: Vec<&PathStep> = path.iter().collect();
    hops.dedup_by(|hop, before| class(hop).is_some() && class(hop) == class(before));
    hops
}

/// Class of a step's target; `None` for the beginning of a path.
fn class(hop: &PathStep) -> Option<&str> {
    hop.step().map(|step| step.class.as_str())
}
