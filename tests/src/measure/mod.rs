//! What benches of real JVMs share: [`command_line`], [`choice`] of JVMs and collectors, [`machine`] (what `/proc` tells), [`table`] (how
//! figures are printed).

pub mod choice;
pub mod command_line;
pub mod machine;
pub mod table;
