//! Shared parts of fault tests and the fault bench: a program whose work can be verified, the faults around it, and the
//! check whether it was harmed.
//!
//! Reading order: [`subject`] is the program and its output, [`trial`] puts it under watch, [`harm`] checks it,
//! [`stops`] measures its pauses, [`leftovers`] finds things left behind, [`children`] finds forked children,
//! [`figures`] puts a trial in one line, [`limits`] and [`groups`] take memory away, [`disks`] disk space,
//! [`neighbours`] are other agents.

pub mod children;
pub mod disks;
pub mod figures;
pub mod groups;
pub mod harm;
pub mod leftovers;
pub mod limits;
pub mod neighbours;
pub mod stops;
pub mod subject;
pub mod trial;
