//! Columns that several threads write at once; each entry is written by the thread that holds its object.

use std::sync::atomic::AtomicU32;

/// A column that several threads write.
pub(super) fn filled(count: usize, value: u32) -> Vec<AtomicU32> {
    std::iter::repeat_with(|| AtomicU32::new(value)).take(count).collect()
}

/// The finished column. The memory stays where it is.
pub(super) fn unfilled(column: Vec<AtomicU32>) -> Vec<u32> {
    column.into_iter().map(AtomicU32::into_inner).collect()
}
