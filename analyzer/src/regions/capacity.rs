//! Capacity of a region whose members have places of a fixed number. They stand in arrays that are never replaced, a ring
//! in a final field or one in each of many objects; or one of them hangs by a field of each of many objects. Such a
//! structure fills up, and then grows no more, for none of the objects with these arrays or fields is new. The nodes of
//! a B-tree have such arrays, too; but nodes come, and so more arrays.

use super::Region;
use crate::graph::{ObjectGraph, reference_bytes};
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use crate::relations::chain::above;

/// Change-proxies whose arrays are examined.
const EXAMINED: usize = 64;
/// Part of them that must stand in arrays of one kind. Some may be held by others, too, for a while: a line whose order
/// is still in a queue.
const MOSTLY: f64 = 0.75;
/// Fewer new objects than this are a rounding error, as are regions of fewer change-proxies.
const LEAST: f64 = 0.5;
/// Standard deviations by which a sum of estimates may differ from none.
const DEVIATIONS: f64 = 2.0;
/// Objects below an owner that may be examined for arrays of the kind.
const MOST_BELOW: usize = 4_000_000;
/// Bytes in front of the elements of an array, at least.
const HEADER: u64 = 16;

/// A field that holds members, or a final one that holds arrays of them: of all objects of a class, or of one class
/// itself.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    holder: Holder,
    label: Label,
    is_array: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Each(ClassIdx),
    One(ObjectIdx),
}

/// Places of all these fields and arrays in the capture; up to one too many for each array. `None` where most members have
/// no such place, each its own, or where some of the objects with these are new.
pub fn capacity(graph: &ObjectGraph<'_>, region: &Region) -> Option<u64> {
    if may_be_chained(graph.heap, region.change_class) {
        return None;
    }
    let every = region.changes.len().div_ceil(EXAMINED).max(1);
    let kinds: Vec<_> = region.changes.iter().step_by(every).map(|&change| kind(graph, change)).collect();
    let count = |kind: Kind| kinds.iter().filter(|&&other| other == Some(kind)).count();
    let kind = kinds.iter().flatten().copied().max_by_key(|&kind| count(kind))?;
    (count(kind) as f64 >= MOSTLY * kinds.len() as f64).then(|| slots_of(graph, region.owner, kind)).flatten()
}

/// The kind of place that a change-proxy has.
fn kind(graph: &ObjectGraph<'_>, change: ObjectIdx) -> Option<Kind> {
    let heap = graph.heap;
    let mut dominators = above(&graph.dominators, change);
    let first = dominators.next()?;
    let is_array = heap.is_object_array(first);
    let (holder, held_object) = if is_array { (dominators.next()?, first) } else { (first, change) };
    let (_, label) = heap.references().labelled(holder).find(|&(referee, _)| referee == held_object)?;
    let (class, held) = match heap.class_of_mirror(holder) {
        Some(class) => (class, Holder::One(holder)),
        None => (heap.class_of(holder), Holder::Each(heap.class_of(holder))),
    };
    // An array may be replaced by a longer one, alone or with its wrapper, and an object only by another one.
    let is_replaced = is_array && graph.ages.is_transient(heap, holder);
    let is_fixed = !is_replaced && heap.classes().field(class, label).is_some_and(|field| field.is_final || !is_array);
    is_fixed.then_some(Kind { holder: held, label, is_array })
}

fn slots_of(graph: &ObjectGraph<'_>, owner: ObjectIdx, kind: Kind) -> Option<u64> {
    let heap = graph.heap;
    let width = reference_bytes(heap);
    let slots = |holder: ObjectIdx| -> u64 {
        if !kind.is_array {
            return 1;
        }
        let arrays = heap.references().labelled(holder).filter(|&(_, label)| label == kind.label);
        arrays.map(|(array, _)| heap.shallow_bytes(array).saturating_sub(HEADER) / width).sum()
    };
    match kind.holder {
        Holder::One(holder) => Some(slots(holder)),
        Holder::Each(class) => {
            let below = graph.dominators.subtree(owner);
            let holders = below.iter().copied().filter(|&object| heap.class_of(object) == class);
            let is_fixed = below.len() <= MOST_BELOW && are_old(graph, holders.clone());
            is_fixed.then(|| holders.map(slots).sum())
        }
    }
}

/// Whether no object is new, as far as that is known: where ages are estimates, each may be new with a small
/// probability.
fn are_old(graph: &ObjectGraph<'_>, objects: impl Iterator<Item = ObjectIdx>) -> bool {
    let (mut new, mut variance) = (0.0, 0.0);
    for object in objects {
        new += graph.ages.newness(object);
        variance += graph.ages.variance(object);
    }
    new <= LEAST + DEVIATIONS * variance.sqrt()
}

/// Whether an object of the class may refer to others of its kind: a slot then holds the first of a chain.
fn may_be_chained(heap: &Heap, class: ClassIdx) -> bool {
    let classes = heap.classes();
    let descriptor = |class: ClassIdx| format!("L{};", classes.get(class).name.replace('.', "/"));
    let lineage = std::iter::successors(Some(class), |&class| classes.get(class).superclass);
    // The last one is `java.lang.Object`, and a field of that type is no sign of a chain.
    let below_top = lineage.filter(|&each| each == class || classes.get(each).superclass.is_some());
    let own: Vec<String> = below_top.map(descriptor).collect();
    let fields = classes.get(class).fields().iter().filter(|field| !field.is_static);
    fields.map(|field| field.descriptor.trim_start_matches('[')).any(|of| own.iter().any(|own| own == of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::dsl::HeapSketch;
    use crate::relations::Standing;

    /// Ten customers with a history of 32 slots each, and some new lines in it.
    #[derive(Clone, Copy)]
    struct Customers {
        are_histories_final: bool,
        are_lines_chained: bool,
        /// Number of them that are new.
        new: usize,
        /// Number of new lines of each that are in a queue, too.
        queued: usize,
    }

    const LASTING: Customers = Customers { are_histories_final: true, are_lines_chained: false, new: 0, queued: 0 };

    /// The capacity of all new lines together.
    fn capacity_for(customers: Customers) -> Option<u64> {
        let mut heap = HeapSketch::new();
        let (map, table, queue) = (heap.old("Map"), heap.old("Customer[]"), heap.old("Line[]"));
        heap.static_field("Shop", "customers", map);
        heap.static_field("Shop", "queue", queue);
        heap.refer(map, "table", table);
        let mut lines = Vec::new();
        for number in 0..10 {
            let customer = if number < customers.new { heap.fresh("Customer") } else { heap.old("Customer") };
            heap.element(table, customer);
            let history = heap.object("Line[]", 16 + 4 * 32, crate::heap::dsl::OLD);
            heap.refer(customer, "history", history);
            for number in 0..16 {
                let line = heap.fresh("Line");
                heap.element(history, line);
                if number < customers.queued {
                    heap.element(queue, line);
                }
                lines.push(line);
            }
        }
        if customers.are_histories_final {
            heap.make_final("Customer", "history");
        }
        if customers.are_lines_chained {
            heap.declare("Line", "next", "LLine;");
        }
        let heap = heap.build();
        let graph = ObjectGraph::new(&heap);
        capacity(&graph, &region(&heap, map, lines))
    }

    fn region(heap: &Heap, owner: ObjectIdx, changes: Vec<ObjectIdx>) -> Region {
        Region {
            leak_root: owner,
            leak_root_rank: 0.0,
            owner,
            change_class: heap.class_of(changes[0]),
            proxy_size: changes.len() as u64,
            dump_size: changes.len() as u64,
            dump_bytes: 0,
            changes,
            measured: Vec::new(),
            members: Vec::new(),
            standing: Standing::Alone,
            rank: 0.0,
        }
    }

    /// The capacity for new objects, one in a field of every third of a hundred people, of whom `new` are new.
    fn capacity_of_a_field(new: usize, are_chained: bool) -> Option<u64> {
        let mut heap = HeapSketch::new();
        let all = heap.old("Person[]");
        heap.static_field("Hub", "people", all);
        let mut changes = Vec::new();
        for number in 0..100 {
            let person = if number < new { heap.fresh("Person") } else { heap.old("Person") };
            heap.element(all, person);
            if number % 3 == 0 {
                let status = heap.fresh("Status");
                heap.refer(person, "status", status);
                changes.push(status);
            }
        }
        if are_chained {
            heap.declare("Status", "before", "LStatus;");
        }
        let heap = heap.build();
        capacity(&ObjectGraph::new(&heap), &region(&heap, all, changes))
    }

    #[test]
    fn objects_that_are_not_new_have_room_for_one_each_in_a_field() {
        assert_eq!(capacity_of_a_field(0, false), Some(100));
        assert_eq!(capacity_of_a_field(40, false), None, "people come");
        assert_eq!(capacity_of_a_field(0, true), None, "each holds the first of many");
    }

    #[test]
    fn arrays_in_final_fields_bound_their_members_together() {
        assert_eq!(capacity_for(LASTING), Some(320));
    }

    #[test]
    fn a_few_members_that_are_in_a_queue_for_a_while_change_nothing() {
        assert_eq!(capacity_for(Customers { queued: 2, ..LASTING }), Some(320));
        assert_eq!(capacity_for(Customers { queued: 12, ..LASTING }), None);
    }

    #[test]
    fn arrays_that_may_be_replaced_or_hold_chains_or_become_more_are_no_bound() {
        assert_eq!(capacity_for(Customers { are_histories_final: false, ..LASTING }), None);
        assert_eq!(capacity_for(Customers { are_lines_chained: true, ..LASTING }), None);
        assert_eq!(capacity_for(Customers { new: 2, ..LASTING }), None);
    }
}
