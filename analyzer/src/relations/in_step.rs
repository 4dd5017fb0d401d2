//! Growers that gain in step ([`Rule::InStep`](super::Rule::InStep)): one operation adds to both. A job leaves a logger
//! context, four beans, and a message. Such regions co-evolve (LeakBot §4), though they hold nothing in common.
//!
//! Rates that agree are no sign: two structures may each gain two a second. But events that come by themselves drift
//! apart: after n of either, the counts differ by √(2n) as a rule. So the counts must go together, step by step. Two
//! clocks do not drift apart, so steady growth shows nothing, however equal the rates.

use super::rules::THRESHOLDS;

/// A size at a time in seconds.
type Point = (f64, f64);

/// Whether two histories of exact counts go in step: as many members of the one to each member of the other, or the
/// other way round, and never apart, but for an operation that has reached only one of them. Sightings so far apart that
/// chance may hide between them show nothing.
#[must_use]
pub fn in_step(one: &[Point], other: &[Point]) -> bool {
    let pairs: Vec<Pair> = one.iter().filter_map(|&sighting| Pair::at(sighting, other)).collect();
    let Some((first, last)) = pairs.first().zip(pairs.last()) else { return false };
    let (gained, gained_beside) = (last.size - first.size, last.low - first.low);
    let steps = gained.min(gained_beside);
    let each = (gained.max(gained_beside) / steps).round();
    if pairs.len() < THRESHOLDS.least_common || steps < THRESHOLDS.least_steps || each > THRESHOLDS.most_each {
        return false;
    }
    let (ours, theirs) = if gained < gained_beside { (each, 1.0) } else { (1.0, each) };
    if unsteady(&pairs) * ours / each < THRESHOLDS.least_unsteady {
        return false;
    }
    let between: f64 = pairs.iter().map(|pair| theirs * (pair.high - pair.low) / each).sum();
    if between > THRESHOLDS.most_between * steps.sqrt() * pairs.len() as f64 {
        return false;
    }
    // What the one has more than the other lies between these, in steps.
    let least = pairs.iter().map(|pair| (ours * pair.size - theirs * pair.high) / each).fold(f64::MIN, f64::max);
    let most = pairs.iter().map(|pair| (ours * pair.size - theirs * pair.low) / each).fold(f64::MAX, f64::min);
    least - most <= THRESHOLDS.steps_apart
}

/// By how much the sizes differ from steady growth: the range of their distances from a straight line.
fn unsteady(pairs: &[Pair]) -> f64 {
    let Some((first, last)) = pairs.first().zip(pairs.last()) else { return 0.0 };
    let per_s = (last.size - first.size) / (last.at_s - first.at_s);
    let distances = pairs.iter().map(|pair| pair.size - first.size - per_s * (pair.at_s - first.at_s));
    let (least, most) =
        distances.fold((0.0f64, 0.0f64), |(least, most), distance| (least.min(distance), most.max(distance)));
    most - least
}

/// A size at a time in seconds, and the sizes of the other history before and after.
struct Pair {
    at_s: f64,
    size: f64,
    low: f64,
    high: f64,
}

impl Pair {
    /// `None` where the other was not seen before and after.
    fn at((at_s, size): Point, other: &[Point]) -> Option<Self> {
        let next = other.partition_point(|point| point.0 < at_s);
        let (after, before) = (other.get(next)?.1, other.get(next.checked_sub(1)?)?.1);
        Some(Self { at_s, size, low: before.min(after), high: before.max(after) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// Visits of a structure that gains `each` at each of these times, every `every_s` seconds until the last of them.
    fn visits(events: &[f64], each: f64, every_s: f64) -> Vec<Point> {
        let end_s = events.last().copied().unwrap_or_default();
        let visit = |number: i32| {
            let at_s = 5.0 + every_s * f64::from(number);
            (at_s, 20.0 + each * events.iter().filter(|&&event| event <= at_s).count() as f64)
        };
        (0..).map(visit).take_while(|visit| visit.0 < end_s).collect()
    }

    /// Times at which something happens by itself, this number of times a second, until then.
    fn random(seed: u64, per_s: f64, end_s: f64) -> Vec<f64> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut wait = move || -((random.next_u64() >> 11) as f64 / (1u64 << 53) as f64).max(1e-12).ln() / per_s;
        let mut at_s = 0.0;
        std::iter::from_fn(move || {
            at_s += wait();
            (at_s < end_s).then_some(at_s)
        })
        .collect()
    }

    #[test]
    fn what_one_operation_adds_goes_in_step() {
        for seed in 0..100 {
            let jobs = random(seed, 0.8, 60.0);
            let (contexts, beans) = (visits(&jobs, 1.0, 0.7), visits(&jobs, 4.0, 1.1));
            assert!(in_step(&contexts, &beans) && in_step(&beans, &contexts), "seed {seed}");
        }
    }

    /// Number of a thousand pairs of structures at one rate that go in step, though each gains by itself.
    fn by_chance(end_s: f64, every_s: f64) -> usize {
        let pair = |seed: u64| [2 * seed, 2 * seed + 1].map(|seed| visits(&random(seed, 0.8, end_s), 1.0, every_s));
        (0..1_000).map(pair).filter(|[one, other]| in_step(one, other)).count()
    }

    #[test]
    fn what_comes_by_itself_drifts_apart_at_whatever_rate() {
        assert_eq!([by_chance(60.0, 0.7), by_chance(600.0, 5.0), by_chance(6_000.0, 50.0)], [0; 3]);
    }

    #[test]
    fn two_clocks_show_nothing() {
        let clock = |per_s: f64| {
            (1..).map(|tick| f64::from(tick) / per_s).take_while(|&at_s| at_s < 60.0).collect::<Vec<f64>>()
        };
        let (fast, slow) = (visits(&clock(8.0), 1.0, 0.7), visits(&clock(1.0), 1.0, 0.9));
        assert!(!in_step(&fast, &slow) && !in_step(&slow, &fast) && !in_step(&slow, &slow));
    }

    #[test]
    fn few_steps_and_many_of_each_show_nothing() {
        let jobs = random(1, 0.8, 60.0);
        let (one, other) = (visits(&jobs, 1.0, 0.7), visits(&jobs, 1.0, 1.1));
        assert!(in_step(&one, &other));
        assert!(!in_step(&one[..20], &other[..12]), "too few steps");
        assert!(!in_step(&one, &visits(&jobs, 9.0, 1.1)), "too many of each step");
    }
}
