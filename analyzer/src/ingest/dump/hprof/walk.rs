//! Walks over the sub-records of a heap dump segment and passes each to a visitor. It ends at the first one that is
//! incomplete or unknown, and never reads data that the visitor does not take.

use super::super::fields::Fields;
use super::super::window::Window;
use super::class_dump::ClassDump;
use std::io;

/// Receives sub-records; those without an implementation are skipped.
pub(super) trait Visitor {
    /// Whether bodies of instances and elements of arrays are wanted.
    const TAKES_BODIES: bool;

    /// Receives the file position at which a sub-record begins.
    #[inline]
    fn begins(&mut self, _at: u64) {}
    /// Receives a GC root.
    fn root(&mut self, _root: RawRoot) {}
    /// Receives a class.
    fn class(&mut self, _class: ClassDump) {}
    /// Receives an instance; the body is empty unless wanted.
    fn instance(&mut self, id: u64, class: u64, body_bytes: u32, body: &[u8]);
    /// Receives an array of references; its elements follow.
    fn object_array(&mut self, id: u64, class: u64, length: u32);
    /// Receives elements of the latest array, from the one with that index on.
    #[inline]
    fn elements(&mut self, _first: u32, _ids: &[u8]) {}
    /// Receives an array of the primitive type with that code; its elements lie at `at` in the file.
    fn primitive_array(&mut self, id: u64, kind: u8, length: u32, at: u64);
}

/// A root record.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawRoot {
    /// The record's tag.
    pub(super) tag: u8,
    /// The object.
    pub(super) id: u64,
    /// Serial number of the thread, where there is one.
    pub(super) thread: u32,
    /// Number of the frame, or of the stack trace.
    pub(super) number: u32,
}

pub(super) const ROOT_UNKNOWN: u8 = 0xFF;
pub(super) const ROOT_JNI_GLOBAL: u8 = 0x01;
pub(super) const ROOT_JNI_LOCAL: u8 = 0x02;
pub(super) const ROOT_JAVA_FRAME: u8 = 0x03;
pub(super) const ROOT_NATIVE_STACK: u8 = 0x04;
pub(super) const ROOT_STICKY_CLASS: u8 = 0x05;
pub(super) const ROOT_THREAD_BLOCK: u8 = 0x06;
pub(super) const ROOT_MONITOR: u8 = 0x07;
pub(super) const ROOT_THREAD: u8 = 0x08;
pub(super) const ROOT_JNI_MONITOR: u8 = 0x8E;
/// A root of Android's; it keeps no object alive.
pub(super) const ROOT_UNREACHABLE: u8 = 0x90;
const CLASS_DUMP: u8 = 0x20;
const INSTANCE_DUMP: u8 = 0x21;
const OBJECT_ARRAY: u8 = 0x22;
const PRIMITIVE_ARRAY: u8 = 0x23;
const PRIMITIVE_ARRAY_WITHOUT_DATA: u8 = 0xC3;
const HEAP_DUMP_INFO: u8 = 0xFE;

/// Position of the elements of arrays that are dumped without them.
const NOWHERE: u64 = u64::MAX;
/// The longest header of a sub-record that is not a class.
const HEADER_BYTES: usize = 32;
/// Bytes of a class that are read at first.
const CLASS_BYTES: usize = 4 << 10;
/// Bytes of an array's elements that are passed on at a time.
const ELEMENT_BYTES: usize = 64 << 10;

/// Bytes of a value of the primitive type with that code; `None` for references and unknown codes.
#[inline]
pub(super) fn width(kind: u8) -> Option<u8> {
    Some(match kind {
        4 | 8 => 1,
        5 | 9 => 2,
        6 | 10 => 4,
        7 | 11 => 8,
        _ => return None,
    })
}

/// Walks to the end of the window, or to the sub-record that cannot be read; the window's position says which.
pub(super) fn walk<const ID: usize>(window: &mut Window<'_>, visitor: &mut impl Visitor) -> io::Result<()> {
    while step::<ID>(window, visitor)?.is_some() {}
    Ok(())
}

/// Reads one sub-record; `None` if there is no whole one, and then the position is unchanged.
#[inline]
fn step<const ID: usize>(window: &mut Window<'_>, visitor: &mut impl Visitor) -> io::Result<Option<()>> {
    let at = window.offset();
    let mut head = Fields::new(window.peek(HEADER_BYTES)?);
    let Some(tag) = head.u1() else { return Ok(None) };
    match tag {
        INSTANCE_DUMP => instance::<ID>(window, visitor, at),
        OBJECT_ARRAY => object_array::<ID>(window, visitor, at),
        PRIMITIVE_ARRAY | PRIMITIVE_ARRAY_WITHOUT_DATA => primitive_array::<ID>(window, visitor, at, tag),
        CLASS_DUMP => class::<ID>(window, visitor, at),
        HEAP_DUMP_INFO => Ok(pass(window, visitor, at, 1 + 4 + ID as u64)),
        _ => {
            let Some((root, bytes)) = root(head, tag, ID) else { return Ok(None) };
            visitor.begins(at);
            visitor.root(root);
            window.skip(bytes);
            Ok(Some(()))
        }
    }
}

#[inline]
fn instance<const ID: usize>(window: &mut Window<'_>, visitor: &mut impl Visitor, at: u64) -> io::Result<Option<()>> {
    let header = 1 + 2 * ID + 8;
    let Some((id, class, bytes)) = instance_head::<ID>(window.peek(header)?) else { return Ok(None) };
    let whole = header as u64 + u64::from(bytes);
    if window.left() < whole {
        return Ok(None);
    }
    visitor.begins(at);
    emit_instance(window, visitor, (id, class, bytes), header)?;
    window.skip(whole);
    Ok(Some(()))
}

#[inline]
fn emit_instance<V: Visitor>(
    window: &mut Window<'_>,
    visitor: &mut V,
    (id, class, bytes): (u64, u64, u32),
    header: usize,
) -> io::Result<()> {
    if V::TAKES_BODIES {
        let end = header + bytes as usize;
        visitor.instance(id, class, bytes, &window.peek(end)?[header..end]);
    } else {
        visitor.instance(id, class, bytes, &[]);
    }
    Ok(())
}

/// Id, class and length of an instance.
#[inline]
fn instance_head<const ID: usize>(head: &[u8]) -> Option<(u64, u64, u32)> {
    let mut head = Fields::new(head.get(..1 + 2 * ID + 8)?);
    head.bytes(1)?;
    let id = head.id(ID)?;
    head.bytes(4)?;
    Some((id, head.id(ID)?, head.u4()?))
}

#[inline]
fn object_array<const ID: usize>(
    window: &mut Window<'_>,
    visitor: &mut impl Visitor,
    at: u64,
) -> io::Result<Option<()>> {
    let header = 1 + 2 * ID + 8;
    let Some((id, length, class)) = array_head::<ID>(window.peek(header)?) else { return Ok(None) };
    if window.left() < header as u64 + u64::from(length) * ID as u64 {
        return Ok(None);
    }
    visitor.begins(at);
    visitor.object_array(id, class, length);
    window.skip(header as u64);
    emit_elements::<ID, _>(window, visitor, length)?;
    Ok(Some(()))
}

/// Id, length and class of an array of references.
#[inline]
fn array_head<const ID: usize>(head: &[u8]) -> Option<(u64, u32, u64)> {
    let mut head = Fields::new(head.get(..1 + 2 * ID + 8)?);
    head.bytes(1)?;
    let id = head.id(ID)?;
    head.bytes(4)?;
    Some((id, head.u4()?, head.id(ID)?))
}

#[inline]
fn emit_elements<const ID: usize, V: Visitor>(window: &mut Window<'_>, visitor: &mut V, length: u32) -> io::Result<()> {
    if !V::TAKES_BODIES {
        window.skip(u64::from(length) * ID as u64);
        return Ok(());
    }
    let mut first = 0;
    while first < length {
        let count = ((length - first) as usize).min(ELEMENT_BYTES / ID);
        visitor.elements(first, &window.peek(count * ID)?[..count * ID]);
        window.skip((count * ID) as u64);
        first += count as u32;
    }
    Ok(())
}

#[inline]
fn primitive_array<const ID: usize>(
    window: &mut Window<'_>,
    visitor: &mut impl Visitor,
    at: u64,
    tag: u8,
) -> io::Result<Option<()>> {
    let header = 1 + ID + 9;
    let Some((id, length, kind, width)) = primitive_head::<ID>(window.peek(header)?) else { return Ok(None) };
    let data = if tag == PRIMITIVE_ARRAY { u64::from(length) * u64::from(width) } else { 0 };
    if window.left() < header as u64 + data {
        return Ok(None);
    }
    visitor.begins(at);
    let elements = if tag == PRIMITIVE_ARRAY { at + header as u64 } else { NOWHERE };
    visitor.primitive_array(id, kind, length, elements);
    window.skip(header as u64 + data);
    Ok(Some(()))
}

/// Id, length, code of the type and its width of a primitive array.
#[inline]
fn primitive_head<const ID: usize>(head: &[u8]) -> Option<(u64, u32, u8, u8)> {
    let mut head = Fields::new(head.get(..1 + ID + 9)?);
    head.bytes(1)?;
    let id = head.id(ID)?;
    head.bytes(4)?;
    let (length, kind) = (head.u4()?, head.u1()?);
    Some((id, length, kind, width(kind)?))
}

#[cold]
fn class<const ID: usize>(window: &mut Window<'_>, visitor: &mut impl Visitor, at: u64) -> io::Result<Option<()>> {
    let mut wanted = CLASS_BYTES;
    loop {
        let piece = window.peek(wanted)?;
        let is_all = piece.len() < wanted;
        if let Some((class, bytes)) = ClassDump::read(piece, ID) {
            visitor.begins(at);
            visitor.class(class);
            window.skip(bytes as u64);
            return Ok(Some(()));
        }
        // Counts in a class have two bytes: the longest class is far below this.
        if is_all || wanted > 8 << 20 {
            return Ok(None);
        }
        wanted *= 4;
    }
}

/// A root and its length; `None` if the tag is no root's or the record is incomplete.
fn root(mut head: Fields<'_>, tag: u8, id_bytes: usize) -> Option<(RawRoot, u64)> {
    let before = head.left() + 1;
    let mut root = RawRoot { tag, id: head.id(id_bytes)?, thread: 0, number: 0 };
    match tag {
        ROOT_UNKNOWN | ROOT_STICKY_CLASS | ROOT_MONITOR | 0x89..=0x8D | ROOT_UNREACHABLE => {}
        ROOT_JNI_GLOBAL => drop(head.id(id_bytes)?),
        ROOT_NATIVE_STACK | ROOT_THREAD_BLOCK => root.thread = head.u4()?,
        ROOT_JNI_LOCAL | ROOT_JAVA_FRAME | ROOT_THREAD | ROOT_JNI_MONITOR => {
            (root.thread, root.number) = (head.u4()?, head.u4()?);
        }
        _ => return None,
    }
    Some((root, (before - head.left()) as u64))
}

fn pass(window: &mut Window<'_>, visitor: &mut impl Visitor, at: u64, bytes: u64) -> Option<()> {
    if window.left() < bytes {
        return None;
    }
    visitor.begins(at);
    window.skip(bytes);
    Some(())
}
