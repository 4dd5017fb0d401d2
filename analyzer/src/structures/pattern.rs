//! Patterns of growth (AntTracks §3.4.3, Figure 12). The paper names no thresholds; ours are calibrated on generated
//! programs (`analyzer/tests/structure_growth.rs`).

use super::census::Metrics;
use super::growth::{Delta, Portion};
use crate::graph::Size;
use crate::naming::growth::Pattern;

/// Every threshold of the patterns. Portions are in percent of the heap's growth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Least portion of a metric that is high.
    pub high_portion: f64,
    /// Least number of objects by which a container grows.
    pub least_objects: i64,
    /// Least growth of a container, as a share of its objects before, where its retained size grew much.
    pub container_share: f64,
    /// Least growth of the heap, as a share of it.
    pub least_heap_share: f64,
    /// The same in bytes.
    pub least_heap_bytes: i64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            high_portion: 5.0,
            least_objects: 8,
            container_share: 0.1,
            least_heap_share: 0.005,
            least_heap_bytes: 256 * 1024,
        }
    }
}

impl Thresholds {
    /// Whether the heap grew enough for a judgement.
    pub fn is_enough(&self, heap_before: Size, growth: Delta) -> bool {
        growth.bytes >= self.least_heap_bytes && growth.bytes as f64 >= self.least_heap_share * heap_before.bytes as f64
    }

    /// The metrics that grew much; `None` where the retained or the deep structure size is not known.
    pub fn high(
        &self,
        before: &Metrics<Option<Size>>,
        growth: &Metrics<Option<Delta>>,
        hgp: &Metrics<Option<Portion>>,
    ) -> Option<High> {
        let retained = hgp.retained?.bytes >= self.high_portion;
        let (structure, portion) = (growth.deep_structure?, hgp.deep_structure?);
        let share = self.container_share * before.deep_structure?.objects as f64;
        let container = structure.objects >= self.least_objects
            && (portion.objects >= self.high_portion
                || portion.bytes >= self.high_portion
                || retained && structure.objects as f64 >= share);
        Some(High { retained, container, deep: hgp.deep.map(|deep| deep.bytes >= self.high_portion) })
    }

    /// The pattern of a growth.
    pub fn pattern(&self, high: High, hgp: &Metrics<Option<Portion>>) -> Pattern {
        let shrinks = |portion: Option<Portion>| portion.is_some_and(|portion| portion.bytes <= -self.high_portion);
        match (high.retained, high.container, high.deep) {
            (true, true, _) => Pattern::SingleOwnershipContainer,
            (false, true, _) => Pattern::SharedOwnershipContainer,
            (true, false, _) => Pattern::SingleOwnershipData,
            (false, false, _) if shrinks(hgp.retained) || shrinks(hgp.deep_structure) => Pattern::Shrinking,
            (false, false, Some(true)) => Pattern::SharedOwnershipData,
            (false, false, _) => Pattern::NonGrowth,
        }
    }
}

/// The metrics that grew much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct High {
    /// R: the retained size.
    pub retained: bool,
    /// D: the deep structure size.
    pub container: bool,
    /// T: the deep size; `None` where it was not measured.
    pub deep: Option<bool>,
}
