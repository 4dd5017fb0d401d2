//! Relations between regions: is this region the same as another, part of it, or explained by its growth?
//!
//! LeakBot's Observation 4 asks this of leak roots: "Objects of type B leak under an object A, and each B is populated
//! during a transaction". Then the growth of A is the leak, and the growth of each B belongs to an operation in
//! progress. Regions are asked the same question. [`rules`] is the one table of all answers, with the evidence, the
//! discount and the effect of each.
//!
//! Three kinds of evidence exist. [`standing`], [`population`], [`part`], [`member`], [`same`], [`keeper`] and
//! [`joint`] use dominators and types, when a capture is analysed. [`Relations`] uses typed paths, once for each
//! capture. [`Relations::explain`] weighs those by the sizes that tracking observed, and finds which go in step.

pub mod chain;
mod explain;
mod in_step;
pub mod joint;
pub mod keeper;
pub mod member;
mod outline;
pub mod part;
mod paths;
pub mod population;
pub mod referents;
pub mod rules;
pub mod same;
mod standing;

pub use explain::{Explanation, Growth, Weighed};
pub use outline::Outline;
pub use paths::{Named, Related, Relations, are_neighbours};
pub use rules::{Relation, Rule};
pub use standing::{Standing, is_in_members, standings};
