//! What one analysis found, in words and figures that outlive the heap.

use crate::graph::{ObjectGraph, RootPaths};
use crate::ranking::{self, Candidate};
use crate::regions::Region;
use crate::regions::fingerprint::fingerprint;
use crate::regions::path::{self, LeakPath};
use crate::tracking::{Fate, TrackedRegion};
use crate::view::report::LeakRoot;
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::ProbeSpec;

/// Regions of earlier captures that are followed on although the latest did not find them: the highest ranks.
const MAX_LEFT_OVER: usize = 20;

/// Leak roots, regions and their probes.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) leak_roots: Vec<LeakRoot>,
    pub(super) regions: Vec<FoundRegion>,
    pub(super) probes: Vec<ProbeSpec>,
}

impl Findings {
    /// What a later capture found takes the place of this. A region that is found again goes on under its old probe and
    /// keeps its history; one that is not found again but is followed stays, for a probe sees more than a snapshot.
    /// Gives the findings, the probes to install, and those to keep.
    pub(super) fn renewed_by(self, later: Self) -> (Self, Vec<ProbeSpec>, Vec<ProbeId>) {
        let mut known: Vec<FoundRegion> = self.regions.into_iter().filter(FoundRegion::is_followed).collect();
        let mut regions = Vec::with_capacity(later.regions.len());
        for mut found in later.regions {
            if let Some(at) = known.iter().position(|known| known.is_the_same_as(&found)) {
                found.go_on_as(known.swap_remove(at));
            }
            regions.push(found);
        }
        known.sort_by(|a, b| b.tracked.rank().total_cmp(&a.tracked.rank()));
        known.truncate(MAX_LEFT_OVER);
        regions.extend(known);
        let is_followed = |probe: ProbeId| regions.iter().any(|region| region.probe == Some(probe));
        let probes: Vec<ProbeSpec> = later.probes.into_iter().filter(|spec| is_followed(spec.probe)).collect();
        let is_new = |probe: ProbeId| probes.iter().any(|spec| spec.probe == probe);
        let keep = regions.iter().filter_map(|region| region.probe).filter(|&probe| !is_new(probe)).collect();
        (Self { leak_roots: later.leak_roots, regions, probes: probes.clone() }, probes, keep)
    }

    /// Regions that grew and cannot be followed any more.
    pub(super) fn lost(&self) -> usize {
        let grew = |region: &&FoundRegion| region.has_grown && !region.tracked.is_followed();
        self.regions.iter().filter(grew).count()
    }

    /// The region that a probe follows.
    pub(super) fn region_of(&mut self, probe: ProbeId) -> Option<&mut FoundRegion> {
        self.regions.iter_mut().find(|region| region.probe == Some(probe))
    }
}

/// A region in words, and its observation.
#[derive(Debug)]
pub(super) struct FoundRegion {
    pub(super) fingerprint: String,
    pub(super) leak_root: (String, &'static str),
    pub(super) owner: (String, &'static str),
    pub(super) change_class: String,
    pub(super) path: LeakPath,
    pub(super) dump_bytes: u64,
    pub(super) bytes_per_member: f64,
    pub(super) members: Vec<String>,
    pub(super) probe: Option<ProbeId>,
    pub(super) tracked: TrackedRegion,
    /// Whether it was ever seen to be a grower.
    pub(super) has_grown: bool,
}

impl FoundRegion {
    pub(super) fn new(graph: &ObjectGraph<'_>, roots: &RootPaths, region: &Region) -> Self {
        let heap = graph.heap;
        let described = |object| (path::class_name(heap, object).to_owned(), path::kind(heap, object).name());
        let path = path::leak_path(heap, &graph.dominators, roots, region);
        let class = |class| heap.classes().get(class).name.clone();
        let (leak_root, change_class) = (described(region.leak_root), class(region.change_class));
        Self {
            fingerprint: fingerprint(&[&leak_root.0, &path.owner, &change_class]),
            leak_root,
            owner: described(region.owner),
            change_class,
            path,
            dump_bytes: region.dump_bytes,
            bytes_per_member: region.dump_bytes as f64 / region.proxy_size.max(1) as f64,
            members: region.members.iter().map(|member| class(member.0)).collect(),
            probe: None,
            tracked: TrackedRegion::new(region.leak_root_rank, region.proxy_size, region.standing.divisor()),
            has_grown: false,
        }
    }

    fn is_followed(&self) -> bool {
        self.probe.is_some() && self.tracked.is_followed()
    }

    /// Fingerprints leave numbers out, so the path of the owner must agree as it is written.
    fn is_the_same_as(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.path.owner == other.path.owner
            && self.change_class == other.change_class
    }

    /// This is what `known` was found as again: probe and history go on, words and sizes are new.
    fn go_on_as(&mut self, mut known: Self) {
        known.tracked.found_again(&self.tracked);
        (self.probe, self.tracked, self.has_grown) = (known.probe, known.tracked, known.has_grown);
    }

    /// The region is to be followed by a probe that counted so many change-proxies in the capture.
    pub(super) fn follow(&mut self, probe: ProbeId, size_at_capture: Option<u64>) {
        self.probe = Some(probe);
        self.tracked.set_size_at_capture(size_at_capture);
    }

    /// The region cannot be followed.
    pub(super) fn give_up(&mut self, reason: String) {
        self.tracked.fate = Fate::Untracked(reason);
    }
}

/// A candidate leak root in words.
pub(super) fn found_root(graph: &ObjectGraph<'_>, roots: &RootPaths, candidate: &Candidate, explain: bool) -> LeakRoot {
    let heap = graph.heap;
    LeakRoot {
        class: path::class_name(heap, candidate.object).to_owned(),
        kind: path::kind(heap, candidate.object).name(),
        reached_from: path::reach(heap, roots, candidate.object).0,
        rank: candidate.rank,
        owned_objects: candidate.attributes.owned,
        owned_bytes: candidate.attributes.owned_bytes,
        explanation: if explain { ranking::explain(candidate) } else { Vec::new() },
    }
}
