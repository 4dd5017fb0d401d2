//! Members that came and left.
//!
//! [`members`], and [`owner_path`] (the path from the owner to them, and whether it was replaced).

pub mod members;
pub mod owner_path;
