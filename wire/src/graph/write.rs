//! Records to bytes, in the caller's memory. Neither allocates nor locks.

use super::expected::{Expected, Size};
use super::{Address, Record, Shape, StreamMark, StreamRoot, flag, kind, root, varint};
use crate::ids::ObjectId;
use crate::objects::{Mark, ReferenceLabel};

/// More bytes than any record takes: while at least this many are left, one more record fits.
pub const MAX_RECORD_BYTES: usize = 64;

/// The position of a reference, as coded in the stream.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    of: u8,
    index: u32,
}

impl Place {
    /// The position for a label.
    pub const fn of(label: ReferenceLabel) -> Self {
        let (of, index) = match label {
            ReferenceLabel::Field(index) => (kind::FIELD, index),
            ReferenceLabel::StaticField(index) => (kind::STATIC_FIELD, index),
            ReferenceLabel::ArrayElement(index) => (kind::ELEMENT, index),
            ReferenceLabel::ClassLoader => (kind::CLASS_LOADER, 0),
            ReferenceLabel::Superclass => (kind::SUPERCLASS, 0),
            ReferenceLabel::Interface => (kind::INTERFACE, 0),
            ReferenceLabel::ConstantPool => (kind::CONSTANT_POOL, 0),
            ReferenceLabel::Other => (kind::OTHER, 0),
            ReferenceLabel::Class => (kind::CLASS, 0),
        };
        Self { of, index }
    }

    /// The same position with another index.
    #[inline]
    pub const fn at(self, index: u32) -> Self {
        Self { of: self.of, index }
    }
}

/// Writes one chunk.
#[derive(Debug)]
pub struct ChunkWriter<'b> {
    out: &'b mut [u8],
    at: usize,
    /// The latest address.
    last: u64,
    /// The latest index, by kind of reference.
    index: [u32; 3],
    /// The class of the last batch.
    class: Option<ObjectId>,
    expected: Expected,
}

impl<'b> ChunkWriter<'b> {
    /// An empty chunk that is written into `out`.
    pub fn new(out: &'b mut [u8]) -> Self {
        Self { out, at: 0, last: 0, index: [u32::MAX; 3], class: None, expected: Expected::new() }
    }

    /// Whether one more record fits. Writing without room panics.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.out.len() - self.at >= MAX_RECORD_BYTES
    }

    /// Bytes written.
    pub fn len(&self) -> usize {
        self.at
    }

    /// Whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.at == 0
    }

    /// Writes any record.
    pub fn record(&mut self, record: Record) {
        match record {
            Record::Batch { referrer, class } => self.batch(referrer, class),
            Record::Resume { referrer } => self.resume(referrer),
            Record::Reference { label, referee, shape } => self.reference(Place::of(label), referee, shape),
            Record::Root { kind, object, shape } => self.root(kind, object, shape),
            Record::Held { object, shape } => self.held(object, shape),
            Record::Named { id, object, bytes, mark } => self.named(id, object, bytes, mark),
            Record::Marked { object, mark } => self.marked(object, mark),
            Record::Sentinel { number, object } => self.sentinel(number, object),
            Record::Head { number, object } => self.head(number, object),
        }
    }

    /// Writes a [`super::Record::Batch`].
    #[inline(always)]
    pub fn batch(&mut self, referrer: Address, class: Option<ObjectId>) {
        if class == self.class {
            self.byte(kind::BATCH << 4 | flag::SAME_CLASS);
        } else {
            self.byte(kind::BATCH << 4);
            self.id(class);
            self.class = class;
        }
        self.begin(referrer, class);
    }

    /// Writes a [`super::Record::Resume`].
    pub fn resume(&mut self, referrer: Address) {
        self.byte(kind::RESUME << 4);
        self.begin(referrer, None);
    }

    /// Writes a [`super::Record::Reference`].
    #[inline(always)]
    pub fn reference(&mut self, place: Place, referee: Address, shape: Shape) {
        let Place { of, index } = place;
        let (size, expected) = (Size::of(shape), self.expected.of(of, index));
        let is_expected = *expected == size;
        *expected = size;
        let code = if is_expected { 0 } else { code(size) };
        if of <= kind::ELEMENT {
            self.indexed(of, index, code);
        } else {
            self.byte(of << 4 | code);
        }
        self.address(referee);
        if !is_expected {
            self.size(size);
        }
    }

    /// Writes a [`super::Record::Root`].
    pub fn root(&mut self, of: StreamRoot, object: Address, shape: Shape) {
        self.byte(kind::ROOT << 4 | code(Size::of(shape)));
        match of {
            StreamRoot::JniGlobal => self.byte(root::JNI_GLOBAL),
            StreamRoot::SystemClass => self.byte(root::SYSTEM_CLASS),
            StreamRoot::Monitor => self.byte(root::MONITOR),
            StreamRoot::Thread => self.byte(root::THREAD),
            StreamRoot::Other => self.byte(root::OTHER),
            StreamRoot::StackLocal { thread, depth, method } => {
                self.byte(root::STACK_LOCAL);
                self.id(thread);
                self.number(u64::from(depth));
                self.number(method);
            }
            StreamRoot::JniLocal { thread, depth } => {
                self.byte(root::JNI_LOCAL);
                self.id(thread);
                self.number(u64::from(depth));
            }
        }
        self.address(object);
        self.size(Size::of(shape));
    }

    /// Writes a [`super::Record::Held`].
    pub fn held(&mut self, object: Address, shape: Shape) {
        self.byte(kind::HELD << 4 | code(Size::of(shape)));
        self.address(object);
        self.size(Size::of(shape));
    }

    /// Writes a [`super::Record::Named`].
    pub fn named(&mut self, id: Option<ObjectId>, object: Address, bytes: u64, mark: Option<StreamMark>) {
        self.byte(kind::NAMED << 4 | if mark.is_some() { flag::MARK } else { 0 });
        self.id(id);
        self.address(object);
        self.bytes(bytes);
        if let Some(mark) = mark {
            self.mark(mark);
        }
    }

    /// Writes a [`super::Record::Marked`].
    pub fn marked(&mut self, object: Address, mark: StreamMark) {
        self.byte(kind::MARKED << 4);
        self.address(object);
        self.mark(mark);
    }

    /// Writes a [`super::Record::Sentinel`].
    pub fn sentinel(&mut self, number: u32, object: Address) {
        self.handle(0, number, object);
    }

    /// Writes a [`super::Record::Head`].
    pub fn head(&mut self, number: u32, object: Address) {
        self.handle(flag::HEAD, number, object);
    }

    fn handle(&mut self, flags: u8, number: u32, object: Address) {
        self.byte(kind::SENTINEL << 4 | flags);
        self.number(u64::from(number));
        self.address(object);
    }

    #[inline]
    fn begin(&mut self, referrer: Address, class: Option<ObjectId>) {
        self.address(referrer);
        self.index = [u32::MAX; 3];
        self.expected.begin(class);
    }

    #[inline]
    fn indexed(&mut self, of: u8, index: u32, code: u8) {
        let is_next = index == self.index[of as usize].wrapping_add(1);
        self.index[of as usize] = index;
        self.byte(of << 4 | code | if is_next { flag::NEXT_INDEX } else { 0 });
        if !is_next {
            self.number(u64::from(index));
        }
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.out[self.at] = byte;
        self.at += 1;
    }

    #[inline]
    fn number(&mut self, number: u64) {
        self.at = varint::write(self.out, self.at, number);
    }

    #[inline]
    fn id(&mut self, id: Option<ObjectId>) {
        self.number(id.map_or(0, |id| id.0));
    }

    /// Writes the distance to the latest address, in words of eight bytes.
    #[inline]
    fn address(&mut self, address: Address) {
        let distance = address.0.wrapping_sub(self.last) as i64 >> 3;
        self.number(varint::zigzag(distance));
        self.last = address.0;
    }

    #[inline]
    fn size(&mut self, size: Size) {
        self.bytes(size.bytes);
        if let Some(length) = size.length() {
            self.number(u64::from(length));
        }
    }

    /// Writes a size. Sizes are multiples of eight, so their lowest bits are rotated to the top.
    #[inline]
    fn bytes(&mut self, bytes: u64) {
        self.number(bytes.rotate_right(3));
    }

    fn mark(&mut self, mark: StreamMark) {
        let (is_planned, number) = match mark.mark {
            Mark::StandsFor(objects) => (0, objects),
            Mark::Planned(number) => (1, number),
        };
        self.number(u64::from(mark.first_seen) << 1 | is_planned);
        self.number(u64::from(number));
    }
}

#[inline]
fn code(size: Size) -> u8 {
    if size.length().is_some() { 2 } else { 1 }
}
