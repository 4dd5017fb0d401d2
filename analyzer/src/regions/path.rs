//! Leak paths: root first, one reference a step, by the names of fields and classes.

use super::Region;
use super::route;
use crate::graph::{ObjectGraph, RootPaths, usual_path_within};
use crate::heap::{Heap, Label, ObjectIdx, Root, RootKind};
use crate::naming::path::push_step;
use crate::naming::{GcRoot, Kind, Origin, PathStep, Place, Reference, Route, Start, Step};

/// A path through the heap, in names that outlive it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeakPath {
    /// Path from the leak root to a change-proxy.
    pub steps: Vec<PathStep>,
    /// Index of the owner-proxy among the steps.
    pub owner_at: usize,
    /// Path from a GC root to the leak root (which is the last).
    pub reached_from: Vec<PathStep>,
    /// Place of the owner-proxy.
    pub owner: Place,
    /// The whole path, reference by reference.
    pub route: Route,
}

impl LeakPath {
    /// The path to an owner alone, as this capture finds it.
    pub fn to_owner(heap: &Heap, roots: &RootPaths, owner: ObjectIdx) -> Self {
        let reached = Reached::new(heap, roots, owner).without_cycles(heap);
        Self {
            steps: vec![PathStep::Start(start(heap, owner))],
            owner_at: 0,
            reached_from: reached.steps(heap),
            owner: reached.place(heap),
            route: route::route(heap, reached.first, reached.origin(heap), &reached.hops, reached.hops.len()),
        }
    }

    /// This path with another way to its owner.
    #[must_use]
    pub fn by_way_of(&self, to_owner: &Self) -> Self {
        let hops = [to_owner.route.hops.as_slice(), &self.route.hops[self.route.owner_at..]].concat();
        Self {
            steps: [to_owner.steps.as_slice(), &self.steps[self.owner_at + 1..]].concat(),
            route: Route { hops, carried: self.route.carried.clone(), ..to_owner.route.clone() },
            ..to_owner.clone()
        }
    }
}

/// Kind of an object.
pub fn kind(heap: &Heap, object: ObjectIdx) -> Kind {
    if heap.class_of_mirror(object).is_some() {
        Kind::Class
    } else if heap.thread_of(object).is_some() {
        Kind::Thread
    } else {
        Kind::Object
    }
}

/// Class of the object, or for a mirror the class that it stands for.
pub fn class_name(heap: &Heap, object: ObjectIdx) -> &str {
    &heap.classes().get(heap.class_shown_by(object)).name
}

/// Maximum of change-proxies whose path is examined.
const MAX_ASKED: usize = 25;
/// Lengths of the links that are left out, in fields, and number of them that stay.
const PERIODS: [usize; 2] = [2, 3];
const LINKS_KEPT: usize = 16;

/// A region's leak path. It leads through what was there before, where such a way exists: of a customer whom orders
/// refer to, it is the one over the map of customers.
pub fn leak_path(graph: &ObjectGraph<'_>, roots: &RootPaths, region: &Region) -> LeakPath {
    let (heap, dominators) = (graph.heap, &graph.dominators);
    let is_passing = |object| graph.ages.is_new(object) && !graph.ages.is_transient(heap, object);
    let path = |from, to: &[ObjectIdx]| {
        let path = usual_path_within(heap, dominators, from, to, &is_passing);
        without_cycles(heap, path.unwrap_or_default())
    };
    let to_owner = path(region.leak_root, &[region.owner]);
    let every = region.changes.len().div_ceil(MAX_ASKED).max(1);
    let asked: Vec<ObjectIdx> = region.changes.iter().copied().step_by(every).collect();
    let to_change = path(region.owner, &asked);
    let mut steps = vec![PathStep::Start(start(heap, region.leak_root))];
    steps.extend(path_steps(heap, region.leak_root, &to_owner));
    let owner_at = steps.len() - 1;
    steps.extend(path_steps(heap, region.owner, &to_change));
    let reached = Reached::new(heap, roots, region.leak_root).without_cycles(heap);
    let mut owner = reached.place(heap);
    go_on(heap, region.leak_root, &to_owner, &mut owner);
    let all = [reached.hops.as_slice(), &to_owner, &to_change].concat();
    let mut route = route::route(heap, reached.first, reached.origin(heap), &all, reached.hops.len() + to_owner.len());
    route.carried = route::carried(heap, dominators, region);
    LeakPath { steps, owner_at, reached_from: reached.steps(heap), owner, route }
}

/// A path without most of the links of a chain that goes over two fields in turns, or three: each link is as the one
/// before, and a chain may have a million. Repetitions of one field stay, for they are counted.
fn without_cycles(heap: &Heap, hops: Vec<(Label, ObjectIdx)>) -> Vec<(Label, ObjectIdx)> {
    let mut kept: Vec<(Label, ObjectIdx)> = Vec::new();
    let is_same = |one: (Label, ObjectIdx), other: (Label, ObjectIdx)| {
        one.0.kind() == other.0.kind() && heap.class_of(one.1) == heap.class_of(other.1)
    };
    for hop in hops {
        kept.push(hop);
        for period in PERIODS {
            let links = (LINKS_KEPT + 1) * period;
            let Some(latest) = kept.len().checked_sub(links).map(|from| &kept[from..]) else { continue };
            let repeats = (period..links).all(|at| is_same(latest[at], latest[at - period]));
            let turns = !is_same(latest[0], latest[1]);
            if repeats && turns {
                kept.drain(kept.len() - 2 * period..kept.len() - period);
            }
        }
    }
    kept
}

/// The path from a GC root to a leak root.
pub fn reach(heap: &Heap, roots: &RootPaths, leak_root: ObjectIdx) -> Vec<PathStep> {
    Reached::new(heap, roots, leak_root).without_cycles(heap).steps(heap)
}

/// The route from a GC root to an object; `owner` chooses the number of its hops that lead to the owner.
pub fn route_to(heap: &Heap, roots: &RootPaths, object: ObjectIdx, owner: impl FnOnce(&Route) -> usize) -> Route {
    let reached = Reached::new(heap, roots, object);
    let mut route = route::route(heap, reached.first, reached.origin(heap), &reached.hops, 0);
    route.owner_at = owner(&route);
    route
}

/// Place of an object, if that is the same in every capture: the path to it leads over no element of an array and no
/// chain.
pub(super) fn lasting_place(heap: &Heap, roots: &RootPaths, object: ObjectIdx) -> Option<Place> {
    let reached = Reached::new(heap, roots, object);
    let is_named = |&(label, object): &(Label, ObjectIdx)| label.field_index().is_some() || is_mirror(heap, object);
    let lasts = reached.root.is_some() && reached.hops.iter().all(is_named);
    lasts.then(|| reached.place(heap)).filter(Place::lasts)
}

fn is_mirror(heap: &Heap, object: ObjectIdx) -> bool {
    heap.class_of_mirror(object).is_some()
}

/// The path from a GC root to a leak root.
struct Reached {
    /// The GC root, where one is known.
    root: Option<GcRoot>,
    first: ObjectIdx,
    hops: Vec<(Label, ObjectIdx)>,
}

impl Reached {
    fn without_cycles(self, heap: &Heap) -> Self {
        Self { hops: without_cycles(heap, self.hops), ..self }
    }

    fn new(heap: &Heap, roots: &RootPaths, leak_root: ObjectIdx) -> Self {
        let Some(path) = roots.path_to(heap, leak_root) else {
            return Self { root: None, first: leak_root, hops: Vec::new() };
        };
        let hops = path.steps[1..].iter().filter_map(|&(object, label)| Some((label?, object))).collect();
        Self { root: Some(gc_root(heap, &heap.roots()[path.root])), first: path.steps[0].0, hops }
    }

    fn steps(&self, heap: &Heap) -> Vec<PathStep> {
        let Some(root) = &self.root else { return Vec::new() };
        // Classes need no root in a report.
        let root = Some(root).filter(|&root| *root != GcRoot::Class).cloned().map(PathStep::Root);
        let first = PathStep::Start(start(heap, self.first));
        root.into_iter().chain([first]).chain(path_steps(heap, self.first, &self.hops)).collect()
    }

    /// Beginning of a route or a place.
    fn origin(&self, heap: &Heap) -> Origin {
        match (origin(heap, self.first), &self.root) {
            (Origin::Object(class), Some(root)) => Origin::Held(root.clone(), class),
            (origin, _) => origin,
        }
    }

    /// Place at its end.
    fn place(&self, heap: &Heap) -> Place {
        let is_known = self.root.is_some();
        let origin = if is_known { self.origin(heap) } else { Origin::Unreached(start(heap, self.first)) };
        let mut place = Place::at(origin);
        go_on(heap, self.first, &self.hops, &mut place);
        place
    }
}

pub(super) fn gc_root(heap: &Heap, root: &Root) -> GcRoot {
    match root.kind {
        RootKind::Class => GcRoot::Class,
        RootKind::Thread => GcRoot::Thread,
        RootKind::OnStack => GcRoot::Local {
            method: root.method.as_deref().map(str::to_owned),
            thread: root.thread.map(|thread| heap.threads()[thread.0 as usize].name.clone()),
        },
        RootKind::JniGlobal => GcRoot::JniGlobal,
        RootKind::Monitor => GcRoot::Monitor,
        RootKind::Other => GcRoot::Other,
    }
}

fn thread_name(heap: &Heap, object: ObjectIdx) -> String {
    heap.thread_of(object).map_or_else(String::new, |thread| thread.name.clone())
}

/// The first object of a path.
fn start(heap: &Heap, object: ObjectIdx) -> Start {
    let kind = kind(heap, object);
    let thread = if kind == Kind::Thread { thread_name(heap, object) } else { String::new() };
    Start { kind, class: class_name(heap, object).to_owned(), thread }
}

/// The object as the beginning of a place.
pub(super) fn origin(heap: &Heap, object: ObjectIdx) -> Origin {
    let class = class_name(heap, object).to_owned();
    match kind(heap, object) {
        Kind::Class => Origin::Static(class),
        Kind::Thread => Origin::Thread(thread_name(heap, object)),
        Kind::Object | Kind::ClassLoader => Origin::Object(class),
    }
}

fn path_steps(heap: &Heap, from: ObjectIdx, path: &[(Label, ObjectIdx)]) -> impl Iterator<Item = PathStep> + use<> {
    let mut steps: Vec<Step> = Vec::new();
    let referrers = std::iter::once(from).chain(path.iter().map(|step| step.1));
    for (referrer, &(label, object)) in referrers.zip(path) {
        push_step(&mut steps, reference(heap, referrer, label), class_name(heap, object));
    }
    steps.into_iter().map(PathStep::Step)
}

/// Continues a place along a path. A mirror on the path starts it anew: `static com.example.Shop`; then `.orders`.
fn go_on(heap: &Heap, from: ObjectIdx, path: &[(Label, ObjectIdx)], place: &mut Place) {
    let mut referrer = from;
    let mut references: Vec<Reference> = Vec::new();
    for &(label, object) in path {
        if is_mirror(heap, object) {
            *place = Place::at(origin(heap, object));
            references.clear();
        } else {
            references.push(reference(heap, referrer, label));
        }
        referrer = object;
    }
    place.go_on(references);
}

/// Reference from an object to another by this label.
pub(super) fn reference(heap: &Heap, referrer: ObjectIdx, label: Label) -> Reference {
    if label.is_element() {
        return Reference::Element;
    }
    match heap.field(referrer, label) {
        Some(field) => Reference::Field(field.name.clone()),
        None if label == Label::CLASS => Reference::Class,
        None if label == Label::CLASS_LOADER => Reference::Loader,
        None if label == Label::CONSTANT_POOL => Reference::Constant,
        None => Reference::Unnamed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::shortest_path_within;
    use crate::heap::dsl::HeapSketch;

    #[test]
    fn of_a_chain_over_two_fields_in_turns_a_few_links_stay_and_of_one_over_one_field_all() {
        let mut sketch = HeapSketch::new();
        let first = sketch.old("Promise");
        sketch.static_field("Main", "first", first);
        let mut at = first;
        for _ in 0..100 {
            let (action, next) = (sketch.old("Action"), sketch.old("Promise"));
            sketch.refer(at, "stack", action);
            sketch.refer(action, "dep", next);
            at = next;
        }
        let last = (0..50).fold(at, |node, _| {
            let next = sketch.old("Node");
            sketch.refer(node, "next", next);
            next
        });
        let heap = sketch.build();
        let dominators = crate::graph::Owned::new(&heap).dominators;
        let path = shortest_path_within(&heap, &dominators, first, last).expect("it leads there");
        let kept = without_cycles(&heap, path.clone());
        assert_eq!((path.len(), kept.len()), (250, 2 * LINKS_KEPT + 50));
        assert_eq!(kept.last(), path.last());
    }
}
