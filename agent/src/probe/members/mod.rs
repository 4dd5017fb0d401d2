//! Members that came and left.
//!
//! [`known`], and [`owner_path`] (the path from the owner to them, and whether it was replaced).

pub mod known;
pub mod owner_path;
