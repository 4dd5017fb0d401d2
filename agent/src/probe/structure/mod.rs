//! One probe over its visits.
//!
//! [`memory`] (the cheapest way that serves), [`tangled`] (several paths lead to each member), [`buffer`] (one array of primitive values), [`visitor`] (any of these), [`reporter`] (what a visit reports).

pub mod buffer;
pub mod memory;
pub mod reporter;
pub mod tangled;
pub mod visitor;
