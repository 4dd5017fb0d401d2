//! A probe's route for people: the references that are read, a line each, in the order of the path from the owner.

use super::{Hop, Region};
use crate::heap::{ClassIdx, Heap};
use std::collections::HashSet;

/// Text for a mesh.
pub(super) const EACH_ONCE: &str = "each member once, by a mark that it bears for the time of the count";

/// `static com.example.Shop.orders → com.example.Table`, `com.example.Entry[][*] → com.example.Entry, counted`.
pub(super) fn of(heap: &Heap, region: &Region, counting: &HashSet<ClassIdx>, hops: &[Hop]) -> Vec<String> {
    let mut ordered: Vec<Hop> = Vec::with_capacity(hops.len());
    let mut reached = vec![heap.class_shown_by(region.owner)];
    let mut at = 0;
    while let Some(&from) = reached.get(at) {
        // Each class is reached once, so no hop is listed twice.
        for hop in hops.iter().filter(|hop| hop.from == from) {
            if !reached.contains(&hop.to) {
                reached.push(hop.to);
            }
            ordered.push(*hop);
        }
        at += 1;
    }
    ordered.iter().map(|hop| line(heap, counting, hop)).collect()
}

fn line(heap: &Heap, counting: &HashSet<ClassIdx>, hop: &Hop) -> String {
    let name = |class: ClassIdx| heap.classes().get(class).name.as_str();
    let read = match (heap.classes().field(hop.from, hop.label), hop.slot) {
        (Some(field), _) if field.is_static => format!("static {}.{}", name(hop.from), field.name),
        (Some(field), _) => format!("{}.{}", name(hop.from), field.name),
        (None, Some(slot)) => format!("{}[{slot}]", name(hop.from)),
        (None, None) => format!("{}[*]", name(hop.from)),
    };
    let counted = if counting.contains(&hop.to) { ", counted" } else { "" };
    format!("{read} → {}{counted}", name(hop.to))
}
