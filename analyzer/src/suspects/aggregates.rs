//! Phase 4: classes of which no instance is large and all together are.
//!
//! A class is *covered* where what its instances retain beyond the subtrees of other suspects is not enough by itself:
//! every map that leaks has a hundred thousand nodes, which is no second finding.

use super::{Census, ClassRow, Forest, Subject, Suspect, Thresholds};
use crate::heap::ObjectIdx;

/// Objects whose subtrees the phases before have explained.
pub(super) fn covering(suspects: &[Suspect]) -> Vec<ObjectIdx> {
    let object = |suspect: &Suspect| match suspect.subject {
        Subject::Loader { loader, is_built_in: false, .. } => Some(loader),
        Subject::Loader { accumulation, .. } => Some(accumulation),
        Subject::Object(structure) => Some(structure.head),
        Subject::Class { .. } => None,
    };
    suspects.iter().filter_map(object).collect()
}

/// The largest first.
pub(super) fn suspects(forest: &Forest<'_>, census: &Census, thresholds: &Thresholds) -> Vec<Suspect> {
    let is_suspect = |row: &&ClassRow| {
        row.instance_count > 1
            && forest.share(row.retained_bytes) > thresholds.aggregate_share
            && forest.share(row.beyond_bytes) > thresholds.aggregate_share
    };
    let suspect = |row: &ClassRow| {
        let share = forest.share(row.retained_bytes);
        let ClassRow { class, instance_count, beyond_bytes, retained_bytes, .. } = *row;
        let subject = Subject::Class { class, instance_count, beyond_bytes };
        Suspect { subject, retained_bytes, share, severity: thresholds.severity(share) }
    };
    let mut found: Vec<&ClassRow> = census.rows.iter().filter(is_suspect).collect();
    found.sort_by_key(|row| (std::cmp::Reverse(row.beyond_bytes), row.class));
    found.into_iter().map(suspect).collect()
}
