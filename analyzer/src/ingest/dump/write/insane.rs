//! INSANE's XML; [`crate::ingest::dump::Insane`] lists our additions to it.

use super::super::insane::{ROOT, ROOT_KINDS, SPECIAL};
use super::ids::Ids;
use super::names::binary;
use crate::heap::{Heap, Label, ObjectIdx};
use std::io::{self, Write};

pub(super) fn write(heap: &Heap, out: &mut impl Write) -> io::Result<()> {
    let ids = Ids::new(heap);
    let types: Vec<String> = heap.classes().iter().map(|(_, class)| escaped(&binary(&class.name, '.'))).collect();
    writeln!(out, "<?xml version='1.0' encoding='UTF-8'?>\n<insane>")?;
    for object in heap.objects() {
        let (id, bytes) = (ids.get(object), heap.shallow_bytes(object));
        write!(out, "<object id='{id:x}' type='{}' size='{bytes}'", types[heap.class_of(object).at()])?;
        if let Some(class) = heap.class_of_mirror(object) {
            write!(out, " of='{}'", escaped(&heap.classes().get(class).name))?;
        }
        writeln!(out, "/>")?;
        for (referee, label) in heap.references().labelled(object).filter(|reference| reference.1 != Label::CLASS) {
            reference(heap, &ids, object, label, referee, out)?;
        }
    }
    for root in heap.roots() {
        let kind = ROOT_KINDS.iter().find(|known| known.1 == root.kind).map_or("Other", |known| known.0);
        writeln!(out, "<ref name='{ROOT}{kind}' to='{:x}'/>", ids.get(root.object))?;
    }
    writeln!(out, "</insane>")
}

fn reference(
    heap: &Heap,
    ids: &Ids,
    referrer: ObjectIdx,
    label: Label,
    referee: ObjectIdx,
    out: &mut impl Write,
) -> io::Result<()> {
    let (from, to) = (ids.get(referrer), ids.get(referee));
    let mirrored = heap.class_of_mirror(referrer).filter(|_| label.is_static_field());
    let class = mirrored.unwrap_or_else(|| heap.class_of(referrer));
    let field = heap.classes().field(class, label);
    let name = field.map(|field| escaped(&format!("{}.{}", heap.classes().get(field.declaring).name, field.name)));
    match (name, label.element_index()) {
        (Some(name), _) if label.is_static_field() => writeln!(out, "<ref name='{name}' of='{from:x}' to='{to:x}'/>"),
        (Some(name), _) => writeln!(out, "<ref from='{from:x}' name='{name}' to='{to:x}'/>"),
        (None, Some(index)) => writeln!(out, "<ref from='{from:x}' name='{index}' to='{to:x}'/>"),
        (None, None) => {
            let name = SPECIAL.iter().find(|special| special.1 == label).map_or("(other)", |special| special.0);
            writeln!(out, "<ref from='{from:x}' name='{name}' to='{to:x}'/>")
        }
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\'' => escaped.push_str("&apos;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}
