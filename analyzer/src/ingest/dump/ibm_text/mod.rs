//! The text ("classic") heap dumps of IBM's JVMs and of OpenJ9. There are two forms: the one that HeapRoots reads
//! (`0x1018f030 [32] java/lang/String 0x1018f050`), and the one that J9 writes (`OBJ` and `CLS`, references on lines of
//! their own).
//!
//! They name no fields and have no roots; [`super::collecting`] says how both are replaced.

mod tokens;
mod walk;

use super::collecting::{Collecting, label, roots_of};
use super::names::{primitive_name, source_name};
use super::warning::Warning;
use super::window::Window;
use crate::heap::{ClassIdx, DumpSink, DumpSource, DumpedObject, Outline};
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use tokens::Tokens;
use walk::Visitor;

const PART_BYTES: u64 = 4 << 20;

/// An open text dump.
#[derive(Debug)]
pub struct IbmText {
    file: File,
    bytes: u64,
    outline: Outline,
    kinds: HashMap<Vec<u8>, Kind>,
    parts: Vec<Range<u64>>,
    warnings: Vec<Warning>,
}

/// Meaning of the words of a type.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// The class of the object.
    class: ClassIdx,
    is_array: bool,
    refers_weakly: bool,
    /// The mirror of the class; some JVMs write it as the first reference.
    mirror: u64,
}

/// Whether the beginning of a file looks like such a dump.
pub(super) fn begins(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or(text);
    let is_record = || {
        let mut words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
        let address = words.next().is_some_and(|word| word.starts_with(b"0x"));
        address && words.next().is_some_and(|word| word.starts_with(b"["))
    };
    text.starts_with(b"// Version:") || text.starts_with(b"//") && head.len() > 2 || is_record()
}

impl IbmText {
    /// Reads the whole file once, and once more for threads.
    ///
    /// # Errors
    /// If reading fails.
    pub(super) fn open(file: File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let mut scan = Scan { classes: Collecting::new(), kinds: HashMap::new(), begins: Vec::new() };
        let ending = walk::walk(Tokens::new(Window::new(&file, 0..bytes)), &mut scan)?;
        let Scan { mut classes, mut kinds, begins } = scan;
        let weak = classes.name_referents();
        let (classes, _) = classes.names();
        for kind in kinds.values_mut() {
            kind.refers_weakly = weak.get(kind.class.at()) == Some(&true);
            kind.mirror = classes[kind.class.at()].mirror.unwrap_or(0);
        }
        let ends = begins.iter().skip(1).copied().chain([bytes]);
        let parts = begins.iter().copied().zip(ends).map(|(from, to)| from..to).collect();
        let warnings = warnings(ending, bytes);
        let outline = Outline { classes, ..Outline::new() };
        let mut dump = Self { file, bytes, outline, kinds, parts, warnings };
        (dump.outline.roots, dump.outline.threads) = roots_of(&dump)?;
        Ok(dump)
    }

    pub(super) fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

fn warnings(ending: walk::Ending, bytes: u64) -> Vec<Warning> {
    match ending.cut {
        Some((at, left_out)) => vec![Warning::Cut { at, left_out }],
        None if !ending.has_trailer && bytes > 0 => {
            vec![Warning::Other("the dump has no trailer: it may be cut off".to_owned())]
        }
        None => Vec::new(),
    }
}

impl DumpSource for IbmText {
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
        let Some(part) = self.parts.get(part) else { return Ok(()) };
        // A word at the end of a part ends there; one at the end of the file may be cut.
        let mut emitter = Emitter { kinds: &self.kinds, sink, kind: None, references: 0 };
        walk::walk(Tokens::new(Window::new(&self.file, part.clone())), &mut emitter).map(drop)
    }
}

/// The type of an object.
enum Type {
    Object(String),
    Mirror(String),
}

/// `java/lang/String`, `OBJ [C`, `array of java/lang/Object`, `class java/lang/String`, `CLS java/lang/String`.
fn read_type(words: &[u8]) -> Option<Type> {
    let words = String::from_utf8_lossy(words);
    let (head, rest) = words.split_once(' ').unwrap_or((&words, ""));
    match head {
        "class" | "CLS" => (!rest.is_empty()).then(|| Type::Mirror(source_name(rest))),
        "OBJ" => (!rest.is_empty()).then(|| Type::Object(source_name(rest))),
        "array" => {
            let element = rest.strip_prefix("of ").filter(|element| !element.is_empty())?;
            Some(Type::Object(array_of(element)))
        }
        "" => None,
        _ => Some(Type::Object(source_name(&words))),
    }
}

fn array_of(element: &str) -> String {
    let letter = element.chars().next().filter(|_| element.len() == 1);
    letter.and_then(primitive_name).map_or_else(|| source_name(element), str::to_owned) + "[]"
}

struct Scan {
    classes: Collecting,
    kinds: HashMap<Vec<u8>, Kind>,
    /// Positions at which parts begin.
    begins: Vec<u64>,
}

impl Visitor for Scan {
    fn object(&mut self, at: u64, id: u64, _bytes: u64, words: &[u8]) {
        if self.begins.last().is_none_or(|&from| at - from >= PART_BYTES) {
            self.begins.push(at);
        }
        if words.starts_with(b"CL") || words.starts_with(b"class ") {
            let Some(Type::Mirror(name)) = read_type(words) else { return };
            self.classes.mirror(&name, id);
        }
        if self.kinds.contains_key(words) {
            return;
        }
        let (class, is_array) = match read_type(words) {
            None => return,
            Some(Type::Mirror(_)) => (self.classes.class_of_mirrors(), false),
            Some(Type::Object(name)) => (self.classes.class(&name), name.ends_with("[]")),
        };
        self.kinds.insert(words.to_vec(), Kind { class, is_array, refers_weakly: false, mirror: 0 });
    }

    fn reference(&mut self, _id: u64) {}
}

struct Emitter<'a, S> {
    kinds: &'a HashMap<Vec<u8>, Kind>,
    sink: &'a mut S,
    /// Type of the latest object, if it was reported.
    kind: Option<Kind>,
    references: u32,
}

impl<S: DumpSink> Visitor for Emitter<'_, S> {
    fn object(&mut self, _at: u64, id: u64, bytes: u64, words: &[u8]) {
        self.kind = self.kinds.get(words).copied();
        self.references = 0;
        if let Some(kind) = self.kind {
            self.sink.object(DumpedObject { id, class: kind.class, shallow_bytes: bytes });
        }
    }

    fn reference(&mut self, id: u64) {
        let Some(kind) = self.kind.filter(|_| S::TAKES_REFERENCES) else { return };
        let is_class = self.references == 0 && id == kind.mirror;
        if !is_class {
            self.sink.reference(label(kind.is_array, kind.refers_weakly, self.references), id);
            self.references = self.references.saturating_add(1);
        }
    }
}
