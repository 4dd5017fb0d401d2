//! Other structures that hold growing objects, too: removing them from one place is not enough then.

use super::findings::{Evidence, Finding};
use super::nested::inherited;
use super::spots::{Spot, Spots};
use crate::graph::{BitSet, Owned};
use crate::heap::ObjectIdx;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Most objects whose referrers are examined.
const EXAMINED: usize = 4_096;
/// Most other holders that are named.
const NAMED: usize = 3;
/// Least share of the examined objects that a named holder has.
const SHARE: usize = 10;

/// Other holders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Others {
    /// Their spots, those with most objects first.
    pub(super) spots: Vec<Spot>,
    /// Whether they hold at least half of the objects.
    pub(super) share_most: bool,
}

/// The other holders of a finding's objects, and of growing objects below these.
pub(super) fn others(finding: &Finding, evidence: &Evidence<'_>, spots: &Spots, owned: &Owned) -> Others {
    let Evidence { heap, paths, placed, growing } = evidence;
    let mut members = BitSet::new(heap.object_count());
    finding.members.iter().for_each(|member| {
        members.insert(member.at());
    });
    let below = inherited(heap, paths, |referrer, _| members.contains(referrer.at()));
    let is_own = |object: ObjectIdx| members.contains(object.at()) || below.contains(object.at());
    let above = above(finding, spots);
    let grows = |object: &ObjectIdx| placed.spot(*object).is_some_and(|spot| growing.contains_key(&spot));
    let own: Vec<ObjectIdx> = heap.objects().filter(|&object| is_own(object)).filter(grows).collect();
    let examined: Vec<ObjectIdx> = own.iter().copied().step_by(own.len().div_ceil(EXAMINED).max(1)).collect();
    let mut held: BTreeMap<Spot, HashSet<ObjectIdx>> = BTreeMap::new();
    for &object in &examined {
        for &referrer in owned.referrers.of(object) {
            let is_inside = is_own(referrer) || owned.dominators.dominates(finding.owner, referrer);
            if let Some(spot) = placed.spot(referrer).filter(|spot| !is_inside && !above.contains(spot)) {
                held.entry(spot).or_default().insert(object);
            }
        }
    }
    let mut by_most: Vec<(Spot, usize)> = held.iter().map(|(&spot, objects)| (spot, objects.len())).collect();
    by_most.sort_by_key(|&(spot, count)| (Reverse(count), spot));
    // Of a node and its contents only one is held from outside.
    let entries = examined.len().min(finding.members.len()).max(1);
    let named = by_most.iter().filter(|(_, count)| count * SHARE >= entries).take(NAMED);
    let shared: HashSet<&ObjectIdx> = held.values().flatten().collect();
    Others { spots: named.map(|each| each.0).collect(), share_most: 2 * shared.len() >= entries }
}

/// The spots on the path to a finding.
fn above(finding: &Finding, spots: &Spots) -> BTreeSet<Spot> {
    let first = finding.spots.first().and_then(|&spot| spots.facts(spot).above);
    std::iter::successors(first, |&spot| spots.facts(spot).above).collect()
}
