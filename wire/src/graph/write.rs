//! Records to bytes, in memory that somebody else holds. Neither allocates nor locks.

use super::{Address, Shape, StreamMark, StreamRoot, flag, kind, root, varint};
use crate::ids::ObjectId;
use crate::message::{Mark, ReferenceLabel};

/// More bytes than any record takes: while so many are left, one more fits.
pub const MAX_RECORD_BYTES: usize = 64;

/// Writes one chunk.
#[derive(Debug)]
pub struct ChunkWriter<'b> {
    out: &'b mut [u8],
    at: usize,
    /// The address told last.
    last: u64,
    /// The index told last, by kind of reference.
    index: [u32; 3],
}

impl<'b> ChunkWriter<'b> {
    /// An empty chunk in `out`.
    pub fn new(out: &'b mut [u8]) -> Self {
        Self { out, at: 0, last: 0, index: [u32::MAX; 3] }
    }

    /// Whether one more record fits. Without room, writing panics.
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

    /// [`super::Record::Batch`].
    #[inline]
    pub fn batch(&mut self, referrer: Address, class: Option<ObjectId>) {
        self.byte(kind::BATCH << 4);
        self.id(class);
        self.begin(referrer);
    }

    /// [`super::Record::Resume`].
    pub fn resume(&mut self, referrer: Address) {
        self.byte(kind::RESUME << 4);
        self.begin(referrer);
    }

    /// [`super::Record::Reference`].
    #[inline]
    pub fn reference(&mut self, label: ReferenceLabel, referee: Address, shape: Shape) {
        match label {
            ReferenceLabel::Field(index) => self.indexed(kind::FIELD, index, shape),
            ReferenceLabel::StaticField(index) => self.indexed(kind::STATIC_FIELD, index, shape),
            ReferenceLabel::ArrayElement(index) => self.indexed(kind::ELEMENT, index, shape),
            ReferenceLabel::ClassLoader => self.byte(kind::CLASS_LOADER << 4 | code(shape)),
            ReferenceLabel::Superclass => self.byte(kind::SUPERCLASS << 4 | code(shape)),
            ReferenceLabel::Interface => self.byte(kind::INTERFACE << 4 | code(shape)),
            ReferenceLabel::ConstantPool => self.byte(kind::CONSTANT_POOL << 4 | code(shape)),
            ReferenceLabel::Other => self.byte(kind::OTHER << 4 | code(shape)),
            ReferenceLabel::Class => self.byte(kind::CLASS << 4 | code(shape)),
        }
        self.address(referee);
        self.shape(shape);
    }

    /// [`super::Record::Root`].
    pub fn root(&mut self, of: StreamRoot, object: Address, shape: Shape) {
        self.byte(kind::ROOT << 4 | code(shape));
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
        self.shape(shape);
    }

    /// [`super::Record::ClassSize`].
    pub fn class_size(&mut self, class: ObjectId, bytes: u64) {
        self.byte(kind::CLASS_SIZE << 4);
        self.id(Some(class));
        self.number(bytes);
    }

    /// [`super::Record::Named`].
    pub fn named(&mut self, id: Option<ObjectId>, object: Address, mark: Option<StreamMark>) {
        self.byte(kind::NAMED << 4 | u8::from(mark.is_some()));
        self.id(id);
        self.address(object);
        if let Some(mark) = mark {
            self.mark(mark);
        }
    }

    /// [`super::Record::Marked`].
    pub fn marked(&mut self, object: Address, mark: StreamMark) {
        self.byte(kind::MARKED << 4);
        self.address(object);
        self.mark(mark);
    }

    /// [`super::Record::Sentinel`].
    pub fn sentinel(&mut self, number: u32, object: Address) {
        self.byte(kind::SENTINEL << 4);
        self.number(u64::from(number));
        self.address(object);
    }

    #[inline]
    fn begin(&mut self, referrer: Address) {
        self.address(referrer);
        self.index = [u32::MAX; 3];
    }

    #[inline]
    fn indexed(&mut self, of: u8, index: u32, shape: Shape) {
        let is_next = index == self.index[of as usize].wrapping_add(1);
        self.index[of as usize] = index;
        self.byte(of << 4 | code(shape) | if is_next { flag::NEXT_INDEX } else { 0 });
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

    fn id(&mut self, id: Option<ObjectId>) {
        self.number(id.map_or(0, |id| id.0));
    }

    /// The distance to the address told last, in words of eight bytes.
    #[inline]
    fn address(&mut self, address: Address) {
        let distance = address.0.wrapping_sub(self.last) as i64 >> 3;
        self.number(varint::zigzag(distance));
        self.last = address.0;
    }

    #[inline]
    fn shape(&mut self, shape: Shape) {
        match shape {
            Shape::Known => {}
            Shape::Bytes(bytes) => self.number(bytes),
            Shape::Array { bytes, length } => {
                self.number(bytes);
                self.number(u64::from(length));
            }
        }
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
fn code(shape: Shape) -> u8 {
    match shape {
        Shape::Known => 0,
        Shape::Bytes(_) => 1,
        Shape::Array { .. } => 2,
    }
}
