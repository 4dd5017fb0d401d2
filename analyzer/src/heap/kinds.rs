//! Class and shallow size of every object, in two bytes: a heap has few pairs of the two.

use super::ObjectIdx;
use super::class::ClassIdx;
use rustc_hash::FxHashMap;

/// Class and shallow size of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub(super) class: ClassIdx,
    /// Saturated at 4 GiB.
    pub(super) bytes: u32,
}

/// Kinds by object.
#[derive(Debug)]
pub(super) enum Kinds {
    Narrow {
        /// Indexes into `kinds`, or [`RARE`].
        codes: Vec<u16>,
        kinds: Vec<Kind>,
        /// Kinds without a code, by object; ascending.
        rare: Vec<(ObjectIdx, Kind)>,
    },
    Wide(Vec<Kind>),
}

/// Stands for a kind without a code.
const RARE: u16 = u16::MAX;
/// At most one object in this number has a kind without a code.
const RARITY: usize = 64;
/// JVMs align objects to eight bytes or more.
const UNIT: u32 = 8;

impl Kinds {
    /// Packs a column of classes and one of sizes in bytes, which are equally long.
    pub(super) fn new(classes: &[ClassIdx], bytes: &[u32]) -> Self {
        let all = || classes.iter().zip(bytes).map(|(&class, &bytes)| Kind { class, bytes });
        let mut coder = Coder::default();
        let codes: Vec<u16> = all().map(|kind| coder.code(kind).unwrap_or(RARE)).collect();
        let rare_count = codes.iter().filter(|&&code| code == RARE).count();
        if rare_count > codes.len() / RARITY {
            return Self::Wide(all().collect());
        }
        let rare = (0..).map(ObjectIdx).zip(all()).zip(&codes).filter(|(_, code)| **code == RARE);
        let rare = rare.map(|(entry, _)| entry).collect();
        Self::Narrow { codes, kinds: coder.kinds, rare }
    }

    /// The kind of an object.
    #[inline]
    pub(super) fn of(&self, object: ObjectIdx) -> Kind {
        match self {
            Self::Narrow { codes, kinds, rare } => {
                // No kind has the index that stands for none.
                kinds.get(usize::from(codes[object.at()])).copied().unwrap_or_else(|| rarely(rare, object))
            }
            Self::Wide(kinds) => kinds[object.at()],
        }
    }

    /// Number of objects.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Narrow { codes, .. } => codes.len(),
            Self::Wide(kinds) => kinds.len(),
        }
    }

    /// Sum of all sizes.
    pub(super) fn total_bytes(&self) -> u64 {
        (0..self.len() as u32).map(|at| u64::from(self.of(ObjectIdx(at)).bytes)).sum()
    }

    /// A number of bytes of which every size is a multiple: 8 or 1.
    pub(super) fn unit(&self) -> u32 {
        let is_whole = |kind: &Kind| kind.bytes.is_multiple_of(UNIT);
        let all_are = match self {
            Self::Narrow { kinds, rare, .. } => kinds.iter().chain(rare.iter().map(|entry| &entry.1)).all(is_whole),
            Self::Wide(kinds) => kinds.iter().all(is_whole),
        };
        if all_are { UNIT } else { 1 }
    }
}

#[cold]
fn rarely(rare: &[(ObjectIdx, Kind)], object: ObjectIdx) -> Kind {
    let found = rare.binary_search_by_key(&object, |entry| entry.0);
    found.map_or(Kind { class: ClassIdx(0), bytes: 0 }, |at| rare[at].1)
}

/// Gives kinds their codes, in the order in which they first occur.
#[derive(Default)]
struct Coder {
    kinds: Vec<Kind>,
    codes: FxHashMap<Kind, u16>,
    /// By class: the code of the latest kind. Instances of a class are mostly equally large, and need no hashing.
    latest: Vec<u16>,
}

impl Coder {
    /// The code; `None` if all are taken.
    #[inline]
    fn code(&mut self, kind: Kind) -> Option<u16> {
        let latest = self.latest.get(kind.class.at()).copied();
        latest.filter(|&code| self.kinds.get(usize::from(code)) == Some(&kind)).or_else(|| self.other_code(kind))
    }

    fn other_code(&mut self, kind: Kind) -> Option<u16> {
        let code = match self.codes.get(&kind) {
            Some(&code) => code,
            None => self.add(kind)?,
        };
        // The class may be one that does not exist: so few are remembered as there are kinds.
        let class = kind.class.at();
        if class >= self.latest.len() && class <= usize::from(RARE) {
            self.latest.resize(class + 1, RARE);
        }
        if let Some(latest) = self.latest.get_mut(class) {
            *latest = code;
        }
        Some(code)
    }

    fn add(&mut self, kind: Kind) -> Option<u16> {
        let code = u16::try_from(self.kinds.len()).ok().filter(|&code| code != RARE)?;
        self.kinds.push(kind);
        self.codes.insert(kind, code);
        Some(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that every kind is read as it was written; returns the column.
    fn written(kinds: &[(u32, u32)]) -> Kinds {
        let (classes, bytes): (Vec<ClassIdx>, Vec<u32>) =
            kinds.iter().map(|&(class, bytes)| (ClassIdx(class), bytes)).unzip();
        let column = Kinds::new(&classes, &bytes);
        let read: Vec<(u32, u32)> =
            (0..kinds.len() as u32).map(|at| column.of(ObjectIdx(at))).map(|kind| (kind.class.0, kind.bytes)).collect();
        assert_eq!(read, kinds);
        assert_eq!(column.len(), kinds.len());
        assert_eq!(column.total_bytes(), kinds.iter().map(|kind| u64::from(kind.1)).sum::<u64>());
        column
    }

    #[test]
    fn every_kind_is_read_as_it_was_written() {
        let mut kinds: Vec<(u32, u32)> = (0..1000).map(|at| (at % 5, 16 + 8 * (at % 7))).collect();
        for (at, kind) in [(0, (0, u32::MAX)), (17, (70_000, 24)), (18, (u32::MAX, 24)), (999, (3, 0))] {
            kinds[at] = kind;
        }
        assert!(matches!(written(&kinds), Kinds::Narrow { rare, .. } if rare.is_empty()));
        assert_eq!(written(&[]).len(), 0);
    }

    #[test]
    fn kinds_beyond_the_codes_are_rare_or_the_column_is_wide() {
        let codes = u32::from(RARE);
        let mut kinds: Vec<(u32, u32)> = (0..codes).map(|at| (1, 8 * at)).collect();
        assert!(matches!(written(&kinds), Kinds::Narrow { rare, .. } if rare.is_empty()));
        kinds.extend((0..1000).map(|at| (2, 8 * at)));
        assert!(matches!(written(&kinds), Kinds::Narrow { rare, .. } if rare.len() == 1000));
        kinds.extend((0..1000).map(|at| (3, 8 * at)));
        assert!(matches!(written(&kinds), Kinds::Wide(_)));
    }

    #[test]
    fn the_unit_divides_every_size() {
        assert_eq!(written(&[(1, 24), (1, 4096)]).unit(), 8);
        assert_eq!(written(&[(1, 24), (1, 4097)]).unit(), 1);
        assert_eq!(written(&[]).unit(), 8);
    }
}
