//! The JSON contract `rootbound.report/1` as an outsider reads it: every field may be missing, none is renamed.

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
    /// What the process holds beside the heap.
    pub native: Option<Native>,
    /// Regions, the highest rank first.
    pub regions: Vec<Region>,
    /// The answer.
    pub verdict: Option<Verdict>,
    /// What went wrong and was contained.
    pub problems: Vec<String>,
    /// Messages dropped by the agent.
    pub dropped_events: Option<u64>,
    /// Tags of the agent that stood in the JVM when the watching ended.
    pub tags_standing: Option<u64>,
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
    /// How a capture was made: `fork`, `in-process` or `tags`.
    pub method: Option<String>,
    /// Objects seen.
    pub objects: Option<u64>,
    /// References seen.
    pub references: Option<u64>,
    /// How long the program stood still.
    pub pause_ms: Option<f64>,
    /// What the forked child cost.
    pub child: Option<Child>,
    /// Why no better method was used.
    pub reason: Option<String>,
    /// Why it does not count.
    pub failure: Option<String>,
}

/// What a forked child cost.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Child {
    /// From the fork to its end.
    pub lifetime_ms: Option<f64>,
    /// Memory that only it held at its end.
    pub private_bytes: Option<u64>,
}

/// Every stop that the agent caused.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Pauses {
    /// Stops.
    pub count: Option<u32>,
    /// Their sum.
    pub total_ms: Option<f64>,
    /// The longest.
    pub max_ms: Option<f64>,
    /// Each of them.
    pub stops: Vec<Stop>,
}

/// One stop.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Stop {
    /// What for: `fork`, `capture in process` …
    pub what: Option<String>,
    /// How long.
    pub ms: Option<f64>,
}

/// What the process holds beside the heap.
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
    /// What no counter knows.
    pub other_bytes: Option<u64>,
    /// Its growth.
    pub other_growth_bytes_per_hour: Option<f64>,
    /// What grows the most.
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
    /// From the leak root to a change-proxy.
    pub path: Vec<String>,
    /// The same for people, and underlined.
    pub trace: Vec<String>,
    /// Distinct change-proxies.
    pub proxy_size: Option<u64>,
    /// `grower`, `oscillator`, `shrinker`, `flatliner`.
    pub trend: Option<String>,
    /// The same of the last visit.
    pub tick: Option<String>,
    /// Net growth a minute.
    pub rate_per_min: Option<f64>,
    /// Confidence in the trend.
    pub confidence: Option<f64>,
    /// Who adds.
    pub allocation_sites: Vec<Site>,
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

/// Something with a class.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Named {
    /// Class name as Java sources write it.
    pub class: Option<String>,
    /// `class`, `object` or `thread`.
    pub kind: Option<String>,
    /// Where it is.
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
    /// Whether the uppermost frame begins so.
    pub fn begins_with(&self, text: &str) -> bool {
        self.frames.first().is_some_and(|frame| frame.starts_with(text))
    }
}

impl Region {
    /// Whether its trend is grower.
    pub fn grows(&self) -> bool {
        self.trend.as_deref() == Some("grower")
    }

    /// Leak root, owner-proxy, change-proxy and trend: what two reports of one recording must agree on.
    pub fn row(&self) -> [String; 4] {
        let words = [&self.leak_root.class, &self.owner_proxy.class, &self.change_proxy.class, &self.trend];
        words.map(|word| word.clone().unwrap_or_else(|| "?".to_owned()))
    }
}
