//! The heap, route and budgets of a visit to a large structure.

use crate::probe::counter::candidates::Counters;
use crate::probe::reading::reader::HeapReader;
use crate::probe::reading::route::Route;

/// One visit.
pub struct Visit<'v, R: HeapReader> {
    /// The heap.
    pub reader: &'v R,
    /// The route.
    pub route: &'v Route,
    /// The object where it begins.
    pub owner: &'v R::Ref,
    /// The candidate counters that a whole count checks.
    pub counters: &'v Counters,
    /// Objects that may be read.
    pub budget: u32,
    /// Objects that may be read instead for a single-visit count; 0: none is made now.
    pub granted: u32,
    /// Reads that are going to be granted now and then; 0: none.
    pub to_come: u32,
}
