//! Facts about a region that its trend alone does not show.

use crate::naming::Place;
use crate::naming::class::simple_name;
use crate::units;
use serde::{Serialize, Serializer};
use std::fmt;

/// A fact about a region that its trend alone does not show.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// It fills an array that was never replaced, or a field of each of a fixed number of objects.
    FillsArray {
        /// Number of places that are taken.
        filled: u64,
        /// Number of places.
        slots: u64,
    },
    /// Others of its kind are full at one size, and it has not passed that.
    FullLikeOthers {
        /// Number of its members.
        filled: u64,
        /// Number of members of each full one.
        most: u64,
    },
    /// Its contents will be removed by the next collection that clears references.
    WaitsForCollector {
        /// Share of its change-proxies for which this holds.
        share: f64,
    },
    /// Its contents hold weak or soft references, and a capture is to show how many wait for the collector.
    MayWaitForCollector,
    /// It is one array with this length now.
    InOneArray {
        /// The array's length.
        slots: u64,
    },
    /// It is one array with this length now, and holds the same few objects again and again.
    RepeatsInOneArray {
        /// The array's length.
        slots: u64,
    },
    /// These are many arrays, of which some are followed and stand for all.
    SomeOfMany {
        /// Number of those that are followed.
        followed: u64,
        /// Number of all.
        all: u64,
    },
    /// Visits do not show its growth; the counts of captures do.
    Counted {
        /// Number of captures.
        captures: u64,
    },
    /// It grows up to the size at which the program has dropped the one before it.
    DroppedBefore {
        /// Members now.
        filled: u64,
        /// Members of the other one, at most.
        most: u64,
    },
    /// It lies within the members of another region, and grows as that does.
    GrowsWithin {
        /// Class of the other's change-proxies.
        class: String,
    },
    /// One owner holds its members and those of another region in the same arrays, and both grow alike.
    GrowsBeside {
        /// Class of the other's change-proxies.
        class: String,
    },
    /// Its keys are kept by another region, and it grows as that does.
    GrowsWithKeeper {
        /// Class of the other's change-proxies.
        class: String,
        /// Place of the other's owner.
        place: Place,
    },
    /// Its members hold the same objects as those of another region, and it grows as that does.
    SharesWith {
        /// Class of the objects.
        class: String,
        /// Place of the other's owner.
        place: Place,
    },
    /// It gains when another region does, as many each time: one operation adds to both.
    GrowsInStep {
        /// Class of the other's change-proxies.
        class: String,
        /// Place of the other's owner.
        place: Place,
    },
    /// Each member of the structure around it gains, and their number does not grow.
    EachGains {
        /// Class of the members.
        class: String,
    },
    /// Each member of the structure around it holds no more than before, and their number does not grow.
    EachConstant {
        /// Class of the members.
        class: String,
    },
    /// The text of a note that was read from a report, where it does not state the whole value.
    AsRead(String),
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FillsArray { filled, slots } => {
                let (filled, slots) = (units::count(*filled), units::count(*slots));
                write!(formatter, "fills places of a fixed number: {filled} of {slots}")
            }
            Self::FullLikeOthers { filled, most } => {
                let (filled, most) = (units::count(*filled), units::count(*most));
                write!(formatter, "fills up like others of its kind, which are full at {most}: {filled} so far")
            }
            Self::DroppedBefore { filled, most } => {
                let (filled, most) = (units::count(*filled), units::count(*most));
                write!(formatter, "the one before it was dropped at {most}: {filled} so far")
            }
            Self::WaitsForCollector { share } => {
                let percent = 100.0 * share;
                write!(formatter, "waits for the garbage collector: {percent:.0} % hold weak or soft references ")?;
                formatter.write_str("to what nothing else keeps")
            }
            Self::MayWaitForCollector => formatter.write_str(
                "may wait for the garbage collector: it holds weak or soft references; a capture will show it",
            ),
            Self::InOneArray { slots } => write!(formatter, "in one array, {} slots long now", units::count(*slots)),
            Self::RepeatsInOneArray { slots } => {
                write!(formatter, "the same few objects again, in one array, {} slots long now", units::count(*slots))
            }
            Self::SomeOfMany { followed, all } => {
                let (followed, all) = (units::count(*followed), units::count(*all));
                write!(formatter, "estimated from {followed} of {all}")
            }
            Self::Counted { captures } => write!(formatter, "counted in {captures} captures, too slow for visits"),
            Self::GrowsWithin { class } => write!(formatter, "grows with the {} around it", simple_name(class)),
            Self::GrowsBeside { class } => write!(formatter, "grows with the {} beside it", simple_name(class)),
            Self::GrowsWithKeeper { class, place } => {
                write!(formatter, "grows with the {} in {place} that keep its keys", simple_name(class))
            }
            Self::SharesWith { class, place } => {
                write!(formatter, "holds the same {} as {place}", simple_name(class))
            }
            Self::GrowsInStep { class, place } => {
                write!(
                    formatter,
                    "grows in step with the {} in {place}: one operation adds to both",
                    simple_name(class)
                )
            }
            Self::EachGains { class } => {
                write!(formatter, "each {} gains; their number does not grow", simple_name(class))
            }
            Self::EachConstant { class } => {
                let class = simple_name(class);
                write!(formatter, "each {class} holds no more than before, and their number does not grow")
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
