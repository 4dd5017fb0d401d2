//! The heap as a whole, and the memory of the process outside it.

use crate::naming::named::named;
use serde::{Deserialize, Serialize};

/// Growers that explain this share of the heap's growth, or more, are its reason.
pub const MOSTLY_EXPLAINED: f64 = 0.5;

/// Captures from which on the growth between them is stated. The difference of two may be the program's start, or a job.
pub const ENOUGH_CAPTURES: u64 = 3;

/// The heap as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct HeapGrowth {
    /// Used bytes after the latest collection; garbage of the old generation is part of them.
    pub live_bytes: Option<u64>,
    /// Bytes that the latest snapshot reached from the roots.
    pub reachable_bytes: Option<u64>,
    /// Heap limit.
    pub max_bytes: Option<u64>,
    /// Trend of the used bytes after collections. 0 where none is significant, or where the growth may be garbage that
    /// accumulates until the old generation is collected.
    pub growth_bytes_per_hour: Option<f64>,
    /// Upper end of its 95 % interval.
    pub most_growth_bytes_per_hour: Option<f64>,
    /// Growth of the reachable bytes between two captures, the later of which is the latest. It needs no collection;
    /// right after the start it includes warm-up.
    #[serde(default)]
    pub captured_growth_bytes_per_hour: Option<f64>,
    /// Lower end of its 95 % interval.
    #[serde(default)]
    pub captured_growth_low: Option<f64>,
    /// Upper end.
    #[serde(default)]
    pub captured_growth_high: Option<f64>,
    /// Captures that this growth is taken from.
    #[serde(default)]
    pub captured_growth_captures: Option<u64>,
    /// Seconds until the nearer limit, the heap's or what the container leaves to it, at the growth by collections or,
    /// where they show none, between at least three captures. `None` where no growth is certain.
    #[serde(default)]
    pub time_to_full_s: Option<f64>,
    /// Share of the heap's growth which the tracked growers explain, in [0, 1]: of the growth by collections, or
    /// between captures while collections neither show nor exclude it. `None` while neither is certain.
    pub explained: Option<f64>,
    /// Lower end of its 95 % interval.
    #[serde(default)]
    pub explained_low: Option<f64>,
    /// Upper end.
    #[serde(default)]
    pub explained_high: Option<f64>,
}

impl HeapGrowth {
    /// Growth in bytes an hour, where it is certain: by collections or, where they show none, between at least
    /// [`ENOUGH_CAPTURES`] captures.
    #[must_use]
    pub fn certain(&self) -> Option<f64> {
        let is_certain = self.captured_growth_low.is_some_and(|low| low > 0.0) && self.has_enough_captures();
        let captured = self.captured_growth_bytes_per_hour.filter(|_| is_certain);
        self.growth_bytes_per_hour.filter(|&growth| growth > 0.0).or(captured)
    }

    /// The most that the used bytes after collections may grow an hour. A bound as large as the heap is no information.
    #[must_use]
    pub fn most_after_collections(&self) -> Option<f64> {
        self.growth_bytes_per_hour.and(self.most_growth_bytes_per_hour).filter(|&most| self.is_bound(most))
    }

    /// The same for the reachable bytes, by at least [`ENOUGH_CAPTURES`] captures. Below 0 they certainly shrink.
    #[must_use]
    pub fn most_between_captures(&self) -> Option<f64> {
        self.captured_growth_high.filter(|&most| self.has_enough_captures() && self.is_bound(most))
    }

    fn has_enough_captures(&self) -> bool {
        self.captured_growth_captures >= Some(ENOUGH_CAPTURES)
    }

    fn is_bound(&self, most: f64) -> bool {
        self.max_bytes.is_some_and(|max| most < max as f64)
    }

    /// Whether growers are known to explain most of the growth.
    #[must_use]
    pub fn is_mostly_explained(&self) -> bool {
        self.explained.is_some_and(|share| share >= MOSTLY_EXPLAINED)
    }
}

/// Memory of the process outside the heap, by the platform's counters. Growth is assessed from the first capture on: 0
/// when no growth goes on, `None` while there is too little evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Native {
    /// Resident memory of the process, the heap included.
    pub resident_bytes: Option<u64>,
    /// Its growth. A heap that uses memory for the first time grows here, too.
    pub resident_growth_bytes_per_hour: Option<f64>,
    /// Metaspace in use, the compressed class space included, as of the latest collection.
    pub metaspace_bytes: Option<u64>,
    /// Its growth.
    pub metaspace_growth_bytes_per_hour: Option<f64>,
    /// Committed code cache, which has a limit of its own.
    pub code_bytes: Option<u64>,
    /// Live platform threads.
    pub threads: Option<u64>,
    /// Their growth an hour.
    pub threads_growth_per_hour: Option<f64>,
    /// Loaded classes.
    pub classes: Option<u64>,
    /// Their growth an hour.
    pub classes_growth_per_hour: Option<f64>,
    /// Memory reserved by direct buffers.
    pub direct_bytes: Option<u64>,
    /// Its growth.
    pub direct_growth_bytes_per_hour: Option<f64>,
    /// Files mapped to be shared, those of the JVM included.
    pub mapped_bytes: Option<u64>,
    /// Their growth.
    pub mapped_growth_bytes_per_hour: Option<f64>,
    /// The rest of the memory without files: metaspace, stacks, and allocations of native code.
    pub other_bytes: Option<u64>,
    /// Its growth.
    pub other_growth_bytes_per_hour: Option<f64>,
    /// Growth of the resident memory without the heap.
    #[serde(default)]
    pub beside_heap_growth_bytes_per_hour: Option<f64>,
    /// The kind of memory that grows the most; `None` when no growth is observed.
    pub grows: Option<NativeKind>,
}

named! {
    /// Kinds of memory that may grow outside the heap.
    pub enum NativeKind {
        /// Memory of direct buffers.
        DirectBuffers = "direct buffers",
        /// Files mapped to be shared.
        MappedFiles = "mapped files",
        /// Memory of classes.
        Metaspace = "metaspace",
        /// Platform threads.
        Threads = "threads",
        /// Memory that no counter covers.
        Other = "native memory",
    }
}
