//! The third pass over a dump: the references of every object, written into their rows. Rows with references to objects
//! that the dump does not have are too long; their gaps are closed at the end.

use super::gaps::{Gap, close};
use super::{DumpError, DumpSink, DumpSource, DumpedObject, Edges, each_part};
use crate::heap::atomics::{filled, unfilled};
use crate::heap::labels::{Coder, Labels};
use crate::heap::{ClassIdx, Label, ObjectIdx, References};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// Reads all parts. Returns the references and the number of references to objects that the dump does not have.
pub(super) fn read<S: DumpSource>(
    source: &S,
    edges: Edges<'_>,
    degrees: Vec<u32>,
) -> Result<(References, u64), DumpError<S::Error>> {
    let mut offsets = References::offsets(degrees).ok_or(DumpError::TooLarge)?;
    let count = offsets.last().map_or(0, |&count| count as usize);
    let codes = std::iter::repeat_with(AtomicU8::default).take(count).collect();
    let begun = if edges.is_repeating { filled(edges.find.places.object_count() / 32 + 1, 0) } else { Vec::new() };
    let table = Table { offsets: &offsets, targets: filled(count, 0), codes, begun };
    let rests = each_part(source, edges, |part| {
        let mut writing = Writing::new(edges, &table);
        source.read_part(part, &mut writing)?;
        writing.close();
        Ok(writing.rest)
    })?;
    let mut whole = Rest::default();
    rests.into_iter().for_each(|rest| whole.add(rest));
    let Table { targets, codes, .. } = table;
    let (mut targets, mut codes) = (unfilled(targets), codes.into_iter().map(AtomicU8::into_inner).collect());
    close(whole.gaps, &mut offsets, &mut targets, &mut codes, &mut whole.rare);
    let references = References::of_coded_rows(&offsets, targets, Labels::coded(codes, whole.rare));
    Ok((references, whole.dangling))
}

struct Table<'a> {
    offsets: &'a [u32],
    targets: Vec<AtomicU32>,
    codes: Vec<AtomicU8>,
    /// For dumps with repeated ids: the objects whose rows have been begun, one bit each.
    begun: Vec<AtomicU32>,
}

impl Table<'_> {
    /// Whether this is the first object with that index.
    fn begin(&self, object: ObjectIdx) -> bool {
        let bit = 1 << (object.0 % 32);
        self.begun[object.at() / 32].fetch_or(bit, Relaxed) & bit == 0
    }
}

/// The findings of a part that are not in the rows.
#[derive(Default)]
struct Rest {
    /// Labels that have no code, by place.
    rare: Vec<(u32, Label)>,
    /// Unused ends of rows.
    gaps: Vec<Gap>,
    dangling: u64,
}

impl Rest {
    fn add(&mut self, other: Self) {
        self.rare.extend(other.rare);
        self.gaps.extend(other.gaps);
        self.dangling += other.dangling;
    }
}

struct Writing<'a> {
    edges: Edges<'a>,
    table: &'a Table<'a>,
    object: ObjectIdx,
    class: ClassIdx,
    at: u32,
    end: u32,
    coder: Coder,
    rest: Rest,
}

impl<'a> Writing<'a> {
    fn new(edges: Edges<'a>, table: &'a Table<'a>) -> Self {
        let (object, class, coder) = (ObjectIdx(0), ClassIdx(0), Coder::default());
        Self { edges, table, object, class, at: 0, end: 0, coder, rest: Rest::default() }
    }

    /// Ends the row of the current object.
    #[inline]
    fn close(&mut self) {
        if self.at < self.end {
            self.rest.gaps.push(Gap { row: self.object.0, length: self.end - self.at });
        }
        self.end = self.at;
    }

    #[inline]
    fn write(&mut self, label: Label, referee: ObjectIdx) {
        // Objects that are left out have no row.
        if self.at == self.end {
            return;
        }
        self.table.targets[self.at as usize].store(referee.0, Relaxed);
        let code = self.coder.code(label).unwrap_or_else(|| {
            self.rest.rare.push((self.at, label));
            Coder::RARE
        });
        self.table.codes[self.at as usize].store(code, Relaxed);
        self.at += 1;
    }
}

impl DumpSink for Writing<'_> {
    const TAKES_REFERENCES: bool = true;

    #[inline]
    fn object(&mut self, object: DumpedObject) {
        self.close();
        let Some(at) = self.edges.find.index(object.id) else { return };
        if self.edges.is_repeating && !self.table.begin(at) {
            return;
        }
        self.object = at;
        (self.at, self.end) = (self.table.offsets[at.at()], self.table.offsets[at.at() + 1]);
        self.class = self.edges.class(object.class);
        self.coder = Coder::default();
        if let Some(mirror) = self.edges.class_edges[self.class.at()] {
            self.write(Label::CLASS, mirror);
        }
    }

    #[inline]
    fn reference(&mut self, label: Label, referee: u64) {
        if self.edges.cut.keeps(self.class, label) {
            match self.edges.find.index(referee) {
                Some(referee) => self.write(label, referee),
                None => self.rest.dangling += 1,
            }
        }
    }
}
