//! Compressed sparse rows from pairs, by counting, in two passes and without a copy of the pairs.

/// A row of entries for each number below a count.
#[derive(Debug)]
pub(super) struct Rows<T> {
    offsets: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Copy> Rows<T> {
    /// Makes rows from pairs of a row and an entry, which `backward` yields twice, in reverse: so each row has its
    /// entries in order. Rows are below `count`, and there are fewer than 2³² pairs. `blank` stands in the rows until
    /// they are filled.
    pub(super) fn new<P: Iterator<Item = (u32, T)>>(count: usize, blank: T, backward: impl Fn() -> P) -> Self {
        let mut offsets = vec![0u32; count + 1];
        backward().for_each(|(row, _)| offsets[row as usize] += 1);
        let mut end = 0;
        for offset in &mut offsets {
            end += *offset;
            *offset = end;
        }
        let mut entries = vec![blank; end as usize];
        // Rows are filled from their ends, so that each offset finishes at its row's start.
        backward().for_each(|(row, entry)| {
            let at = &mut offsets[row as usize];
            *at -= 1;
            entries[*at as usize] = entry;
        });
        Self { offsets, entries }
    }

    /// The entries of a row.
    #[inline]
    pub(super) fn of(&self, row: u32) -> &[T] {
        &self.entries[self.range(row)]
    }

    /// The row's range among all entries.
    #[inline]
    fn range(&self, row: u32) -> std::ops::Range<usize> {
        self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize
    }
}
