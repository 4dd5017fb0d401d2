//! Suspects that one change may free together, and those that are independent.

use crate::report::dump::SuspectRow;

/// Sentences below the suspects, behind an empty line; none for a single suspect.
pub(super) fn lines(suspects: &[SuspectRow]) -> Vec<String> {
    let mut lines: Vec<String> = suspects.iter().enumerate().filter_map(|(at, each)| within(at, each)).collect();
    lines.extend(sharing(suspects));
    lines.extend(independent(suspects));
    if !lines.is_empty() {
        lines.insert(0, String::new());
    }
    lines
}

fn within(at: usize, suspect: &SuspectRow) -> Option<String> {
    let owner = suspect.within?;
    Some(format!("#{} lies within #{}: what frees #{} frees it, too", at + 1, owner + 1, owner + 1))
}

/// Groups of several suspects of which none dominates another.
fn sharing(suspects: &[SuspectRow]) -> Vec<String> {
    let shared = (0..suspects.len()).filter_map(|group| {
        let members = tops(suspects).filter(|&at| suspects[at].group == Some(group));
        let numbers: Vec<usize> = members.collect();
        (numbers.len() > 1).then(|| format!("{} share an owner: one change may free them together", list(&numbers)))
    });
    shared.collect()
}

/// The first suspect of each group, where there are several groups.
fn independent(suspects: &[SuspectRow]) -> Option<String> {
    let mut known = Vec::new();
    for at in tops(suspects) {
        if !known.iter().any(|&other: &usize| suspects[other].group == suspects[at].group) {
            known.push(at);
        }
    }
    (known.len() > 1).then(|| format!("{} are independent: each needs a change of its own", list(&known)))
}

/// Suspects of phases 1 and 3 that lie within no other.
fn tops(suspects: &[SuspectRow]) -> impl Iterator<Item = usize> {
    (0..suspects.len()).filter(|&at| suspects[at].group.is_some() && suspects[at].within.is_none())
}

/// `#1, #2 and #4`.
fn list(numbers: &[usize]) -> String {
    let names: Vec<String> = numbers.iter().map(|at| format!("#{}", at + 1)).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suspect(group: Option<usize>, within: Option<usize>) -> SuspectRow {
        SuspectRow { group, within, ..SuspectRow::default() }
    }

    #[test]
    fn suspects_are_named_with_what_they_share_and_without() {
        let all = [suspect(Some(0), None), suspect(Some(0), Some(0)), suspect(Some(2), None), suspect(None, None)];
        assert_eq!(
            lines(&all),
            [
                "",
                "#2 lies within #1: what frees #1 frees it, too",
                "#1 and #3 are independent: each needs a change of its own"
            ]
        );
        let shared = [suspect(Some(0), None), suspect(Some(0), None)];
        assert_eq!(lines(&shared), ["", "#1 and #2 share an owner: one change may free them together"]);
    }

    #[test]
    fn a_single_suspect_needs_no_sentence() {
        assert!(lines(&[suspect(Some(0), None)]).is_empty());
        assert!(lines(&[]).is_empty());
    }
}
