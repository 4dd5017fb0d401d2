//! Members grouped by region key (LeakBot, Definitions 5 and 6).

use super::footprint::Reservoir;
use super::waypoints::{self, Waypoints};
use super::{MAX_CHANGE_SAMPLES, MAX_MEMBER_TYPES, Region};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use crate::ranking::{Candidate, Ranking};
use crate::relations::Standing;
use crate::relations::chain::{above, holder_of_arrays, predecessor};
use crate::relations::member::is_in_own_type;
use crate::relations::same::{Key, MostGeneral};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nested candidates share members; walking every subtree of every candidate could be quadratic. Candidates are
/// served by falling rank until this many times the heap has been walked, and small subtrees are always served.
const WALK_BUDGET_IN_HEAPS: usize = 4;
/// A subtree of at most this share of the heap is small.
const SMALL_SUBTREE_SHARE: usize = 256;

/// Maximum of examined objects between an owner-proxy and a member.
const LONGEST_WAY: usize = 1024;
/// Regions of fewer change-proxies are rounding errors.
const LEAST: f64 = 0.5;

/// Sums of weights: each object is weighted by its newness.
#[derive(Default)]
struct Gathering {
    proxy_size: f64,
    dump_size: f64,
    dump_bytes: f64,
    changes: Vec<ObjectIdx>,
    measured: Reservoir,
    members: FxHashMap<ClassIdx, (f64, f64)>,
}

/// Every region below every served candidate, each under the best-ranked candidate that owns it.
pub(super) fn collect(graph: &ObjectGraph<'_>, ranking: &Ranking) -> Vec<Region> {
    let heap_size = graph.dominators.reachable_count();
    let mut budget = WALK_BUDGET_IN_HEAPS * heap_size;
    let mut taken: FxHashSet<Key> = FxHashSet::default();
    let mut regions = Vec::new();
    for candidate in ranking.candidates.iter().filter(|candidate| candidate.rank > 0.0) {
        let size = graph.dominators.subtree(candidate.object).len();
        if size > budget && size > heap_size / SMALL_SUBTREE_SHARE {
            continue;
        }
        budget = budget.saturating_sub(size);
        let found = below(graph, candidate.object);
        regions.extend(
            found
                .into_iter()
                .filter(|(key, _)| taken.insert(*key))
                .map(|(key, gathering)| gathering.into_region(candidate, key)),
        );
    }
    regions
}

/// The regions of one leak root.
fn below(graph: &ObjectGraph<'_>, leak_root: ObjectIdx) -> Vec<(Key, Gathering)> {
    let mut gathered: FxHashMap<Key, Gathering> = FxHashMap::default();
    // Change-proxies that were met, and whether each is inner.
    let mut seen_changes: FxHashMap<(ObjectIdx, ClassIdx, ObjectIdx), bool> = FxHashMap::default();
    let mut latest: Option<(Key, ObjectIdx)> = None;
    waypoints::for_each_member(graph, leak_root, |Waypoints { member, change, owner }| {
        let owner = lasting_owner(graph, leak_root, owner, change);
        let change = if graph.dominators.dominates(owner, change) { change } else { below_owner(graph, owner, member) };
        if graph.ages.is_copied_node(graph.heap, change) {
            return;
        }
        let class = graph.heap.class_of(change);
        let seen = |object| match latest {
            Some((key, known)) if (key.0, key.1, known) == (owner, class, object) => Some(key.2),
            _ => seen_changes.get(&(owner, class, object)).copied(),
        };
        let before = predecessor(graph, member, class).and_then(seen);
        let change = if before.is_some() { member } else { change };
        let lies_within = || graph.ages.newness(change) < 1.0 && is_in_own_type(graph, owner, change);
        let is_inner = before.or_else(|| seen(change)).unwrap_or_else(lies_within);
        let key = (owner, class, is_inner);
        let gathering = gathered.entry(key).or_default();
        if latest != Some((key, change)) {
            latest = Some((key, change));
            if seen_changes.insert((owner, class, change), is_inner).is_none() {
                gathering.proxy_size += graph.ages.newness(change);
                gathering.measured.offer(change);
                if gathering.changes.len() < MAX_CHANGE_SAMPLES {
                    gathering.changes.push(change);
                }
            }
        }
        gathering.add(graph, member);
    });
    let mut regions: Vec<(Key, Gathering)> = gathered.into_iter().collect();
    regions.sort_by_key(|(key, _)| *key);
    let mut united = unite_related(graph, regions);
    united.retain(|(_, gathering)| gathering.proxy_size >= LEAST);
    united
}

/// The holder of an array that Definition 4 names, since nothing else on the path is old. An owner that is replaced
/// cannot be followed, and a list that copies on write replaces its array.
fn lasting_owner(graph: &ObjectGraph<'_>, leak_root: ObjectIdx, owner: ObjectIdx, change: ObjectIdx) -> ObjectIdx {
    let is_owner = |&holder: &ObjectIdx| holder != change && graph.dominators.dominates(leak_root, holder);
    holder_of_arrays(graph, owner).filter(is_owner).unwrap_or(owner)
}

/// The highest new object between the owner-proxy and a member. Where a leak path crosses the fringe several times,
/// Definitions 3 and 4, each by itself, may choose a change-proxy above the owner-proxy. A visit that starts at the
/// owner cannot count that.
fn below_owner(graph: &ObjectGraph<'_>, owner: ObjectIdx, member: ObjectIdx) -> ObjectIdx {
    let path = std::iter::once(member).chain(above(graph, member));
    let between: Vec<ObjectIdx> = path.take_while(|&object| object != owner).take(LONGEST_WAY).collect();
    let is_change = |&object: &ObjectIdx| graph.ages.is_new(object) && !graph.ages.is_transient(graph.heap, object);
    between.into_iter().rfind(is_change).unwrap_or(member)
}

/// Joins regions of one owner into that of the most general type among them.
fn unite_related(graph: &ObjectGraph<'_>, regions: Vec<(Key, Gathering)>) -> Vec<(Key, Gathering)> {
    let mut most_general = MostGeneral::among(graph.heap.classes(), regions.iter().map(|(key, _)| *key).collect());
    let mut united: Vec<(Key, Gathering)> = Vec::new();
    let mut place: FxHashMap<Key, usize> = FxHashMap::default();
    for (key, gathering) in regions {
        let general = most_general.key(key);
        let at = *place.entry(general).or_insert(united.len());
        match united.get_mut(at) {
            Some((_, into)) => into.absorb(gathering),
            None => united.push((general, gathering)),
        }
    }
    united
}

impl Gathering {
    fn add(&mut self, graph: &ObjectGraph<'_>, member: ObjectIdx) {
        let weight = graph.ages.newness(member);
        let bytes = weight * graph.heap.shallow_bytes(member) as f64;
        self.dump_size += weight;
        self.dump_bytes += bytes;
        let of_type = self.members.entry(graph.heap.class_of(member)).or_default();
        *of_type = (of_type.0 + weight, of_type.1 + bytes);
    }

    fn absorb(&mut self, other: Self) {
        self.proxy_size += other.proxy_size;
        self.dump_size += other.dump_size;
        self.dump_bytes += other.dump_bytes;
        let room = MAX_CHANGE_SAMPLES - self.changes.len();
        self.changes.extend(other.changes.into_iter().take(room));
        self.measured.absorb(other.measured);
        for (class, (count, bytes)) in other.members {
            let of_type = self.members.entry(class).or_default();
            *of_type = (of_type.0 + count, of_type.1 + bytes);
        }
    }

    fn into_region(self, candidate: &Candidate, (owner, change_class, _): Key) -> Region {
        let mut members: Vec<(ClassIdx, u64, u64)> =
            self.members.into_iter().map(|(class, (count, bytes))| (class, whole(count), whole(bytes))).collect();
        members.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
        members.truncate(MAX_MEMBER_TYPES);
        Region {
            leak_root: candidate.object,
            leak_root_rank: candidate.rank,
            owner,
            change_class,
            proxy_size: whole(self.proxy_size),
            dump_size: whole(self.dump_size),
            dump_bytes: whole(self.dump_bytes),
            changes: self.changes,
            measured: self.measured.into_sample(),
            members,
            standing: Standing::Alone,
            rank: 0.0,
        }
    }
}

/// The nearest whole number.
fn whole(sum: f64) -> u64 {
    sum.round() as u64
}
