//! Findings of one analysis, in names and figures that outlive the heap.

use super::around::KnownGrower;
use super::dropped::Dropped;
use super::earlier::{Earlier, Followed};
use super::found_region::{Course, FoundRegion};
use super::peers::{array_like_others, full_size, full_sizes};
use super::sampling::Grower;
use super::weakly_held::Looks;
use crate::graph::{ObjectGraph, RootPaths};
use crate::growing::Owners;
use crate::heap::{Heap, ObjectIdx};
use crate::naming::class::without_hidden_suffix;
use crate::naming::{Fingerprint, Place, Route, Shared};
use crate::ranking::{self, Candidate};
use crate::regions::path;
use crate::relations::joint::Joint;
use crate::relations::{Named, Relations, Rule, are_neighbours};
use crate::report::{LeakRoot, NewClasses, Ranking};
use crate::tracking::{PerMember, Trend, bias_after};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{ProbeReport, ProbeSpec, VisitOutcome};
use std::collections::HashMap;

/// Maximum of regions from earlier captures that stay followed although the latest capture did not find them; those of
/// the highest rank.
const MAX_LEFT_OVER: usize = 20;

/// Regions of the highest ranks, of which each is to be followed.
const MAX_WANTED: usize = 10;

/// Leak roots, regions and their probes.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The ranking as a whole.
    pub(super) ranking: Option<Ranking>,
    pub(super) leak_roots: Vec<LeakRoot>,
    pub(super) new_classes: Vec<NewClasses>,
    pub(super) regions: Vec<FoundRegion>,
    pub(super) probes: Vec<ProbeSpec>,
    /// Where this capture has the owners that were followed before; empty once the earlier findings were renewed.
    pub(super) earlier: Vec<Earlier>,
    /// What this capture shows of the members that were held weakly before; likewise.
    pub(super) looks: Looks,
    /// Relations between the regions, by their indices.
    pub(super) relations: Relations,
    /// Structures that the program has dropped.
    pub(super) dropped: Dropped,
}

impl Findings {
    /// Sets for each region the place of the owner that keeps the objects to which its members refer weakly, if that
    /// owner belongs to one of these regions.
    pub(super) fn name_keepers(&mut self, keepers: &[Option<ObjectIdx>]) {
        let place_of = |owner: ObjectIdx| {
            let region = self.regions.iter().find(|region| region.owner_object == Some(owner))?;
            Some(region.path.owner.clone())
        };
        let places: Vec<Option<Place>> = keepers.iter().map(|&keeper| place_of(keeper?)).collect();
        for (region, place) in self.regions.iter_mut().zip(places) {
            region.kept_by = place;
        }
    }

    /// Sets for each region the objects that it holds jointly with another one of these regions.
    pub(super) fn name_shared(&mut self, heap: &Heap, joint: &[Vec<Joint>]) {
        let named = |joint: &Joint| {
            let class = without_hidden_suffix(path::class_name(heap, joint.object));
            let place = self.regions.get(joint.other)?.path.owner.clone();
            Some(Shared { class, place, role: joint.role })
        };
        let shared: Vec<Vec<Shared>> = joint.iter().map(|all| all.iter().filter_map(named).collect()).collect();
        self.regions.iter_mut().zip(shared).for_each(|(region, shared)| region.shared = shared);
    }

    /// Looks up the owners that were followed before this capture.
    pub(super) fn look_up(&mut self, heap: &Heap, roots: &RootPaths, followed: &[Followed]) {
        self.earlier = followed.iter().map(|owner| Earlier::new(heap, roots, owner)).collect();
    }

    /// Names the listed data structure that the owner of each region belongs to.
    pub(super) fn name_structures(&mut self, heap: &Heap, owners: &Owners) {
        let objects: Vec<Option<ObjectIdx>> = self.regions.iter().map(|region| region.owner_object).collect();
        let found = owners.structures_of(heap, &objects);
        self.regions.iter_mut().zip(found).for_each(|(region, structure)| region.structure = structure);
    }

    /// Replaces the regions that grew by the counts of captures by those that do so now. Exact visits know more.
    pub(super) fn take_counted(&mut self, found: Vec<FoundRegion>) {
        self.regions.retain(|region| !region.tracked.is_counted());
        for mut counted in found {
            // Captures at even times see a saw-tooth of the same period rise slowly.
            counted.tracked.bound_by_dropped(self.dropped.size(&counted));
            if counted.trend() != Some(Trend::Grower) {
                continue;
            }
            let is_same = |region: &&FoundRegion| region.is_named_like(&counted) || region.is_owned_like(&counted);
            let mut known = self.regions.iter().filter(is_same);
            if known.any(|region| region.trend() == Some(Trend::Grower) || region.tracked.is_exact()) {
                continue;
            }
            self.regions.retain(|region| !is_same(&region));
            self.regions.push(counted);
        }
        self.relate();
    }

    fn growing_regions(&self) -> impl Iterator<Item = &FoundRegion> {
        self.regions.iter().filter(|region| region.trend() == Some(Trend::Grower))
    }

    /// Fingerprints of the regions that grow.
    pub(super) fn growing(&self) -> Vec<Fingerprint> {
        self.growing_regions().map(|region| region.fingerprint).collect()
    }

    /// The regions that grow, by names.
    pub(super) fn known_growers(&self) -> Vec<KnownGrower> {
        let named = |region: &FoundRegion| {
            let (owner, route) = (region.path.owner.clone(), region.path.route.clone());
            KnownGrower { owner, route }
        };
        self.growing_regions().map(named).collect()
    }

    /// Routes to the change-proxies of the regions that grow.
    pub(super) fn routes_of_growers(&self) -> impl Iterator<Item = &Route> {
        self.growing_regions().map(|region| &region.path.route)
    }

    /// Owners, in the heap of this capture, of the regions with these fingerprints, and of those that were known to grow
    /// at another place.
    pub(super) fn owners_of(&self, fingerprints: &[Fingerprint]) -> Vec<ObjectIdx> {
        let grew = |region: &FoundRegion| self.earlier.iter().any(|earlier| earlier.grew_at(region));
        let is_known = |region: &&FoundRegion| fingerprints.contains(&region.fingerprint) || grew(region);
        let known = self.regions.iter().filter(is_known);
        known.filter_map(|region| region.owner_object).collect()
    }

    /// Replaces these findings by those of a later capture. A region that is found again keeps its old probe and its
    /// history. A region that is followed but not found again stays, because a probe observes more than a snapshot.
    /// Returns the findings with the probes to install, and the probes to keep.
    pub(super) fn renewed_by(self, later: Self) -> (Self, Vec<ProbeId>) {
        let mut known: Vec<FoundRegion> = self.regions.into_iter().filter(FoundRegion::is_followed).collect();
        let mut regions = later.regions;
        let mut unknown: Vec<&mut FoundRegion> = regions.iter_mut().collect();
        let is_same = |known: &FoundRegion, found: &FoundRegion| {
            known.is_buffer() == found.is_buffer() && known.identity() == found.identity()
        };
        find_again(&mut unknown, &mut known, is_same);
        find_again(&mut unknown, &mut known, FoundRegion::grows_at_place_of);
        find_again(&mut unknown, &mut known, |known, found| {
            known.gains_like(found) && later.earlier.iter().any(|earlier| earlier.joins(known, found))
        });
        // Some stand for all of their kind now.
        known.retain(|known| {
            !regions.iter().any(|found| found.stands_for > 1.0 && known.is_buffer() && found.is_named_like(known))
        });
        known.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        known.truncate(MAX_LEFT_OVER);
        for region in &mut known {
            region.owner_object = None;
            if let Some(found) = later.looks.of(region) {
                region.tracked.set_clearable(found);
            }
            if let Some(path) = later.earlier.iter().find_map(|earlier| earlier.new_path(region)) {
                region.go_by_way_of(path);
            }
        }
        regions.extend(known);
        let is_followed = |probe: ProbeId| regions.iter().any(|region| region.probe == Some(probe));
        let probes: Vec<ProbeSpec> = later.probes.into_iter().filter(|spec| is_followed(spec.probe)).collect();
        let is_new = |probe: ProbeId| probes.iter().any(|spec| spec.probe == probe);
        let keep = regions.iter().filter_map(|region| region.probe).filter(|&probe| !is_new(probe)).collect();
        let (leak_roots, new_classes) = (later.leak_roots, later.new_classes);
        let ranking = later.ranking;
        let (relations, dropped) = (Relations::default(), self.dropped);
        let (earlier, looks) = (Vec::new(), Looks::default());
        let mut renewed =
            Self { ranking, leak_roots, new_classes, regions, probes, earlier, looks, relations, dropped };
        renewed.relate();
        (renewed, keep)
    }

    /// Finds the relations between the regions, by their paths, and the number of followed regions at each place.
    pub(super) fn relate(&mut self) {
        let named: Vec<Named<'_>> = self.regions.iter().map(FoundRegion::named).collect();
        self.relations = Relations::new(&named);
        let mut similar: HashMap<Fingerprint, usize> = HashMap::new();
        let followed = || self.regions.iter().filter(|region| region.is_followed());
        followed().for_each(|region| *similar.entry(region.fingerprint).or_default() += 1);
        for region in &mut self.regions {
            region.tracked.set_similar(similar.get(&region.fingerprint).copied().unwrap_or(1));
        }
    }

    /// Takes in a visit of a region, and weighs it against the structures around it where it was assessed again, and
    /// against the heap's limit. Returns the sample bias of its next visits, if it changes.
    pub(super) fn observe(&mut self, probe: ProbeId, report: &ProbeReport, max_bytes: Option<u64>) -> Option<f32> {
        let at = self.regions.iter().position(|region| region.probe == Some(probe))?;
        let (before, assessed_s) = (self.regions[at].trend(), self.regions[at].tracked.assessed_s());
        self.regions[at].tracked.full_size = full_size(&self.regions, at);
        self.regions[at].tracked.array_like_others = array_like_others(&self.regions, at);
        self.regions[at].tracked.dropped_size = self.dropped.size(&self.regions[at]);
        self.regions[at].tracked.heap_bytes = max_bytes;
        self.regions[at].tracked.observe(report);
        if report.outcome == VisitOutcome::OwnerGone {
            self.dropped.note(&self.regions[at]);
        }
        if self.regions[at].tracked.assessed_s() > assessed_s {
            self.regions[at].course = self.course(at);
        }
        let region = &mut self.regions[at];
        region.has_grown |= region.is_reportable() && region.trend() == Some(Trend::Grower);
        region.weigh(max_bytes);
        bias_after(&region.tracked, region.trend() != before)
    }

    /// Weighs the regions of captures against others of their kinds, all of which have been judged by themselves.
    pub(super) fn weigh_against_peers(&mut self) {
        let sizes = full_sizes(&self.regions);
        for (region, size) in self.regions.iter_mut().zip(sizes).filter(|(_, size)| size.is_some()) {
            region.tracked.full_size = size;
            region.tracked.judge_again();
        }
    }

    /// Course of a grower beside the nearest structure whose members hold it, if that is known not to grow.
    fn course(&self, at: usize) -> Option<Course> {
        let part = &self.regions[at].tracked;
        let growth = part.assessment.filter(|known| known.trend == Trend::Grower)?.drift?;
        let around = self.relations.of(at).iter().filter(|related| related.rule == Rule::Path && !related.is_one_path);
        let known = around.filter_map(|related| {
            let whole = self.regions.get(related.outer).filter(|whole| whole.is_followed())?;
            Some((related, whole, whole.tracked.trend()?))
        });
        let (related, whole, trend) =
            known.max_by_key(|(related, ..)| related.depth).filter(|(.., trend)| *trend != Trend::Grower)?;
        let per_member = PerMember::of(&part.series, growth, &whole.tracked.series, related.is_single);
        Some(Course { per_member, member_class: whole.change_class.clone(), around: trend })
    }

    /// Regions that are reported: all except buffers that were never observed to become longer.
    pub(super) fn reported(&self) -> impl Iterator<Item = &FoundRegion> {
        self.regions.iter().filter(|region| region.is_reportable())
    }

    /// Regions that grew and cannot be followed any more.
    pub(super) fn lost(&self) -> usize {
        let grew = |region: &&FoundRegion| region.has_grown && !region.tracked.is_followed();
        self.reported().filter(grew).count()
    }

    /// Places of regions of high rank that should have been followed and never were, with the reasons. A part of a
    /// structure of which another part is followed is not counted.
    pub(super) fn unfollowed(&self) -> Vec<String> {
        let mut regions: Vec<&FoundRegion> = self.reported().collect();
        regions.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        let followed: Vec<&FoundRegion> = self.regions.iter().filter(|region| region.is_followed()).collect();
        let is_missed = |region: &&&FoundRegion| {
            !followed.iter().any(|other| are_neighbours(&other.path.owner, &region.path.owner))
        };
        regions.iter().take(MAX_WANTED).filter(is_missed).filter_map(|region| region.failure()).collect()
    }

    /// Number of growing regions that later collections may still clear.
    pub(super) fn maybe_cleared(&self) -> usize {
        self.regions.iter().filter(|region| region.is_followed() && region.tracked.may_be_cleared()).count()
    }

    /// Gives up growth that was last seen too long ago.
    pub(super) fn lapse(&mut self, now_s: f64) {
        self.regions.iter_mut().for_each(|region| region.tracked.lapse(now_s));
    }

    /// Doubts, up to this time in seconds, the growth of regions that later collections may still clear.
    pub(super) fn doubt_cleared(&mut self, until_s: f64) {
        let regions = self.regions.iter_mut().filter(|region| region.is_followed() && region.tracked.may_be_cleared());
        regions.for_each(|region| region.tracked.doubt(until_s));
    }

    /// The regions that grow and are followed.
    pub(super) fn growers(&self) -> Vec<Grower> {
        let grows = |region: &&FoundRegion| region.is_followed() && region.trend() == Some(Trend::Grower);
        let grower = |region: &FoundRegion| {
            Some(Grower { probe: region.probe?, rank: region.rank(), samples: region.sites.samples().unwrap_or(0) })
        };
        self.reported().filter(grows).filter_map(grower).collect()
    }

    /// The region that a probe follows.
    pub(super) fn region_of(&mut self, probe: ProbeId) -> Option<&mut FoundRegion> {
        self.regions.iter_mut().find(|region| region.probe == Some(probe))
    }
}

/// Lets each unknown region continue the first known one that is the same, and takes both out of their lists.
fn find_again(
    unknown: &mut Vec<&mut FoundRegion>,
    known: &mut Vec<FoundRegion>,
    is_same: impl Fn(&FoundRegion, &FoundRegion) -> bool,
) {
    unknown.retain_mut(|found| match known.iter().position(|known| is_same(known, found)) {
        Some(at) => {
            found.go_on_as(known.swap_remove(at));
            false
        }
        None => true,
    });
}

/// A candidate leak root in words.
pub(super) fn found_root(graph: &ObjectGraph<'_>, roots: &RootPaths, candidate: &Candidate, explain: bool) -> LeakRoot {
    let heap = graph.heap;
    LeakRoot {
        class: path::class_name(heap, candidate.object).to_owned(),
        kind: path::kind(heap, candidate.object),
        reached_from: path::reach(heap, roots, candidate.object),
        rank: candidate.rank,
        owned_objects: candidate.attributes.owned,
        owned_bytes: candidate.attributes.owned_bytes,
        explanation: if explain { ranking::explain(candidate) } else { Vec::new() },
    }
}

#[cfg(test)]
#[path = "findings_tests.rs"]
pub(super) mod tests;
