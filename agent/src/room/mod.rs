//! What the system still grants this process: memory, address space, promises, processes; and what a snapshot would take
//! of it. Texts of the kernel in, numbers and reasons out. Stops nothing.
//!
//! Reading order: [`files`] (how texts are read), [`headroom`] (machine and control groups), [`limits`] (of the process),
//! [`need`] (what a method takes), [`processes`] (whether one more may be made), [`direct_io`] (what must not be forked).

pub mod direct_io;
pub mod files;
pub mod headroom;
pub mod limits;
pub mod need;
pub mod processes;
