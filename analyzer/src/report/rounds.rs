//! The contract `rootbound.rounds/1`: growth from round to round of a repeated scenario. Fields are added, never
//! renamed.

use super::trace::LeakTrace;
use crate::naming::Fingerprint;
use crate::naming::growth::{Advice, Pattern};
use crate::naming::named::named;
use crate::units;
use serde::Serialize;

/// Name and version of the contract.
pub const SCHEMA: &str = "rootbound.rounds/1";

/// Report of `rootbound rounds`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RoundsReport {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The answer in one sentence.
    pub verdict: String,
    /// Number of rounds: one less than heaps.
    pub rounds: usize,
    /// Runs of the scenario in each round.
    pub runs: u32,
    /// Least growth in every round, in objects.
    pub least_growth: u32,
    /// Reachable objects of each heap.
    pub objects: Vec<u64>,
    /// What grew in every round, by the growth of what it retains, the largest first.
    pub growing: Vec<Grower>,
    /// What grew and is ignored.
    pub ignored: Vec<Ignored>,
    /// Descriptions whose type is not in the last heap, with file and position. Looked for where something grew.
    pub unmatched: Vec<String>,
}

/// A growing structure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grower {
    /// Its name over restarts.
    pub fingerprint: Fingerprint,
    /// Place of the object that holds the growing reference.
    pub place: String,
    /// Class of that object.
    pub class: String,
    /// Class of the objects that it gains.
    pub element: String,
    /// Unit of `sizes`.
    pub grows: Grows,
    /// Size in each heap: objects, or bytes of the one array.
    pub sizes: Vec<u64>,
    /// Number of rounds.
    #[serde(skip)]
    pub rounds: usize,
    /// Runs of the scenario in each round.
    #[serde(skip)]
    pub runs: u32,
    /// Bytes that its objects retained in the first heap.
    pub retained_before: u64,
    /// The same in the last heap.
    pub retained_after: u64,
    /// Pattern of its growth (AntTracks §3.4.3); `null` for one array, and for what GC roots hold.
    pub pattern: Option<Pattern>,
    /// What to do.
    pub advice: Option<Advice>,
    /// Other places that hold its objects, too.
    pub also_held_by: Vec<String>,
    /// Whether the boot loader defined every class that takes part.
    pub is_of_the_jvm: bool,
    /// The place that `--ignore-place` leaves out.
    pub ignore_place: String,
    /// The path from the root, with the growing reference underlined.
    pub trace: LeakTrace,
    /// With descriptions: the nearest described data structure around the growing reference.
    pub structure: Option<DescribedStructure>,
}

/// A data structure that the user described, or all at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DescribedStructure {
    /// Class of the heads.
    pub class: String,
    /// Their place.
    pub place: String,
    /// Number of heads in the last heap.
    pub count: u64,
    /// Objects of their deep structures in the first heap.
    pub objects_before: u64,
    /// The same in the last heap.
    pub objects_after: u64,
    /// Bytes of these objects in the first heap.
    pub bytes_before: u64,
    /// The same in the last heap.
    pub bytes_after: u64,
}

/// A growing structure that the options leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Its name over restarts.
    pub fingerprint: Fingerprint,
    /// Its place.
    pub place: String,
    /// Size in each heap.
    pub sizes: Vec<u64>,
}

named! {
    /// Unit of the growth.
    pub enum Grows {
        /// Objects were added.
        Objects = "objects",
        /// One array became longer.
        Length = "length",
    }
}

impl Grower {
    /// Objects or bytes gained over all rounds.
    #[must_use]
    pub fn gained(&self) -> u64 {
        let ends = self.sizes.first().zip(self.sizes.last());
        ends.map_or(0, |(first, last)| last.saturating_sub(*first))
    }

    /// Bytes that it retains in addition.
    #[must_use]
    pub fn retained_gained(&self) -> u64 {
        self.retained_after.saturating_sub(self.retained_before)
    }

    /// Growth in a run of the scenario.
    #[must_use]
    pub fn per_run(&self, gained: u64) -> f64 {
        gained as f64 / (self.rounds.max(1) as f64 * f64::from(self.runs.max(1)))
    }
}

impl RoundsReport {
    /// The answer in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let rounds = units::counted(self.rounds as u64, "round");
        match self.growing.len() as u64 {
            0 if self.rounds == 1 => format!("nothing grew in {rounds}"),
            0 => format!("nothing grew in every one of {rounds}"),
            1 => format!("1 structure grew in every one of {rounds}"),
            more => format!("{} structures grew in every one of {rounds}", units::count(more)),
        }
    }
}
