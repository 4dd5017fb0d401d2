//! Bytes to records. Any bytes yield records or an error; nothing is allocated, whatever they claim.

use super::expected::{Expected, Size};
use super::{Address, Record, Shape, StreamMark, StreamRoot, flag, kind, root, varint};
use crate::ids::ObjectId;
use crate::objects::{Mark, ReferenceLabel};

/// The reason why bytes are no chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at} of a chunk of the graph: {reason}")]
pub struct StreamError {
    /// Offset in bytes at which the record begins.
    pub at: usize,
    /// The fault of the record.
    pub reason: RecordFault,
}

/// The fault of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// It ends too early, or a number in it never does.
    #[error("the record is cut off, or a number in it is too long")]
    CutOff,
    /// A GC root whose kind the wire does not define.
    #[error("a GC root of an unknown kind")]
    UnknownRoot,
    /// A number where the wire has 32 bits.
    #[error("a number has more than 32 bits")]
    LongNumber,
    /// No object is at address 0.
    #[error("an address is 0")]
    NoAddress,
    /// A shape whose kind the wire does not define.
    #[error("a shape of an unknown kind")]
    UnknownShape,
}

/// The records of one chunk, in order. Ends after the first error.
pub fn records(chunk: &[u8]) -> impl Iterator<Item = Result<Record, StreamError>> + '_ {
    let expected = Expected::new();
    Reader { whole: chunk.len(), rest: chunk, last: 0, index: [u32::MAX; 3], class: None, expected }
}

struct Reader<'b> {
    whole: usize,
    rest: &'b [u8],
    last: u64,
    index: [u32; 3],
    class: Option<ObjectId>,
    expected: Expected,
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, StreamError>;

    // A reader that needs few kinds of records pays only for those.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let at = self.whole - self.rest.len();
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(self.record(first >> 4, first & 0x0F).map_err(|reason| {
            self.rest = &[];
            StreamError { at, reason }
        }))
    }
}

impl Reader<'_> {
    #[inline(always)]
    fn record(&mut self, of: u8, flags: u8) -> Result<Record, RecordFault> {
        match of {
            kind::FIELD..=kind::CLASS => self.reference(of, flags),
            kind::BATCH => {
                if flags & flag::SAME_CLASS == 0 {
                    self.class = self.id()?;
                }
                let class = self.class;
                Ok(Record::Batch { referrer: self.begin(class)?, class })
            }
            kind::RESUME => Ok(Record::Resume { referrer: self.begin(None)? }),
            kind::ROOT => self.root(flags),
            kind::HELD => Ok(Record::Held { object: self.address()?, shape: self.shape(flags)? }),
            kind::NAMED => {
                let (id, object, bytes) = (self.id()?, self.address()?, self.size()?);
                let mark = if flags & flag::MARK != 0 { Some(self.mark()?) } else { None };
                Ok(Record::Named { id, object, bytes, mark })
            }
            kind::MARKED => Ok(Record::Marked { object: self.address()?, mark: self.mark()? }),
            _ => {
                let (number, object) = (self.small()?, self.address()?);
                let is_head = flags & flag::HEAD != 0;
                Ok(if is_head { Record::Head { number, object } } else { Record::Sentinel { number, object } })
            }
        }
    }

    #[inline(always)]
    fn reference(&mut self, of: u8, flags: u8) -> Result<Record, RecordFault> {
        let (label, index) = match of {
            kind::FIELD | kind::STATIC_FIELD | kind::ELEMENT => self.indexed(of, flags)?,
            kind::CLASS_LOADER => (ReferenceLabel::ClassLoader, 0),
            kind::SUPERCLASS => (ReferenceLabel::Superclass, 0),
            kind::INTERFACE => (ReferenceLabel::Interface, 0),
            kind::CONSTANT_POOL => (ReferenceLabel::ConstantPool, 0),
            kind::CLASS => (ReferenceLabel::Class, 0),
            _ => (ReferenceLabel::Other, 0),
        };
        let referee = self.address()?;
        let shape = if flags & flag::SHAPE == 0 {
            self.expected.of(of, index).shape()
        } else {
            let reported = self.shape(flags)?;
            *self.expected.of(of, index) = Size::of(reported);
            reported
        };
        Ok(Record::Reference { label, referee, shape })
    }

    #[cold]
    fn root(&mut self, flags: u8) -> Result<Record, RecordFault> {
        let kind = match self.byte()? {
            root::JNI_GLOBAL => StreamRoot::JniGlobal,
            root::SYSTEM_CLASS => StreamRoot::SystemClass,
            root::MONITOR => StreamRoot::Monitor,
            root::THREAD => StreamRoot::Thread,
            root::OTHER => StreamRoot::Other,
            root::STACK_LOCAL => {
                StreamRoot::StackLocal { thread: self.id()?, depth: self.small()?, method: self.number()? }
            }
            root::JNI_LOCAL => StreamRoot::JniLocal { thread: self.id()?, depth: self.small()? },
            _ => return Err(RecordFault::UnknownRoot),
        };
        Ok(Record::Root { kind, object: self.address()?, shape: self.shape(flags)? })
    }

    #[inline]
    fn begin(&mut self, class: Option<ObjectId>) -> Result<Address, RecordFault> {
        self.index = [u32::MAX; 3];
        self.expected.begin(class);
        self.address()
    }

    #[inline]
    fn indexed(&mut self, of: u8, flags: u8) -> Result<(ReferenceLabel, u32), RecordFault> {
        let before = self.index[of as usize];
        let index = if flags & flag::NEXT_INDEX != 0 { before.wrapping_add(1) } else { self.small()? };
        self.index[of as usize] = index;
        let label = match of {
            kind::FIELD => ReferenceLabel::Field(index),
            kind::STATIC_FIELD => ReferenceLabel::StaticField(index),
            _ => ReferenceLabel::ArrayElement(index),
        };
        Ok((label, index))
    }

    fn byte(&mut self) -> Result<u8, RecordFault> {
        let (&byte, rest) = self.rest.split_first().ok_or(RecordFault::CutOff)?;
        self.rest = rest;
        Ok(byte)
    }

    #[inline]
    fn number(&mut self) -> Result<u64, RecordFault> {
        varint::read(&mut self.rest).ok_or(RecordFault::CutOff)
    }

    #[inline]
    fn small(&mut self) -> Result<u32, RecordFault> {
        u32::try_from(self.number()?).map_err(|_| RecordFault::LongNumber)
    }

    #[inline]
    fn id(&mut self) -> Result<Option<ObjectId>, RecordFault> {
        let id = self.number()?;
        Ok((id != 0).then_some(ObjectId(id)))
    }

    #[inline]
    fn address(&mut self) -> Result<Address, RecordFault> {
        let distance = varint::unzigzag(self.number()?);
        self.last = self.last.wrapping_add((distance << 3) as u64);
        if self.last == 0 { Err(RecordFault::NoAddress) } else { Ok(Address(self.last)) }
    }

    #[inline]
    fn shape(&mut self, flags: u8) -> Result<Shape, RecordFault> {
        match flags & flag::SHAPE {
            1 => Ok(Shape::Bytes(self.size()?)),
            2 => Ok(Shape::Array { bytes: self.size()?, length: self.small()? }),
            _ => Err(RecordFault::UnknownShape),
        }
    }

    #[inline]
    fn size(&mut self) -> Result<u64, RecordFault> {
        Ok(self.number()?.rotate_left(3))
    }

    #[inline(never)]
    fn mark(&mut self) -> Result<StreamMark, RecordFault> {
        let head = self.number()?;
        let first_seen = u32::try_from(head >> 1).map_err(|_| RecordFault::LongNumber)?;
        let number = self.small()?;
        let mark = if head & 1 == 1 { Mark::Planned(number) } else { Mark::StandsFor(number) };
        Ok(StreamMark { first_seen, mark })
    }
}
