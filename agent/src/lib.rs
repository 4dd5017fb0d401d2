//! The agent of Rootbound: a guest in a JVM. It obeys a few commands (mark, capture, install probes, detach), reports
//! its observations and decides nothing. It never blocks, never throws into its host and never pauses it for longer
//! than it reports.
//!
//! Reading order, from the roof down: [`entry`] (called by the JVM), [`assertions`] (called by our Java library),
//! [`session`] (threads and commands), [`sampling`]
//! (allocation sites), [`probe`] (tracking), [`capture`] and [`identity`] (snapshots), [`link`] (to the analyzer),
//! [`room`] (resources that the system still grants), [`platform`] (memory other than the heap), [`jvmti`] (the
//! border), [`guard`] (panics, lines for the user), [`os`] (the system), [`stop`], [`random`], [`options`] and
//! [`faults`] (planted by tests). No room uses one above it.

pub mod assertions;
pub mod capture;
pub mod entry;
pub mod faults;
pub mod guard;
pub mod identity;
pub mod jvmti;
pub mod link;
pub mod options;
pub mod os;
pub mod platform;
pub mod probe;
pub mod random;
pub mod room;
pub mod sampling;
pub mod session;
pub mod stop;

/// The library's own: the JVM and the program keep theirs.
#[global_allocator]
static ALLOCATOR: os::returned::Returned = os::returned::Returned;

pub use entry::{Agent_OnAttach, Agent_OnLoad, Agent_OnUnload, JNI_OnLoad};
