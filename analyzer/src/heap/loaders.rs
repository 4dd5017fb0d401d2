//! Kinds of class loader that keep coming. Their classes may leak with them, so their mirrors are no roots.

use super::{Heap, ObjectIdx};
use std::collections::{BTreeSet, HashMap};

/// The classes of loaders of which a later heap has more than an earlier one.
pub fn coming_loaders(earlier: &Heap, later: &Heap) -> Vec<String> {
    let before = loaders(earlier);
    let is_more = |entry: &(String, usize)| entry.1 > before.get(&entry.0).copied().unwrap_or(0);
    loaders(later).into_iter().filter(is_more).map(|entry| entry.0).collect()
}

/// Class loaders by their class.
fn loaders(heap: &Heap) -> HashMap<String, usize> {
    let all: BTreeSet<ObjectIdx> = heap.classes().iter().filter_map(|(_, class)| class.loader).collect();
    let mut counts = HashMap::new();
    for loader in all {
        *counts.entry(heap.classes().get(heap.class_of(loader)).name.clone()).or_insert(0) += 1;
    }
    counts
}
