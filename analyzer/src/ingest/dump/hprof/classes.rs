//! The classes of a dump: their entries in the outline, and the data needed to read their instances, which are the size
//! and the offsets of the references.
//!
//! Fields are numbered from the topmost superclass down, so that an inherited field has the same index in all
//! subclasses. The instance fields come first, then the static ones that the class itself declares.

use super::super::names::source_name;
use super::super::warning::Warning;
use super::Header;
use super::class_dump::{ClassDump, OBJECT};
use super::class_table::ClassTable;
use super::evidence::Evidence;
use super::layout::Layout;
use super::records::LoadClass;
use super::sizes::Sizes;
use super::texts::Texts;
use super::walk::width;
use crate::heap::{Class, ClassIdx, DumpedClass, Field, Label};

/// Number of fields that classes may inherit in all; each byte of the file adds more.
const FREE_FIELDS: u64 = 200_000;
const BYTES_PER_FIELD: u64 = 64;
/// Longest chain of superclasses.
const DEEPEST: usize = 200;
const CLASS_CLASS: &str = "java.lang.Class";

/// All data of classes that reading needs.
#[derive(Debug)]
pub(super) struct Classes {
    /// Classes for the outline.
    pub(super) outlined: Vec<DumpedClass>,
    pub(super) table: ClassTable,
    pub(super) layout: Layout,
    /// Shapes by class index.
    pub(super) shapes: Vec<Shape>,
    /// Offsets of references in bodies, by the ranges of shapes.
    pub(super) references: Vec<(u32, Label)>,
    /// References of mirrors, by the ranges of shapes.
    pub(super) of_mirrors: Vec<(Label, u64)>,
    /// Class of an array of primitive values, by code of the element's type.
    pub(super) primitive_arrays: [ClassIdx; 12],
    pub(super) class_of_mirrors: ClassIdx,
}

/// Layout of the instances and the mirror of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shape {
    /// Shallow size of an instance; 0 if the dump does not state it.
    pub(super) instance_bytes: u32,
    pub(super) references: (u32, u32),
    pub(super) mirror_bytes: u32,
    pub(super) of_mirror: (u32, u32),
}

/// Input from which classes are built.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub(super) dumps: &'a [ClassDump],
    pub(super) loads: &'a [LoadClass],
    pub(super) texts: &'a Texts,
    pub(super) evidence: &'a Evidence,
    pub(super) header: &'a Header,
}

/// State of the construction.
pub(super) struct Building<'a> {
    pub(super) given: Given<'a>,
    /// By class index: the index of its class dump, if there is one.
    dump_at: Vec<Option<u32>>,
    pub(super) done: Classes,
    fields_left: u64,
    is_exhausted: bool,
}

impl<'a> Building<'a> {
    /// Starts with the names of all classes.
    pub(super) fn new(given: Given<'a>) -> Self {
        let done = Classes {
            outlined: crate::heap::Outline::new().classes,
            table: ClassTable::default(),
            layout: Layout::deduced(given.evidence, given.header.id_bytes, true),
            shapes: Vec::new(),
            references: Vec::new(),
            of_mirrors: Vec::new(),
            primitive_arrays: [ClassIdx(0); 12],
            class_of_mirrors: ClassIdx(0),
        };
        let fields_left = FREE_FIELDS + given.header.file_bytes / BYTES_PER_FIELD;
        let mut building = Self { given, dump_at: vec![None], done, fields_left, is_exhausted: false };
        building.place_all();
        building
    }

    /// Gives every class an index: classes with a dump, classes with only a name, and classes that instances need.
    fn place_all(&mut self) {
        let Given { dumps, loads, .. } = self.given;
        for (dump, at) in dumps.iter().zip(0..) {
            self.place(dump.id, "?".to_owned(), Some(at));
        }
        for load in loads {
            self.place(load.id, "?".to_owned(), None);
        }
        // If a class has several names, the first counts.
        for load in loads.iter().rev() {
            let class = &mut self.done.outlined[self.done.table.number(load.id) as usize];
            if class.mirror.is_some() {
                class.class.name = source_name(self.given.texts.get(load.name));
            }
        }
        self.done.class_of_mirrors = self.named(CLASS_CLASS);
        for (kind, letter) in (4..12).zip(["Z", "C", "F", "D", "B", "S", "I", "J"]) {
            self.done.primitive_arrays[kind] = self.named(&source_name(&format!("[{letter}")));
        }
    }

    fn place(&mut self, id: u64, name: String, dump: Option<u32>) {
        if id != 0 && self.done.table.number(id) == 0 {
            self.done.table.insert(id, self.done.outlined.len() as u32);
            let class = Class::new(name, None, Vec::new());
            self.done.outlined.push(DumpedClass { class, mirror: Some(id), loader: None });
            self.dump_at.push(dump);
        }
    }

    /// The first class of that name, added if there is none.
    pub(super) fn named(&mut self, name: &str) -> ClassIdx {
        let at = self.done.outlined.iter().position(|class| class.class.name == name).unwrap_or_else(|| {
            let class = Class::new(name.to_owned(), None, Vec::new());
            self.done.outlined.push(DumpedClass { class, mirror: None, loader: None });
            self.dump_at.push(None);
            self.done.outlined.len() - 1
        });
        ClassIdx(at as u32)
    }

    /// Returns the classes, and a warning about their faults.
    pub(super) fn finish(mut self) -> (Classes, Option<Warning>) {
        self.done.shapes = vec![Shape::default(); self.done.outlined.len()];
        let sizes = Sizes::new(&mut self);
        for at in 0..self.done.outlined.len() {
            if let Some(dump) = self.dump_of(at) {
                self.describe(at, dump, &sizes);
            } else {
                self.done.shapes[at].mirror_bytes = sizes.mirror_bytes;
            }
        }
        let warning = self.is_exhausted.then(|| {
            Warning::Other(format!(
                "classes inherit more fields than a file of {} bytes can justify; references in some are left out",
                self.given.header.file_bytes
            ))
        });
        (self.done, warning)
    }

    pub(super) fn dump_of(&self, at: usize) -> Option<&'a ClassDump> {
        self.dump_at[at].map(|dump| &self.given.dumps[dump as usize])
    }

    fn describe(&mut self, at: usize, dump: &'a ClassDump, sizes: &Sizes) {
        let chain = self.chain(at);
        let shape = Shape {
            instance_bytes: sizes.instance(self, dump, &chain),
            references: self.body(&chain),
            mirror_bytes: sizes.mirror(self, dump),
            of_mirror: self.mirror(dump, &chain),
        };
        self.done.shapes[at] = shape;
        let superclass = self.done.table.number(dump.superclass);
        let fields = self.fields(&chain, dump);
        let class = &mut self.done.outlined[at];
        let name = std::mem::take(&mut class.class.name);
        class.class = Class::new(name, (superclass != 0).then_some(ClassIdx(superclass)), fields);
        class.loader = (dump.loader != 0).then_some(dump.loader);
    }

    /// The class and its superclasses, as far as the limit of inherited fields allows.
    pub(super) fn chain(&mut self, at: usize) -> Vec<usize> {
        let upward = |&at: &usize| {
            let superclass = self.dump_of(at)?.superclass;
            Some(self.done.table.number(superclass) as usize).filter(|&at| at != 0)
        };
        let mut chain: Vec<usize> = std::iter::successors(Some(at), upward).take(DEEPEST).collect();
        let inherited: usize = chain[1..].iter().map(|&at| self.dump_of(at).map_or(0, |dump| dump.fields.len())).sum();
        match self.fields_left.checked_sub(inherited as u64) {
            Some(left) => self.fields_left = left,
            None => {
                self.is_exhausted = true;
                chain.truncate(1);
            }
        }
        chain
    }

    pub(super) fn declared(&self, at: usize) -> &'a [(u64, u8)] {
        self.dump_of(at).map_or(&[], |dump| &dump.fields)
    }

    /// The offsets of the references; an instance's own fields come first, those of its superclasses behind them.
    fn body(&mut self, chain: &[usize]) -> (u32, u32) {
        let from = self.done.references.len() as u32;
        let mut index_end: u32 = chain.iter().map(|&at| self.declared(at).len() as u32).sum();
        let mut offset = 0;
        for &at in chain {
            let declared = self.declared(at);
            index_end -= declared.len() as u32;
            for (&(_, kind), index) in declared.iter().zip(index_end..) {
                if width(kind).is_none() {
                    self.done.references.push((offset, Label::field(index)));
                }
                offset += width(kind).map_or(self.given.header.id_bytes as u32, u32::from);
            }
        }
        (from, self.done.references.len() as u32)
    }

    fn mirror(&mut self, dump: &ClassDump, chain: &[usize]) -> (u32, u32) {
        let from = self.done.of_mirrors.len() as u32;
        let first: u32 = chain.iter().map(|&at| self.declared(at).len() as u32).sum();
        let special = [(Label::SUPERCLASS, dump.superclass), (Label::CLASS_LOADER, dump.loader)];
        let others = dump.others.iter().map(|&id| (Label::OTHER, id));
        let constants = dump.constants.iter().map(|&id| (Label::CONSTANT_POOL, id));
        let statics = dump.statics.iter().zip(first..).map(|(field, at)| (Label::static_field(at), field.referee));
        let all = special.into_iter().chain(others).chain(statics).chain(constants);
        self.done.of_mirrors.extend(all.filter(|entry| entry.1 != 0));
        (from, self.done.of_mirrors.len() as u32)
    }

    fn fields(&self, chain: &[usize], dump: &ClassDump) -> Vec<Field> {
        let field = |name: u64, kind: u8, declaring: usize, is_static: bool| Field {
            name: self.given.texts.get(name).to_owned(),
            descriptor: descriptor(kind).to_owned(),
            declaring: ClassIdx(declaring as u32),
            is_static,
            is_final: false,
        };
        let downward = chain.iter().rev();
        let instance =
            downward.flat_map(|&at| self.declared(at).iter().map(move |&(name, kind)| field(name, kind, at, false)));
        let own = |each: &super::class_dump::StaticField| field(each.name, each.kind, chain[0], true);
        instance.chain(dump.statics.iter().map(own)).collect()
    }
}

/// The descriptor of a type; for references the dump states nothing more precise.
fn descriptor(kind: u8) -> &'static str {
    match kind {
        4 => "Z",
        5 => "C",
        6 => "F",
        7 => "D",
        8 => "B",
        9 => "S",
        10 => "I",
        11 => "J",
        OBJECT => "Ljava/lang/Object;",
        _ => "?",
    }
}
