//! Members that have one name and a class each: plugins, each loaded by a loader of its own. The classes of future
//! members do not exist yet, so a probe recognises them by their place and by their common nearest superclass.

use super::simulate;
use super::{Hop, Region};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap};
use rustc_hash::FxHashSet;
use std::collections::HashSet;

/// Other objects of that superclass in the same places, as a share of the members: more would distort the count.
const MOST_STRANGERS: f64 = 0.1;

/// Classes that are taken for one; none, where all change-proxies are of one class.
#[derive(Debug, Default)]
pub(super) struct Alike {
    classes: FxHashSet<ClassIdx>,
    /// The class of that name, and the superclass that stands for it.
    one: Option<(ClassIdx, ClassIdx)>,
}

impl Alike {
    /// All classes with the name of a region's change-proxies, if there are several.
    pub(super) fn of(heap: &Heap, region: &Region) -> Self {
        let name = &heap.classes().get(region.change_class).name;
        let is_same = |&class: &ClassIdx| heap.classes().get(class).name == *name;
        let of_changes: HashSet<ClassIdx> =
            region.changes.iter().map(|&change| heap.class_of(change)).filter(is_same).collect();
        if of_changes.len() < 2 {
            return Self::default();
        }
        let classes: FxHashSet<ClassIdx> = heap.classes().iter().map(|(class, _)| class).filter(is_same).collect();
        let is_common = |&above: &ClassIdx| classes.iter().all(|&class| heap.classes().is_subclass(class, above));
        let common = heap.classes().ancestors(region.change_class).find(is_common);
        common.map_or_else(Self::default, |common| Self { one: Some((region.change_class, common)), classes })
    }

    /// The class that stands for this one.
    pub(super) fn canonical_class(&self, class: ClassIdx) -> ClassIdx {
        self.one.filter(|_| self.classes.contains(&class)).map_or(class, |(one, _)| one)
    }

    /// The class by which the agent recognises objects of this one.
    pub(super) fn known_by(&self, class: ClassIdx) -> ClassIdx {
        self.one.filter(|&(one, _)| one == class).map_or(class, |(_, common)| common)
    }

    /// A hop between classes that stand for others. `None` for a hop that begins at a member: its field is different in
    /// each class.
    pub(super) fn hop(&self, hop: Hop) -> Option<Hop> {
        let (from, to) = (self.canonical_class(hop.from), self.canonical_class(hop.to));
        (self.one.is_none_or(|(one, _)| one != from)).then_some(Hop { from, to, ..hop })
    }

    /// Whether the agent, by the superclass, would count many unrelated objects: those next to members on the path of
    /// the hops.
    pub(super) fn counts_strangers(&self, graph: &ObjectGraph<'_>, region: &Region, hops: &[Hop]) -> bool {
        let Some((one, common)) = self.one else { return false };
        let heap = graph.heap;
        let (mut members, mut strangers) = (0.0, 0.0);
        let mut seen = HashSet::from([region.owner]);
        let mut stack = vec![region.owner];
        while let Some(object) = stack.pop() {
            let from = if object == region.owner { heap.class_shown_by(object) } else { heap.class_of(object) };
            for (referee, label) in heap.references().labelled(object) {
                let class = heap.class_of(referee);
                let leads =
                    |to: ClassIdx| hops.iter().any(|hop| (hop.from, hop.label, hop.to) == (from, label.kind(), to));
                if leads(one) && self.classes.contains(&class) {
                    members += 1.0;
                } else if leads(one) && heap.classes().is_subclass(class, common) {
                    strangers += 1.0;
                } else if leads(class) && simulate::is_below(graph, region.owner, referee) && seen.insert(referee) {
                    stack.push(referee);
                }
            }
        }
        strangers > MOST_STRANGERS * members
    }
}
