//! A heap from records of objects and references, as captures by tags give them.

use super::builder::Described;
use super::edges::{self, Cut};
use super::kinds::Kinds;
use super::object_ids::ObjectIds;
use super::references::{Label, References};
use super::referents::Referents;
use super::resolve::Lookup;
use super::seen::{Marks, Seen};
use super::{Heap, HeapError, MAX_OBJECTS, ObjectIdx, Root};
use rootbound_wire::ids::{ObjectId, SnapshotId};
use rootbound_wire::message::{Mark, ObjectRecord, ReferenceRecord, RootRecord};
use std::collections::HashMap;

/// Objects, references and roots by the ids of a capture.
#[derive(Debug, Default)]
pub(super) struct Records {
    ids: Vec<u64>,
    class_ids: Vec<u32>,
    shallow_bytes: Vec<u32>,
    first_seen: Vec<SnapshotId>,
    /// By index: the marks that say more than that the object is marked.
    marks: HashMap<u32, Mark>,
    references: Vec<(ObjectIdx, ObjectIdx, Label)>,
    roots: Vec<RootRecord>,
    bad_id: bool,
}

impl Records {
    pub(super) fn objects(&mut self, records: &[ObjectRecord]) {
        for record in records {
            if let Some(mark) = record.mark.filter(|&mark| mark != Mark::StandsFor(1)) {
                self.marks.insert(self.ids.len() as u32, mark);
            }
            self.ids.push(record.id.0);
            let class = record.class.map_or(0, |class| self.narrow(class));
            self.class_ids.push(class);
            self.shallow_bytes.push(u32::try_from(record.shallow_bytes).unwrap_or(u32::MAX));
            self.first_seen.push(record.first_seen);
        }
    }

    pub(super) fn references(&mut self, records: &[ReferenceRecord]) {
        for record in records {
            let ends = (self.narrow(record.referrer), self.narrow(record.referee));
            self.references.push((ObjectIdx(ends.0), ObjectIdx(ends.1), record.label.into()));
        }
    }

    pub(super) fn roots(&mut self, records: &[RootRecord]) {
        self.roots.extend_from_slice(records);
    }

    pub(super) fn object_count(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn reference_count(&self) -> usize {
        self.references.len()
    }

    /// Ids are kept in 32 bits until the end; an id that does not fit makes [`Self::build`] fail.
    fn narrow(&mut self, id: ObjectId) -> u32 {
        u32::try_from(id.0).ok().filter(|&id| id != 0).unwrap_or_else(|| {
            self.bad_id = true;
            1
        })
    }

    /// Builds the heap from the records and the other reported data.
    pub(super) fn build(mut self, mut described: Described) -> Result<Heap, HeapError> {
        if self.ids.len() >= MAX_OBJECTS as usize || self.references.len() >= u32::MAX as usize {
            return Err(HeapError::TooLarge);
        }
        let ids = ObjectIds::new(&std::mem::take(&mut self.ids)).filter(|_| !self.bad_id).ok_or(HeapError::BadId)?;
        let lookup = Lookup { ids: &ids };
        lookup.resolve_references(&mut self.references)?;
        let classes = lookup.classes(&described.classes)?;
        let class_of = lookup.class_of_objects(&classes, &self.class_ids, &self.references)?;
        let marks = self.generations(&mut described);
        let threads = lookup.threads(described.threads)?;
        let roots = self.roots.iter().map(|root| Ok((lookup.find("GC root", root.object)?, root.kind)));
        let mut roots = lookup.roots(roots, &threads, &described.methods)?;
        let class_roots = edges::class_roots(&classes, &class_of, &marks.generation, marks.latest);
        roots.extend(class_roots.iter().map(|&mirror| Root::class(mirror)));
        let cut = Cut::new(&classes, &class_roots, class_of.len(), described.rules);
        let is_referent =
            |&&(referrer, _, label): &&(ObjectIdx, ObjectIdx, Label)| cut.is_referent(class_of[referrer.at()], label);
        let referents = self.references.iter().filter(is_referent).map(|&(referrer, referee, _)| (referrer, referee));
        let referents = Referents::new(referents.collect());
        self.references.retain(|&(referrer, referee, label)| match label {
            Label::CLASS => cut.keeps_class(referee),
            _ => cut.keeps(class_of[referrer.at()], label),
        });
        let references = References::new(class_of.len(), self.references);
        Ok(Heap {
            kinds: Kinds::new(&class_of, &self.shallow_bytes),
            marks,
            classes,
            references,
            referents,
            roots,
            threads,
            ids,
            heads: HashMap::new(),
        })
    }

    fn generations(&mut self, described: &mut Described) -> Marks {
        let first_seen = std::mem::take(&mut self.first_seen);
        let seen = (0..).map(ObjectIdx).zip(&first_seen).map(|(object, &first_seen)| {
            let mark = self.marks.get(&object.0).copied();
            Seen { object, first_seen, mark }
        });
        Marks::new(first_seen.len(), seen, described.done.as_ref().map(|done| done.snapshot), described.marks.take())
    }
}
