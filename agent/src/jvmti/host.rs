//! The target of the JVM's events: the one owner of the agent, behind a trait, so that the border uses no room above
//! it.

use super::allocations::SampledAllocation;
use crate::guard::panics::{self, Panicked};
use std::sync::OnceLock;

/// Takes the JVM's events.
pub trait Host: Sync {
    /// Whether events shall be delivered.
    fn is_awake(&self) -> bool;
    /// The VM is live.
    fn on_vm_init(&'static self);
    /// The VM is going down.
    fn on_vm_death(&self);
    /// A collection begins; the world is stopped.
    fn on_gc_start(&self);
    /// A collection has finished; the world is stopped.
    fn on_gc_finish(&self);
    /// A thread of the program allocates, and the JVM samples it.
    fn on_allocation(&self, event: &SampledAllocation<'_>);
    /// An event ended in a panic, which went no further.
    fn on_panic(&self, panicked: &Panicked);
}

static HOST: OnceLock<&'static dyn Host> = OnceLock::new();

/// Sets the owner, once. Whether it is the first.
pub fn set(host: &'static dyn Host) -> bool {
    HOST.set(host).is_ok()
}

/// Delivers an event to the owner, if there is one that is awake. A panic ends here.
pub(super) fn deliver(event: impl FnOnce(&'static dyn Host)) {
    let Some(host) = HOST.get().copied().filter(|host| host.is_awake()) else { return };
    if let Err(panicked) = panics::contain(|| event(host)) {
        host.on_panic(&panicked);
    }
}
