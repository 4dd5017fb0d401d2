//! The second pass over a dump: class, size and number of references of every object. References to objects that the
//! dump does not have are counted, too: to look each of them up takes longer than to close their gaps afterwards.

use super::{DumpError, DumpSink, DumpSource, DumpedObject, Edges, each_part};
use crate::heap::atomics::{filled, unfilled};
use crate::heap::{ClassIdx, Label, ObjectIdx};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Columns with one entry for each object.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) class_of: Vec<ClassIdx>,
    /// Saturated at 4 GiB.
    pub(super) shallow_bytes: Vec<u32>,
    /// Number of references by object, those to nowhere included, and one entry more.
    pub(super) degrees: Vec<u32>,
}

/// Reads all parts.
pub(super) fn read<S: DumpSource>(source: &S, edges: Edges<'_>) -> Result<Columns, DumpError<S::Error>> {
    let count = edges.find.places.object_count();
    let table = Table { classes: filled(count, UNTOLD), bytes: filled(count, 0), degrees: filled(count + 1, 0) };
    each_part(source, edges, |part| {
        let mut filling = Filling { edges, table: &table, object: None, class: ClassIdx(0), degree: 0 };
        source.read_part(part, &mut filling)?;
        filling.close();
        Ok(())
    })?;
    let class_of = table.classes.into_iter().map(|class| ClassIdx(class.into_inner())).collect();
    Ok(Columns { class_of, shallow_bytes: unfilled(table.bytes), degrees: unfilled(table.degrees) })
}

/// Class of an object that has not been read yet.
const UNTOLD: u32 = u32::MAX;

struct Table {
    classes: Vec<AtomicU32>,
    bytes: Vec<AtomicU32>,
    degrees: Vec<AtomicU32>,
}

struct Filling<'a> {
    edges: Edges<'a>,
    table: &'a Table,
    /// The current object; `None` for one whose id was seen before.
    object: Option<ObjectIdx>,
    class: ClassIdx,
    degree: u32,
}

impl Filling<'_> {
    fn close(&mut self) {
        if let Some(object) = self.object.take() {
            self.table.degrees[object.at()].store(self.degree, Relaxed);
        }
    }
}

impl DumpSink for Filling<'_> {
    const TAKES_REFERENCES: bool = true;

    #[inline]
    fn object(&mut self, object: DumpedObject) {
        self.close();
        let Some(at) = self.edges.find.index(object.id) else { return };
        if self.edges.is_repeating && self.table.classes[at.at()].load(Relaxed) != UNTOLD {
            return;
        }
        self.class = self.edges.class(object.class);
        self.table.classes[at.at()].store(self.class.0, Relaxed);
        let bytes = u32::try_from(object.shallow_bytes).unwrap_or(u32::MAX);
        self.table.bytes[at.at()].store(bytes, Relaxed);
        self.object = Some(at);
        self.degree = u32::from(self.edges.class_edges[self.class.at()].is_some());
    }

    #[inline]
    fn reference(&mut self, label: Label, _referee: u64) {
        self.degree += u32::from(self.edges.cut.keeps(self.class, label));
    }
}
