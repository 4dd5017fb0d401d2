//! The size at which the other structures in one array stand still: the windows of a ring that keeps the last minutes, of
//! which each is filled in its turn.
//!
//! The capture shows the others without following them. They must be several, of nearly one size, and without new
//! members. So shards that all grow are no sign, nor are structures of various sizes.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{Label, ObjectIdx};
use crate::relations::chain::above;

/// Most references from an element of the array to the owner.
const MOST_FIELDS: usize = 3;
/// Fewer structures of nearly one size are chance, and so are small sizes.
const LEAST_FULL: usize = 3;
const LEAST_SIZE: usize = 16;
/// The size of the smallest, as a share of the largest one.
const NEARLY: f64 = 0.9;
/// Part of the members, at most, that may be new: ages are estimates.
const STILL: f64 = 0.02;
/// Others that are examined, and objects in all of them.
const MOST_OTHERS: usize = 64;
const MOST_BELOW: usize = 4_000_000;

/// The most members that the region can have if it is filled as the others in its array are: what the largest of them
/// has, and as many more as their sizes differ. `None` where they show no such size.
pub fn full_like_siblings(graph: &ObjectGraph<'_>, region: &Region) -> Option<u64> {
    if region.standing.is_population() {
        return None;
    }
    let others = siblings(graph, region.owner)?;
    let below: usize = others.iter().map(|&other| graph.dominators.subtree(other).len()).sum();
    if below > MOST_BELOW {
        return None;
    }
    let sizes: Vec<Members> = others.iter().map(|&other| Members::of(graph, region, other)).collect();
    let is_still = |other: &&Members| other.new <= STILL * other.all as f64;
    let still: Vec<usize> = sizes.iter().filter(is_still).map(|other| other.all).collect();
    let (least, most) = (still.iter().copied().min()?, still.iter().copied().max()?);
    let are_full = still.len() >= LEAST_FULL && least >= LEAST_SIZE && least as f64 >= NEARLY * most as f64;
    let all_but_one_are = are_full && still.len() + 1 >= others.len();
    let is_smaller = || Members::of(graph, region, region.owner).all <= most;
    (all_but_one_are && is_smaller()).then(|| (most + (most - least)) as u64)
}

/// The owners to which the other elements of an array lead as one of them leads to this owner.
fn siblings(graph: &ObjectGraph<'_>, owner: ObjectIdx) -> Option<Vec<ObjectIdx>> {
    let heap = graph.heap;
    let (mut fields, mut at) = (Vec::new(), owner);
    for holder in above(&graph.dominators, owner).take(MOST_FIELDS + 1) {
        if heap.is_object_array(holder) {
            let elements = heap.references().of(holder).iter().copied().filter(|&element| element != at);
            let others = elements.filter_map(|element| follow(graph, element, &fields));
            let is_like = |other: &ObjectIdx| heap.class_of(*other) == heap.class_of(owner);
            return Some(others.filter(is_like).take(MOST_OTHERS).collect());
        }
        let (_, label) = heap.references().labelled(holder).find(|&(referee, _)| referee == at)?;
        fields.push(label);
        at = holder;
    }
    None
}

/// The object to which these fields lead, the last one first.
fn follow(graph: &ObjectGraph<'_>, element: ObjectIdx, fields: &[Label]) -> Option<ObjectIdx> {
    fields.iter().rev().try_fold(element, |at, &field| {
        let found = graph.heap.references().labelled(at).find(|&(_, label)| label == field);
        found.map(|(referee, _)| referee)
    })
}

/// Members of a structure.
struct Members {
    all: usize,
    /// Estimated number of the new ones.
    new: f64,
}

impl Members {
    fn of(graph: &ObjectGraph<'_>, region: &Region, owner: ObjectIdx) -> Self {
        let classes = graph.heap.classes();
        let is_member = |object: ObjectIdx| classes.is_subclass(graph.heap.class_of(object), region.change_class);
        let members = graph.dominators.subtree(owner).iter().copied().filter(|&object| is_member(object));
        members.fold(Self { all: 0, new: 0.0 }, |sum, member| Self {
            all: sum.all + 1,
            new: sum.new + graph.ages.newness(member),
        })
    }
}
