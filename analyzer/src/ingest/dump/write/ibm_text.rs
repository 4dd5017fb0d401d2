//! The text heap dump that HeapRoots reads, one object a line.

use super::ids::Ids;
use super::names::{array, binary, letter};
use crate::heap::{Heap, Label, ObjectIdx};
use std::io::{self, Write};

pub(super) fn write(heap: &Heap, out: &mut impl Write) -> io::Result<()> {
    let ids = Ids::new(heap);
    let types: Vec<String> = heap.classes().iter().map(|(_, class)| type_of(&class.name)).collect();
    writeln!(out, "// Version: shape of a heap, written by rootbound {}", env!("CARGO_PKG_VERSION"))?;
    let mut references = 0;
    for object in heap.objects() {
        write!(out, "0x{:x} [{}] ", ids.get(object), heap.shallow_bytes(object))?;
        match heap.class_of_mirror(object) {
            Some(class) => write!(out, "class {}", binary(&heap.classes().get(class).name, '/'))?,
            None => write!(out, "{}", types[heap.class_of(object).at()])?,
        }
        for referee in reported(heap, object) {
            write!(out, " 0x{:x}", ids.get(referee))?;
            references += 1;
        }
        writeln!(out)?;
    }
    writeln!(out, "// EOF:  Total 'Objects',Refs(null) : {},{references}(0)", heap.object_count())
}

/// All referees except the class.
fn reported(heap: &Heap, object: ObjectIdx) -> impl Iterator<Item = ObjectIdx> + '_ {
    heap.references().labelled(object).filter(|reference| reference.1 != Label::CLASS).map(|reference| reference.0)
}

fn type_of(class: &str) -> String {
    match array(class) {
        None => binary(class, '/'),
        Some(element) if letter(element).is_some() => format!("array of {element}"),
        Some(element) => format!("array of {}", binary(element, '/')),
    }
}
