//! The agent of Rootbound: a guest in a JVM. It obeys a few commands (mark, capture, install probes, detach), reports
//! what it sees and decides nothing. It never blocks, never throws into and never stops its host for longer than it tells.
//!
//! Reading order: [`options`], [`session`] (who runs where), [`link`] (to the analyzer), [`identity`] and [`capture`]
//! (snapshots), [`probe`] (tracking), [`sampling`] (who adds), [`platform`] (what is not heap), [`jvmti`] (the border; all
//! `unsafe`).

pub mod capture;
pub mod identity;
pub mod jvmti;
pub mod link;
pub mod options;
pub mod platform;
pub mod probe;
pub mod room;
pub mod sampling;
pub mod session;
pub mod stop;

pub use jvmti::exports::{Agent_OnAttach, Agent_OnLoad, Agent_OnUnload};
