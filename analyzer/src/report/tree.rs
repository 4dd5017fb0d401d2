//! A classification tree as values of a report (AntTracks §2.2.2, §3.4.4): of one state, or the difference of two.

use super::growth::{Delta, Metrics, Portion, Size};
use serde::{Deserialize, Serialize};

/// One node with its parts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct TreeNode {
    /// The classifier that made it: `type`, `place`, `leaves` …
    pub classifier: String,
    /// Its key.
    pub key: String,
    /// Number of objects in the later state, or in the only one.
    pub count: u64,
    /// Sizes of these objects together; the structure sizes are of heads.
    pub sizes: Metrics<Option<Size>>,
    /// Number of objects in the earlier state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_before: Option<u64>,
    /// Sizes in the earlier state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Metrics<Option<Size>>>,
    /// Growth of each metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub growth: Option<Metrics<Option<Delta>>>,
    /// The same in percent of the heap's growth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hgp: Option<Metrics<Option<Portion>>>,
    /// Its parts, the largest first.
    pub parts: Vec<TreeNode>,
    /// Number of smaller parts.
    pub omitted: u64,
}
