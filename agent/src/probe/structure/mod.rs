//! One probe over its visits.
//!
//! [`memory`] (the cheapest method that serves), [`tangled`] (several paths lead to each member), [`buffer`] (one
//! array of primitive values), [`visitor`] (any of these), [`reporter`] (the report of a visit).

pub mod buffer;
pub mod memory;
pub mod reporter;
pub mod tangled;
pub mod visitor;
