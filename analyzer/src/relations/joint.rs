//! Regions that hold the same objects ([`Rule::Jointly`](super::Rule::Jointly)): an index by name and one by number,
//! the watches of each path and those of each watcher. An object that both hold belongs to neither alone, so the
//! change-proxies of both are compared by the objects that each of them refers to and does not own, and by those to
//! which these refer.

use super::{Outline, referents};
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use crate::naming::SharedRole;
use std::collections::{BTreeMap, BTreeSet};

/// Most objects of one change-proxy that are examined, and references of each.
const MAX_OBJECTS: usize = 32;
/// Most objects of one change-proxy, and of all, that are compared.
const MAX_HELD: usize = 8;
const MAX_COMPARED: usize = 1_000_000;
/// Most change-proxies of one region that hold one object, beside a share of them all: one in [`FEWEST`]. What more of
/// them refer to is no content of each.
const MAX_HOLDERS: usize = 8;
/// Fewest objects that both sides must hold, and change-proxies of each side that must hold one.
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
        let of_regions = same.chunk_by(|one, other| one.region == other.region);
        let each: Vec<&[Held]> = of_regions.filter(|holders| are_few(regions, holders)).collect();
        for (one, other) in each.iter().flat_map(|&one| each.iter().map(move |&other| (one, other))) {
            if may_share(regions, one, other) {
                common.entry((one[0].region, other[0].region)).or_default().add(one, other);
            }
        }
    }
    let mut found = vec![Vec::new(); regions.len()];
    for ((region, other), common) in common {
        let changes = regions[region].changes;
        if let Some(object) = common.of_most(changes.len()) {
            found[region].push(Joint { other, object, role: common.role(changes.contains(&object)) });
        }
    }
    found
}

/// Whether an object is content of each of the change-proxies of one region that hold it.
fn are_few(regions: &[Outline<'_>], holders: &[Held]) -> bool {
    let share = regions[holders[0].region].changes.len() / FEWEST;
    holders.len() <= share.clamp(1, MAX_HOLDERS)
}

/// Whether a region may share an object with another one. Contents are no holders of themselves, and weak references
/// hold nothing.
fn may_share(regions: &[Outline<'_>], holders: &[Held], others: &[Held]) -> bool {
    let holds = |held: &Held| !held.is_weak && held.change != held.object;
    regions[holders[0].region].owner != regions[others[0].region].owner && others.iter().any(holds)
}

/// A change-proxy that holds an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    object: ObjectIdx,
    region: usize,
    change: ObjectIdx,
    is_weak: bool,
}

/// Change-proxies of two regions that hold the same objects.
#[derive(Default)]
struct Common {
    ours: BTreeSet<ObjectIdx>,
    theirs: BTreeSet<ObjectIdx>,
    objects: usize,
    first: Option<ObjectIdx>,
    is_strong: bool,
}

impl Common {
    /// Adds the change-proxies of both regions that hold one object.
    fn add(&mut self, ours: &[Held], theirs: &[Held]) {
        self.ours.extend(ours.iter().map(|held| held.change));
        self.theirs.extend(theirs.iter().map(|held| held.change));
        self.objects += 1;
        self.first.get_or_insert(ours[0].object);
        self.is_strong |= ours.iter().any(|held| !held.is_weak);
    }

    /// One of the objects, if at least half of `changes` hold one each.
    fn of_most(&self, changes: usize) -> Option<ObjectIdx> {
        let fewest = self.objects.min(self.theirs.len());
        let is_most = self.ours.len() >= FEWEST.max(changes.div_ceil(2)) && fewest >= FEWEST;
        self.first.filter(|_| is_most)
    }

    /// What the objects are to the region's change-proxies.
    fn role(&self, are_changes: bool) -> SharedRole {
        match (are_changes, self.is_strong) {
            (true, _) => SharedRole::Content,
            (false, true) => SharedRole::Held,
            (false, false) => SharedRole::Referent,
        }
    }
}

/// The objects that the change-proxies of all regions hold and do not own, and the change-proxies themselves, by
/// object and region.
fn held(graph: &ObjectGraph<'_>, regions: &[Outline<'_>]) -> Vec<Held> {
    let mut held = Vec::new();
    for (region, outline) in regions.iter().enumerate() {
        for &change in outline.changes {
            let mut strongly = not_owned(graph, outline.owner, change);
            strongly.extend(beyond(graph, outline.owner, &strongly));
            let weakly = referents::nearest(graph.owned(), change, |_| true)
                .filter(|&referent| is_shared(graph, outline.owner, referent) && !strongly.contains(&referent));
            let hold = |object, is_weak| Held { object, region, change, is_weak };
            held.push(hold(change, false));
            held.extend(strongly.into_iter().map(|object| hold(object, false)));
            held.extend(weakly.map(|referent| hold(referent, true)));
        }
        if held.len() >= MAX_COMPARED {
            break;
        }
    }
    held.sort_unstable();
    held
}

/// Whether an object is new, and the owner does not own it.
fn is_shared(graph: &ObjectGraph<'_>, owner: ObjectIdx, object: ObjectIdx) -> bool {
    graph.ages.is_new(object) && !graph.dominators.dominates(owner, object)
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
            } else if is_shared(graph, owner, referee) {
                found.insert(referee);
            }
        }
        own.truncate(MAX_OBJECTS);
        at += 1;
    }
    found
}

/// New objects to which these refer, and which the region's owner does not own, either: a bean of a server refers to an
/// admin that others hold, and the admin to its context.
fn beyond(graph: &ObjectGraph<'_>, owner: ObjectIdx, held: &BTreeSet<ObjectIdx>) -> Vec<ObjectIdx> {
    let referees = |&object: &ObjectIdx| graph.heap.references().of(object).iter().take(MAX_OBJECTS).copied();
    let is_held = |&object: &ObjectIdx| is_shared(graph, owner, object) && !graph.heap.is_array(object);
    held.iter().flat_map(referees).filter(is_held).take(MAX_HELD).collect()
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
        joints(&heap, &regions).iter().map(|joints| joints.iter().map(|joint| joint.0).collect()).collect()
    }

    /// For each region, of this owner and these change-proxies, the others and what is shared with each.
    fn joints(heap: &Heap, regions: &[(ObjectIdx, Vec<ObjectIdx>)]) -> Vec<Vec<(usize, SharedRole)>> {
        let outlines: Vec<Outline<'_>> = regions
            .iter()
            .map(|(owner, changes)| Outline {
                leak_root: *owner,
                owner: *owner,
                change_class: heap.class_of(changes[0]),
                proxy_size: changes.len() as u64,
                changes,
            })
            .collect();
        let found = jointly(&ObjectGraph::new(heap), &outlines);
        found.iter().map(|joints| joints.iter().map(|joint| (joint.other, joint.role)).collect()).collect()
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
        let found = joints(&heap, &[names, numbers, (broker, orders)]);
        use SharedRole::{Content, Held};
        assert_eq!(found, [vec![(1, Held)], vec![(0, Held)], vec![(0, Content), (1, Content)]]);
    }

    /// Three maps: one with a node for each of ten contexts, one with `beans` nodes for each, and one whose nodes refer
    /// weakly to the contexts.
    fn contexts(beans: usize) -> Vec<Vec<(usize, SharedRole)>> {
        const REFERENCE: &str = "java.lang.ref.Reference";
        let mut heap = HeapSketch::new();
        heap.class(REFERENCE);
        heap.declare(REFERENCE, "referent", "Ljava/lang/Object;");
        heap.subclass("Weak", REFERENCE);
        let mut regions = ["registry", "beans", "weak"].map(|field| {
            let owner = heap.old("Node[]");
            heap.static_field("Contexts", field, owner);
            (owner, Vec::new())
        });
        for _ in 0..10 {
            let context = heap.fresh("Context");
            for (at, class) in [(0, "Node"), (2, "Weak")].into_iter().chain(std::iter::repeat_n((1, "Node"), beans)) {
                let node = heap.fresh(class);
                heap.element(regions[at].0, node);
                regions[at].1.push(node);
                match class {
                    "Weak" => heap.inherited(node, REFERENCE, "referent", context),
                    _ => heap.refer(node, "value", context),
                }
            }
        }
        joints(&heap.build(), &regions)
    }

    /// A server's beans refer to admins, which a list holds, too. Each admin refers to a context of the registry.
    #[test]
    fn what_is_held_refers_to_what_both_hold() {
        let mut heap = HeapSketch::new();
        let admins = heap.fresh("Admin[]");
        heap.static_field("Admins", "all", admins);
        let mut regions = ["registry", "beans"].map(|field| {
            let owner = heap.old("Node[]");
            heap.static_field("Server", field, owner);
            (owner, Vec::new())
        });
        for _ in 0..10 {
            let (context, admin) = (heap.fresh("Context"), heap.fresh("Admin"));
            heap.element(admins, admin);
            heap.refer(admin, "context", context);
            for ((owner, nodes), value) in regions.iter_mut().zip([context, admin]) {
                let node = heap.fresh("Node");
                heap.element(*owner, node);
                heap.refer(node, "value", value);
                nodes.push(node);
            }
        }
        assert_eq!(joints(&heap.build(), &regions), [vec![(1, SharedRole::Held)], vec![(0, SharedRole::Held)]]);
    }

    #[test]
    fn several_of_one_region_may_hold_an_object_of_another_but_not_many() {
        use SharedRole::{Held, Referent};
        let weakly = vec![(0, Referent), (1, Referent)];
        assert_eq!(contexts(4), [vec![(1, Held)], vec![(0, Held)], weakly]);
        assert_eq!(contexts(MAX_HOLDERS + 1), [vec![], vec![], vec![(0, Referent)]]);
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
