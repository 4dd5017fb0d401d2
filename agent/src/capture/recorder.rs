//! The walk by address: turns sights into records of the graph's stream. It runs inside heap callbacks and in a forked
//! child, so it neither allocates nor locks nor calls the JVM; where it has no room it waits a bounded time.

use super::bounds::Bounds;
use super::failure::Failure;
use super::lie::{Lie, Trick};
use super::methods::MethodSet;
use super::roll::Roll;
use super::told::{Lately, Once};
use super::walk::label;
use super::whereabouts::Whereabouts;
use crate::identity::tag::Tag;
use crate::jvmti::class_word::{ClassWord, MirrorMark};
use crate::jvmti::heap::{Next, Origin};
use crate::jvmti::notes::Note;
use crate::jvmti::peek::{Sight, SightVisitor};
use crate::jvmti::ring::{Gauge, Pen};
use crate::jvmti::sentinels::Sentinels;
use rootbound_wire::graph::{Address, Place, Shape, StreamMark, StreamRoot};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::ReferenceLabel;

/// Records that one sight can give: resume, name, mark, batch, reference.
const RECORDS_A_SIGHT: usize = 5;
const MARKS_TOLD: usize = 1 << 10;
const NAMELESS_TOLD: usize = 256;
/// Roots that are remembered until it is known what tells mirrors. Where there are more, a mirror without a name may go
/// untold, and the capture does not prove itself.
const EARLY: usize = 4 << 10;

const KIND_CLASS: i32 = 1;
const KIND_JNI_LOCAL: i32 = 25;
const KIND_THREAD: i32 = 26;
const KIND_OTHER_ROOT: i32 = 27;

/// Where a reference stands, by its kind; found without a branch, for kinds come as they like.
const PLACES: [Place; 32] = {
    let mut places = [Place::of(ReferenceLabel::Other); 32];
    let mut kind = 0;
    while kind < places.len() {
        places[kind] = Place::of(label(Origin { kind: kind as i32, index: 0, stack: None }));
        kind += 1;
    }
    places
};

/// No object.
const NOWHERE: Address = Address(0);

/// What the agent holds while it captures.
#[derive(Clone, Copy)]
pub struct Held<'m> {
    /// Classes and threads.
    pub roll: &'m Roll<'m>,
    /// What is planted.
    pub planted: &'m Sentinels<'m>,
}

/// Writes what one capture sees.
pub struct Recorder<'m> {
    held: Held<'m>,
    known: Whereabouts,
    pen: Pen<'m>,
    bounds: Bounds,
    methods: MethodSet<'m>,
    marks_told: Lately,
    nameless_told: Lately,
    /// Named objects that the walk has shown to be where their handles say, and how many.
    met: Once,
    met_count: u64,
    class_word: ClassWord,
    /// Roots that may be mirrors without a name.
    early: Vec<Sight>,
    early_noted: Lately,
    /// The object whose references are under way.
    open: Address,
    /// Whether no reference has been seen yet.
    is_in_roots: bool,
    /// The thread whose stack is under way, if it has a name; and whether it is the agent's own.
    stack_of: Option<ObjectId>,
    is_own_stack: bool,
    lie: Lie,
    panics: bool,
}

impl<'m> Recorder<'m> {
    /// A recorder for a capture. `panics` is a test hook, as is the lie.
    pub fn new(held: Held<'m>, pen: Pen<'m>, bounds: Bounds, lie: Lie, panics: bool) -> Self {
        Self {
            held,
            known: Whereabouts::new(held.roll.count()),
            bounds,
            methods: MethodSet::new(pen.methods()),
            pen,
            marks_told: Lately::new(MARKS_TOLD),
            nameless_told: Lately::new(NAMELESS_TOLD),
            met: Once::new(held.roll.count()),
            met_count: 0,
            class_word: ClassWord::default(),
            early: Vec::with_capacity(EARLY),
            early_noted: Lately::new(EARLY),
            open: NOWHERE,
            is_in_roots: true,
            stack_of: None,
            is_own_stack: false,
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
    pub fn bytes(&self) -> u64 {
        let told = (MARKS_TOLD + NAMELESS_TOLD + EARLY) * 8;
        self.known.bytes() + (told + EARLY * size_of::<Sight>()) as u64
    }

    /// Hands over what is left; the walk has ended, here or in the child.
    pub fn finish(self) {
        self.pen.finish();
    }

    #[cold]
    fn give_up(&self, failure: Failure) -> Next {
        self.pen.fail(failure as u32);
        Next::Abort
    }

    #[inline]
    fn record(&mut self, sight: &Sight) -> Result<Next, Failure> {
        self.bounds.check(self.pen.references())?;
        if !self.pen.has_room(RECORDS_A_SIGHT) {
            self.turn(sight.referrer)?;
        }
        let next = match sight.referrer {
            Some(referrer) => self.reference(sight, referrer)?,
            None => self.root(sight),
        };
        self.pen.commit(u64::from(sight.referrer.is_some()));
        Ok(next)
    }

    /// Goes on in the next slot.
    #[cold]
    fn turn(&mut self, referrer: Option<Address>) -> Result<(), Failure> {
        self.pen.publish();
        self.bounds.wait_for_slot(&mut self.pen)?;
        if self.open != NOWHERE && referrer.is_none_or(|referrer| referrer == self.open) {
            self.pen.write(|chunk| chunk.resume(self.open));
        } else {
            self.open = NOWHERE;
        }
        Ok(())
    }

    #[inline]
    fn reference(&mut self, sight: &Sight, referrer: Address) -> Result<Next, Failure> {
        if self.is_in_roots {
            self.end_roots()?;
        }
        let is_class = sight.origin.kind == KIND_CLASS;
        if !self.opens(referrer, sight.referee(), is_class) {
            self.describe(sight, is_class);
            self.refer(sight.origin.kind, sight.origin.index, sight.referee(), shape(sight));
        }
        Ok(Next::Continue)
    }

    /// Those that were noted, as if each were told by itself.
    fn record_noted(&mut self, notes: &[Note]) -> Result<(), Failure> {
        self.bounds.check(self.pen.references())?;
        for note in notes {
            if !self.pen.has_room(RECORDS_A_SIGHT) {
                self.turn(Some(note.referrer))?;
            }
            self.noted(note);
        }
        self.pen.commit(notes.len() as u64);
        Ok(())
    }

    #[inline]
    fn noted(&mut self, note: &Note) {
        let is_class = note.kind() == KIND_CLASS;
        if self.opens(note.referrer, note.referee, is_class) {
            return;
        }
        if note.tag != 0 {
            self.mark(note.referee, note.tag);
        }
        if is_class || note.is_mirror {
            self.nameless(note.referee, note.shape().bytes(), note.tag);
        }
        self.refer(note.kind(), note.index, note.referee, note.shape());
    }

    /// Begins the next object, if it is one. Whether that tells all of this reference: of each object the JVM reports its
    /// class first; of a mirror it reports none.
    #[inline(always)]
    fn opens(&mut self, referrer: Address, referee: Address, is_class: bool) -> bool {
        self.open != referrer && self.open(referrer, referee, is_class)
    }

    fn open(&mut self, referrer: Address, referee: Address, is_class: bool) -> bool {
        let class = if is_class { self.known.id(referee) } else { None };
        self.pen.write(|chunk| chunk.batch(referrer, class));
        self.open = referrer;
        class.is_some()
    }

    #[inline(always)]
    fn refer(&mut self, kind: i32, index: u32, referee: Address, shape: Shape) {
        let place = PLACES.get(kind as usize).copied().unwrap_or(Place::of(ReferenceLabel::Other));
        let referee = self.lie.about(referee);
        self.pen.write(|chunk| chunk.reference(place.at(index), referee, shape));
    }

    /// What is to be told of the referee besides its size: its mark, and that it is a mirror without a name.
    #[inline]
    fn describe(&mut self, sight: &Sight, is_class: bool) {
        if sight.tag != 0 {
            self.mark(sight.referee(), sight.tag);
        }
        if is_class || self.class_word.is_mirror(sight) {
            self.nameless(sight.referee(), sight.size_bytes, sight.tag);
        }
    }

    #[cold]
    fn mark(&mut self, object: Address, tag: i64) {
        if let Some(mark) = stream_mark(tag)
            && self.marks_told.is_news(object)
        {
            self.pen.write(|chunk| chunk.marked(object, mark));
        }
    }

    /// The mirror of a primitive type, or of a class that came after the roll was called.
    #[cold]
    fn nameless(&mut self, mirror: Address, bytes: u64, tag: i64) {
        if self.known.id(mirror).is_none() && self.nameless_told.is_news(mirror) {
            let mark = stream_mark(tag);
            self.pen.write(|chunk| chunk.named(None, mirror, bytes, mark));
        }
    }

    fn root(&mut self, sight: &Sight) -> Next {
        match sight.origin.kind {
            // The stack of a thread follows the root that is the thread itself; that of a mounted virtual one, another.
            KIND_THREAD | KIND_OTHER_ROOT => {
                self.stack_of = self.known.id(sight.referee()).filter(|&id| !self.held.roll.is_class(id));
                self.is_own_stack = sight.referee() == self.held.roll.this_thread();
            }
            KIND_JNI_LOCAL if self.is_own_stack => return self.own(sight),
            _ => {}
        }
        self.describe(sight, false);
        self.remember(sight);
        let kind = self.root_kind(sight.origin);
        self.pen.write(|chunk| chunk.root(kind, sight.referee(), shape(sight)));
        Next::Continue
    }

    /// A root that may be a mirror without a name: that is known when all roots have been seen.
    fn remember(&mut self, sight: &Sight) {
        let may_be = sight.array_length.is_none() && self.known.id(sight.referee()).is_none();
        if may_be && self.early.len() < EARLY && self.early_noted.is_news(sight.referee()) {
            self.early.push(*sight);
        }
    }

    /// Tells the mirrors among the roots, which nobody else may refer to.
    fn tell_early(&mut self) -> Result<(), Failure> {
        for at in 0..self.early.len() {
            let sight = self.early[at];
            if !self.class_word.is_mirror(&sight) {
                continue;
            }
            if !self.pen.has_room(RECORDS_A_SIGHT) {
                self.turn(None)?;
            }
            self.nameless(sight.referee(), sight.size_bytes, sight.tag);
        }
        Ok(())
    }

    /// What the agent holds is no root of the program, but shows where the named objects are. Into mirrors the walk goes
    /// because of others or not at all: dead classes stay dead.
    fn own(&mut self, sight: &Sight) -> Next {
        let Some(id) = self.known.id(sight.referee()) else {
            let is_planted = || self.held.planted.addresses().any(|(_, address)| address == sight.referee());
            if sight.array_length.is_some() && is_planted() {
                self.class_word.contrast(sight);
            }
            self.describe(sight, false);
            self.pen.write(|chunk| chunk.held(sight.referee(), shape(sight)));
            return Next::Continue;
        };
        if self.met.is_news(id) {
            self.met_count += 1;
            let mark = self.held.roll.mark(id);
            self.pen.write(|chunk| chunk.named(Some(id), sight.referee(), sight.size_bytes, mark));
        }
        if !self.held.roll.is_class(id) {
            return Next::Continue;
        }
        self.class_word.learn(sight);
        Next::Leave
    }

    /// Everybody on the roll must have been met, for the JVM reports what this thread holds.
    #[cold]
    fn end_roots(&mut self) -> Result<(), Failure> {
        (self.is_in_roots, self.is_own_stack, self.stack_of) = (false, false, None);
        self.class_word.settle();
        self.tell_early()?;
        if self.met_count == self.held.roll.count() { Ok(()) } else { Err(Failure::Handles) }
    }

    fn root_kind(&mut self, origin: Origin) -> StreamRoot {
        let (_, depth, method) = origin.stack.unwrap_or_default();
        let thread = self.stack_of;
        match origin.kind {
            21 => StreamRoot::JniGlobal,
            22 => StreamRoot::SystemClass,
            23 => StreamRoot::Monitor,
            24 => {
                StreamRoot::StackLocal { thread, depth, method: if self.methods.insert(method) { method } else { 0 } }
            }
            KIND_JNI_LOCAL => StreamRoot::JniLocal { thread, depth },
            KIND_THREAD => StreamRoot::Thread,
            _ => StreamRoot::Other,
        }
    }
}

#[inline]
fn shape(sight: &Sight) -> Shape {
    let bytes = sight.size_bytes;
    sight.array_length.map_or(Shape::Bytes(bytes), |length| Shape::Array { bytes, length })
}

/// The mark of an earlier snapshot, if the tag is one.
#[inline]
fn stream_mark(tag: i64) -> Option<StreamMark> {
    let tag = Tag::decode(tag);
    tag.mark().map(|mark| StreamMark { first_seen: tag.first_seen, mark })
}

impl SightVisitor for Recorder<'_> {
    fn begin(&mut self) {
        assert!(!self.panics, "planted panic: capture");
    }

    fn set_out(&mut self) {
        self.bounds.begin();
        for (number, address) in self.held.planted.addresses() {
            self.pen.write(|chunk| chunk.sentinel(number, address));
        }
        for (id, called) in self.held.roll.called() {
            self.known.note(self.lie.about_handle(called.object.address()), id);
        }
        self.pen.commit(0);
    }

    #[inline]
    fn visit(&mut self, sight: &Sight) -> Next {
        let recorded = match self.lie.trick(self.pen.references()) {
            Trick::None => self.record(sight),
            Trick::Silence => Ok(Next::Continue),
            Trick::Fail(failure) => Err(failure),
        };
        recorded.unwrap_or_else(|failure| self.give_up(failure))
    }

    fn may_note(&self) -> Option<MirrorMark> {
        (!self.is_in_roots).then(|| self.class_word.mark())
    }

    fn visit_noted(&mut self, notes: &[Note]) -> Next {
        let recorded = match self.lie.trick(self.pen.references()) {
            Trick::None => self.record_noted(notes),
            Trick::Silence => Ok(()),
            Trick::Fail(failure) => Err(failure),
        };
        recorded.map_or_else(|failure| self.give_up(failure), |()| Next::Continue)
    }

    fn misread(&mut self) {
        self.pen.fail(Failure::Layout as u32);
    }
}

/// Why the walk failed, as its shared memory says.
pub fn failure(gauge: Gauge<'_>) -> Option<Failure> {
    Failure::of(gauge.failure())
}
