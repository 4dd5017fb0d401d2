//! Phase 2: the accumulation point below an object, where memory fans out.

use super::{Forest, Thresholds, structures};
use crate::heap::ObjectIdx;

/// Goes down to the largest child as long as that retains most of its parent. In a chain, the result is the chain's
/// first node.
pub(super) fn point_below(forest: &Forest<'_>, start: ObjectIdx, thresholds: &Thresholds) -> ObjectIdx {
    let mut at = start;
    while let Some(child) = forest.dominated.largest(at) {
        if forest.retained_bytes(child) as f64 <= thresholds.walk_down_share * forest.retained_bytes(at) as f64 {
            break;
        }
        at = child;
    }
    structures::chain_head(forest, at)
}
