//! Numbers near an owner that may follow the size of its structure, for the agent to try: `int` and `long` fields of
//! the objects on the single path from the owner to its members, and of objects to which those refer. Chosen by their
//! types alone.

use super::{Hop, mirror_id};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Field, Heap, Label, ObjectIdx};
use rootbound_wire::message::{CounterCells, CounterSpec, NumberField, RouteVia};

/// Candidates of one probe.
const MOST: usize = 24;
/// Candidates that are sums: reading one costs a walk. Most parts over which it may go, and members that each part has
/// at least on average.
const MOST_SUMMED: usize = 6;
const MOST_PARTS: usize = 512;
const LEAST_IN_PART: usize = 4;
/// Numbers of one object; more belong to something else than a collection.
const MOST_OF_ONE: usize = 8;
/// Objects on the path.
const LONGEST_WAY: usize = 4;
/// Maximum of neighbours of one object on the path.
const MOST_BESIDE: usize = 16;

/// A candidate, and its name for people.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// For the agent.
    pub spec: CounterSpec,
    /// `com.example.Cache.count`.
    pub name: String,
}

/// An object that may hold numbers.
struct Station {
    object: ObjectIdx,
    class: ClassIdx,
    /// The owner is a class: its static fields.
    is_mirror: bool,
    way: Vec<RouteVia>,
}

/// The candidates, the nearest to the members first. A number of a member is its own: the number in a sequence of the
/// latest one rises as the size does, and does not fall when the structure is emptied.
pub(super) fn candidates(
    heap: &Heap,
    owner: ObjectIdx,
    hops: &[Hop],
    counts: impl Fn(ClassIdx) -> bool,
) -> Vec<Candidate> {
    let mut on_way = stations(heap, owner, hops, &counts);
    on_way.reverse();
    let beside = on_way.iter().flat_map(|station| beside(heap, station, &on_way));
    let beside: Vec<Station> = beside.filter(|station| !counts(station.class)).collect();
    let mut found: Vec<Candidate> = on_way.iter().chain(&beside).flat_map(|station| numbers(heap, station)).collect();
    found.truncate(MOST);
    found
}

/// The numbers of the structures of which this one consists, a sum each: the sizes of the maps in an array of maps.
/// `classes` are those of the route's places, the owner's first; `counts` says which are those of members. The classes
/// on the single path from the owner have candidates of their own.
pub(super) fn summed(
    graph: &ObjectGraph<'_>,
    owner: ObjectIdx,
    hops: &[Hop],
    classes: &[ClassIdx],
    counts: impl Fn(ClassIdx) -> bool + Copy,
) -> Vec<Candidate> {
    let heap = graph.heap;
    let on_way: Vec<ClassIdx> = stations(heap, owner, hops, counts).iter().map(|station| station.class).collect();
    let is_part = |class: ClassIdx| !counts(class) && !on_way.contains(&class) && !heap.classes().get(class).is_array();
    let parts = classes.iter().copied().zip(0u16..).skip(1);
    let parts: Vec<(ClassIdx, u16)> = parts.filter(|&(class, _)| is_part(class)).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    let below = PartsBelow::new(graph, owner);
    let members = below.count_where(counts);
    let mut found: Vec<Candidate> = parts.into_iter().flat_map(|part| below.sums(heap, part, members)).collect();
    found.truncate(MOST_SUMMED);
    found
}

/// By class: the number of objects below an owner, and the last of them in preorder.
struct PartsBelow {
    of_class: Vec<(usize, Option<ObjectIdx>)>,
}

impl PartsBelow {
    fn new(graph: &ObjectGraph<'_>, owner: ObjectIdx) -> Self {
        let mut of_class = vec![(0, None); graph.heap.classes().len()];
        for &object in graph.dominators.subtree(owner) {
            let (count, last) = &mut of_class[graph.heap.class_of(object).at()];
            *count += 1;
            *last = Some(object);
        }
        Self { of_class }
    }

    fn count_where(&self, fits: impl Fn(ClassIdx) -> bool) -> usize {
        let fitting = self.of_class.iter().zip(0..).filter(|&(_, class)| fits(ClassIdx(class)));
        fitting.map(|((count, _), _)| count).sum()
    }

    /// The sums over the objects of one class, if those are few beside the members: neither entries nor nodes, of which
    /// each is one member's.
    fn sums(&self, heap: &Heap, (class, place): (ClassIdx, u16), members: usize) -> Vec<Candidate> {
        let (parts, part) = self.of_class[class.at()];
        let Some(object) = part.filter(|_| parts <= MOST_PARTS && LEAST_IN_PART * parts <= members) else {
            return Vec::new();
        };
        let station = Station { object, class, is_mirror: false, way: Vec::new() };
        let summed = |each: Candidate| Candidate {
            spec: CounterSpec { summed_at: Some(place), ..each.spec },
            name: format!("sum of {}", each.name),
        };
        numbers(heap, &station).into_iter().map(summed).collect()
    }
}

/// The candidates for the fill of an array of values: the numbers of `holder`, which holds it at the end of the path,
/// and of objects to which that refers. A class refers to everything that its statics hold, which is unrelated to each
/// of them.
pub(super) fn of_holder(heap: &Heap, owner: ObjectIdx, hops: &[Hop], holder: ObjectIdx) -> Vec<Candidate> {
    let on_way = stations(heap, owner, hops, |_| false);
    let Some(last) = on_way.last().filter(|last| last.object == holder) else { return Vec::new() };
    let beside = if last.is_mirror { Vec::new() } else { beside(heap, last, &on_way) };
    let mut found: Vec<Candidate> =
        std::iter::once(last).chain(&beside).flat_map(|station| numbers(heap, station)).collect();
    found.truncate(MOST);
    found
}

/// The owner, and the objects to which single references lead from there.
fn stations(heap: &Heap, owner: ObjectIdx, hops: &[Hop], counts: impl Fn(ClassIdx) -> bool) -> Vec<Station> {
    let is_mirror = heap.class_of_mirror(owner).is_some();
    let mut all = vec![Station { object: owner, class: heap.class_shown_by(owner), is_mirror, way: Vec::new() }];
    while all.len() <= LONGEST_WAY {
        let Some(last) = all.last() else { break };
        let mut labels: Vec<Label> = hops.iter().filter(|hop| hop.from == last.class).map(|hop| hop.label).collect();
        labels.dedup();
        let [label] = labels[..] else { break };
        let next = go(heap, last, label).filter(|next| !counts(next.class) && next.object != owner);
        let Some(next) = next else { break };
        all.push(next);
    }
    all
}

/// The object to which one field of a station leads, unless that is an array or a class.
fn go(heap: &Heap, station: &Station, label: Label) -> Option<Station> {
    let (object, _) = heap.references().labelled(station.object).find(|&(_, each)| each == label)?;
    let field = heap.classes().field(station.class, label)?;
    let fits = if station.is_mirror { label.is_static_field() } else { label.is_instance_field() };
    if !fits || heap.is_array(object) || heap.class_of_mirror(object).is_some() {
        return None;
    }
    let mut way = station.way.clone();
    way.push(via(heap, station, field)?);
    Some(Station { object, class: heap.class_of(object), is_mirror: false, way })
}

fn via(heap: &Heap, station: &Station, field: &Field) -> Option<RouteVia> {
    let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
    if station.is_mirror {
        // The mirror of a class has only the class's own statics.
        return (field.declaring == station.class).then_some(RouteVia::StaticField { name, descriptor });
    }
    Some(RouteVia::Field { declaring: mirror_id(heap, field.declaring).ok()?, name, descriptor })
}

fn beside(heap: &Heap, station: &Station, on_way: &[Station]) -> Vec<Station> {
    let labels = heap.references().labelled(station.object).map(|(_, label)| label);
    let others = labels.filter_map(|label| go(heap, station, label));
    others.filter(|other| on_way.iter().all(|known| known.object != other.object)).take(MOST_BESIDE).collect()
}

/// The numbers of an object: its fields, and each striped one as the sum of its cells.
fn numbers(heap: &Heap, station: &Station) -> Vec<Candidate> {
    let class = heap.classes().get(station.class);
    let is_its_own =
        |field: &&Field| field.is_static == station.is_mirror && (!field.is_static || field.declaring == station.class);
    let fields: Vec<&Field> = class.fields().iter().filter(is_its_own).collect();
    let numbers = fields.iter().filter(|field| is_number(field)).take(MOST_OF_ONE);
    numbers.flat_map(|field| with_cells(heap, station, field, &fields)).collect()
}

fn is_number(field: &Field) -> bool {
    matches!(field.descriptor.as_str(), "I" | "J")
}

fn with_cells(heap: &Heap, station: &Station, field: &Field, all: &[&Field]) -> Vec<Candidate> {
    let Some(own) = number(heap, field) else { return Vec::new() };
    let name = format!("{}.{}", heap.classes().get(field.declaring).name, field.name);
    let mut found = Vec::new();
    // The sum of the cells goes first: while there are none, it is the field alone.
    for array in
        all.iter().filter(|array| field.descriptor == "J" && !array.is_static && array.declaring == field.declaring)
    {
        let cells = via(heap, station, array).filter(|_| may_hold_cells(heap, array));
        if let Some(array_via) = cells {
            let cells = Some(CounterCells { array: array_via });
            let spec = CounterSpec { way: station.way.clone(), number: own.clone(), cells, summed_at: None };
            found.push(Candidate { spec, name: format!("{name} + the cells of .{}", array.name) });
        }
    }
    let spec = CounterSpec { way: station.way.clone(), number: own, cells: None, summed_at: None };
    found.push(Candidate { spec, name });
    found
}

fn number(heap: &Heap, field: &Field) -> Option<NumberField> {
    let (name, descriptor) = (field.name.clone(), field.descriptor.clone());
    Some(NumberField {
        declaring: mirror_id(heap, field.declaring).ok()?,
        name,
        descriptor,
        is_static: field.is_static,
    })
}

/// Whether an array may hold cells. A cell is an object of a single `long` and nothing else. A class that the JVM has
/// not prepared yet may be one of cells: the first is made when two threads meet at the counter.
fn may_hold_cells(heap: &Heap, array: &Field) -> bool {
    let element = array.descriptor.strip_prefix("[L").and_then(|rest| rest.strip_suffix(';'));
    let Some(element) = element.map(|element| element.replace('/', ".")) else { return false };
    let loader = heap.classes().get(array.declaring).loader;
    let known = heap.classes().iter().find(|(_, class)| class.name == element && class.loader == loader);
    let Some((_, class)) = known else { return true };
    let own: Vec<&Field> = class.fields().iter().filter(|field| !field.is_static).collect();
    class.fields().is_empty() || matches!(own[..], [only] if only.descriptor == "J")
}
