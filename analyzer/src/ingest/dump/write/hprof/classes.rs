//! Classes for an HPROF file: their ids, names, fields and static references.

use super::super::ids::Ids;
use super::super::names::binary;
use super::records::Records;
use super::shapes::{LONG, OBJECT, Shape};
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx};
use std::collections::HashMap;
use std::io::{self, Write};

const LOAD_CLASS: u8 = 0x02;
const CLASS_DUMP: u8 = 0x20;
/// Signers, protection domain and two that are reserved.
const OTHERS: usize = 4;
/// Bytes of a static reference in a mirror.
const REFERENCE: u64 = 4;

/// Ids and serial numbers of classes.
pub(super) struct Classes {
    ids: Vec<u64>,
    serials: HashMap<String, u32>,
    /// Shallow size of a mirror without static fields.
    mirror_bytes: u64,
}

impl Classes {
    pub(super) fn new(heap: &Heap, ids: &Ids) -> Self {
        let classes = heap.classes();
        let made_up = |at: usize| ids.free + 8 * at as u64;
        let id =
            |(at, mirror): (usize, Option<ObjectIdx>)| mirror.map_or_else(|| made_up(at), |mirror| ids.get(mirror));
        let by_class = classes.iter().map(|(_, class)| class.mirror).enumerate().map(id).collect();
        let mut serials = HashMap::new();
        for (at, class) in classes.iter() {
            serials.entry(class.name.clone()).or_insert(at.0 + 1);
        }
        let mirrors = || classes.iter().filter_map(|(_, class)| class.mirror);
        let without_statics = |mirror| {
            heap.shallow_bytes(mirror).saturating_sub(8 * (static_count(heap, mirror) * REFERENCE).div_ceil(8))
        };
        let mirror_bytes = mirrors().map(without_statics).min().unwrap_or(0) / 8 * 8;
        Self { ids: by_class, serials, mirror_bytes }
    }

    pub(super) fn id(&self, class: ClassIdx) -> u64 {
        self.ids[class.at()]
    }

    /// The number under which a class of that name is loaded.
    pub(super) fn serial(&self, name: &str) -> Option<u32> {
        self.serials.get(name).copied()
    }

    /// Classes that are written: those with a mirror, and those that objects need.
    fn written<'a>(&'a self, heap: &'a Heap) -> impl Iterator<Item = ClassIdx> + 'a {
        let mut is_used = vec![false; heap.classes().len()];
        for object in heap.objects() {
            is_used[heap.class_of(object).at()] = true;
        }
        let written = move |&class: &ClassIdx| heap.classes().get(class).mirror.is_some() || is_used[class.at()];
        heap.classes().iter().map(|(class, _)| class).filter(written)
    }

    /// Writes the names of classes.
    pub(super) fn load<W: Write>(&self, heap: &Heap, records: &mut Records<'_, W>) -> io::Result<()> {
        for class in self.written(heap).collect::<Vec<_>>() {
            let name = records.string(&binary(&heap.classes().get(class).name, '/'))?;
            let (serial, id) = ((class.0 + 1).to_be_bytes(), self.id(class).to_be_bytes());
            records.record(LOAD_CLASS, &[&serial, &id, &[0; 4], &name.to_be_bytes()])?;
        }
        Ok(())
    }

    /// Writes the names of fields, which must stand before the heap.
    pub(super) fn name_fields<W: Write>(
        &self,
        heap: &Heap,
        shapes: &[Shape],
        records: &mut Records<'_, W>,
    ) -> io::Result<()> {
        for class in self.written(heap).collect::<Vec<_>>() {
            let fields = heap.classes().get(class).fields().iter().filter(|field| field.is_static);
            let own = shapes[class.at()].own.iter().map(|field| field.0.as_str());
            let names = fields.map(|field| field.name.as_str()).chain(own);
            names.chain([OTHER, PADDING]).try_for_each(|name| records.string(name).map(drop))?;
        }
        Ok(())
    }

    /// Writes all classes.
    pub(super) fn dump<W: Write>(
        &self,
        heap: &Heap,
        ids: &Ids,
        shapes: &[Shape],
        records: &mut Records<'_, W>,
    ) -> io::Result<()> {
        for class in self.written(heap).collect::<Vec<_>>() {
            let body = self.body(heap, ids, class, &shapes[class.at()], records)?;
            records.sub_record(&[&body])?;
        }
        Ok(())
    }

    fn body<W: Write>(
        &self,
        heap: &Heap,
        ids: &Ids,
        class: ClassIdx,
        shape: &Shape,
        records: &mut Records<'_, W>,
    ) -> io::Result<Vec<u8>> {
        let known = heap.classes().get(class);
        let mirror = Mirror::new(heap, ids, class);
        let superclass = known.superclass.map_or(0, |superclass| self.id(superclass));
        let loader = known.loader.map_or(0, |loader| ids.get(loader));
        let mut body = vec![CLASS_DUMP];
        body.extend_from_slice(&self.id(class).to_be_bytes());
        body.extend_from_slice(&[0; 4]);
        for id in [superclass, loader].into_iter().chain(mirror.others) {
            body.extend_from_slice(&id.to_be_bytes());
        }
        let is_of_mirrors = known.name == "java.lang.Class";
        let bytes = if is_of_mirrors { self.mirror_bytes as u32 } else { shape.bytes };
        let bytes = if known.is_array() { 0 } else { bytes };
        body.extend_from_slice(&bytes.to_be_bytes());
        body.extend_from_slice(&0u16.to_be_bytes());
        let padding = self.padding(heap, known.mirror, mirror.statics.len() as u64);
        let statics = mirror.statics.iter().map(|(name, id)| (name.as_str(), OBJECT, *id));
        let statics: Vec<_> = statics.chain((0..padding).map(|_| (PADDING, LONG, 0))).take(MOST_FIELDS).collect();
        body.extend_from_slice(&(statics.len() as u16).to_be_bytes());
        for (name, kind, id) in statics {
            body.extend_from_slice(&records.string(name)?.to_be_bytes());
            body.push(kind);
            body.extend_from_slice(&id.to_be_bytes());
        }
        let own = &shape.own[..shape.own.len().min(MOST_FIELDS)];
        body.extend_from_slice(&(own.len() as u16).to_be_bytes());
        for (name, kind) in own {
            body.extend_from_slice(&records.string(name)?.to_be_bytes());
            body.push(*kind);
        }
        Ok(body)
    }

    /// Count of numbers of eight bytes that fill a mirror.
    fn padding(&self, heap: &Heap, mirror: Option<ObjectIdx>, statics: u64) -> u64 {
        let bytes = mirror.map_or(0, |mirror| heap.shallow_bytes(mirror));
        bytes.saturating_sub(self.mirror_bytes + (statics * REFERENCE).next_multiple_of(8)) / 8
    }
}

/// Name of static fields that the heap does not name, and of those that fill a mirror.
const OTHER: &str = "(other)";
const PADDING: &str = "(padding)";
const MOST_FIELDS: usize = u16::MAX as usize;

/// References of a mirror.
struct Mirror {
    others: [u64; OTHERS],
    statics: Vec<(String, u64)>,
}

impl Mirror {
    fn new(heap: &Heap, ids: &Ids, class: ClassIdx) -> Self {
        let mut mirror = Self { others: [0; OTHERS], statics: Vec::new() };
        let Some(object) = heap.classes().get(class).mirror else { return mirror };
        let mut nameless = 0;
        for (referee, label) in heap.references().labelled(object) {
            let id = ids.get(referee);
            if let Some(field) = heap.classes().field(class, label) {
                mirror.statics.push((field.name.clone(), id));
            } else if !is_of_class(label) {
                match mirror.others.get_mut(nameless) {
                    Some(other) => *other = id,
                    None => mirror.statics.push((OTHER.to_owned(), id)),
                }
                nameless += 1;
            }
        }
        mirror
    }
}

/// Whether the reference belongs to a class in addition to its fields; the file distinguishes these kinds.
fn is_of_class(label: Label) -> bool {
    [Label::CLASS, Label::SUPERCLASS, Label::CLASS_LOADER].contains(&label)
}

/// Number of static references of a mirror.
fn static_count(heap: &Heap, mirror: ObjectIdx) -> u64 {
    let labels = heap.references().labelled(mirror).filter(|reference| reference.1.is_static_field());
    labels.count() as u64
}
