//! Region rank (LeakBot §4.2): the unweighted mean of the leak root's rank, a measure of proxy-size, and a measure of
//! its growth. Without upper bound, so that leaks stay apart by their speed.

/// How a region evolves, as far as tracking knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evolution {
    /// Not seen yet.
    Unknown,
    /// Grows by so many change-proxies a minute.
    Grows {
        /// Change-proxies a minute.
        rate_per_min: f64,
    },
    /// Does not grow: size then says how well the structure is used, not how badly it leaks.
    Bounded,
}

/// Weight of the size term of a region that was seen not to grow.
const BOUNDED_SIZE_WEIGHT: f64 = 0.25;

/// The rank. Size and growth count by their orders of magnitude: a cache of a million must not drown a leak of a
/// hundred, and a leak that is ten times as fast is worth a step, not ten.
pub fn rank(leak_root_rank: f64, proxy_size: f64, evolution: Evolution) -> f64 {
    let size = (1.0 + proxy_size.max(0.0)).log10();
    let (size, growth) = match evolution {
        Evolution::Unknown => (size, 0.0),
        Evolution::Grows { rate_per_min } => (size, 2.0 * (1.0 + rate_per_min.max(0.0)).log2()),
        Evolution::Bounded => (size * BOUNDED_SIZE_WEIGHT, 0.0),
    };
    (leak_root_rank + size + growth) / 3.0
}
