//! The rule: which spots grow.

use super::census::{Arrays, Census};
use super::spots::{Spot, Spots};
use std::collections::BTreeMap;

/// Least growth of one array of values over all rounds, in bytes: lengths are rounded up to 8 bytes.
const LEAST_BYTES: u64 = 64;
/// The same for one array of references: 64 slots of 4 bytes, as for buffers of a watched program.
const LEAST_REFERENCE_BYTES: u64 = 256;

/// Kind of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    /// More objects in every round.
    Objects,
    /// One array that became longer and longer.
    Length,
}

/// The growing spots.
pub(super) type Growing = BTreeMap<Spot, Growth>;

/// The rule with its threshold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Least number of objects that a spot gains in every round.
    pub(super) least: u64,
}

impl Rule {
    /// The spots that grow over these heaps, which begin with the one before the first round.
    pub(super) fn growing(self, censuses: &[Census], spots: &Spots) -> Growing {
        let mut growing: Growing = spots
            .iter()
            .filter(|&spot| !spots.facts(spot).is_passing && self.gains(censuses, spot))
            .map(|spot| (spot, Growth::Objects))
            .collect();
        // A longer array of a list that gains elements is part of that growth.
        let holders: Vec<Option<Spot>> = growing.keys().map(|&spot| spots.facts(spot).above).collect();
        let longer = spots.iter().filter(|&spot| !holders.contains(&Some(spot)) && lengthens(censuses, spot));
        growing.extend(longer.map(|spot| (spot, Growth::Length)));
        growing
    }

    fn gains(self, censuses: &[Census], spot: Spot) -> bool {
        let gained = |pair: &[Census]| pair[1].at(spot).objects >= pair[0].at(spot).objects.saturating_add(self.least);
        censuses.len() > 1 && censuses.windows(2).all(gained)
    }
}

/// Whether the only array of a spot becomes longer and longer. A full array is replaced by one of twice its length, or
/// of half its length more, so it rests between its leaps, and the rests become longer. It must leap in the first
/// round, must have leapt in the later half of the rounds, and never become shorter.
fn lengthens(censuses: &[Census], spot: Spot) -> bool {
    let figures: Vec<_> = censuses.iter().map(|census| census.at(spot)).collect();
    let least = match figures.last().map(|last| last.arrays) {
        Some(Arrays::Values) => LEAST_BYTES,
        Some(Arrays::References) => LEAST_REFERENCE_BYTES,
        _ => return false,
    };
    let (rounds, is_one) = (figures.len() - 1, figures.iter().all(|figures| figures.objects == 1));
    let steps = || figures.windows(2).map(|pair| pair[1].bytes.cmp(&pair[0].bytes));
    if !is_one || steps().any(std::cmp::Ordering::is_lt) || !steps().next().is_some_and(std::cmp::Ordering::is_gt) {
        return false;
    }
    let last_leap = steps().rposition(std::cmp::Ordering::is_gt).map_or(0, |at| at + 1);
    figures[rounds].bytes >= figures[0].bytes + least && 2 * last_leap >= rounds
}

#[cfg(test)]
mod tests {
    use super::super::census::Figures;
    use super::*;

    fn lengths(bytes: &[u64]) -> bool {
        let array = |&bytes: &u64| Census::of(vec![Figures { objects: 1, bytes, arrays: Arrays::Values }]);
        let spot = Spots::default().iter().next();
        assert!(spot.is_none(), "no spot is needed beyond its number");
        lengthens(&bytes.iter().map(array).collect::<Vec<_>>(), Spot::FIRST)
    }

    #[test]
    fn an_array_that_doubles_rests_longer_and_longer() {
        assert!(lengths(&[100, 200]));
        assert!(lengths(&[2_000, 4_006, 8_014, 8_014, 16_030, 16_030]));
        assert!(!lengths(&[100, 200, 200, 200]), "it was filled to its size");
        assert!(!lengths(&[100, 200, 400, 400, 400, 400]), "the same, later");
        assert!(!lengths(&[100, 100, 200, 400]), "nothing in the first round");
        assert!(!lengths(&[100, 200, 150, 300]), "it became shorter");
        assert!(!lengths(&[16, 24, 32, 40]), "too little");
    }
}
