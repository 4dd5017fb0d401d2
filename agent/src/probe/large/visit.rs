//! What a visit of a large structure reads, and how much.

use crate::probe::counter::counter::Counters;
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::Route;

/// One visit.
pub struct Visit<'v, R: HeapReader> {
    /// The heap.
    pub reader: &'v R,
    /// The route.
    pub route: &'v Route,
    /// Where it begins.
    pub owner: &'v R::Ref,
    /// What a whole count puts to the proof.
    pub counters: &'v Counters,
    /// Objects that may be read.
    pub budget: u32,
    /// What may be read instead for a count that is made at once; 0: none is made now.
    pub granted: u32,
    /// What is going to be granted now and then; 0: nothing.
    pub to_come: u32,
}
