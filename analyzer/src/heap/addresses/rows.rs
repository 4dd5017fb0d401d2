//! The references of all objects as rows of one table. Several threads count them first and then write them in place.
//! Each place of a row is written by the one chunk that holds its reference.

use super::class_ids::ClassIds;
use super::sizes::Sizes;
use super::stream::Stream;
use super::stretches::{Share, Witness, starts};
use super::unproven::Unproven;
use crate::heap::atomics::{filled, unfilled};
use crate::heap::edges::Cut;
use crate::heap::places::Places;
use crate::heap::referents::Referents;
use crate::heap::{ClassIdx, HeapError, Label, ObjectIdx, References};
use rayon::prelude::*;
use rootbound_wire::graph::{self, Address, Record};
use rootbound_wire::ids::ObjectId;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Distinguishes edges from other references.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    places: &'a Places,
    class_ids: &'a ClassIds,
    class_of: &'a [ClassIdx],
    cut: &'a Cut<'a>,
    /// By class: its mirror, where an object's reference to it is an edge.
    class_edges: &'a [Option<ObjectIdx>],
    /// Planted objects, ascending, whose references are noted.
    watched: &'a [ObjectIdx],
}

/// The lengths of all rows, the start of each chunk in its row, and the references of the watched objects.
#[derive(Debug)]
pub(super) struct Counted {
    /// By object, and one more: the beginning of its row.
    offsets: Vec<u32>,
    /// By chunk: the number of references, in earlier chunks, of the object that it resumes.
    starts: Vec<u32>,
    pub(super) witnesses: Vec<Witness>,
}

/// By class: its mirror, where an object's reference to it is an edge.
pub(super) fn class_edges(class_ids: &ClassIds, cut: &Cut<'_>) -> Vec<Option<ObjectIdx>> {
    let mirror = |class| class_ids.mirror(ClassIdx(class)).filter(|&mirror| cut.keeps_class(mirror));
    (0..class_ids.class_count() as u32).map(mirror).collect()
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        places: &'a Places,
        class_ids: &'a ClassIds,
        class_of: &'a [ClassIdx],
        cut: &'a Cut<'a>,
        class_edges: &'a [Option<ObjectIdx>],
        watched: &'a [ObjectIdx],
    ) -> Self {
        Self { places, class_ids, class_of, cut, class_edges, watched }
    }

    /// Counts the edges of each object.
    pub(super) fn count(self, chunks: &[&[u8]]) -> Result<Counted, HeapError> {
        let degrees = filled(self.class_of.len() + 1, 0);
        let shares: Vec<Share> =
            chunks.par_iter().map(|chunk| self.share(chunk, &degrees)).collect::<Result<_, _>>()?;
        let mut degrees = unfilled(degrees);
        let starts = starts(&shares, &mut degrees)?;
        let offsets = References::offsets(degrees).ok_or(HeapError::TooLarge)?;
        Ok(Counted { offsets, starts, witnesses: shares.into_iter().flat_map(|share| share.witnesses).collect() })
    }

    fn share(self, chunk: &[u8], degrees: &[AtomicU32]) -> Result<Share, Unproven> {
        let mut share = Share::default();
        let mut class = ClassIdx(0);
        let mut is_watched = false;
        for record in graph::records(chunk) {
            match record? {
                Record::Batch { referrer, class: id } => {
                    let object = self.object(referrer)?;
                    (class, is_watched) = (self.class_of[object.at()], self.is_watched(object));
                    share.batch(object, degrees);
                    share.count(u32::from(self.class_edge(id).is_some()));
                }
                Record::Resume { referrer } => {
                    let object = self.object(referrer)?;
                    (class, is_watched) = (self.class_of[object.at()], self.is_watched(object));
                    share.resume(object)?;
                }
                Record::Reference { label, referee, .. } => {
                    let label = Label::from(label);
                    let is_edge =
                        if label == Label::CLASS { self.keeps_class(referee)? } else { self.cut.keeps(class, label) };
                    share.count(u32::from(is_edge));
                    if is_watched {
                        share.note(label, referee);
                    }
                }
                _ => {}
            }
        }
        share.close(degrees);
        Ok(share)
    }

    /// Writes all edges and all sizes, and frees the stream's memory meanwhile. Every referee is looked up, whether the
    /// reference is an edge or not. Also returns the referents of weak references.
    pub(super) fn write(
        self,
        stream: Stream,
        counted: &Counted,
        sizes: &Sizes,
    ) -> Result<(References, Referents), HeapError> {
        let count = counted.offsets.last().map_or(0, |&count| count as usize);
        let table = Table { targets: filled(count, 0), labels: filled(count, 0), offsets: &counted.offsets };
        let mut starts = counted.starts.as_slice();
        let mut referents = Vec::new();
        for piece in stream.into_pieces() {
            let chunks: Vec<&[u8]> = piece.chunks().collect();
            let (mine, rest) = starts.split_at(chunks.len());
            starts = rest;
            let weak: Vec<Weak> = chunks
                .par_iter()
                .zip(mine)
                .map(|(chunk, &start)| self.write_chunk(chunk, start, &table, sizes))
                .collect::<Result<_, Unproven>>()?;
            referents.extend(weak.into_iter().flatten());
        }
        let Table { targets, labels, .. } = table;
        let references = References::of_rows(&counted.offsets, unfilled(targets), unfilled(labels));
        Ok((references, Referents::new(referents)))
    }

    fn write_chunk(self, chunk: &[u8], start: u32, table: &Table<'_>, sizes: &Sizes) -> Result<Weak, Unproven> {
        let mut weak = Weak::new();
        let (mut object, mut class) = (ObjectIdx(0), ClassIdx(0));
        let mut at = 0;
        for record in graph::records(chunk) {
            match record? {
                Record::Batch { referrer, class: id } => {
                    object = self.object(referrer)?;
                    class = self.class_of[object.at()];
                    at = table.offsets[object.at()];
                    if let Some(mirror) = self.class_edge(id) {
                        table.write(&mut at, mirror, Label::CLASS);
                    }
                }
                Record::Resume { referrer } => {
                    object = self.object(referrer)?;
                    class = self.class_of[object.at()];
                    at = table.offsets[object.at()] + start;
                }
                Record::Reference { label, referee, shape } => {
                    let referee = self.places.index(referee).ok_or(Unproven::Unexpanded { by: "reference" })?;
                    sizes.set(referee, shape)?;
                    let label = Label::from(label);
                    if if label == Label::CLASS { self.cut.keeps_class(referee) } else { self.cut.keeps(class, label) }
                    {
                        table.write(&mut at, referee, label);
                    } else if self.cut.is_referent(class, label) {
                        weak.push((object, referee));
                    }
                }
                _ => {}
            }
        }
        Ok(weak)
    }

    #[inline]
    fn object(self, address: Address) -> Result<ObjectIdx, Unproven> {
        self.places.index(address).ok_or(Unproven::Resumed)
    }

    #[inline]
    fn class_edge(self, id: Option<ObjectId>) -> Option<ObjectIdx> {
        self.class_edges[self.class_ids.class(id?)?.at()]
    }

    fn keeps_class(self, mirror: Address) -> Result<bool, Unproven> {
        let mirror = self.places.index(mirror).ok_or(Unproven::Unexpanded { by: "reference" })?;
        Ok(self.cut.keeps_class(mirror))
    }

    #[inline]
    fn is_watched(self, object: ObjectIdx) -> bool {
        let may_be = self.watched.first() <= Some(&object) && Some(&object) <= self.watched.last();
        may_be && self.watched.binary_search(&object).is_ok()
    }
}

/// Weak references with their referents.
type Weak = Vec<(ObjectIdx, ObjectIdx)>;

/// Rows that several threads write.
struct Table<'a> {
    offsets: &'a [u32],
    targets: Vec<AtomicU32>,
    labels: Vec<AtomicU32>,
}

impl Table<'_> {
    #[inline]
    fn write(&self, at: &mut u32, referee: ObjectIdx, label: Label) {
        self.targets[*at as usize].store(referee.0, Relaxed);
        self.labels[*at as usize].store(label.bits(), Relaxed);
        *at += 1;
    }
}
