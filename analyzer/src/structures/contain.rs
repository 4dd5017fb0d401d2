//! Top-level structures, and those that another owns (AntTracks §3.3.1: *completely contained in another data
//! structure, i.e., owned*).
//!
//! A head is contained if a structure reaches it through structures and its head dominates it. All structures on such a
//! path are dominated, too: otherwise a path from a root would go round. So a search from each top-level head over
//! heads that it dominates finds all.

use super::{HeadIdx, Structures};
use crate::graph::Dominance;

/// By head: the top-level structure that owns it, or itself. In `order`, dominators come first.
pub(super) fn tops(dominance: &impl Dominance, structures: &Structures, order: &[HeadIdx]) -> Vec<HeadIdx> {
    let heads = &structures.heads;
    let mut tops: Vec<HeadIdx> = (0..heads.len() as u32).map(HeadIdx).collect();
    let mut open = Vec::new();
    for &top in order {
        if tops[top.at()] != top {
            continue;
        }
        open.push(top);
        while let Some(head) = open.pop() {
            for &inner in structures.contained(head) {
                let is_free = tops[inner.at()] == inner && inner != top;
                if is_free && dominance.dominates(heads.object(top), heads.object(inner)) {
                    tops[inner.at()] = top;
                    open.push(inner);
                }
            }
        }
    }
    tops
}
