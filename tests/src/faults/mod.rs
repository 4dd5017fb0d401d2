//! What fault tests and the fault bench share: a program whose work can be verified, the ways to make things go wrong
//! around it, and the question whether it was harmed.
//!
//! Reading order: [`subject`] is the program and what it says of itself, [`trial`] puts it under watch, [`harm`] tells
//! what was done to it, [`stops`] how long it stood still, [`leftovers`] what was left behind, [`children`] finds forked
//! children, [`figures`] puts a trial in one line, [`limits`] and [`groups`] take memory away, [`disks`] disk, [`neighbours`] are agents of others.

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
