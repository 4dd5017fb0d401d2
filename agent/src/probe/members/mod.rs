//! Members that came and left.
//!
//! [`members`], and [`way`] (the path from the owner to them, and whether it was replaced).

pub mod members;
pub mod way;
