//! The last visits and the last changes of sample biases (the log lines in LeakBot's Figure 5).

use super::{Fingerprint, Trend};
use crate::naming::named::named;
use serde::{Deserialize, Serialize};

named! {
    /// Kinds of entries.
    pub enum LogKind {
        /// A visit that read the size of a structure.
        Visit = "visit",
        /// A change of a sample bias.
        Bias = "bias",
        /// A visit that could not read the structure any more.
        Lost = "lost",
    }
}

/// One entry.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct LogEntry {
    /// Number of the entry since the start; entries that a report no longer has were counted, too.
    pub number: u64,
    /// Its time in seconds since the agent's start.
    pub at_s: f64,
    /// Its kind.
    pub kind: LogKind,
    /// The region.
    pub region: Fingerprint,
    /// Of a visit: the size, counted or estimated, in change-proxies.
    pub size: Option<f64>,
    /// Of a visit: the difference to the size before it.
    pub change: Option<f64>,
    /// Of a visit: the trend after it.
    pub trend: Option<Trend>,
    /// Of a change of bias: the new one.
    pub bias: Option<f64>,
    /// Of a change of bias: the one before.
    pub bias_before: Option<f64>,
}
