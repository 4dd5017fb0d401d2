//! Leak roots and regions: results of the ranking and of the search, and the evolution of regions.

use super::{AllocationSite, Basis, LeakTrace, LifeGrowth, NearerLimit, Note};
use crate::naming::named::named;
use crate::naming::{Fingerprint, Kind, PathStep, Place, Shared};
use crate::tracking::{Trend, Untracked};
use serde::{Deserialize, Serialize};

/// A candidate leak root (LeakBot, Definition 1).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct LeakRoot {
    /// For class objects: the class that the mirror stands for; otherwise the object's class.
    pub class: String,
    /// Kind of that object.
    pub kind: Kind,
    /// Path from a GC root to it, one hop an entry.
    pub reached_from: Vec<PathStep>,
    /// leakroot rank in [0, 1].
    pub rank: f64,
    /// Objects that it uniquely owns.
    pub owned_objects: u64,
    /// Their shallow sizes in bytes.
    pub owned_bytes: u64,
    /// Each metric with its value and gate, one a line; filled on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
}

/// One co-evolving region: one row of the trend table.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Region {
    /// Region rank, without upper bound (LeakBot §4.2).
    pub rank: f64,
    /// Stable name of the region over restarts.
    pub fingerprint: Fingerprint,
    /// Head of the data structure.
    pub leak_root: RegionRoot,
    /// Stable object on the old side of the fringe.
    pub owner_proxy: OwnerProxy,
    /// The object that indicates one addition.
    pub change_proxy: ChangeProxy,
    /// Contents of a change-proxy, where it is a node of a search tree that holds several; `None` where it is one
    /// entry.
    pub entry: Option<Entry>,
    /// Number of structures at this place with the same behaviour, reported as one; for example a field of each element
    /// of an array. Their sizes and rates are summed.
    pub alike: u64,
    /// Fingerprint of the region whose growth explains this one's: its members lie within members of the other, and
    /// each of those holds no more than before. Or both gain in step ([`Self::in_step`]).
    pub within: Option<Fingerprint>,
    /// Whether the region named by [`Self::within`] explains it only because one operation adds to both. It holds
    /// members of its own, and is a leak of its own.
    #[serde(default)]
    pub in_step: bool,
    /// Place of another region's owner-proxy that keeps the objects to which the members refer weakly. No part of the
    /// JSON: `None` in a report that was read.
    #[serde(skip)]
    pub kept_by: Option<Place>,
    /// Objects that members of this region and of another one hold: removing them here alone does not free them.
    #[serde(default)]
    pub also_held_by: Vec<Shared>,
    /// The data structure that the owner-proxy belongs to: an index into the items of [`super::Report::structures`].
    #[serde(default)]
    pub structure: Option<usize>,
    /// The shape of a followed region as descriptions of data structures, one a type; for people to correct.
    #[serde(default)]
    pub description: Vec<String>,
    /// Path from the leak root to one change-proxy, one reference an entry: `class com.example.Shop`,
    /// `.orders: java.util.Vector`, `.elementData: java.lang.Object[]`, `[*]: java.lang.Integer`.
    pub path: Vec<PathStep>,
    /// Index into `path` of the owner-proxy.
    pub owner_at: usize,
    /// The same from a static or a GC root on. Its JSON is a trace for people: one reference a line, collections and
    /// chains on one line each, and beneath the reference that grows a line of `^`.
    #[serde(rename = "trace")]
    pub route: LeakTrace,
    /// Path from a GC root to the leak root.
    pub reached_from: Vec<PathStep>,
    /// Distinct change-proxies: the estimate of the number of leaking operations.
    pub proxy_size: u64,
    /// Bytes of the region's members at the capture.
    pub dump_bytes: u64,
    /// Types of the region's members, the most bytes first, at most four, for instance `java.lang.String`.
    pub members: Vec<String>,
    /// Its evolution; `None` while there is too little evidence.
    pub trend: Option<Trend>,
    /// Whether it was ever a grower while it was watched.
    #[serde(default)]
    pub has_grown: bool,
    /// Trend of the last visit alone.
    pub tick: Option<Trend>,
    /// Histogram of the changes that the visits detected.
    pub updates: Updates,
    /// Net growth in entries a minute: in change-proxies, or in their contents (`entry`).
    pub rate_per_min: Option<f64>,
    /// Lower end of its 95 % interval.
    pub rate_low: Option<f64>,
    /// Upper end.
    pub rate_high: Option<f64>,
    /// Net growth in bytes an hour.
    pub bytes_per_hour: Option<f64>,
    /// Lower end of its 95 % interval.
    pub bytes_per_hour_low: Option<f64>,
    /// Upper end.
    pub bytes_per_hour_high: Option<f64>,
    /// Bytes that belong to one change-proxy: mean of the bytes that a sample of them owned at the capture.
    pub bytes_per_member: f64,
    /// Standard error of that; 0 where each was measured.
    pub bytes_per_member_error: f64,
    /// Seconds until the nearer limit at this rate: that of the heap, or what the container leaves to it.
    pub time_to_full_s: Option<f64>,
    /// Lower end of its 95 % interval.
    pub time_to_full_low_s: Option<f64>,
    /// Upper end; `None` where the rate may be 0.
    pub time_to_full_high_s: Option<f64>,
    /// The limit that is nearer.
    #[serde(default)]
    pub full_by: NearerLimit,
    /// Certainty of the trend, in [0, 1]. Of growers and shrinkers: probability that the net change has this sign. Of
    /// the others: probability that the net growth in the time watched is less than would count. `None` without a
    /// trend.
    pub confidence: Option<f64>,
    /// Whether it grows so slowly that it would take more than a year to fill the heap's limit, from empty, at the
    /// upper end of the interval. `false` while the limit is not known.
    #[serde(default)]
    pub harmless: bool,
    /// Whether the size grows, or grew, towards the length of an array that was never replaced. Such a region is no
    /// grower.
    pub bounded: bool,
    /// Share of its change-proxies that a collection removes, in [0, 1]: those with a weak or soft reference to an
    /// object that is kept by nothing else, by the latest capture.
    pub clearable: f64,
    /// Length of the array, where the structure is one array that is replaced by longer ones. Its change-proxies and
    /// entries are slots of the array.
    pub buffer_slots: Option<u64>,
    /// A fact that the trend alone does not show: `fills places of a fixed number: 610 of 1200`.
    pub note: Option<Note>,
    /// Method by which the size is found; `None` when not tracked.
    pub probe: Option<SizeProbe>,
    /// References that the probe reads, and the numbers that may follow the size, one a line; filled on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probe_plan: Vec<String>,
    /// Reason why the region is not tracked, or no more.
    pub untracked: Option<Untracked>,
    /// Sample bias of its probe, in (0, 1].
    pub sample_bias: Option<f64>,
    /// Size by the visits: seconds since the agent's start, and change-proxies; at most 60 points.
    pub history: Vec<(f64, f64)>,
    /// For dumps that are compared: objects at the place of the change-proxies, in each dump.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u64>,
    /// For joined recordings: its course in each life of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lives: Vec<LifeGrowth>,
    /// Top allocation sites of growers.
    pub allocation_sites: Vec<AllocationSite>,
    /// Number of samples on which the sites' shares are based; `None` when none were requested.
    pub allocation_samples: Option<u64>,
    /// Basis on which the samples are known to be members: survival, where the region is too large to be searched.
    pub allocation_basis: Option<Basis>,
}

impl Region {
    /// Whether it grows without bound.
    #[must_use]
    pub fn is_grower(&self) -> bool {
        self.trend == Some(Trend::Grower)
    }

    /// Whether it grows, no other region explains its growth, and the growth matters to the heap.
    #[must_use]
    pub fn grows_independently(&self) -> bool {
        self.is_grower() && self.contained_in().is_none() && !self.harmless
    }

    /// Fingerprint of the region that has its members, or the same objects: it is no leak of its own.
    #[must_use]
    pub fn contained_in(&self) -> Option<Fingerprint> {
        self.within.filter(|_| !self.in_step)
    }

    /// Entries that one change-proxy stands for.
    #[must_use]
    pub fn entries_each(&self) -> f64 {
        self.entry.as_ref().map_or(1.0, |entry| entry.per_change_proxy)
    }

    /// Entries of as many change-proxies as its proxy-size: the estimate of the number of leaking operations.
    #[must_use]
    pub fn leakages(&self) -> u64 {
        (self.proxy_size as f64 * self.entries_each()).round() as u64
    }

    /// Type of the objects that its rate counts.
    #[must_use]
    pub fn counted_class(&self) -> &str {
        self.entry.as_ref().map_or(&self.change_proxy.class, |entry| &entry.class)
    }

    /// The type that its rate counts, in words.
    #[must_use]
    pub fn counted(&self) -> String {
        let class = self.counted_class();
        if self.buffer_slots.is_some() { format!("slots of its {class}") } else { class.to_owned() }
    }

    /// For dumps: whether the last has more than the first.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.sizes.first().zip(self.sizes.last()).is_some_and(|(first, last)| last > first)
    }
}

/// Number of structures that grow so slowly that it does no harm.
pub(crate) fn harmless(regions: &[Region]) -> u64 {
    regions.iter().filter(|region| region.harmless).map(|region| region.alike).sum()
}

/// The leak root of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct RegionRoot {
    /// Class name, as in [`LeakRoot::class`].
    pub class: String,
    /// Kind of that object.
    pub kind: Kind,
}

/// The owner-proxy of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct OwnerProxy {
    /// Class name.
    pub class: String,
    /// Kind of that object.
    pub kind: Kind,
    /// Its place: `static com.example.Shop.orders`.
    pub path: Place,
}

/// The change-proxy of a region, by type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct ChangeProxy {
    /// Class name.
    pub class: String,
}

/// Contents of the nodes of a search tree.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Entry {
    /// The most frequent type.
    pub class: String,
    /// Mean number in a node.
    pub per_change_proxy: f64,
    /// Its standard error; 0 where every node was examined.
    pub error: f64,
}

/// Histogram of detected updates (LeakBot §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Updates {
    /// Visits that observed a larger region.
    pub additions: u64,
    /// Visits that observed a smaller region.
    pub removals: u64,
    /// Visits that observed the replacement of a path element or of members.
    pub relinks: u64,
    /// Visits that observed no change.
    pub quiet: u64,
}

named! {
    /// Method by which the size of a region is found.
    pub enum SizeProbe {
        /// A field that follows it.
        Counter = "counter",
        /// A whole count.
        Full = "full",
        /// A count of the members behind the frontier.
        Frontier = "frontier",
        /// A sample of slots.
        Slots = "slots",
        /// A cursor that goes on from visit to visit.
        Cursor = "cursor",
        /// A sample of the paths down.
        Sampled = "sampled",
        /// The length of an array.
        Length = "length",
        /// A count in each capture of a recording, instead of visits.
        Captures = "captures",
    }
}
