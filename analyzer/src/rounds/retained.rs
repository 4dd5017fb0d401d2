//! Retained sizes of the objects at some spots.

use super::census::Placed;
use super::spots::Spot;
use crate::graph::{Dominance, DominatorTree, Owned, Size, SizedTree};
use crate::heap::{Heap, ObjectIdx};

/// Bytes that the objects at these spots retain.
pub(super) fn of(heap: &Heap, placed: &Placed, spots: &[Spot]) -> u64 {
    let owned = Owned::new(heap);
    let is_member = |object: &ObjectIdx| placed.spot(*object).is_some_and(|spot| spots.contains(&spot));
    let members: Vec<ObjectIdx> = heap.objects().filter(is_member).collect();
    together(heap, &owned.dominators, &members).bytes
}

/// The retained sizes of these objects; what one of them dominates counts once.
pub(super) fn together(heap: &Heap, tree: &DominatorTree, members: &[ObjectIdx]) -> Size {
    let sized = SizedTree::new(heap, tree);
    let mut sorted: Vec<ObjectIdx> = members.iter().copied().filter(|&object| tree.is_reachable(object)).collect();
    sorted.sort_unstable_by_key(|&object| tree.position(object));
    let mut total = Size::default();
    let mut top: Option<ObjectIdx> = None;
    for object in sorted {
        if top.is_none_or(|top| !tree.dominates(top, object)) {
            total += sized.retained(object);
            top = Some(object);
        }
    }
    total
}
