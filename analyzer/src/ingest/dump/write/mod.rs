//! Writes heaps as dumps, so that other tools can open our captures: HPROF without values, IBM text, INSANE XML. Data
//! that a heap does not hold are missing: values, weak references that were cut, and the reference of an object to its
//! class.

mod hprof;
mod ibm_text;
mod ids;
mod insane;
mod names;

use crate::heap::Heap;
use std::io::{self, Write};

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HPROF 1.0.2 with ids of eight bytes; all values are zero.
    Hprof,
    /// The text that HeapRoots reads.
    IbmText,
    /// INSANE's XML.
    InsaneXml,
}

/// Writes the heap.
///
/// # Errors
/// If writing fails.
pub fn write(heap: &Heap, format: Format, out: &mut impl Write) -> io::Result<()> {
    match format {
        Format::Hprof => hprof::write(heap, out),
        Format::IbmText => ibm_text::write(heap, out),
        Format::InsaneXml => insane::write(heap, out),
    }
}
