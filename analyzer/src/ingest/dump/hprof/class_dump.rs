//! One CLASS_DUMP record.

use super::super::fields::Fields;
use super::walk::width;

/// Code of reference types.
pub(super) const OBJECT: u8 = 2;

/// The content of a class dump; names are ids of strings.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassDump {
    pub(super) id: u64,
    /// Its superclass; 0 for none.
    pub(super) superclass: u64,
    /// Its loader; 0 for the boot loader.
    pub(super) loader: u64,
    /// Signers, protection domain and reserved ids; 0 for none.
    pub(super) others: [u64; 4],
    pub(super) instance_bytes: u32,
    /// Objects of the constant pool.
    pub(super) constants: Vec<u64>,
    pub(super) statics: Vec<StaticField>,
    /// Instance fields that it declares: name and code of the type.
    pub(super) fields: Vec<(u64, u8)>,
}

/// A static field.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticField {
    pub(super) name: u64,
    pub(super) kind: u8,
    /// The object that it refers to; 0 for none, and for primitive types.
    pub(super) referee: u64,
}

impl ClassDump {
    /// The record at the start of the piece, and its length; `None` if it is not whole.
    pub(super) fn read(piece: &[u8], id_bytes: usize) -> Option<(Self, usize)> {
        let mut piece_left = Fields::new(piece);
        let left = &mut piece_left;
        left.bytes(1)?;
        let mut class = Self { id: left.id(id_bytes)?, ..Self::default() };
        left.bytes(4)?;
        class.superclass = left.id(id_bytes)?;
        class.loader = left.id(id_bytes)?;
        for other in &mut class.others {
            *other = left.id(id_bytes)?;
        }
        class.instance_bytes = left.u4()?;
        for _ in 0..left.u2()? {
            left.bytes(2)?;
            let kind = left.u1()?;
            class.constants.push(value(left, kind, id_bytes)?);
        }
        class.constants.retain(|&id| id != 0);
        for _ in 0..left.u2()? {
            let (name, kind) = (left.id(id_bytes)?, left.u1()?);
            class.statics.push(StaticField { name, kind, referee: value(left, kind, id_bytes)? });
        }
        for _ in 0..left.u2()? {
            let (name, kind) = (left.id(id_bytes)?, left.u1()?);
            class.fields.push((name, kind));
        }
        Some((class, piece.len() - left.left()))
    }
}

/// The object that a value refers to; 0 for primitive ones.
fn value(left: &mut Fields<'_>, kind: u8, id_bytes: usize) -> Option<u64> {
    if kind == OBJECT {
        return left.id(id_bytes);
    }
    left.bytes(usize::from(width(kind)?))?;
    Some(0)
}
