//! Phase 3: single objects that retain more than their share and that no suspected loader explains.

use super::{Forest, Structure, Subject, Suspect, Thresholds};
use crate::heap::ObjectIdx;

/// The suspected objects, the largest first.
pub(super) fn suspects(
    forest: &Forest<'_>,
    structures: &[Structure],
    loaders: &[Suspect],
    thresholds: &Thresholds,
) -> Vec<Suspect> {
    let known = Known::new(loaders);
    let is_suspect = |structure: &&Structure| {
        forest.share(structure.retained_bytes) > thresholds.suspect_share
            && !thresholds.is_pass_through(structure)
            && !known.explains(forest, structure.head)
    };
    let suspect = |structure: &Structure| {
        let share = forest.share(structure.retained_bytes);
        let (subject, retained_bytes) = (Subject::Object(*structure), structure.retained_bytes);
        Suspect { subject, retained_bytes, share, severity: thresholds.severity(share) }
    };
    structures.iter().filter(is_suspect).take(thresholds.individual_count).map(suspect).collect()
}

/// Objects that phases 1 and 2 have reported already.
struct Known {
    /// Objects that explain all that they dominate.
    covering: Vec<ObjectIdx>,
    reported: Vec<ObjectIdx>,
}

impl Known {
    fn new(loaders: &[Suspect]) -> Self {
        let (mut covering, mut reported) = (Vec::new(), Vec::new());
        for suspect in loaders {
            if let Subject::Loader { loader, is_built_in, accumulation } = suspect.subject {
                reported.extend([loader, accumulation]);
                covering.extend((!is_built_in).then_some(loader));
            }
        }
        Self { covering, reported }
    }

    fn explains(&self, forest: &Forest<'_>, object: ObjectIdx) -> bool {
        self.reported.contains(&object) || forest.above(object).any(|above| self.covering.contains(&above))
    }
}
