//! Shared parts of the benches of real JVMs: [`command_line`] with [`option_error`], [`choice`] of JVMs and collectors,
//! [`machine`] (facts from `/proc`), [`table`] (the format of figures).

pub mod choice;
pub mod command_line;
pub mod machine;
pub mod option_error;
pub mod table;
