//! Allocation sites of growers' members, and the costs of finding them.

use crate::naming::named::named;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// Costs of the sampling of allocations, all windows together.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct AllocationSampling {
    /// Number of windows so far.
    pub windows: u32,
    /// Whether a window is open: the JVM samples now.
    pub is_on: bool,
    /// Their length in seconds.
    pub window_s: f64,
    /// Allocations that the JVM reported to the agent.
    pub events: u64,
    /// Allocations of which a stack was taken.
    pub samples: u64,
    /// Allocations of the members' classes for which there was no room or no time.
    pub dropped: u64,
    /// Time in milliseconds that the program's threads spent in the agent.
    pub callback_ms: f64,
    /// Time in milliseconds that the agent's own thread spent looking for samples inside the regions.
    pub search_ms: f64,
    /// The least mean of bytes between two of the JVM's reports; 0: every allocation.
    pub least_interval_bytes: Option<u64>,
    /// Reason why the JVM's sampler was not available, the last time.
    pub refusal: Option<String>,
}

/// Where members are allocated.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct AllocationSite {
    /// Share of the sampled members.
    pub share: f64,
    /// Sampled members that were allocated here.
    pub samples: u64,
    /// The stack, top first, from the uppermost frame of the application on.
    pub frames: Vec<Frame>,
    /// The frames of the JDK above it, by which the application allocates, top first.
    pub through: Vec<Frame>,
}

/// One frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The class that declares the method.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// The source file, when the class states it.
    pub file: Option<String>,
    /// The line in it, when the class states it.
    pub line: Option<u32>,
}

impl Frame {
    /// `Checkout.java:88`.
    #[must_use]
    pub fn place(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}"),
            (Some(file), None) => file.clone(),
            (None, _) => "unknown source".to_owned(),
        }
    }
}

/// Prints a frame as Java does: `com.example.Checkout.buy(Checkout.java:88)`.
impl fmt::Display for Frame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}({})", self.class, self.method, self.place())
    }
}

impl Serialize for Frame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

named! {
    /// Basis on which samples are known to be members of a region.
    pub enum Basis {
        /// They were found inside it.
        Found = "found",
        /// They are of the members' class, in no other region, and alive after two collections.
        Survived = "survived",
    }
}
