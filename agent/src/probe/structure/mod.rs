//! One probe over its visits.
//!
//! [`planner`] (the choice of the next observation) over [`beyond`] (structures larger than a plain visit) and
//! [`buffer`] (one array that gains no new object); [`reporter`] (the report of a visit).

pub mod beyond;
pub mod buffer;
pub mod planner;
pub mod reporter;
