//! PHD, the portable heap dump of OpenJ9 and IBM's JVMs, versions 4 to 6.
//!
//! It names no fields and has no roots; [`super::collecting`] says how both are replaced. Null elements of arrays are
//! missing, so that the index of an element is only its position among the others.

mod walk;

use super::collecting::{Collecting, label, roots_of};
use super::names::{primitive_name, source_name};
use super::warning::Warning;
use super::window::Window;
use crate::heap::{ClassIdx, DumpSink, DumpSource, DumpedClass, DumpedObject, Label, Outline};
use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io;
use walk::{ClassRecord, State, Visitor};

/// The first bytes of every such file: a length and a text.
pub(super) const MAGIC: &[u8] = b"\0\x12portable heap dump";
const PART_BYTES: u64 = 4 << 20;
/// Longest header, in bytes.
const LONGEST_HEADER: usize = 128 << 10;
/// Bytes of an array's header, for dumps without sizes.
const ARRAY_HEADER: u64 = 16;

/// An open portable heap dump.
#[derive(Debug)]
pub struct Phd {
    file: File,
    header: Header,
    bytes: u64,
    outline: Outline,
    kinds: Kinds,
    /// Positions of parts with the state before each; the last entry is the end of the body.
    parts: Vec<(u64, State)>,
    end: u64,
    warnings: Vec<Warning>,
}

/// Data before the records.
#[derive(Clone, Copy, Debug)]
struct Header {
    bytes: u64,
    version: u32,
    is_64_bit: bool,
    all_hashed: bool,
    is_j9: bool,
}

impl Header {
    fn read(head: &[u8]) -> Option<Self> {
        let mut fields = super::fields::Fields::new(head.strip_prefix(MAGIC)?);
        let (version, flags) = (fields.u4().filter(|version| (4..=6).contains(version))?, fields.u4()?);
        if fields.u1()? != 1 {
            return None;
        }
        loop {
            match fields.u1()? {
                // Totals, and the seed of hash codes.
                1 | 3 => drop(fields.bytes(8)?),
                2 => break,
                4 => {
                    let length = usize::from(fields.u2()?);
                    fields.bytes(length)?;
                }
                _ => return None,
            }
        }
        let bytes = (head.len() - fields.left()) as u64 + 1;
        let (is_64_bit, all_hashed, is_j9) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
        (fields.u1()? == 2).then_some(Self { bytes, version, is_64_bit, all_hashed, is_j9 })
    }

    /// The code of a word's width.
    fn word(&self) -> u8 {
        if self.is_64_bit { 3 } else { 2 }
    }

    fn has_sizes(&self) -> bool {
        self.version >= 6
    }

    /// The address at a distance, which counts words of four bytes, in the oldest dumps of eight.
    fn from(&self, address: u64, distance: i64) -> u64 {
        let shift = if self.version == 5 || self.is_j9 { 2 } else { 3 };
        let there = address.wrapping_add((distance as u64) << shift);
        if self.is_64_bit { there } else { there & u64::from(u32::MAX) }
    }
}

/// Reasons why a file that begins like PHD is none.
#[derive(Debug, thiserror::Error)]
pub enum PhdError {
    /// The header is cut off, or of another version.
    #[error("the header of the portable heap dump is damaged, or of a version that is not 4, 5 or 6")]
    Header,
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Classes by the addresses with which records name them.
#[derive(Debug)]
struct Kinds {
    /// By the address of the class.
    objects: HashMap<u64, Kind>,
    /// By the address of the elements' class.
    arrays: HashMap<u64, ClassIdx>,
    primitives: [ClassIdx; 8],
    class_of_mirrors: ClassIdx,
    mirror_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Kind {
    class: ClassIdx,
    instance_bytes: u32,
    superclass: u64,
    refers_weakly: bool,
}

impl Phd {
    /// Reads the whole file once, and once more for threads.
    ///
    /// # Errors
    /// [`PhdError`]; damage behind the header becomes a warning.
    pub(super) fn open(file: File) -> Result<Self, PhdError> {
        let bytes = file.metadata()?.len();
        let head = Window::new(&file, 0..bytes.min(LONGEST_HEADER as u64)).peek(LONGEST_HEADER)?.to_vec();
        let header = Header::read(&head).ok_or(PhdError::Header)?;
        let mut window = Window::new(&file, header.bytes..bytes);
        let mut scan = Scan::default();
        let is_whole = walk::walk(&mut window, &header, State::default(), &mut scan)?;
        let (end, left_out) = (window.offset(), window.left());
        let warnings = if is_whole { Vec::new() } else { vec![Warning::Cut { at: end, left_out }] };
        let (classes, kinds) = kinds(&scan);
        let outline = Outline { classes, ..Outline::new() };
        let mut dump = Self { file, header, bytes, outline, kinds, parts: scan.parts, end, warnings };
        (dump.outline.roots, dump.outline.threads) = roots_of(&dump)?;
        Ok(dump)
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The classes, and the look-up by which records name them.
fn kinds(scan: &Scan) -> (Vec<DumpedClass>, Kinds) {
    let mut classes = Collecting::new();
    let mut kinds = Kinds {
        objects: HashMap::with_capacity(scan.classes.len()),
        arrays: HashMap::with_capacity(scan.elements.len()),
        primitives: [ClassIdx(0); 8],
        class_of_mirrors: classes.class_of_mirrors(),
        mirror_bytes: 0,
    };
    for record in &scan.classes {
        let class = classes.mirror(&source_name(&record.name), record.id);
        let kind =
            Kind { class, instance_bytes: record.instance_bytes, superclass: record.superclass, refers_weakly: false };
        kinds.objects.entry(record.id).or_insert(kind);
        if class == kinds.class_of_mirrors {
            kinds.mirror_bytes = u64::from(record.instance_bytes);
        }
    }
    for kind in kinds.objects.values() {
        if let Some(superclass) = kinds.objects.get(&kind.superclass) {
            classes.derive(kind.class, superclass.class);
        }
    }
    for &element in &scan.elements {
        let name = kinds.objects.get(&element).map_or("?", |kind| &classes.classes[kind.class.at()].class.name);
        let name = format!("{name}[]");
        kinds.arrays.insert(element, classes.class(&name));
    }
    for (at, letter) in ['Z', 'C', 'F', 'D', 'B', 'S', 'I', 'J'].into_iter().enumerate() {
        kinds.primitives[at] = classes.class(&format!("{}[]", primitive_name(letter).unwrap_or("?")));
    }
    let weak = classes.name_referents();
    for kind in kinds.objects.values_mut() {
        kind.refers_weakly = weak.get(kind.class.at()) == Some(&true);
    }
    (classes.names().0, kinds)
}

impl DumpSource for Phd {
    type Error = io::Error;

    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn byte_len(&self) -> u64 {
        self.bytes
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn read_part(&self, part: usize, sink: &mut impl DumpSink) -> io::Result<()> {
        let Some(&(from, state)) = self.parts.get(part) else { return Ok(()) };
        let to = self.parts.get(part + 1).map_or(self.end, |next| next.0);
        let (kinds, skip_current) = (&self.kinds, true);
        let mut emitter = Emitter { kinds, sink, skip_current, is_array: false, refers_weakly: false, references: 0 };
        walk::walk(&mut Window::new(&self.file, from..to), &self.header, state, &mut emitter).map(drop)
    }
}

#[derive(Default)]
struct Scan {
    classes: Vec<ClassRecord>,
    /// Classes of the elements of arrays.
    elements: BTreeSet<u64>,
    parts: Vec<(u64, State)>,
}

impl Visitor for Scan {
    const TAKES_REFERENCES: bool = false;

    fn begins(&mut self, at: u64, state: State) {
        if self.parts.last().is_none_or(|part| at - part.0 >= PART_BYTES) {
            self.parts.push((at, state));
        }
    }

    fn object(&mut self, _id: u64, _class: u64) {}

    fn object_array(&mut self, _id: u64, element_class: u64, _length: u32, _bytes: u64) {
        self.elements.insert(element_class);
    }

    fn primitive_array(&mut self, _id: u64, _kind: u8, _length: u64, _bytes: u64) {}

    fn class(&mut self, class: ClassRecord) {
        self.classes.push(class);
    }

    fn reference(&mut self, _id: u64) {}
}

struct Emitter<'a, S> {
    kinds: &'a Kinds,
    sink: &'a mut S,
    /// Whether the latest record is no object.
    skip_current: bool,
    is_array: bool,
    refers_weakly: bool,
    references: u32,
}

impl<S: DumpSink> Emitter<'_, S> {
    fn emit(&mut self, id: u64, class: ClassIdx, shallow_bytes: u64) {
        (self.is_array, self.refers_weakly, self.references) = (false, false, 0);
        self.skip_current = id == 0;
        if !self.skip_current {
            self.sink.object(DumpedObject { id, class, shallow_bytes });
        }
    }
}

impl<S: DumpSink> Visitor for Emitter<'_, S> {
    const TAKES_REFERENCES: bool = S::TAKES_REFERENCES;

    fn object(&mut self, id: u64, class: u64) {
        let kind = self.kinds.objects.get(&class);
        let (class, bytes) = kind.map_or((ClassIdx(0), 0), |kind| (kind.class, u64::from(kind.instance_bytes)));
        self.emit(id, class, bytes);
        self.refers_weakly = kind.is_some_and(|kind| kind.refers_weakly);
    }

    fn object_array(&mut self, id: u64, element_class: u64, length: u32, bytes: u64) {
        let class = self.kinds.arrays.get(&element_class).copied().unwrap_or(ClassIdx(0));
        let otherwise = ARRAY_HEADER + 4 * u64::from(length);
        self.emit(id, class, if bytes > 0 { bytes } else { otherwise.next_multiple_of(8) });
        self.is_array = true;
    }

    fn primitive_array(&mut self, id: u64, kind: u8, length: u64, bytes: u64) {
        const WIDTHS: [u64; 8] = [1, 2, 4, 8, 1, 2, 4, 8];
        let kind = usize::from(kind & 7);
        let otherwise = length.saturating_mul(WIDTHS[kind]).saturating_add(ARRAY_HEADER + 7) & !7;
        self.emit(id, self.kinds.primitives[kind], if bytes > 0 { bytes } else { otherwise });
    }

    fn class(&mut self, class: ClassRecord) {
        self.emit(class.id, self.kinds.class_of_mirrors, self.kinds.mirror_bytes);
        if S::TAKES_REFERENCES && class.superclass != 0 && class.id != 0 {
            self.sink.reference(Label::SUPERCLASS, class.superclass);
        }
    }

    fn reference(&mut self, id: u64) {
        if self.skip_current {
            return;
        }
        self.sink.reference(label(self.is_array, self.refers_weakly, self.references), id);
        self.references = self.references.saturating_add(1);
    }
}
