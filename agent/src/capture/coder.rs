//! The walk by address: turns references into records of the graph's stream. Inside heap callbacks and in a forked
//! child: it neither allocates nor locks nor calls the JVM; where it has no room it waits a bounded time.

use super::address_table::AddressTable;
use super::bounds::Bounds;
use super::failure::Failure;
use super::roots::Held;
use super::seen::RecentAddresses;
use super::walk::label;
use crate::faults::{Corruption, Step};
use crate::identity::tag::Tag;
use crate::jvmti::abi::ReferenceKind;
use crate::jvmti::heap::{Next, Origin};
use crate::jvmti::notes::PendingReference;
use crate::os::copier::Copier;
use crate::os::ring::RingWriter;
use rootbound_wire::graph::{Address, ChunkWriter, Place, StreamMark};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::ReferenceLabel;

/// Most records from one reference or root: resume, name, mark, batch, reference.
const RECORDS_A_REFERENCE: usize = 5;
const MARKS_SEEN: usize = 1 << 10;
const NAMELESS_SEEN: usize = 256;

/// The place of a reference by its kind, found without a branch, for kinds come in no order.
const PLACES: [Place; 32] = {
    let mut places = [Place::of(ReferenceLabel::Other); 32];
    let mut kind = 0;
    while kind < places.len() {
        places[kind] = Place::of(label(Origin { kind: ReferenceKind(kind as i32), index: 0, stack: None }));
        kind += 1;
    }
    places
};

/// No object.
const NOWHERE: Address = Address(0);

/// Writes references, grouped by the object that refers.
pub struct Coder<'m> {
    /// The addresses of the named objects.
    known: AddressTable,
    writer: RingWriter<'m>,
    bounds: Bounds,
    copier: Copier,
    marks_seen: RecentAddresses,
    nameless_seen: RecentAddresses,
    /// The object whose references are under way.
    open: Address,
    /// The highest index so far. It is one of an array, for no class has as many fields.
    widest: u32,
    corruption: Corruption,
}

impl<'m> Coder<'m> {
    /// A coder with nothing written, for a walk that meets `named` named objects.
    pub fn new(named: u64, writer: RingWriter<'m>, bounds: Bounds, corruption: Corruption) -> Self {
        Self {
            known: AddressTable::new(named),
            writer,
            bounds,
            copier: Copier::default(),
            marks_seen: RecentAddresses::new(MARKS_SEEN),
            nameless_seen: RecentAddresses::new(NAMELESS_SEEN),
            open: NOWHERE,
            widest: 0,
            corruption,
        }
    }

    /// Begins the walk: reports the planted objects and the heads with their addresses, and stores the addresses of the
    /// named objects.
    pub fn begin(&mut self, held: Held<'_>) {
        for (number, address) in held.planted.addresses() {
            self.writer.write(|chunk| chunk.sentinel(number, address));
        }
        for (id, object) in held.held_objects.all() {
            self.known.insert(self.corruption.handle(object.object.address()), id);
        }
        self.commit(0);
        let mut written = Ok(());
        let mut write = |number, address| {
            written = written.and_then(|()| self.make_room());
            if written.is_ok() {
                self.writer.write(|chunk| chunk.head(number, address));
                self.commit(0);
            }
        };
        held.held_objects.heads().into_iter().for_each(|heads| heads.each(&mut write));
        if let Err(failure) = written {
            self.give_up(failure);
        }
    }

    /// The name of the object here.
    #[inline]
    pub fn named(&self, object: Address) -> Option<ObjectId> {
        self.known.id(object)
    }

    /// Memory that it holds, in addition to the ring.
    pub fn bytes(&self) -> u64 {
        self.known.bytes() + ((MARKS_SEEN + NAMELESS_SEEN) * 8) as u64
    }

    /// Hands over the rest.
    pub fn finish(self) {
        self.writer.finish();
    }

    /// Ends the walk, for this reason.
    #[cold]
    pub fn give_up(&self, failure: Failure) -> Next {
        self.writer.fail(failure as u32);
        Next::Abort
    }

    /// Records something, unless the walk has lasted too long; a failure ends the walk.
    #[inline]
    pub fn record(&mut self, write: impl FnOnce(&mut Self) -> Result<Next, Failure>) -> Next {
        self.copier.look(&self.writer);
        let written = match self.corruption.step(self.writer.references()) {
            Step::Record => self.bounds.check().and_then(|()| write(self)),
            Step::Skip => Ok(Next::Continue),
            Step::GiveUp => Err(Failure::Layout),
        };
        written.unwrap_or_else(|failure| self.give_up(failure))
    }

    /// Makes the written records count; `references` more references have been seen.
    #[inline]
    pub fn commit(&mut self, references: usize) {
        self.writer.commit(references as u64, self.widest);
    }

    /// Writes one record.
    #[inline]
    pub fn write(&mut self, record: impl FnOnce(&mut ChunkWriter<'_>)) {
        self.writer.write(record);
    }

    /// Makes room for the records of the next reference, be it a root.
    ///
    /// # Errors
    /// None came free in time.
    #[inline]
    pub fn make_room(&mut self) -> Result<(), Failure> {
        self.make_room_for(NOWHERE)
    }

    #[inline]
    fn make_room_for(&mut self, referrer: Address) -> Result<(), Failure> {
        if self.writer.has_room(RECORDS_A_REFERENCE) { Ok(()) } else { self.next_slot(referrer) }
    }

    /// Continues in the next slot.
    #[cold]
    fn next_slot(&mut self, referrer: Address) -> Result<(), Failure> {
        self.writer.publish();
        self.bounds.wait_for_slot(&mut self.writer)?;
        if self.open != NOWHERE && referrer == self.open {
            self.writer.write(|chunk| chunk.resume(referrer));
        } else {
            self.open = NOWHERE;
        }
        Ok(())
    }

    /// Records references, in their order.
    #[inline]
    pub fn code(&mut self, pending: &[PendingReference]) -> Next {
        self.record(|coder| coder.references(pending))
    }

    fn references(&mut self, pending: &[PendingReference]) -> Result<Next, Failure> {
        for reference in pending {
            self.make_room_for(reference.referrer)?;
            self.reference(reference);
        }
        self.commit(pending.len());
        Ok(Next::Continue)
    }

    #[inline]
    fn reference(&mut self, reference: &PendingReference) {
        let is_class = reference.kind() == ReferenceKind::CLASS;
        if self.opens(reference.referrer, reference.referee, is_class) {
            return;
        }
        self.describe(reference.referee, reference.shape().bytes(), reference.tag, is_class || reference.is_mirror);
        self.widest = self.widest.max(reference.index);
        let place = PLACES.get(reference.kind().0 as usize).copied().unwrap_or(Place::of(ReferenceLabel::Other));
        let referee = self.corruption.address(reference.referee);
        self.writer.write(|chunk| chunk.reference(place.at(reference.index), referee, reference.shape()));
    }

    /// Begins the next object, if it is one. Returns whether this covers the whole reference: the JVM reports the
    /// class of each object first, but of a mirror it reports none.
    #[inline(always)]
    fn opens(&mut self, referrer: Address, referee: Address, is_class: bool) -> bool {
        self.open != referrer && self.open(referrer, referee, is_class)
    }

    fn open(&mut self, referrer: Address, referee: Address, is_class: bool) -> bool {
        let class = if is_class { self.known.id(referee) } else { None };
        self.writer.write(|chunk| chunk.batch(referrer, class));
        self.open = referrer;
        class.is_some()
    }

    /// Reports the facts about an object other than its size: its mark, and that it is a mirror without a name.
    #[inline]
    pub fn describe(&mut self, object: Address, bytes: u64, tag: i64, is_mirror: bool) {
        if tag != 0 {
            self.mark(object, tag);
        }
        if is_mirror {
            self.nameless(object, bytes, tag);
        }
    }

    #[cold]
    fn mark(&mut self, object: Address, tag: i64) {
        if let Some(mark) = stream_mark(tag)
            && self.marks_seen.insert(object)
        {
            self.writer.write(|chunk| chunk.marked(object, mark));
        }
    }

    /// Reports the mirror of a primitive type, or of a class that was loaded after the held objects were acquired.
    #[cold]
    pub fn nameless(&mut self, mirror: Address, bytes: u64, tag: i64) {
        if self.known.id(mirror).is_none() && self.nameless_seen.insert(mirror) {
            let mark = stream_mark(tag);
            self.writer.write(|chunk| chunk.named(None, mirror, bytes, mark));
        }
    }
}

/// The mark of an earlier snapshot, if the tag is one.
#[inline]
fn stream_mark(tag: i64) -> Option<StreamMark> {
    let tag = Tag::decode(tag);
    tag.mark().map(|mark| StreamMark { first_seen: tag.first_seen, mark })
}
