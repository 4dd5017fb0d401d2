//! The descriptions behind a report on data structures.

use crate::report::language::{LanguageFile, LanguageReport};
use crate::structures::Layout;

/// The language as the layout of one heap has it.
#[must_use]
pub fn language(layout: &Layout) -> LanguageReport {
    let file = |file: &crate::structures::layout::FileCounts| LanguageFile {
        name: file.file.clone(),
        is_shipped: file.is_shipped,
        types: file.types,
        heads: file.heads,
        matched: file.matched,
    };
    let files: Vec<LanguageFile> = layout.files().iter().map(file).collect();
    LanguageReport {
        types: files.iter().map(|file| file.types).sum(),
        heads: files.iter().map(|file| file.heads).sum(),
        files,
        // Shipped descriptions are of all JDKs; only the user's are expected to fit.
        unmatched: layout.unmatched().iter().filter(|each| !each.is_shipped).map(|each| each.of.to_string()).collect(),
        inherited: layout.inherited().len() as u64,
    }
}
