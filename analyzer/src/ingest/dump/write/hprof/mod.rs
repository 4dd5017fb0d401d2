//! HPROF 1.0.2 without values: every object, reference, root and name of a heap, and zeros as values.
//!
//! Sizes of instances are their shallow sizes (HotSpot writes the bytes of the fields), and arrays get as many elements
//! as make up their size. If a class has no mirror in the heap, an artificial one is written.

mod classes;
mod records;
mod shapes;
mod stacks;

use super::ids::Ids;
use super::names::{array, letter};
use crate::heap::{Heap, Label, ObjectIdx};
use classes::Classes;
use records::Records;
use shapes::{Shape, is_instance, shapes, width};
use stacks::Stacks;
use std::io::{self, Write};

const INSTANCE: u8 = 0x21;
const OBJECT_ARRAY: u8 = 0x22;
const PRIMITIVE_ARRAY: u8 = 0x23;
/// Offset of the elements of arrays, and below it the bytes of a reference there, as in nearly all heaps.
const ARRAY_HEADER: u64 = 16;
const REFERENCE: u64 = 4;
/// Length in bytes from which arrays are written piece by piece.
const LONG_ARRAY: u64 = 1 << 20;

pub(super) fn write<W: Write>(heap: &Heap, out: &mut W) -> io::Result<()> {
    let ids = Ids::new(heap);
    let shapes = shapes(heap);
    let classes = Classes::new(heap, &ids);
    let mut records = Records::new(out)?;
    classes.load(heap, &mut records)?;
    let stacks = Stacks::new(heap);
    stacks.write(heap, &ids, &mut records, |name| classes.serial(name))?;
    classes.name_fields(heap, &shapes, &mut records)?;
    classes.dump(heap, &ids, &shapes, &mut records)?;
    let writing = Writing { heap, ids: &ids, shapes: &shapes, classes: &classes };
    for object in heap.objects().filter(|&object| heap.class_of_mirror(object).is_none()) {
        writing.object(object, &mut records)?;
    }
    for root in heap.roots() {
        stacks.root(heap, &ids, root, &mut records)?;
    }
    records.finish()
}

struct Writing<'a> {
    heap: &'a Heap,
    ids: &'a Ids,
    shapes: &'a [Shape],
    classes: &'a Classes,
}

impl Writing<'_> {
    fn object<W: Write>(&self, object: ObjectIdx, records: &mut Records<'_, W>) -> io::Result<()> {
        if is_instance(self.heap, object) {
            return self.instance(object, records);
        }
        let name = &self.heap.classes().get(self.heap.class_of(object)).name;
        match array(name).and_then(letter) {
            Some(letter) => self.primitive_array(object, letter, records),
            None => self.object_array(object, records),
        }
    }

    fn references(&self, object: ObjectIdx) -> impl Iterator<Item = (ObjectIdx, Label)> + '_ {
        self.heap.references().labelled(object).filter(|reference| reference.1 != Label::CLASS)
    }

    fn instance<W: Write>(&self, object: ObjectIdx, records: &mut Records<'_, W>) -> io::Result<()> {
        let class = self.heap.class_of(object);
        let shape = &self.shapes[class.at()];
        let mut body = vec![0; shape.body_bytes as usize];
        let mut nameless = 0;
        for (referee, label) in self.references(object) {
            let place = shape.offset(label, &mut nameless).map(|at| at as usize);
            if let Some(place) = place.and_then(|at| body.get_mut(at..at + 8)) {
                place.copy_from_slice(&self.ids.get(referee).to_be_bytes());
            }
        }
        let (id, class) = (self.ids.get(object).to_be_bytes(), self.classes.id(class).to_be_bytes());
        let bytes = shape.body_bytes.to_be_bytes();
        records.sub_record(&[&[INSTANCE], &id, &[0; 4], &class, &bytes, &body])
    }

    fn object_array<W: Write>(&self, object: ObjectIdx, records: &mut Records<'_, W>) -> io::Result<()> {
        // References that are no elements follow the last element.
        let (mut slots, mut free) = (Vec::new(), 0);
        for (referee, label) in self.references(object) {
            let at = label.element_index().unwrap_or(free);
            free = free.max(at.saturating_add(1));
            slots.push((at, self.ids.get(referee)));
        }
        let room = self.heap.shallow_bytes(object).saturating_sub(ARRAY_HEADER) / REFERENCE;
        let length = (room as u32).max(free);
        let class = self.classes.id(self.heap.class_of(object));
        let head = self.array_head(OBJECT_ARRAY, object, length, &class.to_be_bytes());
        records.array(&head, u64::from(length) * 8, |out| {
            let mut next = 0;
            for (at, id) in slots {
                zeros(u64::from(at.saturating_sub(next)) * 8, out)?;
                if at >= next {
                    out.write_all(&id.to_be_bytes())?;
                    next = at.saturating_add(1);
                }
            }
            zeros(u64::from(length - next) * 8, out)
        })
    }

    fn primitive_array<W: Write>(
        &self,
        object: ObjectIdx,
        letter: char,
        records: &mut Records<'_, W>,
    ) -> io::Result<()> {
        let kind = "ZCFDBSIJ".find(letter).map_or(8, |at| at as u8 + 4);
        let width = u64::from(width(kind));
        let length = self.heap.shallow_bytes(object).saturating_sub(ARRAY_HEADER) / width;
        let head = self.array_head(PRIMITIVE_ARRAY, object, length as u32, &[kind]);
        records.array(&head, length * width, |out| zeros(length * width, out))
    }

    fn array_head(&self, tag: u8, object: ObjectIdx, length: u32, tail: &[u8]) -> Vec<u8> {
        let (id, length) = (self.ids.get(object).to_be_bytes(), length.to_be_bytes());
        [&[tag][..], &id, &[0; 4], &length, tail].concat()
    }
}

/// Writes `count` zeros.
fn zeros(count: u64, out: &mut dyn Write) -> io::Result<()> {
    const PIECE: [u8; 4096] = [0; 4096];
    let mut left = count;
    while left > 0 {
        let now = left.min(PIECE.len() as u64);
        out.write_all(&PIECE[..now as usize])?;
        left -= now;
    }
    Ok(())
}

impl<W: Write> Records<'_, W> {
    /// An array: the data before its elements, and the elements.
    fn array(
        &mut self,
        head: &[u8],
        bytes: u64,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        if bytes >= LONG_ARRAY {
            return self.long_sub_record(head, bytes, |out| fill(out));
        }
        let mut record = head.to_vec();
        fill(&mut record)?;
        self.sub_record(&[&record])
    }
}
