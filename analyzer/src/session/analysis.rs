//! From a heap to findings: graph, ranking, regions, probes. Only words and figures stay.

pub(super) use super::findings::Findings;
use super::findings::{FoundRegion, found_root};
use crate::graph::{ObjectGraph, RootPaths};
use crate::heap::Heap;
use crate::ranking;
use crate::regions::plan::{self, SelfReferences};
use crate::regions::{self, Region, Standing};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::ProbeSpec;

/// Regions that are worded and reported.
const MAX_REPORTED: usize = 100;
/// Regions that are followed at once. LeakBot: "we need only monitor the few most highly ranked regions".
const MAX_TRACKED: usize = 40;
/// Leak roots that are worded.
const MAX_ROOTS: usize = 20;
/// Objects that one visit of a probe may read.
const VISIT_BUDGET: u32 = 32_768;

/// Ranks the heap, finds its regions, and plans their probes.
pub(super) fn analyse(heap: &Heap, explain: bool) -> Findings {
    let graph = ObjectGraph::new(heap);
    let ranking = ranking::rank(&graph);
    let mut regions = regions::find(&graph, &ranking);
    regions.truncate(MAX_REPORTED);
    let roots = RootPaths::new(heap);
    let leak_roots =
        ranking.candidates.iter().take(MAX_ROOTS).map(|each| found_root(&graph, &roots, each, explain)).collect();
    let mut findings = Findings { leak_roots, regions: Vec::new(), probes: Vec::new() };
    let selves = SelfReferences::new(heap);
    for region in regions {
        let mut found = FoundRegion::new(&graph, &roots, &region);
        match plan_probe(&graph, &selves, &region, findings.probes.len()) {
            Ok((spec, size_at_capture)) => {
                found.follow(spec.probe, size_at_capture);
                findings.probes.push(spec);
            }
            Err(reason) => found.give_up(reason),
        }
        findings.regions.push(found);
    }
    findings
}

fn plan_probe(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    region: &Region,
    planned: usize,
) -> Result<(ProbeSpec, Option<u64>), String> {
    if planned >= MAX_TRACKED {
        return Err(format!("only the {MAX_TRACKED} highest-ranked regions are followed"));
    }
    match region.standing {
        Standing::OneOf(count) => return Err(format!("one of {count} regions of its kind, with few members each")),
        Standing::InsideMember => return Err("inside a member of a much larger region".to_owned()),
        Standing::Alone => {}
    }
    let plan = plan::plan(graph, selves, region)?;
    let probe = ProbeId(planned as u32 + 1);
    let spec = ProbeSpec { probe, owner: plan.owner, places: plan.places, budget: VISIT_BUDGET, bias: 1.0 };
    Ok((spec, plan.size_at_capture))
}
