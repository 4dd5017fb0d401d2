//! Relations by typed paths ([`Rule::Path`], [`Rule::Chunk`], [`Rule::Beside`], [`Rule::Keeper`], [`Rule::Jointly`],
//! [`Rule::Content`], [`Rule::Inside`], [`Rule::Neighbour`], [`Rule::Whole`]).
//! Paths outlive a capture, so a region that only an earlier capture found has its relations, too.

use super::rules::Rule;
use crate::naming::class::is_array;
use crate::naming::{PathStep, Place, Shared, SharedRole, Step};

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
    /// Number of its members in each container that has come, where most of them came in such containers.
    pub in_each_new: Option<f64>,
    /// Class of the entries in which its growth is counted, where each change-proxy holds several.
    pub entry_class: Option<&'n str>,
}

impl<'n> Named<'n> {
    /// Path from a GC root to a change-proxy: regions of one structure may have different leak roots.
    fn whole_path(&self) -> impl Iterator<Item = &'n PathStep> + use<'n> {
        // The leak root ends one path and begins the other.
        self.reached_from.iter().chain(self.path.iter().skip(usize::from(!self.reached_from.is_empty())))
    }

    /// Index of the owner on the whole path.
    fn owner_in_whole(&self) -> usize {
        self.reached_from.len().saturating_sub(1) + self.owner_at
    }

    /// Number of hops on the whole path to its owner.
    fn hops_to_owner(&self) -> usize {
        hops(self.whole_path().take(self.owner_in_whole() + 1)).len()
    }
}

/// Another region to which a region has a relation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Related {
    /// Index of the other region.
    pub outer: usize,
    /// The rule that found the relation.
    pub rule: Rule,
    /// Number of hops on the path to the other's members, chains counted once.
    pub depth: usize,
    /// Whether the paths to the members of both are equal.
    pub is_one_path: bool,
    /// Whether the other's owner lies above this one's on that path, so that these members are some of the other's.
    pub is_included: bool,
    /// Whether fields alone lead from each of the other's members to these: to one each, unless those are chained.
    pub is_single: bool,
    /// Whether this one's owner lies in a member of the other, or is one: then all its members lie in one of the other's.
    pub is_in_one: bool,
    /// [`Named::in_each_new`] of this one.
    pub in_each_new: Option<f64>,
}

impl Related {
    /// Whether both count the same members: all of one's are among the other's.
    #[must_use]
    pub fn counts_the_same_as(&self, outer: usize) -> bool {
        self.outer == outer && (self.is_included || self.rule == Rule::Whole)
    }
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
        let hops: Vec<Vec<&PathStep>> = regions.iter().map(|region| hops(region.whole_path())).collect();
        let paths = regions.iter().zip(&hops);
        let sides: Vec<Side<'_, '_>> =
            paths.map(|(region, hops)| Side { region, hops, to_owner: region.hops_to_owner() }).collect();
        let related = |inner: usize| -> Vec<Related> {
            let others = (0..sides.len()).filter(|&outer| outer != inner);
            others.flat_map(|outer| sides[inner].related_to(sides[outer], outer)).collect()
        };
        Self { by_inner: (0..regions.len()).map(related).collect() }
    }

    /// Relations of a region to others; empty for an index that is not one of these regions.
    #[must_use]
    pub fn of(&self, inner: usize) -> &[Related] {
        self.by_inner.get(inner).map_or(&[], Vec::as_slice)
    }
}

/// One of two regions that are compared.
#[derive(Clone, Copy)]
struct Side<'p, 'n> {
    region: &'p Named<'n>,
    /// Hops of its whole path.
    hops: &'p [&'n PathStep],
    /// Number of those that lead to its owner.
    to_owner: usize,
}

impl Side<'_, '_> {
    /// Its relations to another region, which has this index.
    fn related_to(self, other: Self, outer: usize) -> impl Iterator<Item = Related> + use<> {
        let (depth, is_one_path) = (other.hops.len(), other.hops.len() == self.hops.len());
        let by_path = by_path(other.hops, self.hops, other.region.entry_class);
        let is_above = other.region.owner_in_whole() < self.region.owner_in_whole();
        let is_included = by_path.is_some() && is_one_path && is_above;
        let is_single = self.hops.get(depth..).is_some_and(are_fields);
        let is_in_one = by_path.is_some() && is_above && depth <= self.to_owner;
        let in_each_new = self.region.in_each_new;
        let related =
            move |rule| Related { outer, rule, depth, is_one_path, is_included, is_single, is_in_one, in_each_new };
        by_path.into_iter().chain(self.by_owner(other, by_path.is_some())).map(related)
    }

    /// The rules that compare owners, and what else holds the members.
    fn by_owner(self, other: Self, is_by_path: bool) -> Vec<Rule> {
        let shared = self.region.shared.iter().find(|shared| shared.place == *other.region.owner);
        let rules = [
            (self.region.kept_by == Some(other.region.owner), Rule::Keeper),
            (self.is_beside(other), Rule::Beside),
            (!is_by_path && self.is_whole_of(other), Rule::Whole),
        ];
        let by_shared = shared.map(|shared| match shared.role {
            SharedRole::Held => Rule::Jointly,
            SharedRole::Content => Rule::Content,
            SharedRole::Around => Rule::Inside,
            SharedRole::Referent => Rule::Keeper,
        });
        rules.into_iter().filter_map(|(applies, rule)| applies.then_some(rule)).chain(by_shared).collect()
    }

    /// Whether the members of a part are members of this one, too: both are reached in the same way from objects of the
    /// class of the part's owner, which this one's owner holds.
    fn is_whole_of(self, part: Self) -> bool {
        let (whole, within) = (self.region, part.region);
        let below = hops(within.path.iter().skip(within.owner_at));
        let holds = || {
            let held = hops(whole.path.iter().skip(whole.owner_at));
            let (Some(from), Some((owner, members))) = (held.len().checked_sub(below.len()), below.split_first())
            else {
                return false;
            };
            let (held_owner, held_members) = (held[from], &held[from + 1..]);
            from > 0
                && class_of_any(held_owner) == class_of_any(owner)
                && held_members.iter().zip(members).all(|(one, other)| is_same_hop(one, other))
        };
        within.owner != whole.owner && within.owner.is_at_or_below(whole.owner) && holds()
    }

    /// Whether one owner holds members of both: in the same arrays, in the same elements, or in arrays side by side.
    fn is_beside(self, other: Self) -> bool {
        self.region.owner == other.region.owner
            && (are_beside(other.hops, self.hops)
                || are_in_one(other.region, self.region)
                || are_parallel(other.region, self.region))
    }
}

/// Whether both are parts of one structure: the owner of one lies on the path to the owner of the other
/// ([`Rule::Neighbour`]).
#[must_use]
pub fn are_neighbours(one: &Place, other: &Place) -> bool {
    one.is_at_or_below(other) || other.is_at_or_below(one)
}

/// The rule by which the path to the inner members leads through the outer ones. Chunks that are counted in these
/// elements are no other structure.
fn by_path(outer: &[&PathStep], inner: &[&PathStep], outer_entries: Option<&str>) -> Option<Rule> {
    let leads_through = outer.len() <= inner.len() && outer.iter().zip(inner).all(|(a, b)| is_same_hop(a, b));
    let rest = inner.get(outer.len()..).filter(|_| leads_through)?;
    let are_counted = outer_entries.is_some() && outer_entries == inner.last().and_then(|last| class(last));
    Some(if is_chunk(rest) && !are_counted { Rule::Chunk } else { Rule::Path })
}

/// Whether members of both are elements of the same arrays: the paths differ in the last class alone.
fn are_beside(one: &[&PathStep], other: &[&PathStep]) -> bool {
    let (Some((last, before)), Some((other_last, other_before))) = (one.split_last(), other.split_last()) else {
        return false;
    };
    let is_one_way =
        before.len() == other_before.len() && before.iter().zip(other_before).all(|(a, b)| is_same_hop(a, b));
    is_one_way && is_element(last) && is_element(other_last) && class(last) != class(other_last)
}

/// Whether fields lead to the members of both from the same elements of their owner: two objects of each entry.
fn are_in_one(one: &Named<'_>, other: &Named<'_>) -> bool {
    let [one, other] = [one, other].map(|region| hops(region.path.iter().skip(region.owner_at)));
    let common = one.iter().zip(&other).take_while(|(a, b)| is_same_hop(a, b)).count();
    let apart = [&one[common..], &other[common..]];
    let leads_by_element = |hops: &[&PathStep]| hops.iter().any(|hop| is_element(hop));
    leads_by_element(&one[..common]) && apart.iter().all(|hops| !hops.is_empty() && !leads_by_element(hops))
}

/// Whether the members of one are the elements of an array of their owner, and the other is another array of it, with
/// values: the keys of a map of numbers.
fn are_parallel(elements: &Named<'_>, values: &Named<'_>) -> bool {
    let is_array = |hop: &PathStep| !is_element(hop) && class(hop).is_some_and(is_array);
    match [elements, values].map(|region| region.path.get(region.owner_at + 1..)) {
        [Some([array, element]), Some([values])] => is_array(array) && is_element(element) && is_array(values),
        _ => false,
    }
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
fn hops<'n>(path: impl Iterator<Item = &'n PathStep>) -> Vec<&'n PathStep> {
    let mut hops: Vec<&PathStep> = path.collect();
    hops.dedup_by(|hop, before| class(hop).is_some() && class(hop) == class(before));
    hops
}

/// Class of the object at which a hop ends, or a path begins.
fn class_of_any(hop: &PathStep) -> Option<&str> {
    match hop {
        PathStep::Start(start) => Some(&start.class),
        hop => class(hop),
    }
}

/// Whether a hop leads to an element of an array.
fn is_element(hop: &PathStep) -> bool {
    hop.step().is_some_and(|step| step.reference.is_element())
}

/// Class of a step's target; `None` for the beginning of a path.
fn class(hop: &PathStep) -> Option<&str> {
    hop.step().map(|step| step.class.as_str())
}
