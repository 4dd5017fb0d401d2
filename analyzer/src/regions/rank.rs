//! Region rank (LeakBot §4.2): the unweighted mean of the leak root's rank, a measure of proxy-size, and a measure of
//! its growth. Without upper bound, so that leaks stay apart by their speed.

/// Evolution of a region, as far as tracking knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evolution {
    /// Not observed yet.
    Unknown,
    /// Grows at this rate.
    Grows {
        /// Bytes a minute.
        bytes_per_min: f64,
    },
    /// Does not grow: its size then indicates the use of the structure, not a leak.
    Bounded,
}

impl Evolution {
    /// Evolution of a region whose trend is known or not, with its gain in bytes a minute if it is a grower.
    #[must_use]
    pub fn of(is_known: bool, gains: Option<f64>) -> Self {
        match gains {
            Some(bytes_per_min) => Self::Grows { bytes_per_min },
            None if is_known => Self::Bounded,
            None => Self::Unknown,
        }
    }
}

/// Weight of the size term of a region that was observed not to grow.
const BOUNDED_SIZE_WEIGHT: f64 = 0.25;

/// Part of a region's rank that captures determine, besides its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footing {
    /// Rank of its leak root.
    pub leak_root_rank: f64,
    /// Divisor for its relation to the other regions; 1 for none.
    pub divisor: f64,
}

impl Footing {
    /// The rank of a region with this number of leaking operations. Size and growth count by their orders of magnitude:
    /// a cache of a million must not hide a leak of a hundred, and a leak that is twice as fast is worth a step, not
    /// two.
    ///
    /// The size is a number of operations, as in the paper. The growth is in bytes: where several structures grow, the
    /// one that fills the heap must rank above the counters and tables that grow with it.
    #[must_use]
    pub fn rank(self, leakages: f64, evolution: Evolution) -> f64 {
        let size = (1.0 + leakages.max(0.0)).log10();
        let (size, growth) = match evolution {
            Evolution::Unknown => (size, 0.0),
            Evolution::Grows { bytes_per_min } => (size, (1.0 + bytes_per_min.max(0.0)).log2()),
            Evolution::Bounded => (size * BOUNDED_SIZE_WEIGHT, 0.0),
        };
        (self.leak_root_rank + size + growth) / 3.0 / self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOOTING: Footing = Footing { leak_root_rank: 0.5, divisor: 1.0 };

    fn grows(leakages: f64, bytes_per_min: f64) -> f64 {
        FOOTING.rank(leakages, Evolution::of(true, Some(bytes_per_min)))
    }

    #[test]
    fn what_fills_the_heap_stands_above_what_gains_more_members() {
        // 950 nodes a minute with 2,400 bytes each; and for each of their 15 entries four times as many small objects.
        let (nodes, parts) = (grows(25_000.0, 950.0 * 2400.0), grows(71_000.0, 54_000.0 * 24.0));
        assert!(nodes > parts, "{nodes} {parts}");
    }

    #[test]
    fn a_slow_grower_stands_above_a_large_structure_that_was_seen_not_to_grow() {
        let bounded = FOOTING.rank(1e6, Evolution::of(true, None));
        assert!(grows(10.0, 24.0) > bounded);
        assert!(bounded < FOOTING.rank(1e6, Evolution::of(false, None)));
    }

    #[test]
    fn a_discount_is_one_of_all_parts() {
        let halved = Footing { divisor: 2.0, ..FOOTING };
        let grows = Evolution::of(true, Some(1000.0));
        assert_eq!(2.0 * halved.rank(100.0, grows), FOOTING.rank(100.0, grows));
    }
}
