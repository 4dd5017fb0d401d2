//! One region in names and figures that outlive the heap, and its observation.

use super::room::takes_years;
use super::sampling::Sites;
use crate::graph::{ObjectGraph, RootPaths};
use crate::heap::ObjectIdx;
use crate::matching::PlaceIdx;
use crate::naming::class::without_hidden_suffix;
use crate::naming::{Fingerprint, Place, Shared};
use crate::regions::path::{self, LeakPath};
use crate::regions::plan::Hop;
use crate::regions::rank::{Evolution, Footing};
use crate::regions::{Buffer, Footprint, Region, capacity, clearable, entries, footprint, full_like_siblings};
use crate::relations::Named;
use crate::relations::same::Identity;
use crate::report::{Entry, Kind, Note};
use crate::tracking::{Fate, PerMember, TrackedRegion, Trend, Untracked};
use rootbound_wire::ids::ProbeId;
use rootbound_wire::message::VisitMethod;
use std::collections::BTreeSet;

/// Years to fill the heap from which on a grower is slow again.
const SLOW_AGAIN_YEARS: f64 = 2.0;

/// Two-sided 95 % of the normal distribution.
const Z_95: f64 = 1.96;

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
    /// Objects that members of another region hold, too.
    pub(super) shared: Vec<Shared>,
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
    /// Whether it would take years to fill the heap. That wavers less than its rate.
    pub(super) is_slow: bool,
    /// For a grower in members of a structure that does not grow: its course beside that one's.
    pub(super) course: Option<Course>,
    /// Whether it is a population: many regions of one kind, followed as one.
    is_population: bool,
    /// Whether it was left out of following without a try.
    is_left_out: bool,
    /// For a buffer: slots that it must gain to be reported.
    least_gained: u64,
    /// For a buffer: number of those of its kind that it stands for.
    pub(super) stands_for: f64,
    /// Allocation sites of its members.
    pub(super) sites: Sites,
    pub(super) plan: Plan,
    /// Places of its change-proxies, where it was found in captures alone.
    pub(super) places: BTreeSet<PlaceIdx>,
    /// Number of its change-proxies in each container that has come, where most of them came in such containers.
    pub(super) in_each_new: Option<f64>,
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
    pub(super) around: Trend,
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
        let path = path::leak_path(graph, roots, region);
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
            shared: Vec::new(),
            structure: None,
            description: Vec::new(),
            entry: entry(graph, region),
            members: region.members.iter().map(|member| class(member.0)).collect(),
            probe: None,
            tracked: tracked(graph, region),
            has_grown: false,
            is_slow: true,
            course: None,
            is_population: region.standing.is_population(),
            is_left_out: false,
            least_gained: 0,
            stands_for: 1.0,
            plan: Plan::default(),
            sites: Sites::default(),
            places: BTreeSet::new(),
            in_each_new: None,
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
            stands_for: buffer.stands_for,
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

    /// Weighs its growth against the heap's limit. What was called a leak is not called harmless before it would take
    /// twice as long.
    pub(super) fn weigh(&mut self, max_bytes: Option<u64>) {
        if max_bytes.is_none() {
            return;
        }
        let years = if self.is_slow { 1.0 } else { SLOW_AGAIN_YEARS };
        let most = self.bytes_per_hour_interval().filter(|_| self.trend() == Some(Trend::Grower));
        self.is_slow = most.is_none_or(|(_, _, high)| takes_years(high, max_bytes, years));
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

    pub(super) fn is_followed(&self) -> bool {
        self.probe.is_some() && self.tracked.is_followed()
    }

    /// Names on which its relations depend.
    pub(super) fn named(&self) -> Named<'_> {
        Named {
            path: &self.path.steps,
            owner_at: self.path.owner_at,
            reached_from: &self.path.reached_from,
            owner: &self.path.owner,
            kept_by: self.kept_by.as_ref(),
            shared: &self.shared,
            in_each_new: self.in_each_new,
            entry_class: self.entry.as_ref().map(|entry| entry.class.as_str()),
        }
    }

    /// Identity across captures.
    pub(super) fn identity(&self) -> Identity<'_> {
        Identity { fingerprint: self.fingerprint, owner: &self.path.owner, change_class: &self.change_class }
    }

    /// Whether it grows, and both are structures of one kind at one place, whatever their positions in hash chains and
    /// arrays. One that does not grow may be the neighbour of one that does.
    pub(super) fn grows_at_place_of(&self, other: &Self) -> bool {
        let grows = self.trend() == Some(Trend::Grower);
        grows && self.is_buffer() == other.is_buffer() && self.is_named_like(other)
    }

    /// Whether both gain objects of one class by one way from their owners, wherever these are.
    pub(super) fn gains_like(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|region| (region.is_buffer(), region.is_population, &region.change_class));
        let way = |region: &Self| Fingerprint::of(&region.path.route.from_owner());
        one == two && way(self) == way(other)
    }

    /// Whether both have one place and one class of change-proxies, whatever their positions. A population is none of the
    /// structures that it consists of.
    pub(super) fn is_named_like(&self, other: &Self) -> bool {
        let are_of_one_kind = self.is_population == other.is_population && self.change_class == other.change_class;
        are_of_one_kind && self.fingerprint == other.fingerprint
    }

    /// Whether the latest capture found both at one owner, with one class of change-proxies: a queue by its head and by
    /// its tail.
    pub(super) fn is_owned_like(&self, other: &Self) -> bool {
        let is_one = self.owner_object.is_some() && self.owner_object == other.owner_object;
        is_one && self.change_class == other.change_class
    }

    pub(super) fn is_buffer(&self) -> bool {
        self.tracked.extent.is_some()
    }

    /// Continues `known`, which this region was found as again: probe and history stay, names and sizes are new.
    pub(super) fn go_on_as(&mut self, mut known: Self) {
        known.tracked.found_again(&self.tracked);
        (self.probe, self.tracked, self.has_grown) = (known.probe, known.tracked, known.has_grown);
        self.course = known.course;
        // The probe keeps its earlier plan.
        self.plan = known.plan;
        self.sites = known.sites;
    }

    /// Takes the path by which the latest capture finds its owner.
    pub(super) fn go_by_way_of(&mut self, to_owner: &LeakPath) {
        self.path = self.path.by_way_of(to_owner);
        self.fingerprint = Fingerprint::of(&self.path.route);
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
    pub(super) fn failure(&self) -> Option<String> {
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

/// Observation of the region, as far as a capture shows it.
fn tracked(graph: &ObjectGraph<'_>, region: &Region) -> TrackedRegion {
    let mut tracked = TrackedRegion::new(region.proxy_size);
    tracked.clearable = clearable(graph, region);
    tracked.capacity = capacity(graph, region);
    tracked.full_like_siblings = full_like_siblings(graph, region);
    tracked
}

/// Contents of a change-proxy, in words.
fn entry(graph: &ObjectGraph<'_>, region: &Region) -> Option<Entry> {
    let held = entries(graph, region)?;
    let class = without_hidden_suffix(&graph.heap.classes().get(held.class).name);
    Some(Entry { class, per_change_proxy: held.per_change, error: held.error })
}
