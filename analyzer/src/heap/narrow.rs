//! Columns of numbers that nearly always fit into two bytes: they take half the memory, and more of them lie in a cache.

use super::ObjectIdx;
use super::class::ClassIdx;

/// Classes by object.
#[derive(Debug)]
pub(super) enum ClassColumn {
    /// Fewer than 2¹⁶ classes.
    Narrow(Vec<u16>),
    Wide(Vec<ClassIdx>),
}

impl ClassColumn {
    /// Packs a column of classes below `class_count`.
    pub(super) fn new(classes: Vec<ClassIdx>, class_count: usize) -> Self {
        if class_count > usize::from(u16::MAX) {
            return Self::Wide(classes);
        }
        Self::Narrow(classes.iter().map(|class| class.0 as u16).collect())
    }

    #[inline]
    pub(super) fn of(&self, object: ObjectIdx) -> ClassIdx {
        match self {
            Self::Narrow(classes) => ClassIdx(u32::from(classes[object.at()])),
            Self::Wide(classes) => classes[object.at()],
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow(classes) => classes.len(),
            Self::Wide(classes) => classes.len(),
        }
    }
}

/// Shallow sizes by object.
#[derive(Debug)]
pub(super) enum SizeColumn {
    Narrow {
        /// In units of eight bytes, or [`RARE`].
        units: Vec<u16>,
        /// Other sizes in bytes, by object; ascending.
        rare: Vec<(ObjectIdx, u32)>,
    },
    Wide(Vec<u32>),
}

/// Stands for a size that is stored separately.
const RARE: u16 = u16::MAX;
/// Bytes of a unit: JVMs align objects to eight bytes or more.
const UNIT: u32 = 8;
/// At most one size in this number is stored separately.
const RARITY: usize = 64;

impl SizeColumn {
    pub(super) fn new(sizes: Vec<u32>) -> Self {
        let is_rare = |&&bytes: &&u32| units_of(bytes) == RARE;
        if sizes.iter().filter(is_rare).count() > sizes.len() / RARITY {
            return Self::Wide(sizes);
        }
        let rare = sizes.iter().zip(0..).filter(|(bytes, _)| is_rare(bytes)).map(|(&bytes, at)| (ObjectIdx(at), bytes));
        let rare = rare.collect();
        Self::Narrow { units: sizes.iter().map(|&bytes| units_of(bytes)).collect(), rare }
    }

    #[inline]
    pub(super) fn of(&self, object: ObjectIdx) -> u64 {
        match self {
            Self::Narrow { units, rare } => match units[object.at()] {
                RARE => rarely(rare, object),
                units => u64::from(units) * u64::from(UNIT),
            },
            Self::Wide(sizes) => u64::from(sizes[object.at()]),
        }
    }

    pub(super) fn sum(&self) -> u64 {
        match self {
            Self::Narrow { units, rare } => {
                let units = units.iter().filter(|&&units| units != RARE).map(|&units| u64::from(units)).sum::<u64>();
                units * u64::from(UNIT) + rare.iter().map(|&(_, bytes)| u64::from(bytes)).sum::<u64>()
            }
            Self::Wide(sizes) => sizes.iter().map(|&bytes| u64::from(bytes)).sum(),
        }
    }
}

fn units_of(bytes: u32) -> u16 {
    if bytes.is_multiple_of(UNIT) { u16::try_from(bytes / UNIT).unwrap_or(RARE) } else { RARE }
}

#[cold]
fn rarely(rare: &[(ObjectIdx, u32)], object: ObjectIdx) -> u64 {
    rare.binary_search_by_key(&object, |entry| entry.0).map_or(0, |at| u64::from(rare[at].1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_read_as_it_was_written() {
        let mostly_small: Vec<u32> = (0..1000).map(|at| 16 + 8 * (at % 7)).collect();
        let mut with_rare = mostly_small.clone();
        for (at, bytes) in [(0, u32::MAX), (17, 524_280), (18, 524_272), (500, 13), (999, 0)] {
            with_rare[at] = bytes;
        }
        let odd: Vec<u32> = (0..100).map(|at| 12 + at).collect();
        for sizes in [mostly_small, with_rare, odd, Vec::new()] {
            let column = SizeColumn::new(sizes.clone());
            let read: Vec<u64> = (0..sizes.len() as u32).map(|at| column.of(ObjectIdx(at))).collect();
            assert_eq!(read, sizes.iter().map(|&bytes| u64::from(bytes)).collect::<Vec<_>>());
            assert_eq!(column.sum(), read.iter().sum::<u64>());
        }
    }

    #[test]
    fn sizes_that_do_not_fit_are_rare_or_the_column_is_wide() {
        let is_wide = |sizes: Vec<u32>| matches!(SizeColumn::new(sizes), SizeColumn::Wide(_));
        assert!(!is_wide(vec![24; 1000]) && is_wide(vec![25; 1000]));
        assert!(!is_wide([vec![24; 640], vec![25; 10]].concat()) && is_wide([vec![24; 640], vec![25; 11]].concat()));
    }

    #[test]
    fn classes_are_narrow_up_to_their_number() {
        let classes: Vec<ClassIdx> = [0, 7, 65_534].map(ClassIdx).to_vec();
        for count in [65_535, 65_536] {
            let column = ClassColumn::new(classes.clone(), count);
            assert_eq!((0..3).map(|at| column.of(ObjectIdx(at))).collect::<Vec<_>>(), classes);
            assert_eq!(matches!(column, ClassColumn::Narrow(_)), count == 65_535);
        }
    }
}
