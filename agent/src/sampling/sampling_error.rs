//! The reason why no sampling begins. The wire carries its text.

use crate::jvmti::env::{JvmtiError, NOT_AVAILABLE};

/// The reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplingError {
    /// Only one environment of a JVM may sample.
    #[error("another agent in this JVM holds its allocation sampler")]
    Held,
    /// The JVM refuses for another reason.
    #[error("this JVM lends no allocation sampler (error {code})")]
    Refused {
        /// `jvmtiError`.
        code: i32,
    },
    /// The sampler could not be switched on.
    #[error(transparent)]
    Jvmti(#[from] JvmtiError),
}

impl SamplingError {
    /// The JVM's refusal of an environment that may sample.
    pub fn of_refusal(error: JvmtiError) -> Self {
        match error.code {
            NOT_AVAILABLE => Self::Held,
            code => Self::Refused { code },
        }
    }
}
