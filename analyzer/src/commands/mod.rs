//! The verbs, one a file, and their shared parts.
//!
//! [`run`], [`watch`], [`attach`], [`ps`], [`unpack`], [`replay`] and [`convert`] are the verbs. The first three share
//! [`watching`] (the live loop), [`fleet`] (the accepted JVMs, each a [`member`]), [`display`] (the screen in the
//! meantime) and [`interrupt`]. Each
//! JVM has a thread of its own, [`follower`], that moves messages between socket and engine ([`watched_jvm`]); their
//! captures take [`turns`]. At the end come [`delivery`], [`output`] (with [`inferred`] descriptions) and [`check`],
//! [`naming`] chooses file names, [`recordings`] are written all the time, [`rotation`] removes old files, and
//! [`sparse`] warnings fill no log. [`run`] alone needs [`launch`] (adds the agent to a command) and [`program`] (the
//! started command).
//!
//! Snapshots on request pass [`control`]; [`request`] holds the verbs that ask for them from outside.
//!
//! [`compare`], [`render`] and [`baseline`] serve the check of builds on stored runs, which [`inputs`] reads.
//!
//! [`analyze`], [`suspects`], [`roots`], [`size`], [`paths`], [`holders`], [`objects`] and [`structures`] are the verbs
//! on heap dumps; they share [`dump`] (reading, delivery) and [`progress`] (the progress line). Several dumps are
//! compared by [`dumps_compared`]. [`growth`] compares them by data structures, which [`language`] describes, and
//! [`rounds`] compares those of a repeated scenario.
//!
//! [`config`] prints options and their origins; [`completions`] and [`man`] write what packages install beside the
//! program.

pub(crate) mod analyze;
pub(crate) mod attach;
pub(crate) mod baseline;
mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod config;
mod control;
pub(crate) mod convert;
mod delivery;
pub(crate) mod diagnostics;
mod display;
mod dump;
mod dumps_compared;
mod family;
mod files;
mod fleet;
mod follower;
pub(crate) mod growth;
mod held_process;
pub(crate) mod holders;
mod inferred;
mod inputs;
mod interrupt;
mod joined;
mod language;
mod launch;
pub(crate) mod man;
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
pub(crate) mod render;
pub(crate) mod replay;
pub(crate) mod request;
pub(crate) mod roots;
mod rotation;
pub(crate) mod rounds;
pub(crate) mod run;
pub(crate) mod size;
mod sparse;
pub(crate) mod structures;
pub(crate) mod suspects;
mod turns;
pub(crate) mod unpack;
pub(crate) mod watch;
mod watched_jvm;
mod watching;
