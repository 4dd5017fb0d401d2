//! Remarks on the descriptions in use.

use crate::structures::Layout;
use crate::structures::layout::Replaced;

/// Descriptions that do not count.
pub(super) fn notes(layout: &Layout) -> Vec<String> {
    let note = |replaced: &Replaced| {
        let (earlier, later) = (&replaced.earlier, &replaced.later);
        format!(
            "{} is described twice: {}:{} counts, {}:{} does not",
            later.of, later.file, later.at, earlier.file, earlier.at
        )
    };
    layout.replaced().iter().map(note).collect()
}
