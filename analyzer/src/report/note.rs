//! What the trend of a region alone does not say.

use crate::naming::Place;
use crate::naming::class::simple_name;
use crate::units;
use serde::{Serialize, Serializer};
use std::fmt;

/// What the trend of a region alone does not say.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// It fills an array that was never replaced.
    FillsArray {
        /// Slots that are taken.
        filled: u64,
        /// Slots that there are.
        slots: u64,
    },
    /// What it holds goes with the next collection that clears references.
    WaitsForCollector {
        /// Share of its change-proxies that do.
        share: f64,
    },
    /// It is one array, so long now.
    InOneArray {
        /// The array's length.
        slots: u64,
    },
    /// It lies within the members of another region, and grows as that does.
    GrowsWithin {
        /// Class of the other's change-proxies.
        class: String,
    },
    /// Its keys are kept by another region, and it grows as that does.
    GrowsWithKeeper {
        /// Class of the other's change-proxies.
        class: String,
        /// Where the other's owner is.
        place: Place,
    },
    /// The text of a note that was read from a report, where it does not tell all that the value had.
    AsRead(String),
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FillsArray { filled, slots } => {
                let (filled, slots) = (units::count(*filled), units::count(*slots));
                write!(formatter, "fills an array of fixed length: {filled} of {slots}")
            }
            Self::WaitsForCollector { share } => {
                let percent = 100.0 * share;
                write!(formatter, "waits for the garbage collector: {percent:.0} % hold weak or soft references ")?;
                formatter.write_str("to what nothing else keeps")
            }
            Self::InOneArray { slots } => write!(formatter, "in one array, {} slots long now", units::count(*slots)),
            Self::GrowsWithin { class } => write!(formatter, "grows with the {} around it", simple_name(class)),
            Self::GrowsWithKeeper { class, place } => {
                write!(formatter, "grows with the {} in {place} that keep its keys", simple_name(class))
            }
            Self::AsRead(text) => formatter.write_str(text),
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
