//! Walks over the records of a portable heap dump's body. A record gives its address by the distance from the one
//! before, and its class by an index among the last four. So each record needs the [`State`] that those before it have
//! left.
//!
//! The format is that of OpenJ9's documentation (*Heap dump*) and of the reader in its DTFJ. In an object array the
//! number of elements stands before the size, and the class cache is a ring.

use super::super::window::Window;
use super::Header;
use std::io;

/// State that a record passes on to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    latest: u64,
    cache: [u64; 4],
    next: usize,
}

/// Receives records.
pub(super) trait Visitor {
    /// Whether references are wanted.
    const TAKES_REFERENCES: bool;

    /// Receives the file position at which a record begins.
    fn begins(&mut self, _at: u64, _state: State) {}
    /// Receives an instance.
    fn object(&mut self, id: u64, class: u64);
    /// Receives an array of references to objects of a class; `bytes` is 0 if the dump does not state it.
    fn object_array(&mut self, id: u64, element_class: u64, length: u32, bytes: u64);
    /// Receives an array of the primitive type of that number.
    fn primitive_array(&mut self, id: u64, kind: u8, length: u64, bytes: u64);
    /// Receives a class.
    fn class(&mut self, class: ClassRecord);
    /// Receives a reference of the latest record.
    fn reference(&mut self, id: u64);
}

/// A class.
#[derive(Clone, Debug)]
pub(super) struct ClassRecord {
    pub(super) id: u64,
    pub(super) superclass: u64,
    pub(super) instance_bytes: u32,
    pub(super) name: String,
}

/// Reasons why a walk ends.
enum Stop {
    Io(io::Error),
    /// An incomplete or unknown record.
    Broken,
    /// The end of the body.
    End,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

const END_OF_BODY: u8 = 3;
const LONG_OBJECT: u8 = 4;
const OLD_ARRAY: u8 = 5;
const CLASS: u8 = 6;
const LONG_PRIMITIVES: u8 = 7;
const ARRAY: u8 = 8;

/// Walks to the end of the window, to the end of the body (and reports that), or to unreadable data.
pub(super) fn walk(
    window: &mut Window<'_>,
    header: &Header,
    state: State,
    visitor: &mut impl Visitor,
) -> io::Result<bool> {
    let mut walk = Walk { window, header, state, visitor };
    loop {
        let at = walk.window.offset();
        if walk.window.left() == 0 {
            return Ok(false);
        }
        walk.visitor.begins(at, walk.state);
        match walk.record() {
            Ok(()) => {}
            Err(Stop::End) => return Ok(true),
            Err(Stop::Broken) => return Ok(false),
            Err(Stop::Io(error)) => return Err(error),
        }
    }
}

struct Walk<'a, 'b, V> {
    window: &'a mut Window<'b>,
    header: &'a Header,
    state: State,
    visitor: &'a mut V,
}

impl<V: Visitor> Walk<'_, '_, V> {
    /// Reads one record; the position advances only if it is whole.
    fn record(&mut self) -> Result<(), Stop> {
        let tag = self.byte(0)?;
        let mut head = Head { at: 1 };
        match tag {
            0x80.. => {
                let class = self.state.cache[usize::from(tag >> 5 & 3)];
                let id = self.id(&mut head, tag >> 2 & 1)?;
                self.hash(&mut head, false)?;
                self.object(&head, id, class, u64::from(tag >> 3 & 3), tag & 3)
            }
            0x40.. => {
                let id = self.id(&mut head, tag >> 2 & 1)?;
                let class = self.class_of(&mut head)?;
                self.hash(&mut head, false)?;
                self.object(&head, id, class, u64::from(tag >> 3 & 7), tag & 3)
            }
            0x20.. => self.primitives(&mut head, tag >> 2 & 7, [tag & 3; 2], false),
            LONG_OBJECT => {
                let flags = self.number(&mut head, 0)? as u8;
                let id = self.id(&mut head, flags >> 6)?;
                let class = self.class_of(&mut head)?;
                self.hash(&mut head, flags & 2 != 0)?;
                let count = self.count(&mut head)?;
                self.object(&head, id, class, count, flags >> 4 & 3)
            }
            LONG_PRIMITIVES => {
                let flags = self.number(&mut head, 0)? as u8;
                let width = if flags & 0x10 == 0 { 0 } else { self.header.word() };
                self.primitives(&mut head, flags >> 5, [width; 2], flags & 2 != 0)
            }
            ARRAY | OLD_ARRAY => self.array(&mut head, tag == ARRAY),
            CLASS => self.class(&mut head),
            END_OF_BODY => Err(Stop::End),
            _ => Err(Stop::Broken),
        }
    }

    fn object(&mut self, head: &Head, id: u64, class: u64, count: u64, width: u8) -> Result<(), Stop> {
        self.whole(head, count, width, 0)?;
        // Short records leave the cache unchanged; so `class_of` has been called for the others.
        self.state.latest = id;
        self.visitor.object(id, class);
        self.references(head, id, Some(class), count, width)
    }

    fn array(&mut self, head: &mut Head, has_length: bool) -> Result<(), Stop> {
        let flags = self.number(head, 0)? as u8;
        let id = self.id(head, flags >> 6)?;
        let class = self.number(head, self.header.word())?;
        self.hash(head, flags & 2 != 0)?;
        let (count, width) = (self.count(head)?, flags >> 4 & 3);
        let tail = if has_length { 4 } else { 0 } + if self.header.has_sizes() { 4 } else { 0 };
        self.whole(head, count, width, tail)?;
        let mut behind = Head { at: head.at };
        let (length, bytes) = self.tail(&mut behind, count << width, has_length, count)?;
        self.state.latest = id;
        self.visitor.object_array(id, class, length, bytes);
        self.references(head, id, Some(class), count, width)?;
        self.window.skip(tail);
        Ok(())
    }

    /// Length and size, which follow the references.
    fn tail(&mut self, head: &mut Head, skip: u64, has_length: bool, count: u64) -> Result<(u32, u64), Stop> {
        // The references may be many: the tail is read at its position, without the bytes before it.
        let mut window = self.window.later(head.at as u64 + skip);
        let mut number = |wanted: bool, otherwise: u64| -> Result<u64, Stop> {
            if !wanted {
                return Ok(otherwise);
            }
            let bytes = window.take(4)?.try_into().map_err(|_| Stop::Broken)?;
            Ok(u64::from(u32::from_be_bytes(bytes)))
        };
        let length = number(has_length, count)? as u32;
        Ok((length, 4 * number(self.header.has_sizes(), 0)?))
    }

    fn class(&mut self, head: &mut Head) -> Result<(), Stop> {
        let flags = self.number(head, 0)? as u8;
        let id = self.id(head, flags >> 6)?;
        let instance_bytes = self.number(head, 2)? as u32;
        self.hash(head, flags & 8 != 0)?;
        let superclass = self.number(head, self.header.word())?;
        let length = self.number(head, 1)? as usize;
        let piece = self.window.peek(head.at + length)?;
        let name = piece.get(head.at..head.at + length).ok_or(Stop::Broken)?;
        let name = String::from_utf8_lossy(name).into_owned();
        head.at += length;
        let (count, width) = (self.count(head)?, flags >> 4 & 3);
        self.whole(head, count, width, 0)?;
        self.state.latest = id;
        self.visitor.class(ClassRecord { id, superclass, instance_bytes, name });
        self.references(head, id, None, count, width)
    }

    fn primitives(&mut self, head: &mut Head, kind: u8, widths: [u8; 2], is_hashed: bool) -> Result<(), Stop> {
        let id = self.id(head, widths[0])?;
        let length = self.number(head, widths[1])?;
        self.hash(head, is_hashed)?;
        let bytes = if self.header.has_sizes() { 4 * self.number(head, 2)? } else { 0 };
        self.state.latest = id;
        self.visitor.primitive_array(id, kind, length, bytes);
        self.window.skip(head.at as u64);
        Ok(())
    }

    /// Checks that `count` references and a tail are present.
    fn whole(&self, head: &Head, count: u64, width: u8, tail: u64) -> Result<(), Stop> {
        let bytes = head.at as u64 + (count << width) + tail;
        if self.window.left() < bytes { Err(Stop::Broken) } else { Ok(()) }
    }

    /// Passes on the references, and skips the record up to their end. J9 writes the class of an object as the first
    /// reference.
    fn references(&mut self, head: &Head, id: u64, class: Option<u64>, count: u64, width: u8) -> Result<(), Stop> {
        const AT_ONCE: u64 = 8 << 10;
        self.window.skip(head.at as u64);
        let bytes = 1 << width;
        if !V::TAKES_REFERENCES {
            self.window.skip(count * bytes);
            return Ok(());
        }
        let mut left = count;
        while left > 0 {
            let now = left.min(AT_ONCE);
            for (distance, at) in self.window.take((now * bytes) as usize)?.chunks_exact(bytes as usize).zip(0u64..) {
                let referee = self.header.from(id, signed(distance));
                let is_class = left == count && at == 0 && self.header.is_j9 && Some(referee) == class;
                if referee != 0 && !is_class {
                    self.visitor.reference(referee);
                }
            }
            left -= now;
        }
        Ok(())
    }

    fn id(&mut self, head: &mut Head, width: u8) -> Result<u64, Stop> {
        let from = head.at;
        self.number(head, width)?;
        let distance = signed(&self.window.peek(head.at)?[from..head.at]);
        Ok(self.header.from(self.state.latest, distance))
    }

    /// The class of an object; it is then one of the last four.
    fn class_of(&mut self, head: &mut Head) -> Result<u64, Stop> {
        let class = self.number(head, self.header.word())?;
        self.state.cache[self.state.next] = class;
        self.state.next = (self.state.next + 1) % self.state.cache.len();
        Ok(class)
    }

    /// Skips the hash code.
    fn hash(&mut self, head: &mut Head, is_there: bool) -> Result<(), Stop> {
        if self.header.is_j9 && self.header.all_hashed {
            self.number(head, 1)?;
        } else if is_there {
            self.number(head, 2)?;
        }
        Ok(())
    }

    fn count(&mut self, head: &mut Head) -> Result<u64, Stop> {
        self.number(head, 2)
    }

    fn byte(&mut self, at: usize) -> Result<u8, Stop> {
        self.window.peek(at + 1)?.get(at).copied().ok_or(Stop::Broken)
    }

    /// A number of 1, 2, 4 or 8 bytes, without sign.
    fn number(&mut self, head: &mut Head, width: u8) -> Result<u64, Stop> {
        let (from, to) = (head.at, head.at + (1 << width));
        head.at = to;
        let bytes = self.window.peek(to)?.get(from..to).ok_or(Stop::Broken)?;
        Ok(bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }
}

/// The read position in a record's head.
struct Head {
    at: usize,
}

/// A number of 1, 2, 4 or 8 bytes, with sign.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    let number = bytes.iter().fold(0, |sum: u64, &byte| sum << 8 | u64::from(byte));
    (number << unused) as i64 >> unused
}
