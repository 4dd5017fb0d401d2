//! The reason why an order for a mark or a capture fails. The wire carries its text.

use crate::capture::watchdog::Fault;
use crate::identity::named::Gone;
use crate::identity::plan::PlanError;
use crate::identity::tag::LAST_SNAPSHOT;
use crate::jvmti::env::JvmtiError;
use crate::jvmti::heap::WalkError;
use crate::jvmti::jni::NoReferences;
use rootbound_wire::message::MOST_HEADS;

/// The reasons.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// A number that no snapshot may have.
    #[error("snapshot numbers run from 1 to {LAST_SNAPSHOT}, not {0}")]
    Number(u32),
    /// A limit of the machine or the JVM, as the survey reports it.
    #[error("{0}")]
    Obstacle(String),
    /// The JVM refuses.
    #[error(transparent)]
    Jvmti(#[from] JvmtiError),
    /// A walk ended early.
    #[error(transparent)]
    Walk(WalkError),
    /// No environment holds tags.
    #[error("no tag environment")]
    NoTags,
    /// The plan of paths has no meaning.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The plan names ids of another capture.
    #[error(transparent)]
    Gone(#[from] Gone),
    /// The JVM grants no frame of local references.
    #[error(transparent)]
    NoReferences(#[from] NoReferences),
    /// More heads than one connection may hold, or a second order for one capture.
    #[error("at most {MOST_HEADS} heads are held, by one order for each capture")]
    Heads,
    /// The agent or its connection ends.
    #[error("interrupted")]
    Interrupted,
}

impl OrderError {
    /// A walk that failed. A panic inside the callback was stopped at the border; here it may go on, to the containment
    /// of the work thread.
    pub fn of_walk(error: WalkError) -> Self {
        match error {
            WalkError::Panicked => std::panic::resume_unwind(Box::new("heap visitor")),
            WalkError::Jvmti(_) | WalkError::Fork(_) => Self::Walk(error),
        }
    }
}

impl From<OrderError> for Fault {
    fn from(error: OrderError) -> Self {
        error.to_string().into()
    }
}
