//! The reason why a region cannot be followed. The report shows its text.

use crate::marking::NoPath;

/// The reasons.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanFailure {
    /// Nothing that can be read leads to a member.
    #[error("no readable way leads from its owner to its members")]
    NoWay,
    /// Others of the members' many classes would be counted.
    #[error("each of its members has a class of its own, and others stand among them")]
    Strangers,
    /// Another region counts the whole.
    #[error("its owner is a node within a larger structure of its kind")]
    IsPart,
    /// A mesh larger than a visit.
    #[error("its members are reached on several ways each, and are too many to be counted in one visit")]
    TooTangled,
    /// A mesh without a readable reference.
    #[error("its members are reached on several ways each, none of which can be read")]
    Unreadable,
    /// A mesh that goes on beyond the region.
    #[error("its members lead to many others of their kind that are not its own")]
    LeadsElsewhere,
    /// The owner has no name that lasts.
    #[error(transparent)]
    NoPath(#[from] NoPath),
    /// A reference by something other than a field; holds the referrer's class.
    #[error("a reference of {0} has no field that can be read")]
    NoField(String),
    /// A class without a mirror in the capture; holds its name.
    #[error("class {0} was not seen")]
    NoMirror(String),
}
