//! Passes the objects of a part to a sink.

use super::super::window::Window;
use super::class_dump::ClassDump;
use super::classes::Classes;
use super::scan::Part;
use super::walk::{self, Visitor, width};
use crate::heap::{ClassIdx, DumpSink, DumpedObject, Label};
use std::fs::File;
use std::io;

/// Reads one part.
pub(super) fn emit<S: DumpSink>(
    file: &File,
    id_bytes: usize,
    part: &Part,
    classes: &Classes,
    sink: &mut S,
) -> io::Result<()> {
    for stretch in &part.stretches {
        let mut window = Window::new(file, stretch.clone());
        match id_bytes {
            4 => walk::walk::<4>(&mut window, &mut Emitter::<4, S> { classes, sink, skip_current: false })?,
            _ => walk::walk::<8>(&mut window, &mut Emitter::<8, S> { classes, sink, skip_current: false })?,
        }
    }
    Ok(())
}

struct Emitter<'a, const ID: usize, S> {
    classes: &'a Classes,
    sink: &'a mut S,
    /// Whether the latest array has the id 0 and is skipped.
    skip_current: bool,
}

/// The big-endian id in `bytes`.
#[inline]
fn id<const ID: usize>(bytes: &[u8]) -> u64 {
    let mut whole = [0; 8];
    whole[8 - ID..].copy_from_slice(bytes);
    u64::from_be_bytes(whole)
}

impl<const ID: usize, S: DumpSink> Emitter<'_, ID, S> {
    #[inline]
    fn object(&mut self, id: u64, class: ClassIdx, shallow_bytes: u64) {
        self.sink.object(DumpedObject { id, class, shallow_bytes });
    }
}

impl<const ID: usize, S: DumpSink> Visitor for Emitter<'_, ID, S> {
    const TAKES_BODIES: bool = S::TAKES_REFERENCES;

    fn class(&mut self, class: ClassDump) {
        let place = self.classes.table.number(class.id) as usize;
        if class.id == 0 || place == 0 {
            return;
        }
        let shape = &self.classes.shapes[place];
        self.object(class.id, self.classes.class_of_mirrors, u64::from(shape.mirror_bytes));
        if S::TAKES_REFERENCES {
            let (from, to) = shape.of_mirror;
            for &(label, referee) in &self.classes.of_mirrors[from as usize..to as usize] {
                self.sink.reference(label, referee);
            }
        }
    }

    #[inline]
    fn instance(&mut self, object: u64, class: u64, body_bytes: u32, body: &[u8]) {
        if object == 0 {
            return;
        }
        let place = self.classes.table.number(class);
        let shape = &self.classes.shapes[place as usize];
        let bytes = match shape.instance_bytes {
            0 => self.classes.layout.instance_bytes(u64::from(body_bytes)),
            bytes => u64::from(bytes),
        };
        self.object(object, ClassIdx(place), bytes);
        if S::TAKES_REFERENCES {
            let (from, to) = shape.references;
            for &(offset, label) in &self.classes.references[from as usize..to as usize] {
                let Some(bytes) = body.get(offset as usize..offset as usize + ID) else { break };
                let referee = id::<ID>(bytes);
                if referee != 0 {
                    self.sink.reference(label, referee);
                }
            }
        }
    }

    #[inline]
    fn object_array(&mut self, id: u64, class: u64, length: u32) {
        self.skip_current = id == 0;
        if self.skip_current {
            return;
        }
        let class = ClassIdx(self.classes.table.number(class));
        let layout = &self.classes.layout;
        self.object(id, class, layout.array_bytes(layout.reference, length));
    }

    #[inline]
    fn elements(&mut self, first: u32, ids: &[u8]) {
        if self.skip_current {
            return;
        }
        for (bytes, index) in ids.chunks_exact(ID).zip(first..) {
            let referee = id::<ID>(bytes);
            if referee != 0 {
                self.sink.reference(Label::element(index), referee);
            }
        }
    }

    #[inline]
    fn primitive_array(&mut self, id: u64, kind: u8, length: u32, _at: u64) {
        if id == 0 {
            return;
        }
        let width = u64::from(width(kind).unwrap_or(1));
        let class = self.classes.primitive_arrays.get(usize::from(kind)).copied().unwrap_or(ClassIdx(0));
        self.object(id, class, self.classes.layout.array_bytes(width, length));
    }
}
