//! What benches of real JVMs share: [`choice`] of JVMs and collectors, [`machine`] (what `/proc` tells), [`table`] (how
//! figures are printed).

pub mod choice;
pub mod machine;
pub mod table;
