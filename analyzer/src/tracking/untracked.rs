//! Reasons why a region is not followed, or no more.

use serde::{Serialize, Serializer};
use std::fmt;

/// Reason why a region is not followed, or no more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Untracked {
    /// The number of regions that are followed is limited, and that many rank higher.
    RanksTooLow {
        /// Maximum of regions that are followed.
        most: usize,
    },
    /// Many of its kind have few members each.
    OneOfMany {
        /// Number of its kind.
        count: usize,
    },
    /// It is a part of a larger structure of its kind.
    Part,
    /// It lies inside a member of a much larger region.
    InsideMember,
    /// The structure has been collected.
    OwnerGone,
    /// It is visited, and no visit has reported its size.
    NoSizeYet,
    /// It is visited, and its size is too uncertain for a trend.
    SizeTooRough,
    /// It cannot be read, or the agent could not follow the path; the reason in the words of the part that found out.
    Unreadable(String),
}

impl Untracked {
    /// Whether it was left out when the regions to watch were chosen; others could not be followed, or were lost.
    #[must_use]
    pub fn was_left_out(&self) -> bool {
        matches!(self, Self::RanksTooLow { .. } | Self::OneOfMany { .. } | Self::Part | Self::InsideMember)
    }
}

impl fmt::Display for Untracked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::RanksTooLow { most } => {
                return write!(formatter, "only the {most} highest-ranked regions are followed");
            }
            Self::OneOfMany { count } => {
                return write!(formatter, "one of {count} regions of its kind, which are followed together");
            }
            Self::Part => "a part of a larger structure of its kind",
            Self::InsideMember => "inside a member of a much larger region",
            Self::OwnerGone => "its owner is gone: the structure has been collected",
            Self::NoSizeYet => "visited, but none of its visits could tell its size so far",
            Self::SizeTooRough => "visited, but its size is known too roughly so far to tell a trend",
            Self::Unreadable(reason) => reason,
        };
        formatter.write_str(text)
    }
}

impl Serialize for Untracked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
