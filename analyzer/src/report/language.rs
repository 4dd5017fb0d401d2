//! The descriptions that a report on data structures relies on.

use serde::{Deserialize, Serialize};

/// The language of one report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct LanguageReport {
    /// Its files.
    pub files: Vec<LanguageFile>,
    /// Described types.
    pub types: u64,
    /// Those of them that are heads.
    pub heads: u64,
    /// Described types of the user's files that are not in the heap.
    pub unmatched: Vec<String>,
    /// Classes that have the description of a superclass.
    pub inherited: u64,
}

/// One file of descriptions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct LanguageFile {
    /// Its name.
    pub name: String,
    /// Whether it comes with the program.
    pub is_shipped: bool,
    /// Its descriptions.
    pub types: u64,
    /// Those of heads.
    pub heads: u64,
    /// Those whose type is in the heap.
    pub matched: u64,
}
