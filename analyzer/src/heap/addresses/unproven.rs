//! Why a capture by address is not believed. Each is a reason to capture again by another method.

use crate::heap::spread::Scattered;
use rootbound_wire::graph::StreamError;

/// What a capture by address lacks to be believed; for people to read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unproven {
    /// No end was told, or one of a capture by tags.
    #[error("the capture never told how much it saw")]
    Unfinished,
    /// The bytes of a chunk are no records.
    #[error(transparent)]
    Malformed(#[from] StreamError),
    /// Something went missing on the way, or came twice.
    #[error("{came} {what} came of the {told} that the capture told of")]
    Count {
        /// Records or references.
        what: &'static str,
        /// As many were written.
        told: u64,
        /// As many arrived.
        came: u64,
    },
    /// Addresses that no heap spreads over.
    #[error("the addresses lie too far apart for one heap")]
    Scattered,
    /// A reference that stands below no object.
    #[error("a reference belongs to no object")]
    Loose,
    /// The references of an object go on that were not the last before.
    #[error("the references of an object go on where they had not stopped")]
    Resumed,
    /// An object was expanded twice.
    #[error("an object was seen twice")]
    ExpandedTwice,
    /// Objects that were referred to and never expanded: the walk was cut short, or addresses were misread.
    #[error("an object was referred to by a {by} and never seen itself")]
    Unexpanded {
        /// What referred to it.
        by: &'static str,
    },
    /// A name or a planted object was told twice, or differently.
    #[error("a {what} was told twice")]
    ToldTwice {
        /// What.
        what: &'static str,
    },
    /// A size is missing, 0, or told in two ways.
    #[error("the size of an object {what}")]
    Size {
        /// What is wrong with it.
        what: &'static str,
    },
    /// An object whose class nobody told.
    #[error("an object has no class")]
    NoClass,
    /// An object whose class is told to be an object that is no mirror.
    #[error("the class of an object is none")]
    NoMirror,
    /// A planted object does not show what was planted.
    #[error("planted object {number} {what}")]
    Sentinel {
        /// Which.
        number: u32,
        /// What is wrong with it.
        what: &'static str,
    },
}

impl From<Scattered> for Unproven {
    fn from(_: Scattered) -> Self {
        Self::Scattered
    }
}
