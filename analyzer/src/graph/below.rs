//! Walks the dominator tree and finds for each object the nearest *container* above it, by the caller's definition of a
//! container. The marks of one snapshot and the ages of the next rely on the same walk.

use super::DominatorTree;
use crate::heap::ObjectIdx;

/// Calls `visit` for every reachable object in preorder. It passes the nearest container that dominates the object
/// (`outermost` if there is none) and the container that the object itself is.
pub fn for_each_below<C: Copy>(
    dominators: &DominatorTree,
    outermost: C,
    container: impl Fn(ObjectIdx) -> Option<C>,
    mut visit: impl FnMut(ObjectIdx, C, Option<C>),
) {
    let mut open: Vec<(usize, C)> = vec![(usize::MAX, outermost)];
    for (position, &object) in dominators.preorder().iter().enumerate() {
        while open.last().is_some_and(|&(end, _)| end <= position) {
            open.pop();
        }
        let above = open.last().map_or(outermost, |&(_, above)| above);
        let itself = container(object);
        visit(object, above, itself);
        if let Some(name) = itself {
            open.push((position + dominators.subtree(object).len(), name));
        }
    }
}
