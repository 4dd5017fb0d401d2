//! Several dumps of one program: finds the structures of one in the other.
//!
//! Objects have no identity across dumps; addresses are no evidence, for collectors move live objects. The *places* of
//! structures remain. A place is a path from a static field or a thread down the dominator tree, by fields and classes.
//! Array slots and the nodes of a chain are wildcards. Objects at one place are counted by container. Ages are inferred
//! from the counts, so that LeakBot's search can run on dumps. They must not be presented as observed ages.
//!
//! Reading order: [`places`] (places and their numbers), [`placed`] (the objects of one heap at them), [`census`] (the
//! kept data of a heap), [`ages`] (ages inferred from a census), [`around`] (what holds the objects around a place).
//! [`named`] places chosen objects along shortest paths instead, and [`expression`] writes such a place for people.

mod ages;
mod around;
mod census;
mod expression;
mod named;
mod placed;
mod places;

pub use ages::InferredAges;
pub use around::{Around, HeldFrom};
pub use census::Census;
pub use named::{NamedPlaces, PlaceFinder, PlaceStep};
pub use placed::Placed;
pub use places::{PlaceIdx, Places, Way};
