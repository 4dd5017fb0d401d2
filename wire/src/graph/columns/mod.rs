//! A chunk for files: numbers of each meaning in a column of their own, and addresses as their distance to a forecast.
//! A compressor then finds equal numbers side by side.
//!
//! A walk over references has a stack: an object is visited next that was met last. So nearly every address at which
//! the references of an object begin is known, and takes no more than a zero. An address that is referred to is near to
//! the one before, to the one that the same field of another object referred to, or to the object itself.
//!
//! [`grammar`] has the records of a chunk, once for both directions. [`split`] goes from bytes to columns, [`join`]
//! back. [`forecast`] is the state that both keep alike. The form is described in `docs/wire-protocol.md`.

mod forecast;
mod grammar;
mod join;
mod split;

pub(crate) use forecast::Forecast;
pub(crate) use join::join;
pub(crate) use split::split;

use super::varint;

/// The reason why a chunk has no columns, or columns give no chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ColumnsFault {
    /// A column ends too early, or the chunk does.
    #[error("it is cut off, or a number in it is too long")]
    CutOff,
    /// A number in more bytes than it needs, or an address beyond 64 bits: not what a writer of chunks writes.
    #[error("a number in another form than that of a chunk")]
    OtherForm,
    /// A shape whose kind the wire does not define.
    #[error("a shape of an unknown kind")]
    UnknownShape,
    /// A base of a distance that does not exist, or a place in the stack that has no object.
    #[error("an address relates to nothing")]
    NoBase,
    /// The result would be longer than a frame may be.
    #[error("it is longer than a message may be")]
    TooLong,
    /// Bytes are left over.
    #[error("bytes follow the last record")]
    LeftOver,
}

/// The columns. Their order is that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    /// First bytes of records.
    Kinds,
    /// Indexes of references.
    Indexes,
    /// Classes of objects whose references begin.
    Classes,
    /// Places of these objects in the stack.
    Places,
    /// Their addresses, where the stack does not have them.
    Referrers,
    /// Bases to which the distances of referees relate.
    Bases,
    /// These distances.
    Referees,
    /// Sizes and lengths.
    Sizes,
    /// All else.
    Others,
}

const COLUMNS: usize = 9;

/// The columns one after another, each behind its length.
fn joined(columns: &[Vec<u8>; COLUMNS], out: &mut Vec<u8>) {
    for column in columns {
        push(out, column.len() as u64);
        out.extend_from_slice(column);
    }
}

/// The columns again.
fn parted(mut bytes: &[u8]) -> Result<[&[u8]; COLUMNS], ColumnsFault> {
    let mut columns = [&[][..]; COLUMNS];
    for column in &mut columns {
        let length = varint::read(&mut bytes).and_then(|length| usize::try_from(length).ok());
        (*column, bytes) = length.and_then(|length| bytes.split_at_checked(length)).ok_or(ColumnsFault::CutOff)?;
    }
    if bytes.is_empty() { Ok(columns) } else { Err(ColumnsFault::LeftOver) }
}

/// Appends a number.
#[inline]
fn push(out: &mut Vec<u8>, number: u64) {
    match u8::try_from(number) {
        // Most numbers are this short.
        Ok(byte) if byte < 0x80 => out.push(byte),
        _ => push_long(out, number),
    }
}

fn push_long(out: &mut Vec<u8>, number: u64) {
    let mut bytes = [0; 10];
    let length = varint::write(&mut bytes, 0, number);
    out.extend_from_slice(&bytes[..length]);
}

/// The distance between two addresses in words, as in a chunk.
fn distance(from: u64, to: u64) -> u64 {
    varint::zigzag(to.wrapping_sub(from) as i64 >> 3)
}

/// The address at a distance.
fn at_distance(from: u64, distance: u64) -> u64 {
    from.wrapping_add((varint::unzigzag(distance) as u64) << 3)
}

#[cfg(test)]
mod tests;
