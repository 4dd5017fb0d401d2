//! Spreads a bounded number of marks over the classes while their objects pass by once, in an unknown order. All
//! memory is made before; a choice neither allocates nor calls.
//!
//! One half of the budget is shared out: of each class the first objects are marked for certain, so that rare classes
//! are marked wholly. The other half is a pool for the populous. A class begins there at level 0; at level `l` each of
//! its objects is marked with the chance 1/2ˡ, and a mark stands for 2ˡ objects. When a class has taken its part of
//! what is left in the pool, its level rises. When the pool is nearly dry, all levels rise with every mark.
//!
//! The estimator: the number of objects of a class, or of those of its objects that lie in some structure or survived
//! some time, is the sum of what the marks among them stand for. It is unbiased for every set of objects that does not
//! depend on the draws: the level is known before the draw, so an object adds 2ˡ with the chance 1/2ˡ, one in the mean.

use crate::random::Random;

/// Highest level: a mark then stands for 2³¹ objects.
const TOP: u32 = 31;
/// Share that the pool keeps back: each of these marks raises all levels.
const RESERVE: u32 = 64;
/// Parts of the pool for each populous class met so far: it can rise by this number of levels, or somewhat more.
const PARTS_A_CLASS: u32 = 4;
/// Parts of the pool at the fewest.
const FEWEST_PARTS: u32 = 16;

/// The marks that may still be set.
pub struct Quota {
    classes: Vec<Share>,
    pool: u32,
    /// Classes that have drawn from the pool.
    populous: u32,
    /// Level that holds for all, should their own be lower.
    floor: u32,
    random: Random,
}

#[derive(Clone, Copy)]
struct Share {
    /// Objects that will be marked for certain.
    certain: u32,
    level: u32,
    is_populous: bool,
    /// Marks taken from the pool at this level.
    taken: u32,
}

impl Quota {
    /// At most `budget` marks over the classes numbered from 1 to `classes`; number 0 is for all that bear none.
    pub fn new(budget: u32, classes: u32, seed: u64) -> Self {
        let numbers = classes + 1;
        let certain = budget / 2 / numbers;
        Self {
            classes: vec![Share { certain, level: 0, is_populous: false, taken: 0 }; numbers as usize],
            pool: budget - certain * numbers,
            populous: 0,
            floor: 0,
            random: Random::new(seed),
        }
    }

    /// Chooses whether to mark an object of a class that passes by: the number of objects that its mark stands for, or
    /// `None`.
    pub fn choose(&mut self, class: usize) -> Option<u32> {
        let class = if class < self.classes.len() { class } else { 0 };
        let share = &mut self.classes[class];
        if share.certain > 0 {
            share.certain -= 1;
            return Some(1);
        }
        self.populous += u32::from(!std::mem::replace(&mut share.is_populous, true));
        let level = share.level.max(self.floor);
        let stands_for = 1_u32 << level;
        if self.pool == 0 || self.random.bits() & u64::from(stands_for - 1) != 0 {
            return None;
        }
        self.pool -= 1;
        share.taken += 1;
        if share.taken >= self.pool / (PARTS_A_CLASS * self.populous).max(FEWEST_PARTS) {
            (share.level, share.taken) = ((level + 1).min(TOP), 0);
        }
        if self.pool < RESERVE {
            self.floor = (self.floor + 1).min(TOP);
        }
        Some(stands_for)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes of these sizes, their objects in a shuffled order: marks set, and for each class the sum of what they
    /// stand for.
    fn run(budget: u32, sizes: &[u32], classes: u32, seed: u64) -> (u32, Vec<f64>) {
        let mut order: Vec<usize> =
            sizes.iter().enumerate().flat_map(|(class, &size)| vec![class; size as usize]).collect();
        let mut random = Random::new(seed ^ 0xF00D);
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let (mut quota, mut marks, mut sums) = (Quota::new(budget, classes, seed), 0, vec![0.0; sizes.len()]);
        for class in order {
            if let Some(stands_for) = quota.choose(class + 1) {
                marks += 1;
                sums[class] += f64::from(stands_for);
            }
        }
        (marks, sums)
    }

    /// Mean over many seeds, and its standard error, of the sum for each class.
    fn repeated(budget: u32, sizes: &[u32], classes: u32, runs: u64) -> Vec<(f64, f64)> {
        let all: Vec<Vec<f64>> = (0..runs).map(|seed| run(budget, sizes, classes, seed).1).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        (0..sizes.len())
            .map(|class| {
                let sums: Vec<f64> = all.iter().map(|sums| sums[class]).collect();
                let middle = mean(&sums);
                let squares: Vec<f64> = sums.iter().map(|sum| (sum - middle).powi(2)).collect();
                (middle, (mean(&squares) / runs as f64).sqrt())
            })
            .collect()
    }

    fn assert_unbiased(budget: u32, sizes: &[u32], classes: u32, runs: u64, widest: f64) {
        for ((mean, error), &size) in repeated(budget, sizes, classes, runs).into_iter().zip(sizes) {
            let size = f64::from(size);
            assert!((mean - size).abs() <= 4.0 * error + 1e-9, "{mean} ± {error} for {size}");
            assert!(error * (runs as f64).sqrt() <= widest * size, "one run errs by {error} × √{runs} for {size}");
        }
    }

    #[test]
    fn the_sum_of_what_marks_stand_for_is_the_number_of_objects_in_the_mean() {
        assert_unbiased(2000, &[20_000, 3000, 40], 600, 300, 0.35);
        assert_unbiased(20_000, &[20_000, 9000, 40], 600, 60, 0.12);
        // Nearly dry pools are noisy, not wrong.
        assert_unbiased(100, &[5000, 5000], 600, 2000, 3.0);
    }

    #[test]
    fn the_budget_is_kept_and_rare_classes_are_marked_wholly() {
        for budget in [0, 1, 50, 1000, 5000] {
            let mut sizes = vec![1; 500];
            sizes.extend([30_000, 4000, 4000]);
            let (marks, sums) = run(budget, &sizes, 502, 7);
            assert!(marks <= budget, "{marks} of {budget}");
            let rare = sums.iter().filter(|&&sum| sum == 1.0).count();
            assert!(budget < 1006 || rare == 500, "{rare} of 500 for {budget}");
            assert!(budget < 5000 || marks > budget / 4, "{marks} of {budget}");
        }
    }

    #[test]
    fn a_budget_of_twice_the_largest_class_for_each_marks_every_object_once() {
        let sizes = [300, 7, 120];
        assert_eq!(run(2 * 4 * 300, &sizes, 3, 1).1, [300.0, 7.0, 120.0]);
    }

    #[test]
    fn a_class_without_a_number_is_no_exception() {
        let mut quota = Quota::new(10, 1, 1);
        assert_eq!((quota.choose(0), quota.choose(77)), (Some(1), Some(1)));
    }
}
