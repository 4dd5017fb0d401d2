//! Parts of a dump that could not be read.

use std::fmt;

/// A difference between a dump and its heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The dump is cut off: the rest of the last record and all that followed are missing.
    Cut {
        /// Position in the (unpacked) file of the last record, which is incomplete.
        at: u64,
        /// Number of bytes from there on.
        left_out: u64,
    },
    /// Bytes in the middle are invalid; the data from there to the next place that can be found were left out.
    Damaged {
        /// Position of the first such byte.
        at: u64,
        /// Number of bytes that were left out.
        left_out: u64,
    },
    /// Something else, as a sentence.
    Other(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut { at, left_out } => {
                write!(
                    out,
                    "the dump is cut off: it was read up to byte {at}, its last {left_out} bytes are no whole record"
                )
            }
            Self::Damaged { at, left_out } => {
                write!(out, "the dump is damaged at byte {at}: {left_out} bytes were left out")
            }
            Self::Other(sentence) => out.write_str(sentence),
        }
    }
}
