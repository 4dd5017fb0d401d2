//! The agent of Rootbound: a guest in a JVM. It obeys a few commands (mark, capture, install probes, detach), reports
//! what it sees and decides nothing. It never blocks, never throws into and never stops its host for longer than it tells.
//!
//! Reading order, from the roof down: [`entry`] (what the JVM calls), [`session`] (who runs where), [`sampling`] (who adds), [`probe`]
//! (tracking), [`capture`] and [`identity`] (snapshots), [`link`] (to the analyzer), [`room`] (what the system still grants),
//! [`platform`] (what is not heap), [`jvmti`] (the border), [`guard`] (panics, lines for the user), [`os`] (the system), [`stop`],
//! [`random`], [`options`] and [`faults`] (what tests plant). No room uses one above it.

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

pub use entry::{Agent_OnAttach, Agent_OnLoad, Agent_OnUnload};
