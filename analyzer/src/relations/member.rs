//! Regions in members of other regions ([`Rule::Member`], [`Rule::OwnType`]).
//!
//! [`Rule::Member`]: super::Rule::Member
//! [`Rule::OwnType`]: super::Rule::OwnType

use super::Outline;
use super::chain::{above, are_assignable};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::collections::HashSet;

/// Maximum of examined objects between a change-proxy and the next object of its type above it.
const NEAR: usize = 64;

/// Whether a change-proxy belongs to another object of its type below the owner, and is no link of a chain or a tree:
/// the entry of a map that a session holds, in a map of sessions.
///
/// A new session is the change-proxy of all that it holds. But old sessions may gain contents, and seem new themselves:
/// where newness is only estimated, or where their map cloned its entries into a longer table. Their contents would be
/// counted as gains of the outer map. So the two are kept apart, and tracking shows whether the inner ones grow by
/// themselves.
#[must_use]
pub fn is_in_own_type(graph: &ObjectGraph<'_>, owner: ObjectIdx, change: ObjectIdx) -> bool {
    own_type_above(graph, owner, change).next().is_some()
}

/// Number of objects of its type, one within a part of the other, in which a change-proxy lies below the owner.
#[must_use]
pub fn depth_in_own_type(graph: &ObjectGraph<'_>, owner: ObjectIdx, change: ObjectIdx) -> usize {
    own_type_above(graph, owner, change).count()
}

/// The objects of its type of which a change-proxy lies in a part, the nearest first; of a chain one.
fn own_type_above<'a>(
    graph: &'a ObjectGraph<'_>,
    owner: ObjectIdx,
    change: ObjectIdx,
) -> impl Iterator<Item = ObjectIdx> + 'a {
    let class = graph.heap.class_of(change);
    let mut is_apart = false;
    above(&graph.dominators, change).take_while(move |&object| object != owner).take(NEAR).filter(move |&object| {
        let is_own = are_assignable(graph, graph.heap.class_of(object), class);
        let is_found = is_own && is_apart;
        is_apart = !is_own && (is_apart || !graph.heap.is_array(object));
        is_found
    })
}

/// Whether any of these classes is the type of a region's change-proxies.
pub(super) fn includes_member(heap: &Heap, region: &Outline<'_>, classes: &[ClassIdx]) -> bool {
    classes.iter().any(|&class| heap.classes().is_subclass(class, region.change_class))
}

/// Entry points of a region: the objects that its owner dominates immediately and from which its change-proxies hang. A
/// class may hold several structures, each behind a field of its own.
#[derive(Default)]
pub(super) struct EntryPoints {
    objects: Vec<ObjectIdx>,
    classes: HashSet<ClassIdx>,
}

/// Whether objects of a region lie behind an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryMatch {
    None,
    /// All known ones do.
    All,
    Some,
}

impl EntryPoints {
    pub(super) fn add(&mut self, heap: &Heap, object: ObjectIdx) {
        self.objects.push(object);
        self.classes.insert(heap.class_of(object));
    }

    /// Whether objects of the region may lie behind this entry point: it is the only one, or has the type of one of
    /// many, of which not all are known.
    pub(super) fn lead_to(&self, heap: &Heap, entry: ObjectIdx) -> EntryMatch {
        match self.objects[..] {
            [only] if only == entry => EntryMatch::All,
            [_] => EntryMatch::None,
            _ if self.classes.contains(&heap.class_of(entry)) => EntryMatch::Some,
            _ => EntryMatch::None,
        }
    }
}
