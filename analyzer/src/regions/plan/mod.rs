//! Probe plans: from a region's owner- and change-proxy to the cheapest traversal that sees its updates (LeakBot §5).
//!
//! The traversal is a small automaton over classes and fields, learned from the capture alone. [`observe`] collects
//! the references that lead from the owner to change-proxies, [`simulate`] walks the captured heap exactly as the
//! agent will walk the living one, and what is not needed to reach every member is left away: of a doubly linked
//! list one direction stays, of a linked hash map the table stays and the list goes.

mod observe;
mod simulate;

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap, Label};
use crate::marking::OwnerPaths;
use observe::Observation;
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{OwnerRef, RoutePlace, RouteStep, RouteVia};
use simulate::Walk;

pub use observe::SelfReferences;

/// One kind of reference: from objects of a class, by a label, to objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// Class of the referrer; for static fields the class whose mirror it is.
    pub from: ClassIdx,
    /// The reference.
    pub label: Label,
    /// Class of the referee.
    pub to: ClassIdx,
}

/// A traversal, and what it would have seen in the capture.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbePlan {
    /// How the owner is found again.
    pub owner: OwnerRef,
    /// Places of the route, the owner's first.
    pub places: Vec<RoutePlace>,
    /// Change-proxies that the traversal counts in the capture; `None` when the structure is too large to walk here.
    pub size_at_capture: Option<u64>,
}

/// More hops than this make no simple traversal; they are taken as they are.
const MAX_HOPS_TO_REDUCE: usize = 24;

/// A capture falls into the middle of an insertion: a new entry is in the list of a linked hash map already, but not in
/// its table. Where the hops that miss nothing count members twice, those that miss one in so many (and two) will do.
const TOLERATED_SHARE: usize = 50;

/// Derives the traversal for one region.
///
/// # Errors
/// A reason, for people, why the region cannot be followed.
pub fn plan(
    graph: &ObjectGraph<'_>,
    selves: &SelfReferences,
    owners: &OwnerPaths,
    region: &Region,
) -> Result<ProbePlan, String> {
    let observation = Observation::of(graph, region)?;
    let (hops, seen) = [0, TOLERATED_SHARE]
        .into_iter()
        .map(|tolerated| {
            let hops = reduce(graph, region, &observation, tolerated);
            let seen = simulate::walk(graph, region, &hops);
            (hops, seen)
        })
        .find(|(_, seen)| seen.counts_each_once())
        .ok_or("its members are reached on several ways each, and no traversal counts them once")?;
    let hops = selves.complete(&observation, &hops);
    let places = places(graph.heap, region, &hops)?;
    let size_at_capture = (!seen.truncated).then_some(seen.counted as u64);
    Ok(ProbePlan { owner: owners.find(graph.heap, region.owner)?, places, size_at_capture })
}

/// Leaves away hops, the least used first, as long as the walk still counts as many change-proxies as with all.
///
/// With `tolerated` 0 none may be missed; otherwise one in so many, and two.
fn reduce(graph: &ObjectGraph<'_>, region: &Region, observation: &Observation, tolerated: usize) -> Vec<Hop> {
    let mut hops: Vec<Hop> = observation.hops_by_use();
    if hops.len() > MAX_HOPS_TO_REDUCE {
        return hops;
    }
    let full = simulate::walk(graph, region, &hops);
    for hop in hops.clone() {
        let fewer: Vec<Hop> = hops.iter().copied().filter(|&other| other != hop).collect();
        if full.truncated && !is_alternative_chain(hop, &fewer) {
            continue;
        }
        if reaches_as_many(&simulate::walk(graph, region, &fewer), &full, tolerated) {
            hops = fewer;
        }
    }
    hops
}

/// In a structure too large to compare counts, only a second chain through the same class may go.
fn is_alternative_chain(hop: Hop, others: &[Hop]) -> bool {
    hop.from == hop.to && others.iter().any(|other| other.from == hop.from && other.to == hop.to)
}

fn reaches_as_many(fewer: &Walk, full: &Walk, tolerated: usize) -> bool {
    let missed = |of: usize| of.checked_div(tolerated).map_or(0, |share| share + 2);
    fewer.samples + missed(full.samples) >= full.samples
        && (fewer.counted + missed(full.counted) >= full.counted || fewer.truncated)
}

/// The automaton: one place for each class that the hops mention, the owner's first.
fn places(heap: &Heap, region: &Region, hops: &[Hop]) -> Result<Vec<RoutePlace>, String> {
    let owner_class = simulate::owner_class(heap, region.owner);
    let mut classes = vec![owner_class];
    for class in hops.iter().flat_map(|hop| [hop.from, hop.to]) {
        if !classes.contains(&class) {
            classes.push(class);
        }
    }
    let counts = |class: ClassIdx| heap.classes().is_subclass(class, region.change_class);
    let mut places = Vec::with_capacity(classes.len());
    for (at, &class) in classes.iter().enumerate() {
        let is_mirror_place = at == 0 && heap.class_of_mirror(region.owner).is_some();
        places.push(RoutePlace {
            class: mirror_id(heap, class)?,
            counts: counts(class) && (at > 0 || is_recursive(hops, class)),
            steps: steps(heap, class, is_mirror_place, hops, &classes)?,
        });
    }
    Ok(places)
}

fn is_recursive(hops: &[Hop], class: ClassIdx) -> bool {
    hops.iter().any(|hop| hop.to == class)
}

/// What to read at a place, and where each reading may lead.
fn steps(
    heap: &Heap,
    class: ClassIdx,
    is_mirror: bool,
    hops: &[Hop],
    classes: &[ClassIdx],
) -> Result<Vec<RouteStep>, String> {
    let mut labels: Vec<Label> = Vec::new();
    for hop in hops.iter().filter(|hop| hop.from == class && hop.label.is_static_field() == is_mirror) {
        if !labels.contains(&hop.label) {
            labels.push(hop.label);
        }
    }
    labels.into_iter().map(|label| step(heap, class, label, hops, classes)).collect()
}

fn step(heap: &Heap, class: ClassIdx, label: Label, hops: &[Hop], classes: &[ClassIdx]) -> Result<RouteStep, String> {
    let mut targets: Vec<ClassIdx> =
        hops.iter().filter(|hop| hop.from == class && hop.label == label).map(|hop| hop.to).collect();
    targets.sort_by_key(|&target| std::cmp::Reverse(heap.classes().ancestors(target).count()));
    let to = targets.iter().filter_map(|target| classes.iter().position(|class| class == target)).map(|at| at as u16);
    Ok(RouteStep { via: via(heap, class, label)?, to: to.collect() })
}

fn via(heap: &Heap, class: ClassIdx, label: Label) -> Result<RouteVia, String> {
    if label == Label::ARRAY_ELEMENT {
        return Ok(RouteVia::ArrayElement);
    }
    let unnamed = || format!("a reference of {} has no field that can be read", heap.classes().get(class).name);
    let field = heap.classes().field(class, label).ok_or_else(unnamed)?;
    let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
    if label.is_static_field() {
        return Ok(RouteVia::StaticField { name, descriptor });
    }
    Ok(RouteVia::Field { declaring: mirror_id(heap, field.declaring)?, name, descriptor })
}

fn mirror_id(heap: &Heap, class: ClassIdx) -> Result<ObjectId, String> {
    let class = heap.classes().get(class);
    class.mirror.and_then(|mirror| heap.id_of(mirror)).ok_or_else(|| format!("class {} was not seen", class.name))
}
