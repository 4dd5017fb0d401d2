//! The verbs, one a file, and what they share.
//!
//! [`run`], [`watch`] and [`replay`] are the verbs. The first two share [`watching`] (the live loop around one
//! [`watched_jvm`]), [`display`] (what is on the screen meanwhile) and [`interrupt`]; all share [`output`] (where results
//! go at the end). [`run`] alone needs [`launch`] (how a command gets the agent) and [`program`] (the started command).

pub(crate) mod diagnostics;
mod display;
mod family;
mod interrupt;
mod launch;
mod output;
mod program;
mod program_output;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod watch;
mod watched_jvm;
mod watching;
