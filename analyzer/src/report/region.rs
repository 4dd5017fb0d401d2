//! Leak roots and regions: what the ranking and the search found, and how it evolves.

use super::{AllocationSite, Basis, LeakTrace, Note};
use crate::naming::named::named;
use crate::naming::{Fingerprint, Kind, PathStep, Place};
use crate::tracking::{Trend, Untracked};
use serde::{Deserialize, Serialize};

/// A candidate leak root (LeakBot, Definition 1).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct LeakRoot {
    /// For class objects: the class that the mirror stands for; otherwise the object's class.
    pub class: String,
    /// What kind of thing that is.
    pub kind: Kind,
    /// From a GC root to it, one hop an entry.
    pub reached_from: Vec<PathStep>,
    /// leakroot rank in [0, 1].
    pub rank: f64,
    /// Objects that it uniquely owns.
    pub owned_objects: u64,
    /// Their bytes.
    pub owned_bytes: u64,
    /// Each metric with its value and gate, one a line; filled on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
}

/// One co-evolving region: one row of the trend table.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Region {
    /// Region rank, without upper bound (LeakBot §4.2).
    pub rank: f64,
    /// Stable name of the region over restarts.
    pub fingerprint: Fingerprint,
    /// Head of the data structure.
    pub leak_root: RegionRoot,
    /// Stable object on the old side of the fringe.
    pub owner_proxy: OwnerProxy,
    /// What indicates one addition.
    pub change_proxy: ChangeProxy,
    /// What a change-proxy holds, where it is a node of a search tree that holds several; `None` where it is one entry.
    pub entry: Option<Entry>,
    /// Structures at this place that do the same, as one: of a field of each element of an array, say. Their sizes and
    /// rates are summed.
    pub alike: u64,
    /// Fingerprint of the region whose growth explains this one's: its members lie within those of that, no more to
    /// each than before.
    pub within: Option<Fingerprint>,
    /// Where the owner-proxy of another region is that keeps what the members refer to weakly. No part of the JSON: `None`
    /// in a report that was read.
    #[serde(skip)]
    pub kept_by: Option<Place>,
    /// From the leak root to one change-proxy, one reference an entry: `class com.example.Shop`,
    /// `.orders: java.util.Vector`, `.elementData: java.lang.Object[]`, `[*]: java.lang.Integer`.
    pub path: Vec<PathStep>,
    /// Index into `path` of the owner-proxy.
    pub owner_at: usize,
    /// The same from a static or a GC root on. Its JSON is a trace for people: one reference a line, collections and
    /// chains on one line each, and beneath the reference that grows a line of `^`.
    #[serde(rename = "trace")]
    pub route: LeakTrace,
    /// From a GC root to the leak root.
    pub reached_from: Vec<PathStep>,
    /// Distinct change-proxies: the estimate of the number of leaking operations.
    pub proxy_size: u64,
    /// Bytes of the region's members at the capture.
    pub dump_bytes: u64,
    /// Types of the region's members, the most bytes first, at most four, for instance `java.lang.String`.
    pub members: Vec<String>,
    /// How it evolves; `None` while there is too little evidence.
    pub trend: Option<Trend>,
    /// The same of the last visit alone.
    pub tick: Option<Trend>,
    /// Histogram of what the visits detected.
    pub updates: Updates,
    /// Net growth in entries a minute: in change-proxies, or in what they hold (`entry`).
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
    /// Bytes that go with one change-proxy: what a sample of them owned at the capture.
    pub bytes_per_member: f64,
    /// Standard error of that; 0 where each was measured.
    pub bytes_per_member_error: f64,
    /// Seconds until the heap limit at this rate.
    pub time_to_full_s: Option<f64>,
    /// Lower end of its 95 % interval.
    pub time_to_full_low_s: Option<f64>,
    /// Upper end; `None` where the rate may be 0.
    pub time_to_full_high_s: Option<f64>,
    /// How sure the trend is, in [0, 1]. Of growers and shrinkers: probability that the net change has this sign. Of
    /// the others: that the net growth in the time watched is less than would count. `None` without a trend.
    pub confidence: Option<f64>,
    /// Whether the size grows, or grew, towards the length of an array that was never replaced: then it is no grower.
    pub bounded: bool,
    /// Share of its change-proxies that a collection lets go, in [0, 1]: those that hold a weak or soft reference to
    /// what nothing else keeps, by the latest capture.
    pub clearable: f64,
    /// Where the structure is one array of primitive values that longer ones take the place of: its length. Its
    /// change-proxies and entries are slots of it.
    pub buffer_slots: Option<u64>,
    /// What the trend alone does not say: `fills an array of fixed length: 610 of 1200`.
    pub note: Option<Note>,
    /// How the size is found; `None` when not tracked.
    pub probe: Option<SizeProbe>,
    /// What the probe reads, and the numbers that may tell the size, one a line; filled on request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probe_plan: Vec<String>,
    /// Why the region is not tracked, or no more.
    pub untracked: Option<Untracked>,
    /// Sample bias of its probe, in (0, 1].
    pub sample_bias: Option<f64>,
    /// Size as the visits saw it: seconds since the agent's start, and change-proxies; at most 60 points.
    pub history: Vec<(f64, f64)>,
    /// Of dumps that are compared: objects at the place of the change-proxies, in each dump.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u64>,
    /// Top allocation sites of growers.
    pub allocation_sites: Vec<AllocationSite>,
    /// Samples that the sites' shares are taken of; `None` when nobody looked.
    pub allocation_samples: Option<u64>,
    /// How the samples are known to be members: by surviving where the region is too large to be looked through.
    pub allocation_basis: Option<Basis>,
}

impl Region {
    /// Whether it grows without bound.
    #[must_use]
    pub fn is_grower(&self) -> bool {
        self.trend == Some(Trend::Grower)
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

    /// Type of what its rate counts.
    #[must_use]
    pub fn counted_class(&self) -> &str {
        self.entry.as_ref().map_or(&self.change_proxy.class, |entry| &entry.class)
    }

    /// The same in words.
    #[must_use]
    pub fn counted(&self) -> String {
        let class = self.counted_class();
        if self.buffer_slots.is_some() { format!("slots of its {class}") } else { class.to_owned() }
    }

    /// Of dumps: whether the last has more than the first.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.sizes.first().zip(self.sizes.last()).is_some_and(|(first, last)| last > first)
    }
}

/// The leak root of a region.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct RegionRoot {
    /// Class name, as in [`LeakRoot::class`].
    pub class: String,
    /// What kind of thing that is.
    pub kind: Kind,
}

/// The owner-proxy of a region.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct OwnerProxy {
    /// Class name.
    pub class: String,
    /// What kind of thing that is.
    pub kind: Kind,
    /// Where it is: `static com.example.Shop.orders`.
    pub path: Place,
}

/// The change-proxy of a region, by type.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct ChangeProxy {
    /// Class name.
    pub class: String,
}

/// What the nodes of a search tree hold.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Entry {
    /// The most frequent type.
    pub class: String,
    /// Mean number in a node.
    pub per_change_proxy: f64,
    /// Its standard error; 0 where every node was looked at.
    pub error: f64,
}

/// Histogram of detected updates (LeakBot §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Updates {
    /// Visits that saw the region larger.
    pub additions: u64,
    /// Visits that saw it smaller.
    pub removals: u64,
    /// Visits that saw a path element or members replaced.
    pub relinks: u64,
    /// Visits that saw no change.
    pub quiet: u64,
}

named! {
    /// How the size of a region is found.
    pub enum SizeProbe {
        /// A field that follows it.
        Counter = "counter",
        /// A whole count.
        Full = "full",
        /// A count of what lies behind the frontier.
        Frontier = "frontier",
        /// A sample of slots.
        Slots = "slots",
        /// A cursor that goes on from visit to visit.
        Cursor = "cursor",
        /// A sample of the ways down.
        Sampled = "sampled",
        /// The length of an array.
        Length = "length",
    }
}
