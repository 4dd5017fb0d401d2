//! Ranking step 2 (LeakBot §3.4): the unweighted sum of gated metrics, here as their mean so that it lies in [0, 1].

use super::attributes::Attributes;
use super::datatypes::Datatypes;
use super::gates::{Gate, table};

/// One metric of the mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct GatedMetric {
    /// `G1` … `G9`.
    pub name: &'static str,
    /// The measured attribute, in a few words.
    pub meaning: &'static str,
    /// The attribute's value.
    pub value: f64,
    /// The gated value, at most 1.
    pub gated: f64,
}

/// The gated metrics of one candidate and its step-2 rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// The metrics in the order of their names.
    pub metrics: Vec<GatedMetric>,
    /// Mean of the gated values, not below 0.
    pub rank: f64,
}

/// Mixes the metrics of one candidate.
pub(super) fn mix(owned: &Attributes, types: &Datatypes) -> Mixture {
    let share = |part: f64, whole: f64| if whole == 0.0 { 0.0 } else { part / whole };
    let magnitude = |count: f64| (1.0 + count).log10();
    let all = owned.owned as f64;
    let metrics = vec![
        gate("G1", "on-stack ownership", share(owned.new_on_stack, owned.fringe), table::ON_STACK_OWNERSHIP),
        gate("G2", "on-stack reachability", transience(owned), table::ON_STACK_REACHABILITY),
        ownership_counts(owned, magnitude),
        gate("G4", "new ownership", magnitude(owned.new), table::NEW_OWNERSHIP),
        gate("G5", "array ownership", share(owned.object_arrays as f64, all), table::ARRAY_OWNERSHIP),
        gate("G6", "fringe ownership", magnitude(owned.fringe), table::FRINGE_OWNERSHIP),
        gate("G7", "fringe datatype uniformity", types.fringe_uniformity, table::FRINGE_UNIFORMITY),
        gate("G8", "datatype intersection", types.intersection, table::DATATYPE_INTERSECTION),
        gate("G9", "dominance frontier", share(owned.embedded as f64, all), table::DOMINANCE_FRONTIER),
    ];
    let sum: f64 = metrics.iter().map(|metric| metric.gated).sum();
    let rank = (sum / metrics.len() as f64).clamp(0.0, 1.0);
    Mixture { metrics, rank }
}

fn gate(name: &'static str, meaning: &'static str, value: f64, gate: Gate) -> GatedMetric {
    GatedMetric { name, meaning, value, gated: gate.pass(value) }
}

/// G3 considers number and size separately, the number above all: "owning one large array isn't as indicative of
/// problems as owning many smaller objects".
fn ownership_counts(owned: &Attributes, magnitude: impl Fn(f64) -> f64) -> GatedMetric {
    let (count, bytes) = (magnitude(owned.owned as f64), magnitude(owned.owned_bytes as f64));
    let gated = 0.75 * table::OWNED_COUNT.pass(count) + 0.25 * table::OWNED_BYTES.pass(bytes);
    GatedMetric { name: "G3", meaning: "ownership counts", value: count, gated }
}

/// Evidence that the whole structure is transient, in [0, 1].
fn transience(owned: &Attributes) -> f64 {
    let (if_new, if_old) = match (owned.only_from_stack, owned.reached_from_stack) {
        (true, _) => (1.0, 0.2),
        (false, true) => (0.5, 0.0),
        (false, false) => (0.0, 0.0),
    };
    owned.newness * if_new + (1.0 - owned.newness) * if_old
}
