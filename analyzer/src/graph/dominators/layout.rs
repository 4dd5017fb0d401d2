//! Lays a dominator tree out in preorder, from immediate dominators by depth-first number.

use super::depth_first::{SpanningTree, VIRTUAL_ROOT};
use super::{DominatorTree, NONE, Node};
use crate::heap::ObjectIdx;

/// The tree. `dominators` is by number, and each dominator has a smaller number than what it dominates: so one pass
/// down the numbers gives the sizes of all subtrees, and one pass up gives each object its place.
pub(super) fn lay_out(tree: &SpanningTree, dominators: &[u32]) -> DominatorTree {
    let subtree_counts = subtree_counts(dominators);
    let mut nodes = vec![Node::UNREACHABLE; tree.number.len()];
    let mut preorder = vec![ObjectIdx(0); dominators.len() - 1];
    // By number: where the next child of that object goes. The virtual root takes no place itself.
    let mut next_place = vec![0u32; dominators.len()];
    for number in 1..dominators.len() {
        let dominator = dominators[number];
        let object = tree.vertex[number];
        let position = next_place[dominator as usize];
        next_place[dominator as usize] += subtree_counts[number];
        next_place[number] = position + 1;
        preorder[position as usize] = object;
        nodes[object.at()] = Node { position, subtree_count: subtree_counts[number], ..below(tree, &nodes, dominator) };
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
fn below(tree: &SpanningTree, nodes: &[Node], dominator: u32) -> Node {
    if dominator == VIRTUAL_ROOT {
        return Node { dominator: NONE, depth: 1, ..Node::UNREACHABLE };
    }
    let dominator = tree.vertex[dominator as usize];
    Node { dominator: dominator.0, depth: nodes[dominator.at()].depth + 1, ..Node::UNREACHABLE }
}
