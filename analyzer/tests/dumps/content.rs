//! What a heap says, in a form that can be compared.

use rootbound::heap::{DumpRules, Heap, Label, ObjectIdx};
use rootbound::ingest::dump::write::{Format, write};
use rootbound::ingest::dump::{ReadError, ReadHeap, read_heap};
use std::io::Write;

/// An object: class, size, and references by what names them, in a fixed order.
pub type Object = (String, u64, Vec<(String, ObjectIdx)>);

/// Reads bytes as a file.
pub fn read(bytes: &[u8]) -> Result<ReadHeap, ReadError> {
    read_with(bytes, DumpRules::default())
}

pub fn read_with(bytes: &[u8], rules: DumpRules) -> Result<ReadHeap, ReadError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file.flush().unwrap();
    read_heap(file.path(), rules)
}

/// A heap in a format.
pub fn written(heap: &Heap, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(heap, format, &mut bytes).unwrap();
    bytes
}

/// All objects; references to classes are left out.
pub fn objects(heap: &Heap) -> Vec<Object> {
    let object = |object: ObjectIdx| {
        let class = heap.classes().get(heap.class_of(object)).name.clone();
        let references = heap.references().labelled(object).filter(|reference| reference.1 != Label::CLASS);
        let mut references: Vec<_> =
            references.map(|(referee, label)| (label_name(heap, object, label), referee)).collect();
        references.sort();
        (class, heap.shallow_bytes(object), references)
    };
    heap.objects().map(object).collect()
}

/// The same without what names references.
pub fn shape(heap: &Heap) -> Vec<(String, u64, Vec<ObjectIdx>)> {
    let bare = |(class, bytes, references): Object| {
        let mut referees: Vec<_> = references.into_iter().map(|reference| reference.1).collect();
        referees.sort_unstable();
        (class, bytes, referees)
    };
    objects(heap).into_iter().map(bare).collect()
}

pub fn label_name(heap: &Heap, object: ObjectIdx, label: Label) -> String {
    let mirrored = heap.class_of_mirror(object).filter(|_| label.is_static_field());
    let class = mirrored.unwrap_or_else(|| heap.class_of(object));
    match (heap.classes().field(class, label), label.element_index()) {
        (Some(field), _) => format!("{}.{}", heap.classes().get(field.declaring).name, field.name),
        (None, Some(index)) => format!("[{index}]"),
        (None, None) => format!("{label:?}"),
    }
}

/// Roots: object, kind, thread's name, method and depth.
pub fn roots(heap: &Heap) -> Vec<(ObjectIdx, String, String, String, u32)> {
    let thread = |at: Option<rootbound::heap::ThreadIdx>| {
        at.map_or(String::new(), |at| heap.threads()[at.0 as usize].name.clone())
    };
    let method = |method: &Option<std::sync::Arc<str>>| method.as_deref().unwrap_or("").to_owned();
    let roots = heap.roots().iter();
    let mut roots: Vec<_> = roots
        .map(|root| (root.object, format!("{:?}", root.kind), thread(root.thread), method(&root.method), root.depth))
        .collect();
    roots.sort();
    roots
}

/// The object at an address.
pub fn at(heap: &Heap, address: u64) -> ObjectIdx {
    heap.of_dump_id(address).unwrap_or_else(|| panic!("no object at {address:x}"))
}
