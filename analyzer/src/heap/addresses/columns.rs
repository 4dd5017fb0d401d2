//! Class and age of every object, one column each, filled by several threads at once. The order of the threads does not
//! matter: nothing is reported twice with different values.

use super::class_ids::ClassIds;
use super::survey::Survey;
use super::unproven::Unproven;
use crate::heap::atomics::filled;
use crate::heap::places::Places;
use crate::heap::seen::Seen;
use crate::heap::{ClassIdx, HeapError, ObjectIdx};
use rayon::prelude::*;
use rootbound_wire::graph::{self, Address, Record, StreamMark};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{Mark, ReferenceLabel};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// Class of an object without a batch.
pub(super) const NOT_EXPANDED: ClassIdx = ClassIdx(u32::MAX);
/// Class of an object whose batch named no class.
pub(super) const NOT_NAMED: ClassIdx = ClassIdx(u32::MAX - 1);

/// First snapshot of an object that bears no mark.
const NOT_MARKED: u8 = u8::MAX;

/// Data of each object alone, as the chunks report it.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) class_of: Vec<ClassIdx>,
    /// The earliest snapshot among the object's marks, as an index into all snapshots of marks, or [`NOT_MARKED`].
    first_seen: Vec<u8>,
    /// Marks that say more than that there is one. After [`Self::seen`] they are ascending, one for each object.
    marks: Vec<(ObjectIdx, StreamMark)>,
    /// References to classes, reported as records of their own: the object and the mirror.
    pub(super) class_references: Vec<(ObjectIdx, ObjectIdx)>,
    /// References to loaders: the mirror, and the loader.
    pub(super) loaders: Vec<(ObjectIdx, ObjectIdx)>,
}

/// Reads all chunks.
pub(super) fn read(
    chunks: &[&[u8]],
    places: &Places,
    class_ids: &ClassIds,
    Survey { batches, snapshots, .. }: &Survey,
) -> Result<Columns, HeapError> {
    let filling = Filling {
        snapshots,
        first_seen: std::iter::repeat_with(|| AtomicU8::new(NOT_MARKED)).take(places.object_count()).collect(),
        places,
        class_ids,
        classes: filled(places.object_count(), NOT_EXPANDED.0),
    };
    let described: Vec<Columns> = chunks.par_iter().map(|chunk| filling.fill(chunk)).collect::<Result<_, _>>()?;
    let mut columns = Columns {
        class_of: filling.classes.into_iter().map(|class| ClassIdx(class.into_inner())).collect(),
        first_seen: filling.first_seen.into_iter().map(AtomicU8::into_inner).collect(),
        ..Columns::default()
    };
    // If one object had two batches, fewer objects would have a class than there are batches.
    if columns.class_of.iter().filter(|&&class| class != NOT_EXPANDED).count() as u64 != *batches {
        return Err(Unproven::ExpandedTwice.into());
    }
    for mut each in described {
        columns.marks.append(&mut each.marks);
        columns.class_references.append(&mut each.class_references);
        columns.loaders.append(&mut each.loaders);
    }
    Ok(columns)
}

impl Columns {
    /// The marked objects, ascending, each with its most informative mark.
    pub(super) fn seen(&mut self, snapshots: &[u32]) -> impl Iterator<Item = Seen> + Clone {
        self.marks.sort_by_key(|&(object, mark)| (object, mark.first_seen));
        self.marks.dedup_by_key(|entry| entry.0);
        let mut marked_next = self.marks.iter().peekable();
        let marked = (0..).map(ObjectIdx).zip(&self.first_seen).filter(|(_, at)| **at != NOT_MARKED);
        marked.map(move |(object, &at)| match marked_next.next_if(|entry| entry.0 == object) {
            Some(&(_, mark)) => Seen { object, first_seen: SnapshotId(mark.first_seen), mark: Some(mark.mark) },
            None => Seen { object, first_seen: SnapshotId(snapshots[usize::from(at)]), mark: Some(Mark::StandsFor(1)) },
        })
    }
}

struct Filling<'a> {
    places: &'a Places,
    class_ids: &'a ClassIds,
    snapshots: &'a [u32],
    first_seen: Vec<AtomicU8>,
    classes: Vec<AtomicU32>,
}

impl Filling<'_> {
    fn fill(&self, chunk: &[u8]) -> Result<Columns, HeapError> {
        let mut described = Columns::default();
        let mut current = None;
        for record in graph::records(chunk) {
            match record.map_err(Unproven::from)? {
                Record::Batch { referrer, class } => current = Some(self.begin(referrer, class)?),
                Record::Resume { referrer } => {
                    current = Some(self.places.index(referrer).ok_or(Unproven::Resumed)?);
                }
                Record::Reference { label, referee, .. } => {
                    let ends = || Some((current?, self.places.index(referee)?));
                    match label {
                        ReferenceLabel::Class => described.class_references.extend(ends()),
                        ReferenceLabel::ClassLoader => described.loaders.extend(ends()),
                        _ => {}
                    }
                }
                Record::Marked { object, mark } | Record::Named { object, mark: Some(mark), .. } => {
                    let object = self.places.index(object).ok_or(Unproven::Unexpanded { by: "mark" })?;
                    self.take_mark(object, mark);
                    described.marks.extend((mark.mark != Mark::StandsFor(1)).then_some((object, mark)));
                }
                _ => {}
            }
        }
        Ok(described)
    }

    #[inline]
    fn begin(&self, referrer: Address, class: Option<ObjectId>) -> Result<ObjectIdx, HeapError> {
        let object = self.places.index(referrer).ok_or(Unproven::Unexpanded { by: "batch" })?;
        let class = match class {
            Some(id) => self.class_ids.class(id).ok_or(HeapError::Unknown { what: "class of an object", id: id.0 })?,
            None => NOT_NAMED,
        };
        self.classes[object.at()].store(class.0, Relaxed);
        Ok(object)
    }

    #[inline]
    fn take_mark(&self, object: ObjectIdx, mark: StreamMark) {
        if let Some(at) = self.snapshots.iter().position(|&snapshot| snapshot == mark.first_seen) {
            let earliest = &self.first_seen[object.at()];
            if earliest.load(Relaxed) > at as u8 {
                earliest.fetch_min(at as u8, Relaxed);
            }
        }
    }
}
