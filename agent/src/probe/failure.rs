//! The reason why a visit found no size. The wire carries its text.

use crate::jvmti::jni::NoReferences;

/// The reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VisitFailure {
    /// A frame of local references was refused.
    #[error(transparent)]
    NoReferences(#[from] NoReferences),
    /// A class of the route no longer exists.
    #[error("a class of the route has been unloaded")]
    Unloaded,
    /// A buffer's visit without a buffer.
    #[error("no array at the end of its route")]
    NoArray,
    /// Random descents do not end within the budget.
    #[error("the structure is too deep to be sampled within the budget")]
    TooDeep,
    /// A mesh larger than any visit.
    #[error("its members are reached on several ways each, and are too many to be counted in one visit")]
    TooMany,
    /// A mesh whose members cannot be marked.
    #[error(
        "its members are reached on several ways each, and the JVM lets the agent mark no objects for the \
         time of a count (another agent may do so)"
    )]
    Unmarkable,
}
