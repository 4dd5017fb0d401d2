//! Which of the suspects is the answer.

use super::{Forest, Subject, Suspect, Thresholds};

/// The suspect that keeps most. A built-in loader counts with its accumulation point alone: that it owns the program says
/// nothing. `None` where nobody is to be named.
pub fn verdict<'s>(forest: &Forest<'_>, suspects: &'s [Suspect], thresholds: &Thresholds) -> Option<&'s Suspect> {
    let weight = |suspect: &Suspect| match suspect.subject {
        Subject::Loader { is_built_in: true, accumulation, .. } => forest.retained_bytes(accumulation),
        Subject::Class { beyond_bytes, .. } => beyond_bytes,
        _ => suspect.retained_bytes,
    };
    let counts = |suspect: &&Suspect| forest.share(weight(suspect)) > thresholds.suspect_share;
    suspects.iter().filter(counts).reduce(|best, each| if weight(each) > weight(best) { each } else { best })
}
