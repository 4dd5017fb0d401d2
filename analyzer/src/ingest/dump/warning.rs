//! What of a dump could not be read.

use std::fmt;

/// Something that a dump has and its heap has not, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// The dump ends before it is over: what was cut off with it, and the rest of the last record.
    Cut {
        /// Where in the (unpacked) file the last record begins that is not whole.
        at: u64,
        /// Bytes from there on.
        left_out: u64,
    },
    /// Bytes in the middle mean nothing; what stands behind them up to the next place that can be found was left out.
    Damaged {
        /// Where the first such byte is.
        at: u64,
        /// Bytes that were left out.
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
