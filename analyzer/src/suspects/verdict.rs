//! Chooses the suspect that is the answer.

use super::{Forest, Subject, Suspect, Thresholds};

/// The index of the suspect that keeps most. A built-in loader counts only with its accumulation point, for it owns the
/// program in any case. `None` if no suspect is large enough.
pub fn verdict(forest: &Forest<'_>, suspects: &[Suspect], thresholds: &Thresholds) -> Option<usize> {
    let weight = |at: usize| match suspects[at].subject {
        Subject::Loader { is_built_in: true, accumulation, .. } => forest.retained_bytes(accumulation),
        Subject::Class { beyond_bytes, .. } => beyond_bytes,
        _ => suspects[at].retained_bytes,
    };
    let counts = |at: &usize| forest.share(weight(*at)) > thresholds.suspect_share;
    let best =
        (0..suspects.len()).filter(counts).reduce(|best, at| if weight(at) > weight(best) { at } else { best })?;
    // Every program consists of strings and arrays, so a class of the program with at least half their size is a better
    // answer.
    let says_more = |&at: &usize| is_of_program(forest, &suspects[at]) && 2 * weight(at) >= weight(best);
    let is_class = |at: usize| matches!(suspects[at].subject, Subject::Class { .. });
    let by_program = (0..suspects.len()).filter(|&at| is_class(at)).find(says_more);
    Some(by_program.filter(|_| is_class(best)).unwrap_or(best))
}

/// Whether it is a class of the program: one that the boot loader did not load.
fn is_of_program(forest: &Forest<'_>, suspect: &Suspect) -> bool {
    match suspect.subject {
        Subject::Class { class, .. } => forest.heap().classes().get(class).loader.is_some(),
        _ => false,
    }
}
