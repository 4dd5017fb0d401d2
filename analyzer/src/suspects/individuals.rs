//! Phase 3: single instances and arrays that retain more than their share and that no suspected loader explains. Class
//! mirrors are neither; the same question about them is answered apart, so that they take no place of the ten.

use super::{Forest, Structure, Subject, Suspect, Thresholds};
use crate::heap::ObjectIdx;

/// The suspected instances and arrays, the largest first.
pub(super) fn suspects(
    forest: &Forest<'_>,
    structures: &[Structure],
    loaders: &[Suspect],
    thresholds: &Thresholds,
) -> Vec<Suspect> {
    let search = Search { forest, known: Known::new(loaders), thresholds };
    let found = search.among(structures, |structure| !is_mirror(forest, structure));
    found.map(|structure| search.suspect(structure, Subject::Object(*structure))).collect()
}

/// The suspected classes by what their static fields keep, the largest first.
pub(super) fn statics(
    forest: &Forest<'_>,
    structures: &[Structure],
    earlier: &[Suspect],
    thresholds: &Thresholds,
) -> Vec<Suspect> {
    let search = Search { forest, known: Known::new(earlier), thresholds };
    let found = search.among(structures, |structure| is_mirror(forest, structure));
    found.map(|structure| search.suspect(structure, Subject::Statics(*structure))).collect()
}

fn is_mirror(forest: &Forest<'_>, structure: &Structure) -> bool {
    forest.heap().class_of_mirror(structure.head).is_some()
}

struct Search<'a> {
    forest: &'a Forest<'a>,
    known: Known,
    thresholds: &'a Thresholds,
}

impl Search<'_> {
    /// The first suspects of one kind.
    fn among<'s>(
        &self,
        structures: &'s [Structure],
        is_kind: impl Fn(&Structure) -> bool,
    ) -> impl Iterator<Item = &'s Structure> {
        let is_suspect = move |structure: &&Structure| {
            self.forest.share(structure.retained_bytes) > self.thresholds.suspect_share
                && is_kind(structure)
                && !self.thresholds.is_pass_through(structure)
                && !self.known.explains(self.forest, structure.head)
        };
        structures.iter().filter(is_suspect).take(self.thresholds.individual_count)
    }

    fn suspect(&self, structure: &Structure, subject: Subject) -> Suspect {
        let share = self.forest.share(structure.retained_bytes);
        Suspect { subject, retained_bytes: structure.retained_bytes, share, severity: self.thresholds.severity(share) }
    }
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
