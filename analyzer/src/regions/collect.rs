//! Members grouped by region key (LeakBot, Definitions 5 and 6).

use super::footprint::Reservoir;
use super::waypoints::{self, Waypoints};
use super::{MAX_CHANGE_SAMPLES, MAX_MEASURED, MAX_MEMBER_TYPES, Region};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use crate::relations::Standing;
use crate::relations::chain::{above, holder_of_arrays, predecessor};
use crate::relations::member::{depth_in_own_type, is_in_own_type};
use crate::relations::same::{Key, MostGeneral};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Nested candidates share members; walking every subtree of every candidate could be quadratic. Candidates are
/// served by falling rank until this many times the heap has been walked, and small subtrees are always served.
const WALK_BUDGET_IN_HEAPS: usize = 4;
/// A subtree of at most this share of the heap is small.
const SMALL_SUBTREE_SHARE: usize = 256;

/// Maximum of examined objects between an owner-proxy and a member.
const LONGEST_WAY: usize = 1024;
/// Where at least this share of the change-proxies lies equally deep in their own type, those that lie deeper are taken
/// for contents of old members that only seem new.
const AT_ONE_DEPTH: f64 = 0.75;
/// Regions of fewer change-proxies are rounding errors.
const LEAST: f64 = 0.5;

/// Sums of weights: each object is weighted by its newness. A busy heap has millions of these, of one change-proxy each.
#[derive(Default)]
struct Gathering {
    proxy_size: f64,
    dump_size: f64,
    dump_bytes: f64,
    changes: Vec<ObjectIdx>,
    /// A sample of the change-proxies; `None` while they are few enough to be the sample themselves.
    measured: Option<Box<Reservoir>>,
    members: Members,
}

/// Number and bytes of members by class. Members of one class often come one after the other.
#[derive(Default)]
struct Members {
    latest: Option<(ClassIdx, (f64, f64))>,
    earlier: FxHashMap<ClassIdx, (f64, f64)>,
}

/// The gatherings of one leak root.
#[derive(Default)]
struct Gatherings {
    places: FxHashMap<Key, u32>,
    all: Vec<(Key, Gathering)>,
}

/// Every region below every served leak root, each under the first one that owns it. `roots`: with their ranks, which fall.
pub(super) fn collect(graph: &ObjectGraph<'_>, roots: impl Iterator<Item = (ObjectIdx, f64)>) -> Vec<Region> {
    let heap_size = graph.dominators.reachable_count();
    let mut budget = WALK_BUDGET_IN_HEAPS * heap_size;
    let is_served = |&(leak_root, rank): &(ObjectIdx, f64)| {
        let size = graph.dominators.subtree(leak_root).len();
        let serves = rank > 0.0 && (size <= budget || size <= heap_size / SMALL_SUBTREE_SHARE);
        budget = budget.saturating_sub(if serves { size } else { 0 });
        serves
    };
    let served: Vec<(ObjectIdx, f64)> = roots.filter(is_served).collect();
    let found: Vec<Vec<(Key, Gathering)>> =
        served.par_iter().with_max_len(1).map(|&(leak_root, _)| below(graph, leak_root)).collect();
    let mut taken: FxHashSet<Key> = FxHashSet::default();
    let mut regions = Vec::new();
    for (served, found) in served.into_iter().zip(found) {
        let first = found.into_iter().filter(|(key, _)| taken.insert(*key));
        regions.extend(first.map(|(key, gathering)| gathering.into_region(served, key)));
    }
    regions
}

/// The regions of one leak root.
fn below(graph: &ObjectGraph<'_>, leak_root: ObjectIdx) -> Vec<(Key, Gathering)> {
    let mut gathered = Gatherings::default();
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
        let before = predecessor(graph.owned(), member, class).and_then(seen);
        let change = if before.is_some() { member } else { change };
        let is_inner = before.or_else(|| seen(change)).unwrap_or_else(|| is_in_own_type(graph, owner, change));
        let key = (owner, class, is_inner);
        let gathering = gathered.of(key);
        if latest != Some((key, change)) {
            latest = Some((key, change));
            if seen_changes.insert((owner, class, change), is_inner).is_none() {
                gathering.proxy_size += graph.ages.newness(change);
                gathering.offer(change);
            }
        }
        gathering.add(graph, member);
    });
    gathered.by_owner().flat_map(|of_owner| united(graph, of_owner)).collect()
}

/// The regions of one owner, those of related types as one.
fn united(graph: &ObjectGraph<'_>, of_owner: Vec<(Key, Gathering)>) -> Vec<(Key, Gathering)> {
    let mut united = if of_owner.len() == 1 { of_owner } else { unite_related(graph, of_owner) };
    united.iter_mut().for_each(|(key, gathering)| gathering.shed_deeper(graph, key.0));
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
    let path = std::iter::once(member).chain(above(&graph.dominators, member));
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

impl Gatherings {
    fn of(&mut self, key: Key) -> &mut Gathering {
        let at = *self.places.entry(key).or_insert(self.all.len() as u32) as usize;
        if at == self.all.len() {
            self.all.push((key, Gathering::default()));
        }
        &mut self.all[at].1
    }

    /// Those of each owner, by key.
    fn by_owner(self) -> impl Iterator<Item = Vec<(Key, Gathering)>> {
        let mut all = self.all;
        all.sort_unstable_by_key(|(key, _)| *key);
        let mut left = all.into_iter().peekable();
        std::iter::from_fn(move || {
            let first = left.next()?;
            let owner = first.0.0;
            let mut of_owner = vec![first];
            of_owner.extend(std::iter::from_fn(|| left.next_if(|(key, _)| key.0 == owner)));
            Some(of_owner)
        })
    }
}

impl Members {
    fn add(&mut self, class: ClassIdx, (count, bytes): (f64, f64)) {
        match &mut self.latest {
            Some((known, sums)) if *known == class => *sums = (sums.0 + count, sums.1 + bytes),
            latest => {
                let before = latest.replace((class, (count, bytes)));
                before.into_iter().for_each(|before| self.keep(before));
            }
        }
    }

    fn keep(&mut self, (class, (count, bytes)): (ClassIdx, (f64, f64))) {
        let sums = self.earlier.entry(class).or_default();
        *sums = (sums.0 + count, sums.1 + bytes);
    }

    /// Each class once.
    fn all(mut self) -> Vec<(ClassIdx, (f64, f64))> {
        let latest = self.latest.take();
        if self.earlier.is_empty() {
            return latest.into_iter().collect();
        }
        latest.into_iter().for_each(|latest| self.keep(latest));
        self.earlier.into_iter().collect()
    }
}

impl Gathering {
    /// Takes in one more change-proxy.
    fn offer(&mut self, change: ObjectIdx) {
        if self.measured.is_some() || self.changes.len() >= MAX_MEASURED {
            self.sample().offer(change);
        }
        if self.changes.len() < MAX_CHANGE_SAMPLES {
            self.changes.push(change);
        }
    }

    /// The sample, of its own.
    fn sample(&mut self) -> &mut Reservoir {
        self.measured.get_or_insert_with(|| Box::new(Reservoir::holding(&self.changes)))
    }

    fn add(&mut self, graph: &ObjectGraph<'_>, member: ObjectIdx) {
        let weight = graph.ages.newness(member);
        let bytes = weight * graph.heap.shallow_bytes(member) as f64;
        self.dump_size += weight;
        self.dump_bytes += bytes;
        self.members.add(graph.heap.class_of(member), (weight, bytes));
    }

    fn absorb(&mut self, mut other: Self) {
        if self.measured.is_some()
            || other.measured.is_some()
            || self.changes.len() + other.changes.len() > MAX_MEASURED
        {
            let sample = std::mem::take(other.sample());
            self.sample().absorb(sample);
        }
        self.proxy_size += other.proxy_size;
        self.dump_size += other.dump_size;
        self.dump_bytes += other.dump_bytes;
        let room = MAX_CHANGE_SAMPLES - self.changes.len();
        self.changes.extend(other.changes.into_iter().take(room));
        other.members.all().into_iter().for_each(|(class, sums)| self.members.add(class, sums));
    }

    /// Removes the few change-proxies that lie deeper in their own type than most: the entries of a map that a session
    /// holds, among entries of a map of sessions.
    fn shed_deeper(&mut self, graph: &ObjectGraph<'_>, owner: ObjectIdx) {
        if self.changes.len() < 2 {
            return;
        }
        let depth = |object| depth_in_own_type(graph, owner, object);
        let mut by_depth: BTreeMap<usize, usize> = BTreeMap::new();
        self.changes.iter().for_each(|&change| *by_depth.entry(depth(change)).or_default() += 1);
        let Some((&usual, &count)) = by_depth.iter().max_by_key(|&(_, &count)| count) else { return };
        if count < self.changes.len() && count as f64 >= AT_ONE_DEPTH * self.changes.len() as f64 {
            let stays = |object| graph.ages.newness(object) >= 1.0 || depth(object) <= usual;
            self.changes.retain(|&change| stays(change));
            if let Some(measured) = &mut self.measured {
                measured.retain(stays);
            }
        }
    }

    fn into_region(self, (leak_root, leak_root_rank): (ObjectIdx, f64), (owner, change_class, _): Key) -> Region {
        let mut members: Vec<(ClassIdx, u64, u64)> =
            self.members.all().into_iter().map(|(class, (count, bytes))| (class, whole(count), whole(bytes))).collect();
        members.sort_by(|a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
        members.truncate(MAX_MEMBER_TYPES);
        let measured = self.measured.map_or_else(|| self.changes.clone(), |sample| sample.into_sample());
        Region {
            leak_root,
            leak_root_rank,
            owner,
            change_class,
            proxy_size: whole(self.proxy_size),
            dump_size: whole(self.dump_size),
            dump_bytes: whole(self.dump_bytes),
            changes: self.changes,
            measured,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::dsl::{HeapSketch, NEW, OLD};
    use crate::heap::{Container, Heap, MarkTable, Stratum, TableMark};

    /// Beans in the map of a domain, in a map of domains, and in each the map of its name's two keys. Of twenty nodes
    /// one is marked, so that all others are new only by an estimate.
    struct Beans {
        heap: Heap,
        domains: ObjectIdx,
        beans: Vec<ObjectIdx>,
        keys: Vec<ObjectIdx>,
    }

    struct Map {
        map: ObjectIdx,
        table: ObjectIdx,
        nodes: Vec<ObjectIdx>,
    }

    fn map_of(heap: &mut HeapSketch, count: usize) -> Map {
        let (map, table) = (heap.fresh("Map"), heap.fresh("Node[]"));
        heap.refer(map, "table", table);
        let nodes: Vec<ObjectIdx> = (0..count).map(|_| heap.fresh("Node")).collect();
        nodes.iter().for_each(|&node| heap.element(table, node));
        Map { map, table, nodes }
    }

    impl Beans {
        fn sketched() -> Self {
            let mut heap = HeapSketch::new();
            let (domains, beans) = (map_of(&mut heap, 1), map_of(&mut heap, 12));
            let names: Vec<Map> = beans.nodes.iter().map(|_| map_of(&mut heap, 2)).collect();
            let domain = domains.nodes[0];
            heap.static_field("Server", "domains", domains.map);
            heap.refer(domain, "value", beans.map);
            beans.nodes.iter().zip(&names).for_each(|(&bean, name)| heap.refer(bean, "value", name.map));
            let sample = TableMark { weight: 20.0, stratum: Some(0), ..TableMark::default() };
            let old = TableMark { weight: 1.0, ..TableMark::default() };
            let container = |below| TableMark { container_below: Some(below), ..old };
            let old_maps = [&beans].into_iter().chain(&names).flat_map(|each| [(each.map, old), (each.table, old)]);
            let of_map = (domains.map, container(Container::Mirror(0)));
            let of_table = (domains.table, container(Container::Marked(1)));
            let known = [of_map, of_table, (domain, sample)].into_iter().chain(old_maps);
            let (marked, marks): (Vec<ObjectIdx>, Vec<TableMark>) = known.unzip();
            let table = MarkTable {
                first_seen: OLD,
                marks,
                strata: vec![Stratum { below: Container::Marked(2), class: 1, count: 20, marked: 1 }],
                classes: ["Server", "Node"].map(str::to_owned).to_vec(),
                ..MarkTable::default()
            };
            let marked: Vec<(ObjectIdx, u32)> = marked.into_iter().zip(1..).collect();
            let keys = names.iter().flat_map(|name| &name.nodes).copied().collect();
            Self { heap: heap.build_marked(table, &marked), domains: domains.map, beans: beans.nodes, keys }
        }

        /// Change-proxies that stay, of all beans and some keys.
        fn left(&self, keys: usize) -> Vec<ObjectIdx> {
            let changes: Vec<ObjectIdx> = self.beans.iter().chain(&self.keys[..keys]).copied().collect();
            let mut gathering = Gathering { changes, ..Gathering::default() };
            gathering.sample();
            let graph = ObjectGraph::new(&self.heap);
            assert!(gathering.changes.iter().all(|&change| graph.ages.newness(change) < 1.0));
            gathering.shed_deeper(&graph, self.domains);
            assert_eq!(gathering.measured.map(|sample| sample.into_sample()).as_ref(), Some(&gathering.changes));
            gathering.changes
        }
    }

    #[test]
    fn a_few_change_proxies_deeper_in_their_own_type_are_left_out_and_many_are_not() {
        let beans = Beans::sketched();
        assert_eq!(beans.left(4), beans.beans);
        assert_eq!(beans.left(5).len(), 17);
    }

    /// The loggers of each context, in a map of such maps that cloned its entries into a longer table.
    #[test]
    fn entries_of_inner_maps_are_none_of_the_outer_map() {
        let mut heap = HeapSketch::new();
        let (registry, table) = (heap.old("Map"), heap.fresh("Node[]"));
        heap.static_field("Logging", "registry", registry);
        heap.refer(registry, "table", table);
        let mut contexts = Vec::new();
        for first_seen in [OLD, NEW].repeat(8) {
            let context = heap.fresh("Node");
            heap.element(table, context);
            let (loggers, inner) = (heap.object("Map", 64, first_seen), heap.object("Node[]", 64, first_seen));
            heap.refer(context, "value", loggers);
            heap.refer(loggers, "table", inner);
            for _ in 0..3 {
                let logger = heap.fresh("Node");
                heap.element(inner, logger);
            }
            contexts.push(context);
        }
        let heap = heap.build();
        let graph = ObjectGraph::new(&heap);
        let found = collect(&graph, std::iter::once((registry, 1.0)));
        let of_outer: Vec<&Region> = found.iter().filter(|region| region.changes.contains(&contexts[0])).collect();
        assert_eq!(
            of_outer.iter().map(|region| (region.owner, &region.changes)).collect::<Vec<_>>(),
            [(registry, &contexts)]
        );
    }
}
