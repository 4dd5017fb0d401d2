//! The names of threads. HotSpot writes them only into objects: thread, its string, the string's array. Of all strings
//! in a dump's objects only these are read.

use super::super::fields::Fields;
use super::super::window::Window;
use super::Header;
use super::classes::Classes;
use super::scan::Part;
use super::seek::{Found, seek};
use super::walk::width;
use crate::heap::{ClassIdx, DumpedThread};
use std::collections::HashMap;
use std::fs::File;
use std::io;

/// Most bytes of a name, which suffice for a report.
const LONGEST_BYTES: u64 = 512;
const CHAR: u8 = 5;
const BYTE: u8 = 8;

/// Names the threads that have none yet.
pub(super) fn name(
    threads: &mut [DumpedThread],
    file: &File,
    header: &Header,
    parts: &[Part],
    classes: &Classes,
) -> io::Result<()> {
    let nameless = || threads.iter().filter(|thread| thread.name.is_empty()).map(|thread| thread.id);
    let objects = seek(file, header, parts, nameless().collect())?;
    let reading = Reading { file, header, classes };
    let names: HashMap<u64, u64> =
        objects.iter().filter_map(|(&id, thread)| Some((id, reading.name_of_thread(thread)?))).collect();
    let strings = seek(file, header, parts, names.values().copied().collect())?;
    let values: HashMap<u64, Value> =
        strings.iter().filter_map(|(&id, string)| Some((id, reading.value_of(id, string)?))).collect();
    let mut arrays = seek(file, header, parts, values.values().map(|value| value.array).collect())?;
    arrays.extend(strings);
    for thread in threads {
        let value = names.get(&thread.id).and_then(|name| values.get(name));
        if let Some((value, array)) = value.and_then(|value| Some((value, arrays.get(&value.array)?))) {
            thread.name = reading.text(value, array)?;
        }
    }
    Ok(())
}

/// The position of a string's characters.
#[derive(Clone, Copy)]
struct Value {
    array: u64,
    /// Whether bytes are halves of UTF-16, not Latin-1.
    is_wide: bool,
}

struct Reading<'a> {
    file: &'a File,
    header: &'a Header,
    classes: &'a Classes,
}

impl Reading<'_> {
    /// The id of the name: a string, or before JDK 8 an array of characters.
    fn name_of_thread(&self, thread: &Found) -> Option<u64> {
        let Found::Instance(class, body) = thread else { return None };
        let class = self.classes.table.number(*class) as usize;
        let (from, to) = self.classes.shapes[class].references;
        let is_name = |label: &crate::heap::Label| {
            let field = label.field_index().and_then(|index| self.classes.outlined[class].class.field(index));
            field.is_some_and(|field| {
                field.name == "name" && self.classes.outlined[field.declaring.at()].class.name == "java.lang.Thread"
            })
        };
        let references = &self.classes.references[from as usize..to as usize];
        let offset = references.iter().find(|(_, label)| is_name(label))?.0;
        self.id_at(body, offset)
    }

    fn value_of(&self, id: u64, string: &Found) -> Option<Value> {
        let (class, body) = match string {
            Found::Array(CHAR, ..) => return Some(Value { array: id, is_wide: true }),
            Found::Array(..) => return None,
            Found::Instance(class, body) => (self.classes.table.number(*class), body),
        };
        let array = self.id_at(body, self.own_field(class, "value")?)?;
        let coder = self.own_field(class, "coder").and_then(|offset| body.get(offset as usize));
        Some(Value { array, is_wide: coder.is_some_and(|&coder| coder == 1) })
    }

    /// The offset in a body of a field that the class itself declares.
    fn own_field(&self, class: u32, name: &str) -> Option<u32> {
        let fields = self.classes.outlined[class as usize].class.fields();
        let mut offset = 0;
        for field in fields.iter().filter(|field| field.declaring == ClassIdx(class) && !field.is_static) {
            if field.name == name {
                return Some(offset);
            }
            offset += match field.descriptor.as_bytes() {
                b"Z" | b"B" => 1,
                b"C" | b"S" => 2,
                b"F" | b"I" => 4,
                b"D" | b"J" => 8,
                _ => self.header.id_bytes as u32,
            };
        }
        None
    }

    fn id_at(&self, body: &[u8], offset: u32) -> Option<u64> {
        Fields::new(body.get(offset as usize..)?).id(self.header.id_bytes).filter(|&id| id != 0)
    }

    fn text(&self, value: &Value, array: &Found) -> io::Result<String> {
        let &Found::Array(kind, length, at) = array else { return Ok(String::new()) };
        let bytes = (u64::from(length) * u64::from(width(kind).unwrap_or(0))).min(LONGEST_BYTES);
        // Some dumps have arrays without their elements.
        let Some(end) = at.checked_add(bytes).filter(|&end| end <= self.header.file_bytes) else {
            return Ok(String::new());
        };
        let mut window = Window::new(self.file, at..end);
        let bytes = &window.peek(bytes as usize)?[..bytes as usize];
        Ok(match kind {
            CHAR => utf16(bytes, u16::from_be_bytes),
            // The bytes of a compact string are in the machine's order; HotSpot's are little-endian except on s390.
            BYTE if value.is_wide => utf16(bytes, u16::from_le_bytes),
            BYTE => bytes.iter().map(|&byte| char::from(byte)).collect(),
            _ => String::new(),
        })
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16_lossy(&units)
}
