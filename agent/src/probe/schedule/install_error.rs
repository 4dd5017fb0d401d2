//! The reason why a probe cannot run. The wire carries its text.

use crate::identity::named::Gone;
use crate::identity::plan::PlanError;
use crate::jvmti::env::JvmtiError;
use crate::jvmti::jni::NoReferences;

/// The reasons.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InstallError {
    /// The probes name ids, and there are none.
    #[error("no capture stands")]
    NoCapture,
    /// The ids of another capture.
    #[error(transparent)]
    Gone(#[from] Gone),
    /// The JVM refuses the search.
    #[error(transparent)]
    Jvmti(#[from] JvmtiError),
    /// The JVM grants no local or weak reference.
    #[error(transparent)]
    NoReferences(#[from] NoReferences),
    /// The path to the owner has no meaning.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The owner no longer exists.
    #[error("the owner has been collected")]
    OwnerCollected,
    /// The path to the owner arrives nowhere.
    #[error("step {step} of the owner's path leads elsewhere now")]
    LedElsewhere {
        /// The number of the step, from 1 on.
        step: usize,
    },
    /// The path to the owner is empty.
    #[error("the owner's path has no step")]
    NoStep,
    /// Place 0 is for objects of another class.
    #[error("the owner is no instance of the class of place 0")]
    ForeignOwner,
    /// A class of a place no longer exists.
    #[error("a class of the route has been unloaded")]
    Unloaded,
    /// A class that declares a field no longer exists.
    #[error("a declaring class has been unloaded")]
    DeclaringUnloaded,
    /// The route is empty.
    #[error("a route has no places")]
    NoPlaces,
    /// A step beyond the last place.
    #[error("a step leads to a place that is not there")]
    UnknownPlace,
    /// An array's step from an object, or a field's step from an array; holds the class's signature.
    #[error("a step does not fit objects of {0}")]
    Misfit(String),
    /// A length is asked of another class; holds its signature.
    #[error("{0} is no array")]
    NoArray(String),
    /// The class declares no such field.
    #[error("no field {0} in the class")]
    NoField(String),
    /// The field belongs to a class that is no superclass.
    #[error("the class of the place does not inherit the field {0}")]
    NotInherited(String),
    /// The field is primitive.
    #[error("the field {0} holds no reference")]
    NoReference(String),
}
