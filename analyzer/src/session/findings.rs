//! Findings of one analysis, in names and figures that outlive the heap.

use super::peers::{full_size, full_sizes};
use super::sampling::{Grower, Sites};
use crate::graph::{ObjectGraph, RootPaths};
use crate::growing::Owners;
use crate::heap::{Heap, ObjectIdx};
use crate::matching::PlaceIdx;
use crate::naming::class::without_hidden_suffix;
use crate::naming::{Fingerprint, Place};
use crate::ranking::{self, Candidate};
use crate::regions::path::{self, LeakPath};
use crate::regions::plan::Hop;
use crate::regions::rank::{Evolution, Footing};
use crate::regions::{Buffer, Footprint, Region, capacity, clearable, entries, footprint};
use crate::relations::same::Identity;
use crate::relations::{Named, Relations, Rule, are_neighbours};
use crate::report::{Entry, Kind, LeakRoot, NewClasses, Note, Ranking};
use crate::tracking::{Fate, PerMember, TrackedRegion, Trend, Untracked, bias_after};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::{ProbeReport, ProbeSpec, VisitMethod};
use std::collections::{BTreeSet, HashMap};

/// Maximum of regions from earlier captures that stay followed although the latest capture did not find them; those of
/// the highest rank.
const MAX_LEFT_OVER: usize = 20;

/// Regions of the highest ranks, of which each is to be followed.
const MAX_WANTED: usize = 10;

/// Two-sided 95 % of the normal distribution.
const Z_95: f64 = 1.96;

/// Leak roots, regions and their probes.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The ranking as a whole.
    pub(super) ranking: Option<Ranking>,
    pub(super) leak_roots: Vec<LeakRoot>,
    pub(super) new_classes: Vec<NewClasses>,
    pub(super) regions: Vec<FoundRegion>,
    pub(super) probes: Vec<ProbeSpec>,
    /// Relations between the regions, by their indices.
    pub(super) relations: Relations,
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

    /// Names the listed data structure that the owner of each region belongs to.
    pub(super) fn name_structures(&mut self, heap: &Heap, owners: &Owners) {
        let objects: Vec<Option<ObjectIdx>> = self.regions.iter().map(|region| region.owner_object).collect();
        let found = owners.structures_of(heap, &objects);
        self.regions.iter_mut().zip(found).for_each(|(region, structure)| region.structure = structure);
    }

    /// Fingerprints of the regions that grow.
    pub(super) fn growing(&self) -> Vec<Fingerprint> {
        let growing = self.regions.iter().filter(|region| region.trend() == Some(Trend::Grower));
        growing.map(|region| region.fingerprint).collect()
    }

    /// Owners, in the heap of this capture, of the regions with these fingerprints.
    pub(super) fn owners_of(&self, fingerprints: &[Fingerprint]) -> Vec<ObjectIdx> {
        let known = self.regions.iter().filter(|region| fingerprints.contains(&region.fingerprint));
        known.filter_map(|region| region.owner_object).collect()
    }

    /// Replaces these findings by those of a later capture. A region that is found again keeps its old probe and its
    /// history. A region that is followed but not found again stays, because a probe observes more than a snapshot.
    /// Returns the findings with the probes to install, and the probes to keep.
    pub(super) fn renewed_by(self, later: Self) -> (Self, Vec<ProbeId>) {
        let mut known: Vec<FoundRegion> = self.regions.into_iter().filter(FoundRegion::is_followed).collect();
        let mut regions = later.regions;
        let mut unknown: Vec<&mut FoundRegion> = regions.iter_mut().collect();
        find_again(&mut unknown, &mut known, |known, found| known.identity() == found.identity());
        find_again(&mut unknown, &mut known, FoundRegion::grows_at_place_of);
        known.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        known.truncate(MAX_LEFT_OVER);
        known.iter_mut().for_each(|region| region.owner_object = None);
        regions.extend(known);
        let is_followed = |probe: ProbeId| regions.iter().any(|region| region.probe == Some(probe));
        let probes: Vec<ProbeSpec> = later.probes.into_iter().filter(|spec| is_followed(spec.probe)).collect();
        let is_new = |probe: ProbeId| probes.iter().any(|spec| spec.probe == probe);
        let keep = regions.iter().filter_map(|region| region.probe).filter(|&probe| !is_new(probe)).collect();
        let (leak_roots, new_classes) = (later.leak_roots, later.new_classes);
        let ranking = later.ranking;
        let mut renewed = Self { ranking, leak_roots, new_classes, regions, probes, relations: Relations::default() };
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

    /// Takes in a visit of a region, and weighs it against the structures around it where it was assessed again.
    /// Returns the sample bias of its next visits, if it changes.
    pub(super) fn observe(&mut self, probe: ProbeId, report: &ProbeReport) -> Option<f32> {
        let at = self.regions.iter().position(|region| region.probe == Some(probe))?;
        let (before, assessed_s) = (self.regions[at].trend(), self.regions[at].tracked.assessed_s());
        self.regions[at].tracked.full_size = full_size(&self.regions, at);
        self.regions[at].tracked.observe(report);
        if self.regions[at].tracked.assessed_s() > assessed_s {
            self.regions[at].course = self.course(at);
        }
        let region = &mut self.regions[at];
        region.has_grown |= region.is_reportable() && region.trend() == Some(Trend::Grower);
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
            Some((related.depth, whole, whole.tracked.trend()?))
        });
        let (_, whole, trend) = known.max_by_key(|(depth, ..)| *depth).filter(|(.., trend)| *trend != Trend::Grower)?;
        let per_member = PerMember::of(&part.series, growth, &whole.tracked.series);
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

/// A region by names, with its observation.
#[derive(Debug)]
pub(super) struct FoundRegion {
    pub(super) fingerprint: Fingerprint,
    pub(super) leak_root: (String, Kind),
    pub(super) owner: (String, Kind),
    /// Owner object in the latest capture; `None` where that capture did not find it.
    pub(super) owner_object: Option<ObjectIdx>,
    pub(super) change_class: String,
    pub(super) path: LeakPath,
    pub(super) dump_bytes: u64,
    pub(super) footing: Footing,
    pub(super) footprint: Footprint,
    /// Place of the owner that keeps the objects to which the members refer weakly, where it belongs to another region.
    pub(super) kept_by: Option<Place>,
    /// Class and place of the data structure that its owner belongs to, where that one grew.
    pub(super) structure: Option<(String, String)>,
    /// Its shape as descriptions of data structures.
    pub(super) description: Vec<String>,
    /// Contents of a change-proxy, where it is not one entry itself.
    pub(super) entry: Option<Entry>,
    pub(super) members: Vec<String>,
    pub(super) probe: Option<ProbeId>,
    pub(super) tracked: TrackedRegion,
    /// Whether it was ever observed to be a grower.
    pub(super) has_grown: bool,
    /// For a grower in members of a structure that does not grow: its course beside that one's.
    course: Option<Course>,
    /// Whether it was left out of following without a try.
    is_left_out: bool,
    /// For a buffer: slots that it must gain to be reported.
    least_gained: u64,
    /// Allocation sites of its members.
    pub(super) sites: Sites,
    pub(super) plan: Plan,
    /// Places of its change-proxies, where it was found in captures alone.
    pub(super) places: BTreeSet<PlaceIdx>,
    /// Number of the program's life in which it was found, from 0.
    pub(super) life: usize,
}

/// Course of a grower beside the structure around it, which does not grow.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) per_member: PerMember,
    /// Class of the members that hold the grower.
    pub(super) member_class: String,
    /// Trend of the structure around it.
    around: Trend,
}

/// Method by which a region is followed, in words.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// References that are read.
    route: Vec<String>,
    /// Candidate counters by their index in the probe.
    counters: Vec<String>,
    /// Indices of the counters that contradicted the counted size.
    dropped: Vec<usize>,
}

impl Plan {
    /// Lines of the plan; `method` is the one of the last visit.
    pub(super) fn lines(&self, method: Option<VisitMethod>) -> Vec<String> {
        let mut lines: Vec<String> = self.route.iter().map(|step| format!("reads {step}")).collect();
        let followed = match method {
            Some(VisitMethod::Counter { counter }) => Some(usize::from(counter)),
            _ => None,
        };
        lines.extend(self.counters.iter().enumerate().map(|(at, name)| {
            let state = match () {
                () if Some(at) == followed => "the number that is read",
                () if self.dropped.contains(&at) => "followed the size no more",
                () => "candidate",
            };
            format!("counter {name}: {state}")
        }));
        lines
    }

    /// Drops a counter that contradicted the counted size.
    pub(super) fn drop_counter(&mut self, counter: usize) {
        self.dropped.push(counter);
    }
}

impl FoundRegion {
    /// Describes a region in words; `hops` are those of the route that is to follow it, if there is one.
    pub(super) fn new(graph: &ObjectGraph<'_>, roots: &RootPaths, region: &Region, hops: &[Hop]) -> Self {
        let heap = graph.heap;
        let described = |object| (without_hidden_suffix(path::class_name(heap, object)), path::kind(heap, object));
        let path = path::leak_path(heap, &graph.dominators, roots, region);
        let class = |class| without_hidden_suffix(&heap.classes().get(class).name);
        let (leak_root, change_class) = (described(region.leak_root), class(region.change_class));
        Self {
            fingerprint: Fingerprint::of(&path.route),
            leak_root,
            owner: described(region.owner),
            owner_object: Some(region.owner),
            change_class,
            path,
            dump_bytes: region.dump_bytes,
            footing: region.footing(),
            footprint: footprint(graph, region, hops),
            kept_by: None,
            structure: None,
            description: Vec::new(),
            entry: entry(graph, region),
            members: region.members.iter().map(|member| class(member.0)).collect(),
            probe: None,
            tracked: tracked(graph, region),
            has_grown: false,
            course: None,
            is_left_out: false,
            least_gained: 0,
            plan: Plan::default(),
            sites: Sites::default(),
            places: BTreeSet::new(),
            life: 0,
        }
    }

    /// Describes a buffer in words: its slots are counted, and their size is known.
    pub(super) fn of_buffer(graph: &ObjectGraph<'_>, roots: &RootPaths, buffer: &Buffer) -> Self {
        Self {
            entry: None,
            footprint: Footprint { bytes: buffer.slot_bytes as f64, error: 0.0 },
            tracked: TrackedRegion::of_buffer(buffer.region.proxy_size),
            least_gained: buffer.least_gained,
            ..Self::new(graph, roots, &buffer.region, &[])
        }
    }

    /// Whether it is reported. A buffer is reported once it has become longer.
    pub(super) fn is_reportable(&self) -> bool {
        self.tracked.extent.is_none_or(|extent| extent.gained() >= self.least_gained as f64)
    }

    /// Its trend. A part whose whole accounts for its growth has the trend of the whole.
    pub(super) fn trend(&self) -> Option<Trend> {
        match (self.tracked.trend(), &self.course) {
            (Some(Trend::Grower), Some(course)) if course.per_member == PerMember::Constant => Some(course.around),
            (trend, _) => trend,
        }
    }

    /// A fact on what each member of the structure around it holds, where that structure does not grow.
    pub(super) fn course_note(&self) -> Option<Note> {
        let course = self.course.as_ref().filter(|_| self.tracked.trend() == Some(Trend::Grower))?;
        let class = course.member_class.clone();
        match course.per_member {
            PerMember::Gains => Some(Note::EachGains { class }),
            PerMember::Constant => Some(Note::EachConstant { class }),
            PerMember::Unknown => None,
        }
    }

    /// Region rank by all that is known (LeakBot §4.2).
    pub(super) fn rank(&self) -> f64 {
        let trend = self.trend();
        let gains = self.bytes_per_hour().filter(|_| trend == Some(Trend::Grower)).map(|bytes| bytes / 60.0);
        self.footing.rank(self.tracked.proxy_size() * self.entries_each().0, Evolution::of(trend.is_some(), gains))
    }

    /// Entries that a change-proxy stands for, with a standard error.
    fn entries_each(&self) -> (f64, f64) {
        self.entry.as_ref().map_or((1.0, 0.0), |entry| (entry.per_change_proxy, entry.error))
    }

    /// Net growth in entries a minute, and its 95 % interval, once there is evidence.
    pub(super) fn rate_per_min(&self) -> Option<(f64, f64, f64)> {
        let (each, error) = self.entries_each();
        self.growth_per_min(each, error)
    }

    /// Net growth in bytes an hour, once there is evidence.
    pub(super) fn bytes_per_hour(&self) -> Option<f64> {
        self.bytes_per_hour_interval().map(|(bytes, _, _)| bytes)
    }

    /// The same with its 95 % interval.
    pub(super) fn bytes_per_hour_interval(&self) -> Option<(f64, f64, f64)> {
        let slots_each = self.tracked.extent.map_or(1.0, |extent| extent.slots_each());
        let (bytes, low, high) = self.growth_per_min(self.footprint.bytes * slots_each, self.footprint.error)?;
        Some((bytes * 60.0, low * 60.0, high * 60.0))
    }

    /// Net growth a minute, where each change-proxy brings `each` (with the standard error `error`), and its 95 %
    /// interval. The rate of change-proxies and `each` are both estimates.
    fn growth_per_min(&self, each: f64, error: f64) -> Option<(f64, f64, f64)> {
        let (rate, low, high) = self.tracked.rate_per_min()?;
        let of_each = Z_95 * error * rate;
        let end = |limit: f64| libm::hypot((limit - rate) * each, of_each);
        let middle = rate * each;
        Some((middle, middle - end(low), middle + end(high)))
    }

    fn is_followed(&self) -> bool {
        self.probe.is_some() && self.tracked.is_followed()
    }

    /// Names on which its relations depend.
    fn named(&self) -> Named<'_> {
        Named {
            path: &self.path.steps,
            reached_from: &self.path.reached_from,
            owner: &self.path.owner,
            kept_by: self.kept_by.as_ref(),
        }
    }

    /// Identity across captures.
    fn identity(&self) -> Identity<'_> {
        Identity { fingerprint: self.fingerprint, owner: &self.path.owner, change_class: &self.change_class }
    }

    /// Whether it grows, and both are structures of one kind at one place, whatever their positions in hash chains and
    /// arrays. One that does not grow may be the neighbour of one that does.
    fn grows_at_place_of(&self, other: &Self) -> bool {
        let grows = self.trend() == Some(Trend::Grower);
        grows && self.fingerprint == other.fingerprint && self.change_class == other.change_class
    }

    /// Continues `known`, which this region was found as again: probe and history stay, names and sizes are new.
    fn go_on_as(&mut self, mut known: Self) {
        known.tracked.found_again(&self.tracked);
        (self.probe, self.tracked, self.has_grown) = (known.probe, known.tracked, known.has_grown);
        self.course = known.course;
        // The probe keeps its earlier plan.
        self.plan = known.plan;
        self.sites = known.sites;
    }

    /// Follows the region by a probe that counted `size_at_capture` change-proxies in the capture.
    pub(super) fn follow(&mut self, probe: ProbeId, size_at_capture: Option<u64>) {
        self.probe = Some(probe);
        self.tracked.set_size_at_capture(size_at_capture);
    }

    /// Sets the plan of the probe: the references that it reads, and candidate counters by name.
    pub(super) fn set_plan(&mut self, route: Vec<String>, counters: Vec<String>) {
        self.plan = Plan { route, counters, dropped: Vec::new() };
    }

    /// Leaves the region out of following.
    pub(super) fn leave_out(&mut self, reason: Untracked) {
        self.is_left_out = true;
        self.give_up(reason);
    }

    /// Reason why it was never followed, though it was to be.
    fn failure(&self) -> Option<String> {
        let Fate::Untracked(reason) = &self.tracked.fate else { return None };
        let was_seen = !self.tracked.series.points().is_empty();
        (!self.is_left_out && !was_seen)
            .then(|| format!("{} in {} cannot be followed: {reason}", self.change_class, self.path.owner))
    }

    /// Stops following the region.
    pub(super) fn give_up(&mut self, reason: Untracked) {
        self.tracked.fate = Fate::Untracked(reason);
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

/// Observation of the region, as far as a capture shows it.
fn tracked(graph: &ObjectGraph<'_>, region: &Region) -> TrackedRegion {
    let mut tracked = TrackedRegion::new(region.proxy_size);
    tracked.clearable = clearable(graph, region);
    tracked.capacity = capacity(graph, region);
    tracked
}

/// Contents of a change-proxy, in words.
fn entry(graph: &ObjectGraph<'_>, region: &Region) -> Option<Entry> {
    let held = entries(graph, region)?;
    let class = without_hidden_suffix(&graph.heap.classes().get(held.class).name);
    Some(Entry { class, per_change_proxy: held.per_change, error: held.error })
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
mod tests;
