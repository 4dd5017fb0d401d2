//! Lays a dominator tree out in preorder, from immediate dominators by depth-first number.

use super::{DominatorTree, NONE, Node, VIRTUAL_ROOT};
use crate::heap::ObjectIdx;

/// Makes the tree. `dominators` is by number, and each dominator has a smaller number than the objects it dominates. So
/// one pass down the numbers gives the sizes of all subtrees, and one pass up gives each object its position.
pub(super) fn lay_out(object_count: usize, vertex: &[ObjectIdx], dominators: &[u32]) -> DominatorTree {
    let mut nodes = vec![Node::UNREACHABLE; object_count];
    let mut preorder = vec![ObjectIdx(0); dominators.len() - 1];
    // By number: the size of the subtree; once that is placed, the position of the next child. The virtual root has no
    // position itself.
    let mut subtree_counts = subtree_counts(dominators);
    subtree_counts[VIRTUAL_ROOT as usize] = 0;
    for number in 1..dominators.len() {
        let dominator = dominators[number];
        let object = vertex[number];
        let subtree_count = subtree_counts[number];
        let position = subtree_counts[dominator as usize];
        subtree_counts[dominator as usize] += subtree_count;
        subtree_counts[number] = position + 1;
        preorder[position as usize] = object;
        nodes[object.at()] = Node { position, subtree_count, ..below(vertex, &nodes, dominator) };
    }
    DominatorTree { nodes, preorder }
}

fn subtree_counts(dominators: &[u32]) -> Vec<u32> {
    let mut counts = vec![1; dominators.len()];
    for number in (1..dominators.len()).rev() {
        counts[dominators[number] as usize] += counts[number];
    }
    counts
}

/// A node just below `dominator`, not placed yet.
fn below(vertex: &[ObjectIdx], nodes: &[Node], dominator: u32) -> Node {
    if dominator == VIRTUAL_ROOT {
        return Node { dominator: NONE, depth: 1, ..Node::UNREACHABLE };
    }
    let dominator = vertex[dominator as usize];
    Node { dominator: dominator.0, depth: nodes[dominator.at()].depth + 1, ..Node::UNREACHABLE }
}
