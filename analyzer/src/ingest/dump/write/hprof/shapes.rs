//! Layout of instances in the file: the fields that each class declares, and the offset of each reference. A reference
//! whose field the heap does not name gets a field of its own. If fields do not fill an instance, they are padded, so
//! that tools which add up fields come close to the true size.

use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use std::collections::HashMap;

/// Code of reference types, and of numbers of eight bytes.
pub(super) const OBJECT: u8 = 2;
pub(super) const LONG: u8 = 11;
/// Bytes of a header, and below it of a compressed reference, as in nearly all heaps.
const HEADER: u64 = 12;
const REFERENCE: u64 = 4;
/// Most fields that pad an instance.
const MOST_PADDING: u64 = 4096;

/// Layout of the instances of a class in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Fields that the class itself declares: name and type.
    pub(super) own: Vec<(String, u8)>,
    /// Offset of each field's reference in the body, by index.
    offsets: Vec<Option<u32>>,
    /// Offsets of references without a known field.
    nameless: Vec<u32>,
    /// Length of a body.
    pub(super) body_bytes: u32,
    /// Shallow size.
    pub(super) bytes: u32,
}

impl Shape {
    /// The offset of the reference with that label; `nth` counts those without a known field.
    pub(super) fn offset(&self, label: Label, nth: &mut usize) -> Option<u32> {
        let named = label.is_instance_field().then(|| label.field_index()).flatten();
        let offset = named.and_then(|index| self.offsets.get(index as usize).copied().flatten());
        offset.or_else(|| {
            *nth += 1;
            self.nameless.get(*nth - 1).copied()
        })
    }
}

/// The shapes of all classes.
pub(super) fn shapes(heap: &Heap) -> Vec<Shape> {
    let seen = Seen::new(heap);
    let mut shapes = vec![Shape::default(); heap.classes().len()];
    let mut order: Vec<ClassIdx> = heap.classes().iter().map(|(class, _)| class).collect();
    order.sort_by_cached_key(|&class| heap.classes().ancestors(class).count());
    for class in order {
        shapes[class.at()] = shape(heap, class, &seen, &shapes);
    }
    shapes
}

/// Common properties of the instances of each class.
struct Seen {
    bytes: Vec<u64>,
    /// Greatest number of references without a known field in one instance.
    nameless: Vec<u32>,
}

impl Seen {
    fn new(heap: &Heap) -> Self {
        let mut seen = Self { bytes: vec![0; heap.classes().len()], nameless: vec![0; heap.classes().len()] };
        for object in heap.objects().filter(|&object| is_instance(heap, object)) {
            let class = heap.class_of(object);
            seen.bytes[class.at()] = seen.bytes[class.at()].max(heap.shallow_bytes(object));
            let labels = heap.references().labelled(object).map(|reference| reference.1);
            let nameless = labels.filter(|&label| label != Label::CLASS && !is_named(heap, class, label)).count();
            seen.nameless[class.at()] = seen.nameless[class.at()].max(nameless as u32);
        }
        seen
    }
}

fn is_named(heap: &Heap, class: ClassIdx, label: Label) -> bool {
    label.is_instance_field() && heap.classes().field(class, label).is_some_and(|field| !field.is_static)
}

/// Whether the object is written as an instance.
pub(super) fn is_instance(heap: &Heap, object: ObjectIdx) -> bool {
    heap.class_of_mirror(object).is_none() && !heap.is_array(object)
}

fn shape(heap: &Heap, class: ClassIdx, seen: &Seen, shapes: &[Shape]) -> Shape {
    let mut own = declared(heap, class);
    let above: Vec<ClassIdx> = heap.classes().ancestors(class).skip(1).filter(|&above| above != class).collect();
    let fields = heap.classes().get(class).fields();
    let inherits = |name: &str, declaring: ClassIdx| {
        above.contains(&declaring) && shapes[declaring.at()].own.iter().any(|field| field.0 == name)
    };
    for field in fields.iter().filter(|field| !field.is_static && !inherits(&field.name, field.declaring)) {
        if !own.iter().any(|known| known.0 == field.name) {
            own.push((field.name.clone(), kind(&field.descriptor)));
        }
    }
    let first_nameless = own.len();
    own.extend((0..seen.nameless[class.at()]).map(|at| (format!("(reference {at})"), OBJECT)));
    let inherited: u64 = above.iter().flat_map(|above| &shapes[above.at()].own).map(|field| real_width(field.1)).sum();
    let known: u64 = own.iter().map(|field| real_width(field.1)).sum();
    let unknown = seen.bytes[class.at()].saturating_sub(HEADER + inherited + known) / 8;
    own.extend((0..unknown.min(MOST_PADDING)).map(|at| (format!("(padding {at})"), LONG)));
    let (places, body_bytes) = places(class, &own, &above, shapes);
    let place = |name: &str, declaring: ClassIdx| {
        places.get(&(declaring, name)).or_else(|| places.get(&(class, name))).copied()
    };
    let offsets = fields.iter().map(|field| place(&field.name, field.declaring).filter(|_| !field.is_static)).collect();
    let names = (0..seen.nameless[class.at()] as usize).map(|at| own[first_nameless + at].0.as_str());
    let nameless = names.filter_map(|name| place(name, class)).collect();
    let bytes = seen.bytes[class.at()].max(16) as u32;
    Shape { offsets, nameless, body_bytes, bytes, own: own.clone() }
}

/// Fields that a class declares itself.
fn declared(heap: &Heap, class: ClassIdx) -> Vec<(String, u8)> {
    let fields = heap.classes().get(class).fields().iter();
    let own = fields.filter(|field| field.declaring == class && !field.is_static);
    own.map(|field| (field.name.clone(), kind(&field.descriptor))).collect()
}

/// The offset of each field in the body, by class and name, and the length of the body: a class's own fields first.
fn places<'a>(
    class: ClassIdx,
    own: &'a [(String, u8)],
    above: &[ClassIdx],
    shapes: &'a [Shape],
) -> (HashMap<(ClassIdx, &'a str), u32>, u32) {
    let all = own.iter().map(|field| (class, field));
    let above = above.iter().flat_map(|&above| shapes[above.at()].own.iter().map(move |field| (above, field)));
    let (mut places, mut at) = (HashMap::new(), 0);
    for (class, (name, kind)) in all.chain(above) {
        places.entry((class, name.as_str())).or_insert(at);
        at += width(*kind);
    }
    (places, at)
}

/// The code of a descriptor's type.
fn kind(descriptor: &str) -> u8 {
    match descriptor {
        "Z" => 4,
        "C" => 5,
        "F" => 6,
        "D" => 7,
        "B" => 8,
        "S" => 9,
        "I" => 10,
        "J" => LONG,
        _ => OBJECT,
    }
}

/// Bytes of a value in the file.
pub(super) fn width(kind: u8) -> u32 {
    match kind {
        4 | 8 => 1,
        5 | 9 => 2,
        6 | 10 => 4,
        _ => 8,
    }
}

/// Bytes of a field in the JVM.
fn real_width(kind: u8) -> u64 {
    if kind == OBJECT { REFERENCE } else { u64::from(width(kind)) }
}
