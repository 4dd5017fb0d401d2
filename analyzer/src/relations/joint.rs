//! Regions that hold the same objects ([`Rule::Jointly`](super::Rule::Jointly)): an index by name and one by number,
//! the watches of each path and those of each watcher. An object that both hold belongs to neither alone, so the
//! change-proxies of both are compared by the objects that each of them refers to and does not own.

use super::Outline;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::naming::SharedRole;
use std::collections::{BTreeMap, BTreeSet};

/// Most objects of one change-proxy that are examined, and references of each.
const MAX_OBJECTS: usize = 32;
/// Most objects of one change-proxy, and of all, that are compared.
const MAX_HELD: usize = 8;
const MAX_COMPARED: usize = 1_000_000;
/// Fewest change-proxies of both sides that must hold the same objects.
const FEWEST: usize = 3;

/// A region that holds objects of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joint {
    /// Index of the other region.
    pub other: usize,
    /// One of the objects that both hold.
    pub object: ObjectIdx,
    /// What these are to the region's change-proxies.
    pub role: SharedRole,
}

/// For each of some regions, those whose change-proxies hold objects of at least half of its own.
#[must_use]
pub fn jointly(graph: &ObjectGraph<'_>, regions: &[Outline<'_>]) -> Vec<Vec<Joint>> {
    let mut common: BTreeMap<(usize, usize), Common> = BTreeMap::new();
    for same in held(graph, regions).chunk_by(|one, other| one.object == other.object) {
        // What several of a region refer to is no content of each.
        let of_regions = same.chunk_by(|one, other| one.region == other.region);
        let each: Vec<&Held> = of_regions.filter_map(|of_one| <&[Held; 1]>::try_from(of_one).ok()).flatten().collect();
        for (one, other) in each.iter().flat_map(|&one| each.iter().map(move |&other| (one, other))) {
            // Contents are no holders of themselves.
            if regions[one.region].owner != regions[other.region].owner && other.change != other.object {
                common.entry((one.region, other.region)).or_default().add(one, other);
            }
        }
    }
    let mut found = vec![Vec::new(); regions.len()];
    for ((region, other), common) in common {
        if let Some(object) = common.of_most(regions[region].changes.len()) {
            let is_content = regions[region].changes.contains(&object);
            let role = if is_content { SharedRole::Content } else { SharedRole::Held };
            found[region].push(Joint { other, object, role });
        }
    }
    found
}

/// A change-proxy that holds an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    object: ObjectIdx,
    region: usize,
    change: ObjectIdx,
}

/// Change-proxies of two regions that hold the same objects.
#[derive(Default)]
struct Common {
    ours: BTreeSet<ObjectIdx>,
    theirs: BTreeSet<ObjectIdx>,
    object: Option<ObjectIdx>,
}

impl Common {
    fn add(&mut self, one: &Held, other: &Held) {
        self.ours.insert(one.change);
        self.theirs.insert(other.change);
        self.object.get_or_insert(one.object);
    }

    /// One of the objects, if at least half of `changes` hold one each.
    fn of_most(&self, changes: usize) -> Option<ObjectIdx> {
        let is_most = self.ours.len() >= FEWEST.max(changes.div_ceil(2)) && self.theirs.len() >= FEWEST;
        self.object.filter(|_| is_most)
    }
}

/// The objects that the change-proxies of all regions hold and do not own, and the change-proxies themselves, by
/// object.
fn held(graph: &ObjectGraph<'_>, regions: &[Outline<'_>]) -> Vec<Held> {
    let mut held = Vec::new();
    for (region, outline) in regions.iter().enumerate() {
        for &change in outline.changes {
            let objects = std::iter::once(change).chain(not_owned(graph, outline.owner, change));
            held.extend(objects.map(|object| Held { object, region, change }));
        }
        if held.len() >= MAX_COMPARED {
            break;
        }
    }
    held.sort_unstable();
    held
}

/// New objects to which a change-proxy, or what it owns, refers, and which the region's owner does not own. The next node
/// of a chain or a tree is a change-proxy by itself.
fn not_owned(graph: &ObjectGraph<'_>, owner: ObjectIdx, change: ObjectIdx) -> BTreeSet<ObjectIdx> {
    let (mut own, mut at, mut found) = (vec![change], 0, BTreeSet::new());
    while at < own.len() && found.len() < MAX_HELD {
        for &referee in graph.heap.references().of(own[at]).iter().take(MAX_OBJECTS) {
            if graph.heap.class_of(referee) == graph.heap.class_of(change) {
                continue;
            }
            if graph.dominators.immediate_dominator(referee) == Some(own[at]) {
                own.push(referee);
            } else if graph.ages.is_new(referee) && !graph.dominators.dominates(owner, referee) {
                found.insert(referee);
            }
        }
        own.truncate(MAX_OBJECTS);
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Heap;
    use crate::heap::dsl::HeapSketch;

    /// Two maps and a list with new nodes. The maps hold `both` orders jointly, and each of the three holds `each`
    /// labels of its own. All nodes refer to one kind.
    fn broker(both: usize, each: usize) -> (Heap, [(ObjectIdx, Vec<ObjectIdx>); 3]) {
        let mut heap = HeapSketch::new();
        let kind = heap.fresh("Kind");
        heap.static_field("Kind", "only", kind);
        let mut regions = ["names", "numbers", "labels"].map(|field| {
            let owner = heap.old("Node[]");
            heap.static_field("Broker", field, owner);
            (owner, Vec::new())
        });
        let mut add = |heap: &mut HeapSketch, at: usize, value: ObjectIdx| {
            let (owner, nodes) = &mut regions[at];
            let node = heap.fresh("Node");
            heap.element(*owner, node);
            heap.refer(node, "value", value);
            heap.refer(node, "kind", kind);
            nodes.push(node);
        };
        for _ in 0..both {
            let order = heap.fresh("Order");
            (0..2).for_each(|map| add(&mut heap, map, order));
        }
        for at in 0..3 * each {
            let label = heap.fresh("Label");
            add(&mut heap, at % 3, label);
        }
        (heap.build(), regions)
    }

    fn related(both: usize, each: usize) -> Vec<Vec<usize>> {
        let (heap, regions) = broker(both, each);
        let outlines = regions.each_ref().map(|(owner, nodes)| Outline {
            leak_root: *owner,
            owner: *owner,
            change_class: heap.class_of(nodes[0]),
            proxy_size: nodes.len() as u64,
            changes: nodes,
        });
        let found = jointly(&ObjectGraph::new(&heap), &outlines);
        found.iter().map(|joints| joints.iter().map(|joint| joint.other).collect()).collect()
    }

    #[test]
    fn maps_that_hold_the_same_orders_do_so_jointly_and_what_all_refer_to_relates_nothing() {
        assert_eq!(related(40, 5), [vec![1], vec![0], vec![]]);
    }

    #[test]
    fn what_both_hold_is_content_of_each_and_holds_neither() {
        let (heap, [names, numbers, _]) = broker(40, 1);
        let orders: Vec<ObjectIdx> = heap.objects().filter(|&object| is_order(&heap, object)).collect();
        let broker =
            heap.classes().iter().find_map(|(_, class)| class.mirror.filter(|_| class.name == "Broker")).unwrap();
        let outline = |owner: ObjectIdx, changes: &'_ [ObjectIdx]| (owner, changes.to_vec());
        let all = [outline(names.0, &names.1), outline(numbers.0, &numbers.1), outline(broker, &orders)];
        let outlines = all.each_ref().map(|(owner, changes)| Outline {
            leak_root: *owner,
            owner: *owner,
            change_class: heap.class_of(changes[0]),
            proxy_size: changes.len() as u64,
            changes,
        });
        let found = jointly(&ObjectGraph::new(&heap), &outlines);
        use SharedRole::{Content, Held};
        let of = |at: usize| found[at].iter().map(|joint| (joint.other, joint.role)).collect::<Vec<_>>();
        assert_eq!([of(0), of(1), of(2)], [vec![(1, Held)], vec![(0, Held)], vec![(0, Content), (1, Content)]]);
    }

    fn is_order(heap: &Heap, object: ObjectIdx) -> bool {
        heap.classes().get(heap.class_of(object)).name == "Order"
    }

    #[test]
    fn few_objects_in_common_are_no_sign() {
        let none: [Vec<usize>; 3] = Default::default();
        assert_eq!(related(10, 30), none);
        assert_eq!(related(2, 1), none);
    }
}
