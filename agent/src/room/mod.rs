//! The resources that the system still grants this process: memory, address space, promises, processes; and the needs
//! of a snapshot. Texts of the kernel in, numbers and reasons out. Pauses nothing.
//!
//! Reading order: [`files`] (texts of the kernel), [`headroom`] (machine and control groups), [`limits`] (of the
//! process), [`need`] (of each method), [`system`] (both together), [`processes`] (one more process), [`direct_io`]
//! (open files that forbid a fork).

pub mod direct_io;
pub mod files;
pub mod headroom;
pub mod limits;
pub mod need;
pub mod processes;
pub mod system;
