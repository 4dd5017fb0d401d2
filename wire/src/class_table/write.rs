//! The writer's side: declarations that the file has already.

use super::{DECLARATIONS, Declaration, Numbered, ROWS, Rows, coded};
use crate::codec;
use crate::frame::{self, MAX_PAYLOAD_BYTES, Written, written};
use crate::message::{ClassRecord, FromAgent};
use crate::packing::Packer;
use sha2::{Digest, Sha256};
use std::collections::{BTreeSet, HashMap};

/// Most declarations that are remembered, some 10 MB. A program that makes classes for ever has more; what comes later
/// is written as it is.
const MOST_DECLARATIONS: usize = 200_000;

/// A declaration without its text: half of its SHA-256, which no two declarations share.
type Fingerprint = [u8; 16];

/// The declarations of a file, by what they are.
#[derive(Debug, Default)]
pub struct ClassTable {
    known: HashMap<Fingerprint, u32>,
    /// Least number that was never used in the file.
    next: u32,
}

impl ClassTable {
    /// Copies whole frames to the end of `out`. Messages on classes become rows, after the declarations that the file
    /// does not have.
    pub fn share(&mut self, frames: &[u8], packer: &mut Packer, out: &mut Vec<u8>) {
        for Written { range, kind, payload } in written(frames) {
            let is_shared = classes(kind, payload).is_some_and(|classes| self.append(classes, packer, out));
            if !is_shared {
                out.extend_from_slice(&frames[range]);
            }
        }
    }

    /// Forgets the declarations that are no longer in the file.
    pub fn retain(&mut self, kept: &BTreeSet<u32>) {
        self.known.retain(|_, number| kept.contains(number));
    }

    /// Appends declarations and rows; `false` where there is no room for them, and nothing was appended.
    fn append(&mut self, classes: Vec<ClassRecord>, packer: &mut Packer, out: &mut Vec<u8>) -> bool {
        if self.known.len() + classes.len() > MOST_DECLARATIONS {
            return false;
        }
        let (mut new, mut rows, mut before) = (Numbered::new(), Rows::default(), (0, 0));
        for class in classes {
            let ClassRecord { object, name, loader, superclass, interfaces, is_interface, fields } = class;
            let Some(number) = self.number(Declaration { name, is_interface, fields }, &mut new) else {
                return self.give_up(&new);
            };
            let id = |id: Option<crate::ids::ObjectId>| id.map_or(0, |id| id.0);
            rows.objects.push((object.0 as i64).wrapping_sub(before.0));
            rows.declarations.push(i64::from(number) - before.1);
            before = (object.0 as i64, i64::from(number));
            rows.loaders.push(id(loader));
            rows.superclasses.push(id(superclass));
            rows.interface_counts.push(interfaces.len() as u32);
            rows.interfaces.extend(interfaces.iter().map(|interface| interface.0));
        }
        let start = out.len();
        let declared = new.is_empty() || append_packed(DECLARATIONS, coded(&new), packer, out);
        let is_whole = declared && append_packed(ROWS, coded(&rows), packer, out);
        if !is_whole {
            out.truncate(start);
            return self.give_up(&new);
        }
        true
    }

    /// The number of a declaration. One that the file does not have gets the next, and stands in `new`.
    fn number(&mut self, declaration: Declaration, new: &mut Numbered) -> Option<u32> {
        let digest = Sha256::digest(coded(&declaration)?);
        let fingerprint: Fingerprint = std::array::from_fn(|at| digest[at]);
        if let Some(&number) = self.known.get(&fingerprint) {
            return Some(number);
        }
        let number = self.next;
        self.next = number.checked_add(1)?;
        self.known.insert(fingerprint, number);
        new.push((number, declaration));
        Some(number)
    }

    /// Forgets numbers that were not written.
    fn give_up(&mut self, new: &Numbered) -> bool {
        let unwritten: BTreeSet<u32> = new.iter().map(|(number, _)| *number).collect();
        self.known.retain(|_, number| !unwritten.contains(number));
        false
    }
}

/// The classes of a payload that is a message on classes.
fn classes(kind: u8, payload: &[u8]) -> Option<Vec<ClassRecord>> {
    if kind != <FromAgent as codec::Message>::KIND || !codec::is_classes(payload) {
        return None;
    }
    match codec::decode(payload) {
        Ok(FromAgent::Classes(classes)) => Some(classes),
        _ => None,
    }
}

/// Appends a frame with a packed payload; `false` where it is too long for one.
pub(super) fn append_packed(kind: u8, payload: Option<Vec<u8>>, packer: &mut Packer, out: &mut Vec<u8>) -> bool {
    let Some(payload) = payload.filter(|payload| payload.len() <= MAX_PAYLOAD_BYTES) else { return false };
    let Some(packed) = packer.packed(&payload) else { return false };
    frame::append_payload(kind, packed, out);
    true
}
