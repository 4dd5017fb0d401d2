//! Lives of one program: each from a start of its JVM to its end, as recordings without an analyzer show them.

use crate::tracking::Trend;
use serde::{Deserialize, Serialize};

/// One life of the program.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Life {
    /// Main class or jar.
    pub main: String,
    /// Process id.
    pub pid: u32,
    /// Time at which its agent was loaded, in milliseconds since 1970.
    pub loaded_unix_ms: u64,
    /// The same in seconds since that of the first life, as all times of the report.
    pub at_s: f64,
    /// Time from then to its last message, in seconds.
    pub duration_s: f64,
    /// Number of whole captures.
    pub captures: u64,
}

/// A region in one life of the program.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct LifeGrowth {
    /// Number of the life, from 1.
    pub life: usize,
    /// Its evolution in that life; `None` where the captures are too few.
    pub trend: Option<Trend>,
    /// Net growth in entries a minute; `None` where the captures are too few.
    pub rate_per_min: Option<f64>,
    /// Lower end of its 95 % interval.
    pub rate_low: Option<f64>,
    /// Upper end.
    pub rate_high: Option<f64>,
    /// Change-proxies at the first capture of that life.
    pub first: u64,
    /// Change-proxies at the last capture.
    pub last: u64,
}
