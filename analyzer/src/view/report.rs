//! The report model: what a run knows at one moment, in the words of the contract `rootbound.report/1`.
//!
//! Presenters read nothing else. The types mirror the JSON exactly; fields are added, never renamed. Unknown values
//! are `None` and become `null`, never guessed.

use serde::Serialize;

/// Name and version of the contract.
pub const SCHEMA: &str = "rootbound.report/1";

/// Everything that a run has to say about one JVM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The JVM that was watched; `None` when none was seen.
    pub jvm: Option<Jvm>,
    /// Time from the agent's start to the last message, in seconds.
    pub duration_s: f64,
    /// What is being waited for, or what ended the run; one sentence for people.
    pub status: String,
    /// Marks and captures, in their order.
    pub snapshots: Vec<Snapshot>,
    /// Every stop that the agent caused.
    pub pauses: Pauses,
    /// What the sampling of allocations cost; `None` when none was asked for.
    pub sampling: Option<AllocationSampling>,
    /// The latest forecast of what a capture costs.
    pub forecast: Option<Forecast>,
    /// Tags that the agent's snapshots have standing; `None` before the agent told.
    pub tags_standing: Option<u64>,
    /// Tags by which probes know some members again; bounded for each region.
    pub member_tags: Option<u64>,
    /// The heap as a whole.
    pub heap: HeapGrowth,
    /// What the process holds beside the heap; `None` before the platform's counters were told.
    pub native: Option<Native>,
    /// Candidate leak roots, the highest rank first (LeakBot §3).
    pub leak_roots: Vec<LeakRoot>,
    /// Co-evolving regions, the highest rank first (LeakBot §4, Figure 5).
    pub regions: Vec<Region>,
    /// The answer in one sentence.
    pub verdict: Verdict,
    /// Messages that the agent dropped because its queue was full.
    pub dropped_events: u64,
    /// Things that went wrong and were contained, for people to read.
    pub problems: Vec<String>,
}

/// The watched JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Jvm {
    /// Process id.
    pub pid: u32,
    /// Name and version of the VM.
    pub vm: String,
    /// Name of the collector.
    pub gc: String,
    /// Main class or jar.
    pub main: String,
}

/// One mark or capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Snapshot {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// `mark` or `capture`.
    pub kind: &'static str,
    /// How: captures by `fork`, `in-process` or `tags`; marks by `paths` or `iteration`.
    pub method: Option<&'static str>,
    /// For captures: what identity was, `address` or `tag`.
    pub identity: Option<&'static str>,
    /// Objects seen.
    pub objects: Option<u64>,
    /// For marks: objects that bear one.
    pub marked: Option<u64>,
    /// For captures: references seen.
    pub references: Option<u64>,
    /// For captures: bytes of all objects seen.
    pub heap_bytes: Option<u64>,
    /// For marks by paths: chosen objects that were not where the capture had seen them.
    pub missed: Option<u64>,
    /// How long the program stood still. For marks by paths: for the capture that they were chosen from.
    pub pause_ms: f64,
    /// How long it was forecast to stand still.
    pub forecast_ms: Option<f64>,
    /// What the forked child cost.
    pub child: Option<Child>,
    /// Most memory that the agent held for it.
    pub agent_bytes: Option<u64>,
    /// Why no method that the program feels less was used, or what the snapshot was made for.
    pub reason: Option<String>,
    /// For dumps: the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// For dumps that are compared with an earlier one: share of the objects that stand where that one had one, by named
    /// path; their ages are inferred.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<f64>,
    /// Likewise: objects of the earlier dump for which none stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gone: Option<u64>,
    /// For captures: time from the end of the capture to regions, measured by whoever wrote this report.
    pub analysis_ms: Option<f64>,
    /// Why the capture was thrown away.
    pub failure: Option<String>,
    /// What else there is to say of a capture: for instance why its fork left nothing out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

impl Snapshot {
    /// A snapshot of that kind of which nothing else is known.
    #[must_use]
    pub fn new(kind: &'static str) -> Self {
        Self { kind, ..Self::default() }
    }
}

/// What a forked child cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Child {
    /// From the fork to its end.
    pub lifetime_ms: f64,
    /// Its processor time.
    pub cpu_ms: f64,
    /// Memory that it alone held at its end: pages that it or the program wrote meanwhile, copied.
    pub private_bytes: Option<u64>,
    /// Pages that the program touched anew or copied while it lived.
    pub parent_faults: Option<u64>,
    /// Collections while it lived.
    pub collections: u64,
    /// The longest of them: a collection that has to copy pages takes longer than others.
    pub longest_collection_ms: f64,
    /// Mean length of the collections before.
    pub usual_collection_ms: Option<f64>,
    /// Free parts of the heap that the fork left out, in bytes of addresses.
    pub left_out_bytes: u64,
    /// How long the fork waited for the end of a collection, while the program ran.
    pub waited_ms: f64,
    /// Pages that it copied so that the program, which writes widely, need not, in bytes.
    pub copied_ahead_bytes: u64,
    /// Huge pages of the program that the capture split, in bytes.
    pub huge_pages_split_bytes: Option<u64>,
    /// Of these what was put together again.
    pub huge_pages_restored_bytes: Option<u64>,
}

/// One stop of the program that the agent caused.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stop {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// What for.
    pub what: &'static str,
    /// How long.
    pub ms: f64,
}

/// What a capture would cost, and how it would be made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// Objects, estimated from the used heap.
    pub objects: u64,
    /// The method that would be used: the first without an obstacle.
    pub method: Option<&'static str>,
    /// Every method, the least felt first.
    pub methods: Vec<MethodForecast>,
}

/// What a capture by one method would cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodForecast {
    /// `fork`, `in-process` or `tags`.
    pub method: &'static str,
    /// The program's stop.
    pub pause_ms: f64,
    /// Until the capture is complete.
    pub duration_ms: f64,
    /// Memory beside the program's own, at most.
    pub memory_bytes: u64,
    /// Why it cannot or may not be used.
    pub obstacle: Option<String>,
}

/// The pause receipt.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pauses {
    /// Stops caused.
    pub count: u32,
    /// Their sum.
    pub total_ms: f64,
    /// The longest.
    pub max_ms: f64,
    /// Each.
    pub stops: Vec<Stop>,
}

/// What the sampling of allocations cost, all windows together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AllocationSampling {
    /// Windows so far.
    pub windows: u32,
    /// Whether one is open: the JVM samples now.
    pub is_on: bool,
    /// Their length in seconds.
    pub window_s: f64,
    /// Allocations that the JVM told the agent of.
    pub events: u64,
    /// Those of which a stack was taken.
    pub samples: u64,
    /// Those of the members' classes for which there was no room or no time.
    pub dropped: u64,
    /// Time that the program's threads spent in the agent.
    pub callback_ms: f64,
    /// Time that the agent's own thread spent looking for samples inside the regions.
    pub search_ms: f64,
    /// The least mean of bytes between two of the JVM's reports; 0: every allocation.
    pub least_interval_bytes: Option<u64>,
    /// Why the JVM's sampler could not be had, the last time.
    pub refusal: Option<String>,
}

/// The heap as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HeapGrowth {
    /// Used bytes after the latest collection; what the old generation holds of garbage is part of them.
    pub live_bytes: Option<u64>,
    /// Bytes that the latest snapshot reached from the roots.
    pub reachable_bytes: Option<u64>,
    /// Heap limit.
    pub max_bytes: Option<u64>,
    /// Trend of the used bytes after collections; 0 where none is significant, or where it may be garbage that piles up
    /// until the old generation is collected.
    pub growth_bytes_per_hour: Option<f64>,
    /// The most that it may be: upper end of its 95 % interval.
    pub most_growth_bytes_per_hour: Option<f64>,
    /// Share of that growth which the tracked growers explain, in [0, 1].
    pub explained: Option<f64>,
}

/// What the process holds beside the heap, by the platform's counters. Growth is looked at from the first capture on:
/// 0 when there is none that goes on, `None` while there is too little evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Native {
    /// Resident memory of the process, the heap included.
    pub resident_bytes: Option<u64>,
    /// Its growth. A heap that is used for the first time grows here, too.
    pub resident_growth_bytes_per_hour: Option<f64>,
    /// Metaspace in use, the compressed class space included, as of the latest collection.
    pub metaspace_bytes: Option<u64>,
    /// Its growth.
    pub metaspace_growth_bytes_per_hour: Option<f64>,
    /// Committed code cache, which has a limit of its own.
    pub code_bytes: Option<u64>,
    /// Live platform threads.
    pub threads: Option<u64>,
    /// How many more an hour.
    pub threads_growth_per_hour: Option<f64>,
    /// Loaded classes.
    pub classes: Option<u64>,
    /// How many more an hour.
    pub classes_growth_per_hour: Option<f64>,
    /// Memory reserved by direct buffers.
    pub direct_bytes: Option<u64>,
    /// Its growth.
    pub direct_growth_bytes_per_hour: Option<f64>,
    /// Files mapped to be shared, those of the JVM included.
    pub mapped_bytes: Option<u64>,
    /// Their growth.
    pub mapped_growth_bytes_per_hour: Option<f64>,
    /// The rest of the memory without files: metaspace, stacks, and what native code allocated.
    pub other_bytes: Option<u64>,
    /// Its growth.
    pub other_growth_bytes_per_hour: Option<f64>,
    /// What grows the most: `direct buffers`, `mapped files`, `metaspace`, `threads`, or `native memory` that no counter
    /// knows; `None` when nothing is seen to.
    pub grows: Option<&'static str>,
}

/// A candidate leak root (LeakBot, Definition 1).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeakRoot {
    /// For class objects: the class that the mirror stands for; otherwise the object's class.
    pub class: String,
    /// `class`, `object` or `thread`.
    pub kind: &'static str,
    /// From a GC root to it, one hop an entry.
    pub reached_from: Vec<String>,
    /// leakroot rank in [0, 1].
    pub rank: f64,
    /// Objects that it uniquely owns.
    pub owned_objects: u64,
    /// Their bytes.
    pub owned_bytes: u64,
    /// Each metric with its value and gate, one a line; filled on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanation: Vec<String>,
}

/// One co-evolving region: one row of the trend table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Region {
    /// Region rank, without upper bound (LeakBot §4.2).
    pub rank: f64,
    /// Stable name of the region over restarts.
    pub fingerprint: String,
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
    /// Fingerprint of the region whose growth explains this one's: its members lie within those of that, no more to each
    /// than before.
    pub within: Option<String>,
    /// Path of the owner-proxy of another region that keeps what the members refer to weakly.
    #[serde(skip)]
    pub kept_by: Option<String>,
    /// From the leak root to one change-proxy, one reference an entry: `class com.example.Shop`,
    /// `.orders: java.util.Vector`, `.elementData: java.lang.Object[]`, `[*]: java.lang.Integer`.
    pub path: Vec<String>,
    /// Index into `path` of the owner-proxy.
    pub owner_at: usize,
    /// The same for people, from a static or a GC root on: one reference a line, collections and chains on one line each,
    /// and beneath the reference that grows a line of `^`.
    pub trace: Vec<String>,
    /// From a GC root to the leak root.
    pub reached_from: Vec<String>,
    /// Distinct change-proxies: the estimate of the number of leaking operations.
    pub proxy_size: u64,
    /// Bytes of the region's members at the capture.
    pub dump_bytes: u64,
    /// Types of the region's members, the most bytes first, at most four, for instance `java.lang.String`.
    pub members: Vec<String>,
    /// `grower`, `oscillator`, `flatliner`, `shrinker`; `None` while there is too little evidence.
    pub trend: Option<&'static str>,
    /// The same of the last visit alone.
    pub tick: Option<&'static str>,
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
    /// How sure the trend is, in [0, 1]. Of growers and shrinkers: probability that the net change has this sign. Of the
    /// others: that the net growth in the time watched is less than would count. `None` without a trend.
    pub confidence: Option<f64>,
    /// Whether the size grows, or grew, towards the length of an array that was never replaced: then it is no grower.
    pub bounded: bool,
    /// Share of its change-proxies that a collection lets go, in [0, 1]: those that hold a weak or soft reference to what
    /// nothing else keeps, by the latest capture.
    pub clearable: f64,
    /// Where the structure is one array of primitive values that longer ones take the place of: its length. Its change-proxies
    /// and entries are slots of it.
    pub buffer_slots: Option<u64>,
    /// What the trend alone does not say: `fills an array of fixed length: 610 of 1200`.
    pub note: Option<String>,
    /// How the size is found: `counter`, `full`, `frontier`, `slots`, `cursor`, `sampled`, `length`; `None` when not tracked.
    pub probe: Option<&'static str>,
    /// What the probe reads, and the numbers that may tell the size, one a line; filled on request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub probe_plan: Vec<String>,
    /// Why the region is not tracked, or no more.
    pub untracked: Option<String>,
    /// Sample bias of its probe, in (0, 1].
    pub sample_bias: Option<f64>,
    /// Size as the visits saw it: seconds since the agent's start, and change-proxies; at most 60 points.
    pub history: Vec<(f64, f64)>,
    /// Of dumps that are compared: objects at the place of the change-proxies, in each dump.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u64>,
    /// Top allocation sites of growers.
    pub allocation_sites: Vec<AllocationSite>,
    /// Samples that the sites' shares are taken of; `None` when nobody looked.
    pub allocation_samples: Option<u64>,
    /// How the samples are known to be members: `found` inside the region, or `survived` (of the members' class, in no
    /// other region, alive after two collections) where the region is too large to be looked through.
    pub allocation_basis: Option<&'static str>,
}

impl Region {
    /// Whether it grows without bound.
    #[must_use]
    pub fn is_grower(&self) -> bool {
        self.trend == Some("grower")
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RegionRoot {
    /// Class name, as in [`LeakRoot::class`].
    pub class: String,
    /// `class`, `object` or `thread`.
    pub kind: &'static str,
}

/// The owner-proxy of a region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OwnerProxy {
    /// Class name.
    pub class: String,
    /// `class`, `object` or `thread`.
    pub kind: &'static str,
    /// Where it is: `static com.example.Shop.orders`.
    pub path: String,
}

/// The change-proxy of a region, by type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeProxy {
    /// Class name.
    pub class: String,
}

/// What the nodes of a search tree hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The most frequent type.
    pub class: String,
    /// Mean number in a node.
    pub per_change_proxy: f64,
    /// Its standard error; 0 where every node was looked at.
    pub error: f64,
}

/// Histogram of detected updates (LeakBot §5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

/// Where members are allocated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AllocationSite {
    /// Share of the sampled members.
    pub share: f64,
    /// Sampled members that were allocated here.
    pub samples: u64,
    /// The stack, top first, from the uppermost frame of the application on: `com.example.Checkout.buy(Checkout.java:88)`.
    pub frames: Vec<String>,
    /// The frames of the JDK above it, by which the application allocates, top first.
    pub through: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether a structure grows without bound; `None` while nobody can know.
    pub leaking: Option<bool>,
    /// Where memory grows: `heap`, `native` (beside the heap, and not in it), `none`; `None` while that is not known.
    pub growth: Option<&'static str>,
    /// One sentence.
    pub summary: String,
}
