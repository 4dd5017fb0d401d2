//! Classification trees with their sizes: of one heap, or the difference of two (AntTracks §3.4.4).

use super::lines::{delta, metrics, portion, size};
use crate::graph::{Dominance, Size};
use crate::heap::ObjectIdx;
use crate::report::tree::TreeNode;
use crate::structures::census::{Detected, Metrics};
use crate::structures::classify::{Node, Tree};
use crate::structures::growth::{Delta, Portion};
use crate::structures::{Members, reached_by_each, retained_by_each};

/// Nodes whose deep size is measured: one pass of 64.
const MOST_DEEP: usize = 64;

/// The sizes of one node in one heap.
type Sizes = Metrics<Option<Size>>;

/// The nodes of a tree as values of the report. With an earlier heap the growth of each, whose portion is of `heap`.
pub fn nodes<D: Dominance>(
    tree: &Tree,
    before: Option<&Detected<'_, D>>,
    after: &Detected<'_, D>,
    heap: Delta,
) -> Vec<TreeNode> {
    let mut all = Vec::new();
    tree.nodes.iter().for_each(|node| collect(node, &mut all));
    let earlier = before.map(|before| measure(before, &all, 0));
    let later = measure(after, &all, 1);
    let mut lines = Lines { earlier, later, heap, next: 0 };
    tree.nodes.iter().map(|node| lines.line(node)).collect()
}

/// Depth first, as [`Lines`] counts them.
fn collect<'t>(node: &'t Node, all: &mut Vec<&'t Node>) {
    all.push(node);
    node.parts.iter().for_each(|part| collect(part, all));
}

fn measure<D: Dominance>(of: &Detected<'_, D>, nodes: &[&Node], side: usize) -> Vec<Sizes> {
    let heap = of.dominance.heap();
    let groups: Vec<&[ObjectIdx]> = nodes.iter().map(|node| node.objects[side].as_slice()).collect();
    let retained = retained_by_each(of.dominance, of.entries, &groups);
    let deep = reached_by_each(heap, of.referrers, &groups[..groups.len().min(MOST_DEEP)]);
    let mut members = Members::new(heap, of.layout);
    let one = |(at, (group, retained)): (usize, (&&[ObjectIdx], Size))| {
        let mut shallow = Size::default();
        group.iter().for_each(|&object| shallow.add_object(heap.shallow_bytes(object)));
        // The walks of heads are bounded as those of the detection were.
        let are_heads = group
            .iter()
            .all(|&object| of.structures.heads.of(object).is_some_and(|head| of.structures.deep(head).is_some()));
        let both = are_heads.then(|| members.measure_both(group).map(|measured| measured.size));
        Sizes {
            shallow: Some(shallow),
            deep: deep.get(at).copied(),
            retained: Some(retained),
            structure: both.map(|[own, _]| own),
            deep_structure: both.map(|[_, deep]| deep),
        }
    };
    groups.iter().zip(retained).enumerate().map(one).collect()
}

struct Lines {
    earlier: Option<Vec<Sizes>>,
    later: Vec<Sizes>,
    heap: Delta,
    next: usize,
}

impl Lines {
    fn line(&mut self, node: &Node) -> TreeNode {
        let at = self.next;
        self.next += 1;
        let (later, earlier) = (self.later[at], self.earlier.as_ref().map(|earlier| earlier[at]));
        let grown = |earlier: Sizes| {
            let grown = |before: Option<Size>, after: Option<Size>| Some(Delta::between(before?, after?));
            earlier.with(&later, grown)
        };
        let growth = earlier.map(grown);
        let portions = growth.map(|growth| growth.map(|growth| growth.and_then(|grown| Portion::of(grown, self.heap))));
        TreeNode {
            classifier: node.classifier.to_owned(),
            key: node.key.clone(),
            count: node.objects[1].len() as u64,
            sizes: metrics(later.map(|known| known.map(size))),
            count_before: earlier.map(|_| node.objects[0].len() as u64),
            before: earlier.map(|earlier| metrics(earlier.map(|known| known.map(size)))),
            growth: growth.map(|growth| metrics(growth.map(|grown| grown.map(delta)))),
            hgp: portions.map(|portions| metrics(portions.map(|known| known.map(portion)))),
            parts: node.parts.iter().map(|part| self.line(part)).collect(),
            omitted: node.omitted as u64,
        }
    }
}
