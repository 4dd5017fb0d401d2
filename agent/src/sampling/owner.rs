//! The interface that sampling needs from the agent that owns it.

use super::samples::Samples;
use crate::jvmti::jni::Vm;

/// The owner.
pub trait Owner: Sync {
    /// The JVM.
    fn vm(&self) -> Vm;
    /// The store to which the JVM's event writes its samples.
    fn samples(&self) -> &Samples;
    /// Milliseconds since the agent was loaded.
    fn at_ms(&self) -> u64;
    /// Collections finished since then.
    fn collections(&self) -> u64;
}
