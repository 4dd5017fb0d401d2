//! The plan for a buffer: it starts at the outermost object that leads to the array by fields alone. So the replacement
//! of the whole buffer is observed, too.

use super::alike::Alike;
use super::{Hop, PlanFailure, ProbePlan, counters, describe, places, words};
use crate::graph::ObjectGraph;
use crate::heap::ClassIdx;
use crate::marking::OwnerPaths;
use crate::regions::{Buffer, Region};
use rootbound_wire::message::ProbeShape;
use std::collections::HashSet;

/// Derives the route for one buffer.
///
/// # Errors
/// The reason why it cannot be followed.
pub fn plan_buffer(graph: &ObjectGraph<'_>, owners: &OwnerPaths, buffer: &Buffer) -> Result<ProbePlan, PlanFailure> {
    let heap = graph.heap;
    let held = &buffer.held;
    let (outermost, _) = held.holders[held.holders.len() - 1];
    let inner = std::iter::once(held.array).chain(held.holders.iter().map(|holder| holder.0));
    let hops = held.holders.iter().zip(inner).map(|(&(holder, label), referee)| Hop {
        from: heap.class_shown_by(holder),
        label,
        slot: None,
        to: heap.class_of(referee),
    });
    let mut hops: Vec<Hop> = hops.collect();
    hops.reverse();
    let region = Region { owner: outermost, ..buffer.region.clone() };
    let counting: HashSet<ClassIdx> = [region.change_class].into();
    let length_before = buffer.length_before.and_then(|before| u32::try_from(before).ok());
    Ok(ProbePlan {
        owner: owners.find(heap, outermost)?,
        places: places(heap, &region, &counting, &hops, &Alike::default())?,
        // No capture shows how far it is filled.
        size_at_capture: None,
        counters: counters::of_holder(heap, outermost, &hops, buffer.region.owner),
        shape: ProbeShape::Buffer { length_before },
        words: words::of(heap, &region, &counting, &hops),
        description: describe::of(heap, &region, &hops),
        hops,
    })
}
