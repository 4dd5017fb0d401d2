//! Beginnings of rows, in two bytes a row: each is measured from the beginning of its block.

/// Rows of a block.
const BLOCK: usize = 64;
/// Stands for a distance that is stored separately.
const FAR: u16 = u16::MAX;

/// Where each row begins among all entries, and where the last one ends.
#[derive(Debug, Default)]
pub(super) struct Offsets {
    /// By block: the beginning of its first row.
    bases: Vec<u32>,
    /// By row, and one more: its distance from there, or [`FAR`].
    distances: Vec<u16>,
    /// Beginnings that are farther away, by row; ascending. A block has them only behind that number of entries, so
    /// there is at most one for a thousand entries.
    far: Vec<(u32, u32)>,
}

impl Offsets {
    /// Packs the beginnings, which ascend; the last one is the end of all rows.
    pub(super) fn new(begins: &[u32]) -> Self {
        let mut offsets = Self {
            bases: Vec::with_capacity(begins.len().div_ceil(BLOCK)),
            distances: Vec::with_capacity(begins.len()),
            far: Vec::new(),
        };
        for (block, first) in begins.chunks(BLOCK).zip((0..).step_by(BLOCK)) {
            let base = block[0];
            offsets.bases.push(base);
            for (&begin, row) in block.iter().zip(first..) {
                let distance = u16::try_from(begin - base).unwrap_or(FAR);
                offsets.distances.push(distance);
                offsets.far.extend((distance == FAR).then_some((row, begin)));
            }
        }
        offsets
    }

    /// Number of rows.
    pub(super) fn row_count(&self) -> usize {
        self.distances.len().saturating_sub(1)
    }

    /// The entries of a row.
    #[inline]
    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.begin(row)..self.begin(row + 1)
    }

    #[inline]
    fn begin(&self, row: usize) -> usize {
        match self.distances[row] {
            FAR => self.far(row),
            distance => self.bases[row / BLOCK] as usize + usize::from(distance),
        }
    }

    #[cold]
    fn far(&self, row: usize) -> usize {
        self.far.binary_search_by_key(&(row as u32), |entry| entry.0).map_or(0, |at| self.far[at].1 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_where_it_was() {
        let small: Vec<u32> = (0..1000).map(|row| row % 5).collect();
        let mut large = small.clone();
        for (row, length) in [(0, 65_535), (63, 65_536), (64, 65_534), (130, 3_000_000_000), (999, 70_000)] {
            large[row] = length;
        }
        for lengths in [small, large, vec![5000; 300], vec![0; 129], Vec::new()] {
            let mut begins = vec![0];
            lengths.iter().for_each(|length| begins.push(begins[begins.len() - 1] + length));
            let offsets = Offsets::new(&begins);
            assert_eq!(offsets.row_count(), lengths.len());
            for row in 0..lengths.len() {
                assert_eq!(offsets.range(row), begins[row] as usize..begins[row + 1] as usize, "{row}");
            }
            assert!(offsets.far.len() <= 1 + begins[lengths.len()] as usize / 1000);
        }
    }

    #[test]
    fn rows_take_two_bytes_each() {
        let begins: Vec<u32> = (0..=1_000_000).map(|row| 2 * row).collect();
        let offsets = Offsets::new(&begins);
        assert!(offsets.far.is_empty());
        assert!(offsets.distances.len() == begins.len() && offsets.bases.len() == begins.len().div_ceil(BLOCK));
    }
}
