//! The route from a GC root to a change-proxy, hop by hop, in the types of [`crate::naming`].

use super::{Region, path};
use crate::graph::DominatorTree;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use crate::naming::class::without_hidden_suffix;
use crate::naming::{Hop, Origin, Route};
use std::collections::BTreeMap;

/// A reference in the heap: label and target.
pub(super) type Step = (Label, ObjectIdx);

/// The route that begins at `first`, which `origin` names; the first `to_owner` of its steps lead to the owner.
pub(super) fn route(heap: &Heap, first: ObjectIdx, origin: Origin, steps: &[Step], to_owner: usize) -> Route {
    // The references before a static are the JVM's internal path to the class.
    let begin = steps.iter().rposition(|step| heap.class_of_mirror(step.1).is_some()).map_or(0, |at| at + 1);
    let (start, origin) = match begin {
        0 => (first, origin),
        _ => (steps[begin - 1].1, path::origin(heap, steps[begin - 1].1)),
    };
    let referrers = std::iter::once(start).chain(steps[begin..].iter().map(|step| step.1));
    let hops = referrers.zip(&steps[begin..]).map(|(referrer, &step)| hop(heap, referrer, step)).collect();
    Route { origin, hops, owner_at: to_owner.saturating_sub(begin), carried: Vec::new() }
}

fn hop(heap: &Heap, referrer: ObjectIdx, (label, object): Step) -> Hop {
    let declared_by = heap.field(referrer, label).map_or("", |field| &heap.classes().get(field.declaring).name);
    Hop::new(path::reference(heap, referrer, label), declared_by, path::class_name(heap, object))
}

/// Classes of which at least half of the change-proxies hold an own object: for a map's nodes, those of keys and
/// values, unless other objects hold these, too. Nodes of the change-proxy's own kind are the structure, not its
/// contents.
pub(super) fn carried(heap: &Heap, dominators: &DominatorTree, region: &Region) -> Vec<String> {
    let mut holders: BTreeMap<ClassIdx, usize> = BTreeMap::new();
    for &change in &region.changes {
        let own = |&&held: &&ObjectIdx| dominators.immediate_dominator(held) == Some(change);
        let mut held: Vec<ClassIdx> =
            heap.references().of(change).iter().filter(own).map(|&held| heap.class_of(held)).collect();
        held.sort_unstable();
        held.dedup();
        for class in held {
            *holders.entry(class).or_default() += 1;
        }
    }
    let is_common = |&(&class, &count): &(&ClassIdx, &usize)| {
        2 * count >= region.changes.len() && !heap.classes().is_subclass(class, region.change_class)
    };
    let mut names: Vec<String> =
        holders.iter().filter(is_common).map(|(&class, _)| heap.classes().get(class).name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    names.iter().map(|name| without_hidden_suffix(name)).collect()
}
