//! Class messages once a file: a recording repeats the names and fields of all classes at each capture, with other ids.
//! In a file each *declaration* (the name and the fields of a class) stands once, under a number. A class of a capture
//! is then a row of ids and that number.
//!
//! Two kinds of frames, in files only and always packed, replace the messages on classes: [`DECLARATIONS`] assigns
//! numbers, [`ROWS`] uses them. Declarations stand before their first use, so a file that was cut off is read up to the
//! cut. A reader turns rows back into the message that the agent sent ([`Declared`]); a writer has [`ClassTable`].

mod read;
mod write;

pub use read::{Declared, numbers, retained};
pub use write::ClassTable;

use crate::codec::CodecError;
use crate::message::FieldRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The kind of a frame that assigns numbers to declarations.
pub const DECLARATIONS: u8 = 5;
/// The kind of a frame with classes of a capture, by the numbers of their declarations.
pub const ROWS: u8 = 6;

/// The part of a class record that holds in all captures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Declaration {
    name: String,
    is_interface: bool,
    fields: Vec<FieldRecord>,
}

/// Payload of [`DECLARATIONS`], before it is packed.
type Numbered = Vec<(u32, Declaration)>;

/// Payload of [`ROWS`], before it is packed: the columns of a table. An id of 0 is none. Ids and numbers of neighbours
/// differ by little, and alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Rows {
    /// Ids of the mirrors, each as the difference to the one before.
    objects: Vec<i64>,
    /// Numbers of the declarations, each as the difference to the one before.
    declarations: Vec<i64>,
    loaders: Vec<u64>,
    superclasses: Vec<u64>,
    /// Numbers of interfaces.
    interface_counts: Vec<u32>,
    /// The interfaces of all classes in a row.
    interfaces: Vec<u64>,
}

impl Rows {
    /// The numbers of the declarations.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        sums(&self.declarations).map(|number| number as u32)
    }
}

/// Numbers from their differences.
fn sums(differences: &[i64]) -> impl Iterator<Item = u64> {
    differences.iter().scan(0_i64, |sum, difference| {
        *sum = sum.wrapping_add(*difference);
        Some(*sum as u64)
    })
}

fn coded<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    crate::codec::encode_value(value).ok()
}

fn decoded<T: DeserializeOwned>(payload: &[u8]) -> Result<T, CodecError> {
    crate::codec::decode_value(payload)
}
