//! The XML of INSANE, NetBeans' tool: `object` elements with id, type and size, and `ref` elements, static ones
//! (`name`, `to`) and those of objects (`from`, `name`, `to`).
//!
//! References stand anywhere behind their object, so all are held in memory until they are sorted. This takes 24 bytes
//! for each `object` and `ref`, which take longer in the file. Values of arrays are skipped. INSANE has no mirrors: if
//! a static reference has none, an artificial one of size 0 is added for its class, and is a root.
//!
//! Our own writer adds data that INSANE lacks: `of` at a mirror (the class) and at a static reference (the mirror), and
//! roots, as static references named `(root) KIND`.

mod fields;
mod tags;

pub(super) use fields::SPECIAL;

use super::collecting::Collecting;
use super::names::source_name;
use super::warning::Warning;
use super::window::Window;
use crate::heap::{ClassIdx, DumpSink, DumpSource, DumpedObject, DumpedRoot, Label, Outline, RootKind};
use fields::{Name, Names};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use tags::{Tags, attributes, is_element, text};

/// Number of objects in a part.
const PART_OBJECTS: usize = 1 << 16;
/// The prefix of the names of roots.
pub(super) const ROOT: &str = "(root) ";
/// Kinds of root with their names in the file.
pub(super) const ROOT_KINDS: [(&str, RootKind); 6] = [
    ("Class", RootKind::Class),
    ("JniGlobal", RootKind::JniGlobal),
    ("Thread", RootKind::Thread),
    ("OnStack", RootKind::OnStack),
    ("Monitor", RootKind::Monitor),
    ("Other", RootKind::Other),
];

/// Whether the beginning of a file looks like such a dump.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = head.trim_ascii_start();
    [&b"<?xml"[..], b"<insane", b"<object ", b"<ref "].iter().any(|start| head.starts_with(start))
}

/// An INSANE dump, read.
#[derive(Debug)]
pub struct Insane {
    bytes: u64,
    outline: Outline,
    objects: Vec<Object>,
    /// References, sorted by referrer.
    references: Vec<(u64, Label, u64)>,
    warnings: Vec<Warning>,
}

#[derive(Clone, Copy, Debug)]
struct Object {
    id: u64,
    bytes: u64,
    class: ClassIdx,
}

impl Insane {
    /// Reads the whole file.
    ///
    /// # Errors
    /// If reading fails.
    pub(super) fn open(file: &File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let mut tags = Tags::new(Window::new(file, 0..bytes));
        let mut reading = Reading::new();
        while let Some(tag) = tags.next()? {
            reading.tag(tag);
        }
        let mut dump = reading.finish(bytes);
        if let Some(at) = tags.cut {
            dump.warnings.push(Warning::Cut { at, left_out: tags.left() });
        }
        Ok(dump)
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

impl DumpSource for Insane {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn byte_len(&self) -> u64 {
        self.bytes
    }

    fn part_count(&self) -> usize {
        self.objects.len().div_ceil(PART_OBJECTS)
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        let Some(objects) = self.objects.chunks(PART_OBJECTS).nth(part) else { return Ok(()) };
        for object in objects {
            sink.object(DumpedObject { id: object.id, class: object.class, shallow_bytes: object.bytes });
            let from = self.references.partition_point(|reference| reference.0 < object.id);
            let own = self.references[from..].iter().take_while(|reference| reference.0 == object.id);
            own.for_each(|&(_, label, referee)| sink.reference(label, referee));
        }
        Ok(())
    }
}

struct Reading {
    classes: Collecting,
    names: Names,
    objects: Vec<Object>,
    references: Vec<(u64, Name, u64)>,
    /// Static references: number of the name, mirror (0 for none), referee.
    statics: Vec<(u32, u64, u64)>,
    roots: Vec<DumpedRoot>,
    /// Types met so far, and their classes.
    types: HashMap<String, ClassIdx>,
}

impl Reading {
    fn new() -> Self {
        Self {
            classes: Collecting::new(),
            names: Names::default(),
            objects: Vec::new(),
            references: Vec::new(),
            statics: Vec::new(),
            roots: Vec::new(),
            types: HashMap::new(),
        }
    }

    fn tag(&mut self, tag: &[u8]) {
        if is_element(tag, b"object") {
            self.object(&String::from_utf8_lossy(tag));
        } else if is_element(tag, b"ref") {
            self.reference(&String::from_utf8_lossy(tag));
        }
    }

    fn object(&mut self, tag: &str) -> Option<()> {
        let (mut id, mut bytes, mut class, mut of) = (None, 0, ClassIdx(0), None);
        for (name, value) in attributes(tag) {
            match name {
                "id" => id = read_id(&value),
                "type" => class = self.class(&value),
                "size" => bytes = text(&value).trim().parse().unwrap_or(0),
                "of" => of = Some(text(&value).into_owned()),
                _ => {}
            }
        }
        let id = id.filter(|&id| id != 0)?;
        if let Some(of) = of {
            self.classes.mirror(&of, id);
        }
        self.objects.push(Object { id, bytes, class });
        Some(())
    }

    fn class(&mut self, value: &str) -> ClassIdx {
        if let Some(&class) = self.types.get(value) {
            return class;
        }
        let class = self.classes.class(&source_name(&text(value)));
        self.types.insert(value.to_owned(), class);
        class
    }

    fn reference(&mut self, tag: &str) -> Option<()> {
        let (mut from, mut to, mut of, mut named) = (None, None, 0, None);
        for (name, value) in attributes(tag) {
            match name {
                "from" => from = Some(read_id(&value)?),
                "to" => to = read_id(&value),
                "of" => of = read_id(&value)?,
                "name" => named = Some(value),
                _ => {}
            }
        }
        let (to, named) = (to.filter(|&to| to != 0)?, named.unwrap_or_default());
        let name = text(&named);
        match from {
            Some(from) => {
                let name = self.names.read(&name);
                self.references.push((from, name, to));
            }
            None => match name.strip_prefix(ROOT) {
                Some(kind) => self.roots.push(root(to, kind)),
                None => self.statics.push((self.names.number(&name), of, to)),
            },
        }
        Some(())
    }

    fn finish(mut self, bytes: u64) -> Insane {
        let mut warnings = Vec::new();
        self.make_up_mirrors(&mut warnings);
        self.objects.sort_by_key(|object| object.id);
        // The first of several objects with one id counts, as in all other formats.
        self.objects.dedup_by_key(|object| object.id);
        let mut references = self.labelled();
        references.sort_by_key(|reference| (reference.0, reference.1.element_index()));
        let declared = self.names.declare(&mut self.classes);
        let soft = self.classes.class("java.lang.ref.SoftReference");
        let reference = self.classes.class("java.lang.ref.Reference");
        self.classes.derive(soft, reference);
        let (mut classes, _) = self.classes.names();
        fields::give(&mut classes, declared);
        let outline = Outline { classes, roots: self.roots, threads: Vec::new() };
        Insane { bytes, outline, objects: self.objects, references, warnings }
    }

    /// Gives every static reference a mirror: that of its class, or an artificial one.
    fn make_up_mirrors(&mut self, warnings: &mut Vec<Warning>) {
        let greatest = self.objects.iter().map(|object| object.id).max().unwrap_or(0);
        let Some(mut next) = greatest.checked_next_multiple_of(8).and_then(|id| id.checked_add(8)) else { return };
        let class_of_mirrors = self.classes.class_of_mirrors();
        let mut made_up = 0;
        for (name, mirror, _) in self.statics.iter_mut().filter(|reference| reference.1 == 0) {
            let class = self.classes.class(self.names.declaring(*name));
            let there = self.classes.classes[class.at()].mirror;
            *mirror = there.unwrap_or(next);
            if there.is_none() {
                self.classes.classes[class.at()].mirror = Some(next);
                self.objects.push(Object { id: next, bytes: 0, class: class_of_mirrors });
                self.roots.push(root(next, "Class"));
                next = next.saturating_add(8);
                made_up += 1;
            }
        }
        if made_up > 0 {
            let what = format!("{made_up} class mirrors of no size were made up to hold the static fields");
            warnings.push(Warning::Other(what));
        }
    }

    /// All references with labels, in the order of the file.
    fn labelled(&mut self) -> Vec<(u64, Label, u64)> {
        let class_of = |objects: &[Object], id: u64| {
            objects.binary_search_by_key(&id, |object| object.id).map_or(ClassIdx(0), |at| objects[at].class)
        };
        let mut labelled = Vec::with_capacity(self.references.len() + self.statics.len());
        for (from, name, to) in std::mem::take(&mut self.references) {
            let label = match name {
                Name::Label(label) => label,
                Name::Field(number) => self.names.label(class_of(&self.objects, from), number, false),
            };
            labelled.push((from, label, to));
        }
        let of_mirrors: HashMap<u64, ClassIdx> = self
            .classes
            .classes
            .iter()
            .zip(0..)
            .filter_map(|(class, at)| Some((class.mirror?, ClassIdx(at))))
            .collect();
        for (number, mirror, to) in std::mem::take(&mut self.statics) {
            let class = of_mirrors.get(&mirror).copied().unwrap_or(ClassIdx(0));
            labelled.push((mirror, self.names.label(class, number, true), to));
        }
        labelled
    }
}

fn root(id: u64, kind: &str) -> DumpedRoot {
    let kind = ROOT_KINDS.iter().find(|known| known.0 == kind).map_or(RootKind::Other, |known| known.1);
    DumpedRoot { id, kind, thread: None, method: None, depth: 0 }
}

/// Ids are hexadecimal.
fn read_id(value: &str) -> Option<u64> {
    let digits = value.trim();
    u64::from_str_radix(digits.strip_prefix("0x").unwrap_or(digits), 16).ok()
}
