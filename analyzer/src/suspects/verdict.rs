//! Which of the suspects is the answer.

use super::{Forest, Subject, Suspect, Thresholds};

/// The index of the suspect that keeps most. A built-in loader counts with its accumulation point alone: that it owns the
/// program says nothing. `None` where nobody is to be named.
pub fn verdict(forest: &Forest<'_>, suspects: &[Suspect], thresholds: &Thresholds) -> Option<usize> {
    let weight = |at: usize| match suspects[at].subject {
        Subject::Loader { is_built_in: true, accumulation, .. } => forest.retained_bytes(accumulation),
        Subject::Class { beyond_bytes, .. } => beyond_bytes,
        _ => suspects[at].retained_bytes,
    };
    let counts = |at: &usize| forest.share(weight(*at)) > thresholds.suspect_share;
    (0..suspects.len()).filter(counts).reduce(|best, at| if weight(at) > weight(best) { at } else { best })
}
