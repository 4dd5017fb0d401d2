//! The walk by address: turns sights into records of the graph's stream. It runs inside heap callbacks and in a forked
//! child, so it neither allocates nor locks nor calls the JVM; where it has no room it waits a bounded time.

use super::bounds::Bounds;
use super::failure::Failure;
use super::lie::{Lie, Trick};
use super::methods::MethodSet;
use super::names_given::Given;
use super::told::{Lately, Once, Size, Sizes};
use super::walk::label;
use crate::identity::tag::Tag;
use crate::jvmti::heap::{Next, Origin};
use crate::jvmti::peek::{Referrer, Sight, SightVisitor};
use crate::jvmti::ring::{Gauge, Pen};
use rootbound_wire::graph::{Address, Shape, StreamMark, StreamRoot};
use rootbound_wire::ids::{ObjectId, SnapshotId};

/// Records that one sight can give: resume, class size, name, mark, batch, reference.
const RECORDS_A_SIGHT: usize = 6;
/// Arrays and objects of unusual size told lately: few enough that they stay in the processor's cache, for what is
/// forgotten costs two bytes to tell again.
const SHAPES_TOLD: usize = 4 << 10;
const MARKS_TOLD: usize = 1 << 10;
const NAMELESS_TOLD: usize = 256;
const KIND_CLASS: i32 = 1;

/// Writes what one capture sees.
pub struct Recorder<'m> {
    snapshot: SnapshotId,
    given: &'m Given,
    pen: Pen<'m>,
    bounds: Bounds,
    methods: MethodSet<'m>,
    sizes: Sizes,
    shapes_told: Lately,
    marks_told: Lately,
    nameless_told: Lately,
    named: Once,
    batch: Option<Batch>,
    lie: Lie,
    panics: bool,
}

/// The object whose references are under way.
#[derive(Clone, Copy)]
struct Batch {
    referrer: Address,
    /// Whether its reference to its class has been told with it.
    has_class: bool,
}

impl<'m> Recorder<'m> {
    /// A recorder for a capture whose classes and threads bear the names `given`. `panics` is a test hook, as is the lie.
    pub fn new(snapshot: SnapshotId, given: &'m Given, pen: Pen<'m>, bounds: Bounds, lie: Lie, panics: bool) -> Self {
        Self {
            snapshot,
            given,
            bounds,
            methods: MethodSet::new(pen.methods()),
            pen,
            sizes: Sizes::new(given.count()),
            shapes_told: Lately::new(SHAPES_TOLD),
            marks_told: Lately::new(MARKS_TOLD),
            nameless_told: Lately::new(NAMELESS_TOLD),
            named: Once::new(given.count()),
            batch: None,
            lie,
            panics,
        }
    }

    /// Names of methods that hold wherever the walk goes on; of no others from now on.
    pub fn know_only(&mut self, methods: &[u64]) {
        for &method in methods {
            self.methods.insert(method);
        }
        self.methods.close();
    }

    /// Memory that it holds, besides the ring.
    pub const BYTES: u64 = ((SHAPES_TOLD + MARKS_TOLD + NAMELESS_TOLD) * 8) as u64;

    /// Hands over what is left; the walk has ended, here or in the child.
    pub fn finish(self) {
        self.pen.finish();
    }

    fn id(&self, tag: i64) -> Option<ObjectId> {
        Tag::decode(tag).id_in(self.snapshot)
    }

    #[inline]
    fn record(&mut self, sight: &Sight) -> Result<(), Failure> {
        self.bounds.check(self.pen.references())?;
        if !self.pen.has_room(RECORDS_A_SIGHT) {
            self.turn(sight.referrer)?;
        }
        self.name(sight);
        match sight.referrer {
            Some(referrer) => self.reference(sight, referrer),
            None => self.root(sight),
        }
        self.pen.commit(sight.referrer.is_some());
        Ok(())
    }

    /// Goes on in the next slot.
    fn turn(&mut self, referrer: Option<Referrer>) -> Result<(), Failure> {
        self.pen.publish();
        self.bounds.wait_for_slot(&mut self.pen)?;
        match self.batch {
            Some(batch) if referrer.is_none_or(|referrer| referrer.address == batch.referrer) => {
                self.pen.write(|chunk| chunk.resume(batch.referrer));
            }
            _ => self.batch = None,
        }
        Ok(())
    }

    /// Who the referee is, if it has a name or a mark.
    #[inline]
    fn name(&mut self, sight: &Sight) {
        let tag = Tag::decode(sight.tag);
        if let Some(id) = tag.id_in(self.snapshot) {
            if self.named.is_news(id) {
                let mark = self.given.mark(id);
                self.pen.write(|chunk| chunk.named(Some(id), sight.referee, mark));
            }
        } else if self.given.is_class_of_classes(self.id(sight.class_tag)) {
            // The mirror of a primitive type, or of a class that came after the names were given.
            if self.nameless_told.is_news(sight.referee) {
                self.pen.write(|chunk| chunk.named(None, sight.referee, stream_mark(tag)));
            }
        } else if let Some(mark) = stream_mark(tag)
            && self.marks_told.is_news(sight.referee)
        {
            self.pen.write(|chunk| chunk.marked(sight.referee, mark));
        }
    }

    /// What is to be told of the referee's size; to be written, for it counts as told now.
    #[inline]
    fn shape(&mut self, sight: &Sight) -> Shape {
        let bytes = sight.size_bytes;
        if let Some(length) = sight.array_length {
            let is_news = self.shapes_told.is_news(sight.referee);
            return if is_news { Shape::Array { bytes, length } } else { Shape::Known };
        }
        let class = self.id(sight.class_tag);
        match (self.sizes.note(class, bytes), class) {
            (Size::Usual, _) => Shape::Known,
            (Size::First, Some(class)) => {
                self.pen.write(|chunk| chunk.class_size(class, bytes));
                Shape::Known
            }
            _ if self.shapes_told.is_news(sight.referee) => Shape::Bytes(bytes),
            _ => Shape::Known,
        }
    }

    #[inline]
    fn reference(&mut self, sight: &Sight, referrer: Referrer) {
        let is_class = sight.origin.kind == KIND_CLASS;
        let open = self.batch.filter(|batch| batch.referrer == referrer.address);
        if is_class && open.is_some_and(|batch| batch.has_class) {
            return;
        }
        let shape = self.shape(sight);
        if open.is_none() {
            // A mirror of unusual size is told of where it is referred to, and be it as a class.
            let class = self.id(referrer.class_tag).filter(|_| !is_class || shape == Shape::Known);
            // The JVM reports no reference from a mirror to its class, so none may be implied.
            let class = class.filter(|&class| !self.given.is_class_of_classes(Some(class)));
            self.pen.write(|chunk| chunk.batch(referrer.address, class));
            self.batch = Some(Batch { referrer: referrer.address, has_class: class.is_some() });
            if is_class && class.is_some() {
                return;
            }
        }
        let referee = self.lie.about(sight.referee);
        self.pen.write(|chunk| chunk.reference(label(sight.origin), referee, shape));
    }

    fn root(&mut self, sight: &Sight) {
        let shape = self.shape(sight);
        let kind = self.root_kind(sight.origin);
        self.pen.write(|chunk| chunk.root(kind, sight.referee, shape));
    }

    fn root_kind(&mut self, origin: Origin) -> StreamRoot {
        let (thread_tag, depth, method) = origin.stack.unwrap_or_default();
        let thread = self.id(thread_tag);
        match origin.kind {
            21 => StreamRoot::JniGlobal,
            22 => StreamRoot::SystemClass,
            23 => StreamRoot::Monitor,
            24 => {
                StreamRoot::StackLocal { thread, depth, method: if self.methods.insert(method) { method } else { 0 } }
            }
            25 => StreamRoot::JniLocal { thread, depth },
            26 => StreamRoot::Thread,
            _ => StreamRoot::Other,
        }
    }
}

/// The mark of an earlier snapshot, if the tag is one.
#[inline]
fn stream_mark(tag: Tag) -> Option<StreamMark> {
    tag.mark().map(|mark| StreamMark { first_seen: tag.first_seen, mark })
}

impl SightVisitor for Recorder<'_> {
    fn begin(&mut self) {
        assert!(!self.panics, "planted panic: capture");
    }

    fn planted(&mut self, addresses: impl Iterator<Item = (u32, Address)>) {
        self.bounds.begin();
        for (number, address) in addresses {
            self.pen.write(|chunk| chunk.sentinel(number, address));
        }
        self.pen.commit(false);
    }

    #[inline]
    fn visit(&mut self, sight: &Sight) -> Next {
        let recorded = match self.lie.trick(self.pen.references()) {
            Trick::None => self.record(sight),
            Trick::Silence => Ok(()),
            Trick::Fail(failure) => Err(failure),
        };
        if let Err(failure) = recorded {
            self.pen.fail(failure as u32);
            return Next::Abort;
        }
        Next::Continue
    }

    fn misread(&mut self) {
        self.pen.fail(Failure::Layout as u32);
    }
}

/// Why the walk failed, as its shared memory says.
pub fn failure(gauge: Gauge<'_>) -> Option<Failure> {
    Failure::of(gauge.failure())
}
