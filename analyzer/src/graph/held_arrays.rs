//! The largest arrays that a single object keeps by a field and whose growth brings no new object: arrays of primitive
//! values (the contents of string builders, bit sets, lists and maps of primitives), and arrays that hold the same few
//! objects again and again (a listener that is registered with each request). Also the objects that lead to each array
//! by fields alone, outward from it.

use super::DominatorTree;
use crate::heap::{Class, ClassIdx, Heap, Label, ObjectIdx};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

/// Least bytes of an array of values that is considered.
const LEAST_BYTES: u64 = 1024;
/// Fewest references in an array that holds the same objects again; most arrays of this kind in the result; and parts
/// of an array that are compared first.
const FEWEST_REFERENCES: usize = 16;
const MOST_REPEATING: usize = 16;
const COMPARED_FIRST: usize = 8;
/// Most arrays that are examined, the largest first.
const MOST_LOOKED_AT: usize = 65_536;
/// Most arrays in the result, and most arrays with holders of the same kind. A collection may have many large members,
/// and the growing structure is the collection.
const MOST: usize = 64;
const MOST_ALIKE: usize = 4;
/// Most objects on the path.
const LONGEST: usize = 3;
/// Bytes before the first slot (HotSpot; 20 or 24 without compressed class pointers). `ROUNDED` is the greatest error
/// of a length from this and from rounding.
const HEADER: u64 = 16;
const ROUNDED: u64 = 16;

/// An array and its holders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldArray {
    /// The array.
    pub array: ObjectIdx,
    /// Its holder, the holder of that, and so on, each with the field by which it refers to the one before.
    pub holders: Vec<(ObjectIdx, Label)>,
    /// Bytes of one of its slots.
    element_bytes: u64,
}

impl HeldArray {
    /// The arrays of values of a heap that fields lead to, by descending size.
    pub fn of_values(heap: &Heap, dominators: &DominatorTree) -> Vec<Self> {
        arrays(heap, dominators).into_iter().filter_map(|array| Self::of(heap, dominators, array)).collect()
    }

    /// The largest of the arrays of values, few of each kind, and then those that hold the same objects again.
    pub fn largest(heap: &Heap, dominators: &DominatorTree, of_values: &[Self]) -> Vec<Self> {
        let repeating = repeating(heap, dominators).into_iter();
        let repeating = repeating.filter_map(|array| Self::of(heap, dominators, array));
        let mut largest = Self::first_of(heap, dominators, of_values.iter().cloned(), MOST);
        largest.extend(Self::first_of(heap, dominators, repeating, MOST_REPEATING));
        largest
    }

    /// The first `most` of some arrays, few of each kind.
    fn first_of(heap: &Heap, dominators: &DominatorTree, held: impl Iterator<Item = Self>, most: usize) -> Vec<Self> {
        let mut kinds: HashMap<Vec<(ClassIdx, Label)>, usize> = HashMap::new();
        let mut beside: HashSet<ObjectIdx> = HashSet::new();
        let is_one_of_few = |held: &Self| {
            // The largest of several arrays that are filled together represents all.
            if beside.contains(&held.array) {
                return false;
            }
            beside.extend(held.beside(heap, dominators));
            let count = kinds.entry(held.kind(heap)).or_default();
            *count += 1;
            *count <= MOST_ALIKE
        };
        held.filter(is_one_of_few).take(most).collect()
    }

    /// Some arrays by the classes and fields of their holders, in their order.
    pub fn by_kind(heap: &Heap, all: Vec<Self>) -> Vec<Vec<Self>> {
        let mut kinds: HashMap<Vec<(ClassIdx, Label)>, Vec<Self>> = HashMap::new();
        all.into_iter().for_each(|held| kinds.entry(held.kind(heap)).or_default().push(held));
        kinds.into_values().collect()
    }

    /// Its length, derived from its bytes: up to a few too many, for they are rounded up.
    pub fn slots(&self, heap: &Heap) -> u64 {
        slots(heap, self.array, self.element_bytes)
    }

    /// Whether its slots hold references.
    pub fn is_of_references(&self, heap: &Heap) -> bool {
        heap.is_object_array(self.array)
    }

    /// Bytes for each slot; for an array of values next to one of keys of equal length, the bytes of both.
    pub fn bytes_a_slot(&self, heap: &Heap, dominators: &DominatorTree) -> u64 {
        let beside = self.beside(heap, dominators);
        self.element_bytes + beside.into_iter().map(|array| value_bytes(heap, array)).sum::<u64>()
    }

    /// The other arrays of values of the same length that its holder keeps by fields. Static fields of one class are
    /// unrelated to one another.
    fn beside(&self, heap: &Heap, dominators: &DominatorTree) -> Vec<ObjectIdx> {
        let &(holder, label) = &self.holders[0];
        if label.is_static_field() || self.is_of_references(heap) {
            return Vec::new();
        }
        let length = self.slots(heap);
        let mut beside: Vec<ObjectIdx> = heap.references().of(holder).to_vec();
        beside.sort_unstable();
        beside.dedup();
        let is_as_long = |&object: &ObjectIdx| {
            object != self.array
                && value_bytes(heap, object) > 0
                && dominators.immediate_dominator(object) == Some(holder)
                && slots(heap, object, value_bytes(heap, object)).abs_diff(length) <= ROUNDED
        };
        beside.retain(is_as_long);
        beside
    }

    /// Whether the holders of both are of the same classes and fields.
    pub fn is_like(&self, other: &Self, heap: &Heap) -> bool {
        self.kind(heap) == other.kind(heap)
    }

    fn of(heap: &Heap, dominators: &DominatorTree, array: ObjectIdx) -> Option<Self> {
        let mut holders: Vec<(ObjectIdx, Label)> = Vec::new();
        let mut at = array;
        while let Some(holder) = holder(heap, dominators, at).filter(|_| holders.len() < LONGEST) {
            // A chain has many nodes, each with its own array.
            if holders.iter().any(|&(known, _)| heap.class_shown_by(known) == heap.class_shown_by(holder.0)) {
                break;
            }
            holders.push(holder);
            at = holder.0;
        }
        let element_bytes = if heap.is_object_array(array) { reference_bytes(heap) } else { value_bytes(heap, array) };
        (!holders.is_empty()).then_some(Self { array, holders, element_bytes })
    }

    fn kind(&self, heap: &Heap) -> Vec<(ClassIdx, Label)> {
        self.holders.iter().map(|&(holder, label)| (heap.class_shown_by(holder), label)).collect()
    }
}

/// Bytes of one element of an array of primitive values; 0 for all other objects.
fn value_bytes(heap: &Heap, array: ObjectIdx) -> u64 {
    match heap.classes().get(heap.class_of(array)).name.as_str() {
        "boolean[]" | "byte[]" => 1,
        "char[]" | "short[]" => 2,
        "int[]" | "float[]" => 4,
        "long[]" | "double[]" => 8,
        _ => 0,
    }
}

fn slots(heap: &Heap, array: ObjectIdx, element_bytes: u64) -> u64 {
    heap.shallow_bytes(array).saturating_sub(HEADER) / element_bytes.max(1)
}

/// Bytes of a reference in arrays: 4 where some array could not hold its elements otherwise.
pub fn reference_bytes(heap: &Heap) -> u64 {
    let is_too_short =
        |array: ObjectIdx| heap.shallow_bytes(array) < HEADER + 8 * heap.references().of(array).len() as u64;
    if heap.objects().any(|object| heap.is_object_array(object) && is_too_short(object)) { 4 } else { 8 }
}

/// Reachable arrays of references of which at least half repeat others, the largest first.
fn repeating(heap: &Heap, dominators: &DominatorTree) -> Vec<ObjectIdx> {
    let repeats =
        |&object: &ObjectIdx| heap.is_object_array(object) && dominators.is_reachable(object) && repeats(heap, object);
    largest_first(heap, heap.objects().filter(repeats).collect())
}

fn repeats(heap: &Heap, array: ObjectIdx) -> bool {
    let references = heap.references().of(array);
    if references.len() < FEWEST_REFERENCES {
        return false;
    }
    let distinct = |every: usize| {
        let mut some: Vec<ObjectIdx> = references.iter().copied().step_by(every).collect();
        let all = some.len();
        some.sort_unstable();
        some.dedup();
        (some.len(), all)
    };
    let (few, of_few) = distinct(references.len() / COMPARED_FIRST);
    // Most arrays end here: some millions of them are hash tables.
    few < of_few && {
        let (all, of_all) = distinct(1);
        2 * all <= of_all
    }
}

/// Reachable arrays of primitive values, the largest first.
fn arrays(heap: &Heap, dominators: &DominatorTree) -> Vec<ObjectIdx> {
    let is_of_values = |(_, class): (ClassIdx, &Class)| class.is_array() && !class.is_object_array();
    let of_values: Vec<bool> = heap.classes().iter().map(is_of_values).collect();
    let is_large = |&object: &ObjectIdx| {
        of_values[heap.class_of(object).at()]
            && heap.shallow_bytes(object) >= LEAST_BYTES
            && dominators.is_reachable(object)
    };
    largest_first(heap, heap.objects().filter(is_large).collect())
}

fn largest_first(heap: &Heap, mut arrays: Vec<ObjectIdx>) -> Vec<ObjectIdx> {
    let by_size = |&object: &ObjectIdx| (Reverse(heap.shallow_bytes(object)), object);
    if arrays.len() > MOST_LOOKED_AT {
        arrays.select_nth_unstable_by_key(MOST_LOOKED_AT, by_size);
        arrays.truncate(MOST_LOOKED_AT);
    }
    arrays.sort_unstable_by_key(by_size);
    arrays
}

/// The single object that keeps an object by a field of its own, if there is one.
fn holder(heap: &Heap, dominators: &DominatorTree, object: ObjectIdx) -> Option<(ObjectIdx, Label)> {
    let holder = dominators.immediate_dominator(object).filter(|&holder| !heap.is_array(holder))?;
    if heap.class_of_mirror(object).is_some() {
        return None;
    }
    let is_static = heap.class_of_mirror(holder).is_some();
    let fits = |label: Label| if is_static { label.is_static_field() } else { label.is_instance_field() };
    let mut fields = heap.references().labelled(holder);
    let (_, label) = fields.find(|&(referee, label)| referee == object && fits(label))?;
    Some((holder, label))
}

#[cfg(test)]
mod tests {
    use super::super::Owned;
    use super::*;
    use crate::heap::dsl::{HeapSketch, OLD};

    fn all_largest(heap: &Heap, dominators: &DominatorTree) -> Vec<HeldArray> {
        HeldArray::largest(heap, dominators, &HeldArray::of_values(heap, dominators))
    }

    fn largest(sketch: HeapSketch) -> Vec<(ObjectIdx, Vec<ObjectIdx>)> {
        let heap = sketch.build();
        let held = all_largest(&heap, &Owned::new(&heap).dominators);
        held.into_iter().map(|held| (held.array, held.holders.iter().map(|holder| holder.0).collect())).collect()
    }

    #[test]
    fn arrays_that_fields_lead_to_are_given_by_size_with_all_that_leads_there() {
        let mut sketch = HeapSketch::new();
        let (builder, text) = (sketch.old("Builder"), sketch.object("byte[]", 4_096, OLD));
        let (writer, small) = (sketch.old("Writer"), sketch.object("byte[]", 512, OLD));
        let bits = sketch.object("long[]", 8_192, OLD);
        sketch.refer(builder, "value", text);
        sketch.refer(writer, "builder", builder);
        sketch.refer(writer, "small", small);
        let main = sketch.static_field("Main", "writer", writer);
        sketch.static_field("Main", "bits", bits);
        assert_eq!(largest(sketch), [(bits, vec![main]), (text, vec![builder, writer, main])]);
    }

    #[test]
    fn what_goes_with_a_slot_are_the_arrays_as_long_beside_it() {
        let mut sketch = HeapSketch::new();
        let map = sketch.old("LongIntMap");
        for (field, class, bytes) in [("keys", "long[]", 16 + 8 * 512), ("values", "int[]", 16 + 4 * 512)] {
            let array = sketch.object(class, bytes, OLD);
            sketch.refer(map, field, array);
        }
        let other = sketch.object("byte[]", 16 + 1_024, OLD);
        sketch.refer(map, "other", other);
        sketch.static_field("Main", "map", map);
        let heap = sketch.build();
        let dominators = Owned::new(&heap).dominators;
        let held = all_largest(&heap, &dominators);
        let reported: Vec<(u64, u64)> =
            held.iter().map(|held| (held.slots(&heap), held.bytes_a_slot(&heap, &dominators))).collect();
        assert_eq!(reported, [(512, 12), (1_024, 1)], "keys and values as one, and the other");
    }

    #[test]
    fn an_array_with_the_same_object_again_and_again_is_held_and_one_of_many_objects_is_not() {
        let mut sketch = HeapSketch::new();
        let (bus, orders) = (sketch.old("Bus"), sketch.old("Orders"));
        let (listeners, listener) = (sketch.object("Listener[]", 16 + 4 * 40, OLD), sketch.old("Listener"));
        let table = sketch.object("Order[]", 16 + 4 * 40, OLD);
        for _ in 0..40 {
            sketch.element(listeners, listener);
            let order = sketch.old("Order");
            sketch.element(table, order);
        }
        for (field, holder, array) in [("bus", bus, listeners), ("orders", orders, table)] {
            sketch.refer(holder, "array", array);
            sketch.static_field("Main", field, holder);
        }
        let heap = sketch.build();
        let dominators = Owned::new(&heap).dominators;
        let [held] = &all_largest(&heap, &dominators)[..] else { panic!("one array") };
        let slots = (held.slots(&heap), held.bytes_a_slot(&heap, &dominators), held.is_of_references(&heap));
        assert_eq!((held.array, slots), (listeners, (40, 4, true)));
    }

    #[test]
    fn what_is_shared_or_lies_in_a_collection_is_not_held_by_fields() {
        let mut sketch = HeapSketch::new();
        let (shared, block) = (sketch.object("byte[]", 4_096, OLD), sketch.object("byte[]", 4_096, OLD));
        let (one, other, blocks) = (sketch.old("One"), sketch.old("Other"), sketch.old("Object[]"));
        sketch.refer(one, "shared", shared);
        sketch.refer(other, "shared", shared);
        sketch.element(blocks, block);
        for (field, object) in [("one", one), ("other", other), ("blocks", blocks)] {
            sketch.static_field("Main", field, object);
        }
        assert_eq!(largest(sketch), []);
    }

    #[test]
    fn of_many_that_are_held_alike_a_few_are_given() {
        let mut sketch = HeapSketch::new();
        let list = sketch.old("Object[]");
        for size in 1..=20 {
            let (session, buffer) = (sketch.old("Session"), sketch.object("byte[]", 4_096 + size, OLD));
            sketch.refer(session, "buffer", buffer);
            sketch.element(list, session);
        }
        sketch.static_field("Main", "sessions", list);
        assert_eq!(largest(sketch).len(), MOST_ALIKE);
    }
}
