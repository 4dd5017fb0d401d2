//! The tree below an object as lines of a report.

use super::words::Words;
use crate::heap::ObjectIdx;
use crate::heap_roots::{Edge, OutlineLine};
use crate::report::dump::{TreeEdge, TreeLine};

/// The lines, each with the reference from the object above it.
pub(super) fn lines(words: &Words<'_>, lines: &[OutlineLine]) -> Vec<TreeLine> {
    // The latest object at each level: the parent of the next objects one level below.
    let mut open: Vec<ObjectIdx> = Vec::new();
    let line = |line: &OutlineLine| match *line {
        OutlineLine::Object { depth, object, label, is_soft, edge, descendant_count, subtree_bytes } => {
            open.truncate(depth as usize);
            let reference = open.last().zip(label).map(|(&parent, label)| words.reference(parent, label).0);
            if edge.is_none() {
                open.push(object);
            }
            TreeLine {
                depth,
                reference,
                is_soft,
                class: words.name(object),
                id: words.id(object),
                count: u64::from(descendant_count),
                shallow_bytes: words.heap.shallow_bytes(object),
                subtree_bytes,
                edge: edge.map(kind),
                owner: edge.and_then(|edge| owner(words, edge)),
            }
        }
        OutlineLine::Omitted { depth, child_count, subtree_bytes } => {
            TreeLine { depth, count: child_count, subtree_bytes, ..TreeLine::default() }
        }
    };
    lines.iter().map(line).collect()
}

fn kind(edge: Edge) -> TreeEdge {
    match edge {
        Edge::Open => TreeEdge::Open,
        Edge::OwnedBy(_) => TreeEdge::Owned,
    }
}

fn owner(words: &Words<'_>, edge: Edge) -> Option<String> {
    match edge {
        Edge::Open => None,
        Edge::OwnedBy(root) => words.id(root),
    }
}
