//! The verbs, one a file, and their shared parts.
//!
//! [`run`], [`watch`], [`attach`], [`ps`], [`replay`] and [`convert`] are the verbs. The first three share [`watching`] (the live loop),
//! [`fleet`] (the accepted JVMs, each a [`member`]), [`display`] (the screen in the meantime) and [`interrupt`]. Each
//! JVM has a thread of its own, [`follower`], that moves messages between socket and engine ([`watched_jvm`]); their
//! captures take [`turns`]. At the end come [`delivery`], [`output`] (with [`inferred`] descriptions) and [`judgement`], [`naming`] chooses file names,
//! [`recordings`] are written all the time. [`run`] alone needs [`launch`] (adds the agent to a command) and
//! [`program`] (the started command).
//!
//! [`analyze`], [`suspects`], [`roots`], [`size`], [`paths`], [`holders`], [`objects`] and [`structures`] are the verbs on
//! heap dumps; they share [`dump`] (reading, delivery) and [`progress`] (the progress line). Several dumps are compared
//! by [`compare`]. [`growth`] compares them by data structures, which [`language`] describes.

pub(crate) mod analyze;
pub(crate) mod attach;
mod compare;
pub(crate) mod convert;
mod delivery;
pub(crate) mod diagnostics;
mod display;
mod dump;
mod family;
mod fleet;
mod follower;
pub(crate) mod growth;
mod held_process;
pub(crate) mod holders;
mod inferred;
mod interrupt;
mod judgement;
mod language;
mod launch;
mod member;
mod naming;
pub(crate) mod objects;
mod output;
pub(crate) mod paths;
mod program;
mod program_output;
mod progress;
pub(crate) mod ps;
mod recordings;
pub(crate) mod replay;
pub(crate) mod roots;
pub(crate) mod run;
pub(crate) mod size;
pub(crate) mod structures;
pub(crate) mod suspects;
mod turns;
pub(crate) mod watch;
mod watched_jvm;
mod watching;
