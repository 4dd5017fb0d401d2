//! Candidate leak roots and their rank (LeakBot §3): binary metrics, a mixture of gated metrics, a fixpoint.
//!
//! Each step is more expensive than the one before and processes fewer objects. No code here depends on the name of a
//! class.

mod attributes;
mod binary;
mod datatypes;
mod explain;
mod fixpoint;
pub mod gates;
mod mixture;
mod turnover;

pub use attributes::Attributes;
pub use binary::{BinaryMetric, Survivors};
pub use datatypes::Datatypes;
pub use explain::explain;
pub use fixpoint::Discount;
pub use mixture::Mixture;

use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;
use binary::Filtered;
use rustc_hash::FxHashSet;

/// An object that the binary metrics did not rule out, with all components of its rank.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The candidate leak root.
    pub object: ObjectIdx,
    /// Counts over the objects that it owns.
    pub attributes: Attributes,
    /// Types of the objects that it owns, compared.
    pub datatypes: Datatypes,
    /// Step 2: gated metrics and their mean.
    pub mixture: Mixture,
    /// Discounts of step 3, in the order in which they applied.
    pub discounts: Vec<Discount>,
    /// The leakroot rank, in [0, 1].
    pub rank: f64,
}

/// Result of the ranking.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// Candidates by descending rank; ties by object.
    pub candidates: Vec<Candidate>,
    /// Number of objects that each binary metric left, in their order (the paper's Tables 3 and 4).
    pub survivors: Survivors,
    /// Old objects that T1 or T4 excludes because they owned nothing of the kind at T1, those with the most new objects
    /// first.
    pub begun: Vec<ObjectIdx>,
}

/// Those of these objects that are no candidates, by falling numbers of new objects.
fn begun_among(
    mut may_have_begun: Vec<(ObjectIdx, f64)>,
    candidates: &[(ObjectIdx, Attributes, Datatypes)],
) -> Vec<ObjectIdx> {
    let candidates: FxHashSet<ObjectIdx> = candidates.iter().map(|candidate| candidate.0).collect();
    may_have_begun.retain(|(object, _)| !candidates.contains(object));
    may_have_begun.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    may_have_begun.into_iter().map(|(object, _)| object).collect()
}

/// Ranks every object of the graph.
pub fn rank(graph: &ObjectGraph<'_>) -> Ranking {
    let Filtered { survivors, remaining, may_have_begun } = binary::filter(graph);
    let described = datatypes::describe(graph, remaining);
    let begun = begun_among(may_have_begun, &described);
    let survivors = Survivors { after_t4: described.len(), ..survivors };
    let mut candidates: Vec<Candidate> = described
        .into_iter()
        .map(|(object, attributes, datatypes)| {
            let mixture = mixture::mix(&attributes, &datatypes);
            let rank = mixture.rank;
            Candidate { object, attributes, datatypes, mixture, discounts: Vec::new(), rank }
        })
        .collect();
    fixpoint::settle(graph, &mut candidates);
    candidates.sort_by(|a, b| b.rank.total_cmp(&a.rank).then(a.object.cmp(&b.object)));
    Ranking { candidates, survivors, begun }
}
