//! Numbers in the preorder of the dominator tree: then all that a number dominates follows it without a gap, and one
//! number, the end, says how far. No list of children is needed.

use crate::graph::dominators::VIRTUAL_ROOT;

/// A dominator tree in preorder. The virtual root has number 0.
pub(super) struct Layout {
    /// By number: the number of the immediate dominator, which is smaller.
    pub(super) dominators: Vec<u32>,
    /// By number: the number behind all that it dominates.
    pub(super) ends: Vec<u32>,
    /// By earlier number: the number.
    pub(super) numbers: Vec<u32>,
}

/// Renumbers. Each dominator has a smaller number than the objects that it dominates, before and after. Siblings keep
/// their order.
pub(super) fn lay_out(earlier: Vec<u32>) -> Layout {
    // By earlier number: the size of its tree; once that is placed, the place of its next child, at last the end.
    let mut ends = tree_sizes(&earlier);
    let mut numbers = vec![VIRTUAL_ROOT; earlier.len()];
    ends[VIRTUAL_ROOT as usize] = 1;
    for (at, &dominator) in earlier.iter().enumerate().skip(1) {
        let size = ends[at];
        let place = ends[dominator as usize];
        ends[dominator as usize] += size;
        ends[at] = place + 1;
        numbers[at] = place;
    }
    let mut dominators = vec![VIRTUAL_ROOT; earlier.len()];
    for (&number, &dominator) in numbers.iter().zip(&earlier) {
        dominators[number as usize] = numbers[dominator as usize];
    }
    drop(earlier);
    let mut placed = vec![0; ends.len()];
    for (&number, &end) in numbers.iter().zip(&ends) {
        placed[number as usize] = end;
    }
    Layout { dominators, ends: placed, numbers }
}

fn tree_sizes(dominators: &[u32]) -> Vec<u32> {
    let mut sizes = vec![1; dominators.len()];
    for number in (1..dominators.len()).rev() {
        sizes[dominators[number] as usize] += sizes[number];
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_laid_out_in_preorder_and_siblings_keep_their_order() {
        // 1 and 2 are tops; 3 and 5 are below 1, 4 is below 2, 6 is below 3.
        let Layout { dominators, ends, numbers } = lay_out(vec![0, 0, 0, 1, 2, 1, 3]);
        assert_eq!(numbers, [0, 1, 5, 2, 6, 4, 3]);
        assert_eq!(dominators, [0, 0, 1, 2, 1, 0, 5]);
        assert_eq!(ends, [7, 5, 4, 4, 5, 7, 7]);
        assert_eq!(lay_out(vec![0]).ends, [1]);
    }
}
