//! From a heap to findings: graph, ranking, regions, probes. Only names and figures are kept.

use super::earlier::Followed;
pub(super) use super::findings::Findings;
use super::findings::found_root;
use super::followed;
use super::found_region::FoundRegion;
use super::new_classes::new_classes;
use super::ranked::ranked;
use super::rising::RisingPlaces;
use super::weakly_held::WeaklyHeld;
use crate::graph::{ObjectGraph, Owned, RootPaths};
use crate::growing::Owners;
use crate::heap::Heap;
use crate::marking::{Limits, OwnerPaths, Selecting, Selection};
use crate::naming::Fingerprint;
use crate::ranking;
use crate::regions::plan::{self, Halves, PlanFailure, ProbePlan, SelfReferences};
use crate::regions::{self, BufferLengths, Region};
use crate::relations::Outline;
use crate::relations::joint::jointly;
use crate::relations::keeper::keeper;
use crate::relations::same::is_buffer;
use crate::tracking::{Gained, Untracked, chance_bytes, kept_new_bytes};
use rootbound_wire::ids::{ProbeId, SnapshotId};
use rootbound_wire::message::ProbeSpec;

/// Regions that are worded and reported.
pub(super) const MAX_REPORTED: usize = 100;
/// Maximum of regions that have begun since the marks, after all others.
const MAX_BEGUN: usize = 16;
/// Leak roots that are worded.
pub(super) const MAX_ROOTS: usize = 20;
/// Objects that one visit of a probe may read.
const VISIT_BUDGET: u32 = 4_096;

/// Results that an analysis is to give in addition to regions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'a> {
    /// Explain how the ranks came about.
    pub(super) explain: bool,
    /// Number of probes that were numbered before.
    pub(super) first_probe: u32,
    /// Marks for the next capture: its name, and the limits of their cost.
    pub(super) marks: Option<(SnapshotId, Limits)>,
    /// Whether the paths of the marks are kept, for heads of data structures.
    pub(super) keeps_paths: bool,
    /// Whether a pause of some milliseconds to look for owners is allowed.
    pub(super) may_iterate: bool,
    /// Lengths of buffers at the previous capture.
    pub(super) lengths: &'a BufferLengths,
    /// Structures that are known to grow.
    pub(super) growers: &'a [Fingerprint],
    /// Owners that are followed.
    pub(super) followed: &'a [Followed],
    /// Those of them whose members are held weakly.
    pub(super) weakly_held: &'a [WeaklyHeld],
}

/// What is taken of the ownership beside an analysis.
#[derive(Default)]
pub(super) struct Beside {
    /// Owners of the listed data structures.
    pub(super) owners: Option<Owners>,
    /// What may grow by the counts of all captures.
    pub(super) rising: Option<RisingPlaces>,
}

/// Result of an analysis.
pub(super) struct Analysed<'h> {
    pub(super) findings: Findings,
    pub(super) selection: Option<Selection>,
    /// Those of the selection, where they are to be kept.
    pub(super) paths: Option<Selecting<'h>>,
    /// For the next capture.
    pub(super) lengths: BufferLengths,
    /// Bytes that the capture reached by strong references.
    pub(super) reached_bytes: u64,
    /// Bytes gained since the marks were set.
    pub(super) gained: Gained,
}

/// Marks for the next capture.
pub(super) struct Choice<'h> {
    pub(super) selection: Selection,
    pub(super) paths: Selecting<'h>,
    /// Lengths of buffers.
    pub(super) lengths: BufferLengths,
    /// Bytes that the capture reached by strong references.
    pub(super) reached_bytes: u64,
}

/// Chooses marks for the next capture with these paths, and records the lengths of buffers.
///
/// `with_owned` uses the ownership while it is there.
pub(super) fn choose<'h>(
    heap: &'h Heap,
    snapshot: SnapshotId,
    limits: Limits,
    with_owned: impl FnOnce(&Owned, &Selection),
) -> Choice<'h> {
    let (owned, paths) = rayon::join(|| Owned::new(heap), || Selecting::new(heap, snapshot, limits));
    let selection = paths.among(&owned);
    let lengths = BufferLengths::of(heap, &owned.dominators);
    with_owned(&owned, &selection);
    Choice { selection, paths, lengths, reached_bytes: owned.dominators.reachable_bytes(heap) }
}

/// Ranks the heap, finds its regions, plans their probes, and chooses marks if that is requested.
/// `take` takes in the ownership.
pub(super) fn analyse<'h>(heap: &'h Heap, wish: &Wish<'_>, take: impl FnOnce(&Owned) -> Beside + Send) -> Analysed<'h> {
    let selecting = |(snapshot, limits)| Selecting::new(heap, snapshot, limits);
    let (owned, (selecting, ways)) = rayon::join(|| Owned::new(heap), || (wish.marks.map(selecting), Ways::new(heap)));
    let among = |selecting: Selecting<'h>| (selecting.among(&owned), Some(selecting).filter(|_| wish.keeps_paths));
    let ((beside, selected), graph) =
        rayon::join(|| rayon::join(|| take(&owned), || selecting.map(among)), || ObjectGraph::of(heap, &owned));
    drop(owned);
    let (selection, paths) = selected.unzip();
    let paths = paths.flatten();
    let Beside { owners, rising } = beside;
    let ((mut findings, lengths), error) = rayon::join(|| find(&graph, &ways, wish, rising), || chance_bytes(&graph));
    if let Some(owners) = owners {
        findings.name_structures(heap, &owners);
    }
    findings.look_up(heap, &ways.roots, wish.followed);
    findings.look_at_weakly_held(graph.owned(), wish.weakly_held);
    let owners = findings.owners_of(wish.growers);
    let kept = (!owners.is_empty()).then(|| kept_new_bytes(&graph, &owners));
    let gained = Gained { error, kept };
    let reached_bytes = graph.dominators.reachable_bytes(heap);
    Analysed { findings, selection, paths, lengths, reached_bytes, gained }
}

/// What is known of a heap without its ownership.
struct Ways {
    roots: RootPaths,
    selves: SelfReferences,
}

impl Ways {
    fn new(heap: &Heap) -> Self {
        Self { roots: RootPaths::new(heap), selves: SelfReferences::new(heap) }
    }
}

fn find(
    graph: &ObjectGraph<'_>,
    Ways { roots, selves }: &Ways,
    wish: &Wish<'_>,
    rising: Option<RisingPlaces>,
) -> (Findings, BufferLengths) {
    let heap = graph.heap;
    let ranking = ranking::rank(graph);
    let owners = OwnerPaths::new(wish.may_iterate);
    let begun = || (regions::find_begun(graph, &ranking), owners.search(heap));
    let rising = || rising.map(|rising| rising.find(graph));
    let ((mut regions, rising), (mut begun, ())) =
        rayon::join(|| rayon::join(|| regions::find(graph, &ranking), rising), begun);
    let (buffers, lengths) = regions::buffers(graph, roots, wish.lengths);
    regions.retain(|region| !buffers.iter().any(|buffer| is_buffer(&region.outline(), &buffer.region.outline())));
    regions.truncate(MAX_REPORTED);
    if let Some(rising) = rising {
        rising.join(&mut regions);
        regions.truncate(MAX_REPORTED);
    }
    regions::leave_out(&mut begun, &regions);
    regions.extend(begun.into_iter().take(MAX_BEGUN));
    let leak_roots =
        ranking.candidates.iter().take(MAX_ROOTS).map(|each| found_root(graph, roots, each, wish.explain)).collect();
    let ranking = Some(ranked(&ranking));
    let mut findings = Findings { ranking, leak_roots, new_classes: new_classes(graph), ..Findings::default() };
    let outlines: Vec<Outline<'_>> = regions.iter().map(Region::outline).collect();
    let keepers: Vec<_> = outlines.iter().map(|region| keeper(graph, region, &outlines)).collect();
    let joint = jointly(graph, &outlines);
    let mut halves = Halves::default();
    let plans = followed::plans(&regions, |batch| plan::plan_all(graph, selves, &owners, &mut halves, batch));
    for (region, plan) in regions.iter().zip(plans) {
        let hops = plan.as_ref().ok().and_then(|plan| plan.as_ref().ok()).map_or(&[][..], |plan| &plan.hops);
        let mut found = FoundRegion::new(graph, roots, region, hops);
        let plan = plan.map_err(|reason| found.leave_out(reason)).ok();
        findings.add(found, plan, wish.first_probe);
    }
    findings.name_keepers(&keepers);
    findings.name_shared(heap, &joint);
    for buffer in &buffers {
        let plan = plan::plan_buffer(graph, &owners, buffer);
        findings.add(FoundRegion::of_buffer(graph, roots, buffer), Some(plan), wish.first_probe);
    }
    findings.relate();
    (findings, lengths)
}

impl Findings {
    /// Adds a region, which is followed according to `plan`, under the next number after the earlier ones.
    fn add(&mut self, mut found: FoundRegion, plan: Option<Result<ProbePlan, PlanFailure>>, first_probe: u32) {
        match plan {
            Some(Ok(plan)) => {
                let probe = ProbeId(first_probe + self.probes.len() as u32 + 1);
                self.probes.push(spec(probe, &plan));
                found.follow(probe, plan.size_at_capture);
                found.description = plan.description;
                found.set_plan(plan.words, plan.counters.into_iter().map(|counter| counter.name).collect());
            }
            Some(Err(failure)) => found.give_up(Untracked::Unreadable(failure.to_string())),
            None => {}
        }
        self.regions.push(found);
    }
}

fn spec(probe: ProbeId, plan: &ProbePlan) -> ProbeSpec {
    ProbeSpec {
        probe,
        owner: plan.owner.clone(),
        places: plan.places.clone(),
        budget: VISIT_BUDGET,
        bias: 1.0,
        counters: plan.counters.iter().map(|counter| counter.spec.clone()).collect(),
        shape: plan.shape,
    }
}
