//! Sums of sizes in four bytes, where those of the whole heap fit.

/// A column of sums of sizes.
#[derive(Debug)]
pub(super) enum Sums {
    /// In units of that number of bytes.
    Narrow { unit: u64, sums: Vec<u32> },
    /// In bytes.
    Wide(Vec<u64>),
}

impl Sums {
    /// Zeros. No sum is above `most` bytes, and all sizes are multiples of `unit` bytes.
    pub(super) fn new(count: usize, unit: u64, most: u64) -> Self {
        match u32::try_from(most / unit) {
            Ok(_) => Self::Narrow { unit, sums: vec![0; count] },
            Err(_) => Self::Wide(vec![0; count]),
        }
    }

    /// Adds a size in bytes.
    #[inline]
    pub(super) fn add(&mut self, at: usize, bytes: u64) {
        match self {
            Self::Narrow { unit, sums } => sums[at] += (bytes / *unit) as u32,
            Self::Wide(sums) => sums[at] += bytes,
        }
    }

    /// Adds every sum to that of its owner, from the last one to the second. Owners have smaller indexes.
    pub(super) fn gather(&mut self, owners: &[u32]) {
        match self {
            Self::Narrow { sums, .. } => gather(sums, owners),
            Self::Wide(sums) => gather(sums, owners),
        }
    }

    /// A sum in bytes.
    #[inline]
    pub(super) fn bytes(&self, at: usize) -> u64 {
        match self {
            Self::Narrow { unit, sums } => u64::from(sums[at]) * unit,
            Self::Wide(sums) => sums[at],
        }
    }
}

/// Adds every number to that of its owner, from the last one to the second. Owners have smaller indexes.
pub(super) fn gather<T: Copy + std::ops::AddAssign>(numbers: &mut [T], owners: &[u32]) {
    for at in (1..numbers.len()).rev() {
        let number = numbers[at];
        numbers[owners[at] as usize] += number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_whether_they_are_narrow_or_wide() {
        for (unit, most, is_narrow) in
            [(8, 8 * u64::from(u32::MAX), true), (8, 8 << 32, false), (1, 4 << 30, false), (1, 1 << 30, true)]
        {
            let mut sums = Sums::new(4, unit, most);
            assert_eq!(matches!(sums, Sums::Narrow { .. }), is_narrow);
            [(1, 16 * unit), (2, most / 2 / unit * unit), (2, unit), (3, 3 * unit)]
                .into_iter()
                .for_each(|(at, bytes)| sums.add(at, bytes));
            sums.gather(&[0, 0, 1, 1]);
            let of_second = most / 2 / unit * unit + unit;
            let expected = [of_second + 19 * unit, of_second + 19 * unit, of_second, 3 * unit];
            assert_eq!((0..4).map(|at| sums.bytes(at)).collect::<Vec<_>>(), expected);
        }
    }
}
