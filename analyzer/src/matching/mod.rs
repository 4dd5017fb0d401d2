//! Several dumps of one program: where the structures of one are in the other.
//!
//! Objects have no identity across dumps; an address says nothing, for collectors move what lives. What stays are the
//! *places* of structures: the way from a static field or a thread down the dominator tree, by fields and classes, with
//! array slots and the nodes of a chain as wildcards. Objects at one place are counted, by container; from the counts
//! ages are inferred, so that LeakBot's search can run on dumps. Nobody may take them for observed ones.
//!
//! Reading order: [`places`] (places and their numbers), [`placed`] (the objects of one heap at them), [`census`] (what
//! is kept of a heap), [`ages`] (who is old, inferred from a census).

mod ages;
mod census;
mod placed;
mod places;

pub use ages::InferredAges;
pub use census::Census;
pub use placed::Placed;
pub use places::{PlaceIdx, Places};
