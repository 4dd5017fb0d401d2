//! The reader's side: rows become messages again. Trusts no number and no length.

use super::write::append_packed;
use super::{DECLARATIONS, Declaration, Numbered, ROWS, Rows, coded, decoded, sums};
use crate::codec::{CodecError, DECODE_LIMIT_BYTES};
use crate::frame::Frame;
use crate::ids::ObjectId;
use crate::message::{ClassRecord, FieldRecord, FromAgent};
use crate::packing::{Packer, inflated};
use std::collections::{BTreeSet, HashMap};
use std::mem::size_of;

/// Most bytes of declarations that a reader holds: a damaged file must not fill the memory. Those of 200,000 classes
/// take a quarter of it.
const MOST_BYTES: usize = 256 << 20;

/// The declarations of a file that is being read.
#[derive(Debug, Default)]
pub struct Declared {
    by_number: HashMap<u32, Declaration>,
    bytes: usize,
}

impl Declared {
    /// Takes in a frame of the kind [`DECLARATIONS`] or [`ROWS`]; the latter gives a message. `None` for declarations,
    /// and for frames of other kinds.
    ///
    /// # Errors
    /// [`CodecError::Malformed`] where the frame is damaged, names a declaration that the file does not have, or would
    /// take more memory than any message may.
    pub fn take(&mut self, frame: &Frame) -> Result<Option<FromAgent>, CodecError> {
        match frame.kind {
            DECLARATIONS => self.declare(decoded(&inflated(&frame.payload)?)?).map(|()| None),
            ROWS => self.classes(&decoded(&inflated(&frame.payload)?)?).map(Some),
            _ => Ok(None),
        }
    }

    fn declare(&mut self, declarations: Numbered) -> Result<(), CodecError> {
        self.bytes += declarations.iter().map(|(_, declaration)| bytes_of(declaration)).sum::<usize>();
        if self.bytes > MOST_BYTES {
            return Err(malformed("the file declares more classes than a program has"));
        }
        self.by_number.extend(declarations);
        Ok(())
    }

    fn classes(&self, rows: &Rows) -> Result<FromAgent, CodecError> {
        let count = rows.objects.len();
        let lengths =
            [rows.declarations.len(), rows.loaders.len(), rows.superclasses.len(), rows.interface_counts.len()];
        if lengths.iter().any(|&length| length != count) {
            return Err(malformed("its columns differ in length"));
        }
        let (mut interfaces, mut bytes) = (rows.interfaces.iter(), 0);
        let mut classes = Vec::new();
        for (at, (object, number)) in sums(&rows.objects).zip(rows.numbers()).enumerate() {
            let declaration = self.by_number.get(&number);
            let declaration =
                declaration.ok_or_else(|| malformed("it names a class that the file does not declare"))?;
            bytes += bytes_of(declaration);
            if bytes > DECODE_LIMIT_BYTES {
                return Err(malformed("it is longer than a message may be"));
            }
            let Declaration { name, is_interface, fields } = declaration.clone();
            classes.push(ClassRecord {
                object: ObjectId(object),
                name,
                loader: id(rows.loaders[at]),
                superclass: id(rows.superclasses[at]),
                interfaces: interfaces
                    .by_ref()
                    .take(rows.interface_counts[at] as usize)
                    .copied()
                    .map(ObjectId)
                    .collect(),
                is_interface,
                fields,
            });
        }
        Ok(FromAgent::Classes(classes))
    }
}

/// The numbers of declarations that a frame of the kind [`ROWS`] uses; none for other kinds.
///
/// # Errors
/// As for [`Declared::take`].
pub fn numbers(frame: &Frame) -> Result<BTreeSet<u32>, CodecError> {
    if frame.kind != ROWS {
        return Ok(BTreeSet::new());
    }
    let rows: Rows = decoded(&inflated(&frame.payload)?)?;
    Ok(rows.numbers().collect())
}

/// Appends a frame of the kind [`DECLARATIONS`] with those of its declarations whose numbers are kept. Nothing where
/// none is.
///
/// # Errors
/// As for [`Declared::take`].
pub fn retained(frame: &Frame, kept: &BTreeSet<u32>, packer: &mut Packer, out: &mut Vec<u8>) -> Result<(), CodecError> {
    let mut declarations: Numbered = decoded(&inflated(&frame.payload)?)?;
    let before = declarations.len();
    declarations.retain(|(number, _)| kept.contains(number));
    let is_smaller = declarations.len() < before;
    let is_written =
        is_smaller && (declarations.is_empty() || append_packed(DECLARATIONS, coded(&declarations), packer, out));
    if !is_written {
        crate::frame::append_read(frame, out);
    }
    Ok(())
}

fn id(id: u64) -> Option<ObjectId> {
    (id != 0).then_some(ObjectId(id))
}

/// Memory of a declaration.
fn bytes_of(declaration: &Declaration) -> usize {
    let of_field = |field: &FieldRecord| size_of::<FieldRecord>() + field.name.len() + field.descriptor.len();
    size_of::<ClassRecord>() + declaration.name.len() + declaration.fields.iter().map(of_field).sum::<usize>()
}

fn malformed(reason: &str) -> CodecError {
    CodecError::Malformed { length: 0, reason: reason.to_owned() }
}
