//! Reasons to reject a capture by address. Each is a reason to capture again by another method.

use crate::heap::spread::Scattered;
use rootbound_wire::graph::StreamError;

/// A missing proof of a capture by address; for people to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproven {
    /// More heads than an agent holds.
    #[error("the stream has more heads than an agent holds")]
    Heads,
    /// No end was reported, or that of a capture by tags.
    #[error("the capture did not report its counts")]
    Unfinished,
    /// The bytes of a chunk do not decode to records.
    #[error(transparent)]
    Malformed(#[from] StreamError),
    /// Records were lost in transit, or arrived twice.
    #[error("{came} {what} came of the {described} that the capture reported")]
    Count {
        /// Records or references.
        what: &'static str,
        /// Number written.
        described: u64,
        /// Number that arrived.
        came: u64,
    },
    /// Addresses farther apart than any heap spreads.
    #[error("the addresses lie too far apart for one heap")]
    Scattered,
    /// A reference that belongs to no object.
    #[error("a reference belongs to no object")]
    Loose,
    /// References go on for an object that was not the last one before.
    #[error("the references of an object go on where they had not stopped")]
    Resumed,
    /// An object was expanded twice.
    #[error("an object was seen twice")]
    ExpandedTwice,
    /// Objects that were referred to but never expanded: the walk was cut short, or addresses were misread.
    #[error("an object was referred to by a {by} and never seen itself")]
    Unexpanded {
        /// The kind of record that referred to it.
        by: &'static str,
    },
    /// A name or a planted object was reported twice, or differently.
    #[error("a {what} was reported twice")]
    ToldTwice {
        /// The kind of record.
        what: &'static str,
    },
    /// A size is missing, 0, or reported with two values.
    #[error("the size of an object {what}")]
    Size {
        /// The fault of the size.
        what: &'static str,
    },
    /// An object whose class was not reported.
    #[error("an object has no class")]
    NoClass,
    /// An object whose reported class is no mirror.
    #[error("the class of an object is none")]
    NoMirror,
    /// A planted object does not have its planted references.
    #[error("planted object {number} {what}")]
    Sentinel {
        /// Number of the planted object.
        number: u32,
        /// The fault of the object.
        what: &'static str,
    },
}

impl From<Scattered> for Unproven {
    fn from(_: Scattered) -> Self {
        Self::Scattered
    }
}
