//! The JSON contract `rootbound.report/1` for an outside reader: every field may be missing, none is renamed.

use serde::Deserialize;
use std::path::Path;

/// A report.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Report {
    /// `rootbound.report/1`.
    pub schema: Option<String>,
    /// The JVM that was watched.
    pub jvm: Option<Jvm>,
    /// Seconds that it was watched.
    pub duration_s: Option<f64>,
    /// Marks and captures.
    pub snapshots: Vec<Snapshot>,
    /// The pause receipt.
    pub pauses: Option<Pauses>,
    /// Memory of the process outside the heap.
    pub native: Option<Native>,
    /// Memory limit of the container.
    pub container: Option<Container>,
    /// Regions, the highest rank first.
    pub regions: Vec<Region>,
    /// The answer.
    pub verdict: Option<Verdict>,
    /// Problems that were contained.
    pub problems: Vec<String>,
    /// Messages dropped by the agent.
    pub dropped_events: Option<u64>,
    /// Tags of the agent that were still set in the JVM when the watching ended.
    pub tags_standing: Option<u64>,
    /// For recordings without an analyzer: the lives of the program.
    pub lives: Vec<Life>,
}

/// One life of the program.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Life {
    /// Whole captures.
    pub captures: Option<u64>,
}

/// A region in one life.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct LifeGrowth {
    /// Its evolution.
    pub trend: Option<String>,
    /// Change-proxies at the first capture.
    pub first: Option<u64>,
    /// Change-proxies at the last capture.
    pub last: Option<u64>,
}

/// Changes that were seen.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Updates {
    /// Times at which the region was smaller than before.
    pub removals: Option<u64>,
}

/// The container's memory, in bytes.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Container {
    /// Its limit.
    pub limit_bytes: u64,
    /// What counts against it.
    pub used_bytes: u64,
    /// The part of that which is not touched heap.
    pub beside_heap_bytes: Option<u64>,
}

/// The JVM that was watched.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Jvm {
    /// Process id.
    pub pid: Option<u32>,
    /// Name and version.
    pub vm: Option<String>,
    /// Collector.
    pub gc: Option<String>,
    /// Main class.
    pub main: Option<String>,
}

/// One mark or capture.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Snapshot {
    /// Seconds since the agent's start.
    pub at_s: Option<f64>,
    /// `mark` or `capture`.
    pub kind: Option<String>,
    /// Method of a capture: `fork`, `in-process` or `tags`.
    pub method: Option<String>,
    /// Number of objects in it.
    pub objects: Option<u64>,
    /// Number of references in it.
    pub references: Option<u64>,
    /// Pause of the program, in milliseconds.
    pub pause_ms: Option<f64>,
    /// Costs of the forked child.
    pub child: Option<Child>,
    /// Reason why no better method was used.
    pub reason: Option<String>,
    /// Reason why it does not count.
    pub failure: Option<String>,
}

/// Costs of a forked child.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Child {
    /// Time from the fork to its end, in milliseconds.
    pub lifetime_ms: Option<f64>,
    /// Bytes that only it held at its end.
    pub private_bytes: Option<u64>,
}

/// All pauses that the agent caused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Pauses {
    /// Number of pauses.
    pub count: Option<u32>,
    /// Their sum.
    pub total_ms: Option<f64>,
    /// The longest.
    pub max_ms: Option<f64>,
    /// Each of them.
    pub stops: Vec<Stop>,
}

/// One pause.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Stop {
    /// Purpose: `fork`, `capture in process` …
    pub what: Option<String>,
    /// Duration in milliseconds.
    pub ms: Option<f64>,
}

/// Memory of the process outside the heap.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Native {
    /// Resident memory.
    pub resident_bytes: Option<u64>,
    /// Its growth.
    pub resident_growth_bytes_per_hour: Option<f64>,
    /// Metaspace.
    pub metaspace_bytes: Option<u64>,
    /// Its growth.
    pub metaspace_growth_bytes_per_hour: Option<f64>,
    /// Live threads.
    pub threads: Option<u64>,
    /// Loaded classes.
    pub classes: Option<u64>,
    /// Direct buffers.
    pub direct_bytes: Option<u64>,
    /// Their growth.
    pub direct_growth_bytes_per_hour: Option<f64>,
    /// Memory that no counter covers.
    pub other_bytes: Option<u64>,
    /// Its growth.
    pub other_growth_bytes_per_hour: Option<f64>,
    /// The kind of memory that grows the most.
    pub grows: Option<String>,
}

/// One co-evolving region.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Region {
    /// Region rank.
    pub rank: Option<f64>,
    /// Stable name.
    pub fingerprint: Option<String>,
    /// Leak root.
    pub leak_root: Named,
    /// Owner-proxy.
    pub owner_proxy: Named,
    /// Change-proxy.
    pub change_proxy: Named,
    /// Path from the leak root to a change-proxy.
    pub path: Vec<String>,
    /// The same path for people, underlined.
    pub trace: Vec<String>,
    /// Distinct change-proxies.
    pub proxy_size: Option<u64>,
    /// `grower`, `oscillator`, `shrinker`, `flatliner`.
    pub trend: Option<String>,
    /// The trend of the last visit.
    pub tick: Option<String>,
    /// Net growth a minute.
    pub rate_per_min: Option<f64>,
    /// Confidence in the trend.
    pub confidence: Option<f64>,
    /// Allocation sites of its members.
    pub allocation_sites: Vec<Site>,
    /// Sizes over time.
    pub history: Vec<(f64, f64)>,
    /// Its course in each life of the program.
    pub lives: Vec<LifeGrowth>,
    /// Changes that were seen.
    pub updates: Option<Updates>,
}

/// A place that adds members.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Site {
    /// Share of the members.
    pub share: Option<f64>,
    /// The stack.
    pub frames: Vec<String>,
}

/// An object with its class.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Named {
    /// Class name as Java sources write it.
    pub class: Option<String>,
    /// `class`, `object` or `thread`.
    pub kind: Option<String>,
    /// Its place.
    pub path: Option<String>,
}

/// The answer.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Verdict {
    /// Whether a structure grows without bound.
    pub leaking: Option<bool>,
    /// Where memory grows: `heap`, `native`, `none`.
    pub growth: Option<String>,
    /// One sentence.
    pub summary: Option<String>,
}

impl Report {
    /// Reads a report; panics when there is none.
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("no report in {file:?}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("no report ({error}): {text}"))
    }
}

impl Site {
    /// Whether the uppermost frame has this beginning.
    pub fn begins_with(&self, text: &str) -> bool {
        self.frames.first().is_some_and(|frame| frame.starts_with(text))
    }
}

impl Region {
    /// Whether its trend is grower.
    pub fn grows(&self) -> bool {
        self.trend.as_deref() == Some("grower")
    }

    /// Leak root, owner-proxy, change-proxy and trend: the part in which two reports of one recording must agree.
    pub fn row(&self) -> [String; 4] {
        let words = [&self.leak_root.class, &self.owner_proxy.class, &self.change_proxy.class, &self.trend];
        words.map(|word| word.clone().unwrap_or_else(|| "?".to_owned()))
    }
}
