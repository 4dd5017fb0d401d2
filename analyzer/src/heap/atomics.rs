//! Columns that several threads write at once; each entry is written by the thread that holds its object.

use rayon::prelude::*;
use std::sync::atomic::AtomicU32;

/// A column that several threads write. They fill it together, for most of that time the kernel makes its pages.
pub(super) fn filled(count: usize, value: u32) -> Vec<AtomicU32> {
    (0..count).into_par_iter().with_min_len(PIECE).map(|_| AtomicU32::new(value)).collect()
}

/// Entries that one thread fills at a time, at least.
const PIECE: usize = 1 << 16;

/// The finished column. The memory stays where it is.
pub(super) fn unfilled(column: Vec<AtomicU32>) -> Vec<u32> {
    column.into_iter().map(AtomicU32::into_inner).collect()
}
