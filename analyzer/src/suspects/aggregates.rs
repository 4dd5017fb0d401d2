//! Phase 4: classes without a large instance whose instances together are large.
//!
//! A class is *covered* if its instances retain too little beyond the subtrees of other suspects. Every leaking map has
//! a hundred thousand nodes, which are no second finding. The class of class mirrors is left out: in every program,
//! mirrors together own all objects below statics, as a built-in loader does.

use super::{Census, ClassRow, Forest, Subject, Suspect, Thresholds};
use crate::heap::ObjectIdx;

/// Objects whose subtrees the earlier phases have explained.
pub(super) fn covering(suspects: &[Suspect]) -> Vec<ObjectIdx> {
    let object = |suspect: &Suspect| match suspect.subject {
        Subject::Loader { loader, is_built_in: false, .. } => Some(loader),
        Subject::Loader { accumulation, .. } => Some(accumulation),
        Subject::Object(structure) | Subject::Statics(structure) => Some(structure.head),
        Subject::Class { .. } => None,
    };
    suspects.iter().filter_map(object).collect()
}

/// The suspected classes, the largest first.
pub(super) fn suspects(forest: &Forest<'_>, census: &Census, thresholds: &Thresholds) -> Vec<Suspect> {
    let classes = forest.heap().classes();
    let of_mirrors = classes.iter().find_map(|(_, class)| class.mirror).map(|mirror| forest.class_of(mirror));
    let is_suspect = |row: &&ClassRow| {
        row.instance_count > 1
            && Some(row.class) != of_mirrors
            && forest.share(row.retained_bytes) > thresholds.aggregate_share
            && forest.share(row.beyond_bytes) > thresholds.aggregate_share
    };
    let suspect = |row: &ClassRow| {
        let share = forest.share(row.retained_bytes);
        let ClassRow { class, instance_count, beyond_bytes, retained_bytes, example, .. } = *row;
        let subject = Subject::Class { class, instance_count, beyond_bytes, example };
        Suspect { subject, retained_bytes, share, severity: thresholds.severity(share) }
    };
    let mut found: Vec<&ClassRow> = census.rows.iter().filter(is_suspect).collect();
    found.sort_by_key(|row| (std::cmp::Reverse(row.beyond_bytes), row.class));
    found.into_iter().map(suspect).collect()
}
