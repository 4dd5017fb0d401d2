//! References that lead from an owner-proxy to its change-proxies, by class and field.

use super::alike::Alike;
use super::found::{Found, MAX_SEARCHED, readable};
use super::{Effort, Hop, PlanFailure, Region};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashSet;

/// The hops on shortest paths from the owner to the sampled change-proxies, with the number of uses of each.
#[derive(Debug, Default)]
pub(super) struct Observation {
    used: FxHashMap<Hop, u32>,
    /// Fields that some object of a route's class, below this owner, has set.
    set: FxHashSet<(ClassIdx, Label)>,
}

impl Observation {
    pub(super) fn of(
        graph: &ObjectGraph<'_>,
        region: &Region,
        alike: &Alike,
        effort: &Effort,
    ) -> Result<Self, PlanFailure> {
        let found = effort.found_below(region.owner, || Found::below(graph, region.owner, MAX_SEARCHED));
        let is_cut_off = graph.dominators.subtree(region.owner).len() > MAX_SEARCHED;
        let towards = || is_cut_off.then(|| Found::towards(graph, region.owner, &region.changes, MAX_SEARCHED));
        let observation = Self::along(graph, region, &found).or_else(|| Self::along(graph, region, &towards()?));
        observation.map(|observation| observation.of_kinds(alike)).ok_or(PlanFailure::NoWay)
    }

    /// The hops on the paths that a search found; `None` where it found no change-proxy.
    fn along(graph: &ObjectGraph<'_>, region: &Region, found: &Found) -> Option<Self> {
        let mut observation = Self::default();
        let mut followed: HashSet<ObjectIdx> = HashSet::new();
        for &change in &region.changes {
            observation.follow_back(graph, region.owner, change, found, &mut followed);
        }
        if observation.used.is_empty() {
            return None;
        }
        observation.add_relatives(graph, region, found);
        Some(observation)
    }

    /// The same, with classes replaced by those that stand for them.
    fn of_kinds(self, alike: &Alike) -> Self {
        let mut used: FxHashMap<Hop, u32> = FxHashMap::default();
        for (hop, count) in self.used.into_iter().filter_map(|(hop, count)| Some((alike.hop(hop)?, count))) {
            *used.entry(hop).or_default() += count;
        }
        Self { used, set: self.set.into_iter().map(|(class, label)| (alike.canonical_class(class), label)).collect() }
    }

    /// Counts the hops from `change` back to the owner, up to a point where another path has been counted already.
    fn follow_back(
        &mut self,
        graph: &ObjectGraph<'_>,
        owner: ObjectIdx,
        change: ObjectIdx,
        found: &Found,
        followed: &mut HashSet<ObjectIdx>,
    ) {
        let start = graph.dominators.position(owner);
        let mut at = change;
        while at != owner && followed.insert(at) {
            let place = graph.dominators.position(at).checked_sub(start);
            let Some((referrer, label)) = place.and_then(|place| found.get(place as usize)) else { return };
            *self.used.entry(hop(graph.heap, owner, referrer, label, at)).or_default() += 1;
            at = referrer;
        }
    }

    /// Adds hops that the sampled members did not use, but that lead from one class of the route to another: the
    /// other child of a tree's node, the chain of a bucket. Members of subclasses belong to the route, too.
    fn add_relatives(&mut self, graph: &ObjectGraph<'_>, region: &Region, found: &Found) {
        let below = graph.dominators.subtree(region.owner).iter().take(MAX_SEARCHED);
        let classes: FxHashSet<ClassIdx> = below
            .map(|&object| graph.heap.class_of(object))
            .filter(|&class| graph.heap.classes().is_subclass(class, region.change_class))
            .chain(self.used.keys().flat_map(|hop| [hop.from, hop.to]))
            .collect();
        for (place, &object) in graph.dominators.subtree(region.owner).iter().take(MAX_SEARCHED).enumerate() {
            let class = graph.heap.class_of(object);
            if classes.contains(&class) {
                self.set.extend(graph.heap.references().labelled(object).map(|(_, label)| (class, label.kind())));
            }
            let Some((referrer, label)) = found.get(place) else { continue };
            let hop = hop(graph.heap, region.owner, referrer, label, object);
            if readable(label) && classes.contains(&hop.from) && classes.contains(&hop.to) {
                self.used.entry(hop).or_default();
            }
        }
    }

    /// All hops, the least used first; among equals the field declared last first.
    pub(super) fn hops_by_use(&self) -> Vec<Hop> {
        let mut hops: Vec<(Hop, u32)> = self.used.iter().map(|(&hop, &count)| (hop, count)).collect();
        hops.sort_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        hops.into_iter().map(|(hop, _)| hop).collect()
    }

    /// The classes whose objects are members: the change-proxy's, and its subclasses except mere links. A link (the
    /// head of a bucket that holds a tree) inherits the fields of a member and leaves all those empty that lead to no
    /// other object of the route.
    pub(super) fn counting(&self, heap: &Heap, change_class: ClassIdx) -> HashSet<ClassIdx> {
        let classes = self.used.keys().flat_map(|hop| [hop.from, hop.to]);
        let members: HashSet<ClassIdx> =
            classes.filter(|&class| heap.classes().is_subclass(class, change_class)).collect();
        let filled: HashSet<ClassIdx> =
            members.iter().copied().filter(|&class| self.fills_inherited(heap, class, change_class)).collect();
        // Where no object fills any, members and links cannot be distinguished.
        if filled.is_empty() { members } else { filled.into_iter().chain([change_class]).collect() }
    }

    /// Whether objects of a class refer by fields of the change-proxy's class to anything outside the route.
    fn fills_inherited(&self, heap: &Heap, class: ClassIdx, change_class: ClassIdx) -> bool {
        let is_inherited = |label: Label| {
            let field = heap.classes().field(class, label);
            field.is_some_and(|field| heap.classes().is_subclass(change_class, field.declaring))
        };
        let is_hop = |label: Label| self.used.keys().any(|hop| hop.from == class && hop.label == label);
        self.set.iter().any(|&(other, label)| other == class && is_inherited(label) && !is_hop(label))
    }

    fn is_set(&self, class: ClassIdx, label: Label) -> bool {
        self.set.contains(&(class, label))
    }
}

fn hop(heap: &Heap, owner: ObjectIdx, referrer: ObjectIdx, label: Label, referee: ObjectIdx) -> Hop {
    let from = if referrer == owner { heap.class_shown_by(owner) } else { heap.class_of(referrer) };
    Hop { from, label: label.kind(), slot: None, to: heap.class_of(referee) }
}

/// Fields that, anywhere in the heap, lead from an object of a class to another of the same class.
///
/// A hash table without a single collision at the moment of the capture has no `next` set; later it has some. Where the
/// rest of the heap shows that a class chains to itself by a field, a route through that class follows it too.
#[derive(Debug, Default)]
pub struct SelfReferences {
    labels: FxHashMap<ClassIdx, Vec<Label>>,
}

impl SelfReferences {
    /// Examines every reference once.
    pub fn new(heap: &Heap) -> Self {
        let mut labels: FxHashMap<ClassIdx, Vec<Label>> = FxHashMap::default();
        for object in heap.objects() {
            let class = heap.class_of(object);
            for (referee, label) in heap.references().labelled(object) {
                if label.is_instance_field() && heap.class_of(referee) == class && referee != object {
                    let known = labels.entry(class).or_default();
                    if !known.contains(&label) {
                        known.push(label);
                    }
                }
            }
        }
        Self { labels }
    }

    /// Whether objects of a class refer to one another.
    pub(super) fn chains(&self, class: ClassIdx) -> bool {
        self.labels.contains_key(&class)
    }

    /// The hops, and for each class to which they lead the self references that the observation does not contain. A
    /// field that is set in this structure has been weighed already, and was kept or removed.
    pub(super) fn complete(&self, observation: &Observation, hops: &[Hop]) -> Vec<Hop> {
        let mut completed = hops.to_vec();
        let mut classes: Vec<ClassIdx> = hops.iter().map(|hop| hop.to).collect();
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            let labels = self.labels.get(&class).map_or(&[][..], Vec::as_slice);
            let unseen = labels.iter().filter(|&&label| !observation.is_set(class, label));
            completed.extend(unseen.map(|&label| Hop { from: class, label, slot: None, to: class }));
        }
        completed
    }
}
