//! A structure's true life: members that come and go, in steps of a tenth of a second, with the chances that drive it.

use crate::random::Random;

/// Seconds a step.
pub const STEP_S: f64 = 0.1;

/// Size and members removed so far, at each step from 0; where an array holds the members, its length.
pub struct Life {
    sizes: Vec<f64>,
    removed: Vec<f64>,
    slots: Vec<u32>,
}

impl Life {
    /// From `start` members on, for this number of seconds. `step` is told time and size, and tells how many come and
    /// go.
    pub fn of(seconds: f64, start: f64, mut step: impl FnMut(f64, f64) -> (f64, f64)) -> Self {
        let mut life = Self { sizes: vec![start.round()], removed: vec![0.0], slots: Vec::new() };
        for number in 0..(seconds / STEP_S).ceil() as usize {
            let (size, removed) = (life.sizes[number], life.removed[number]);
            let (come, go) = step(number as f64 * STEP_S, size);
            let go = go.min(size + come);
            life.sizes.push(size + come - go);
            life.removed.push(removed + go);
        }
        life
    }

    /// A life whose size is a function of time. What falls has been removed.
    pub fn with_size(seconds: f64, size_at: impl Fn(f64) -> f64) -> Self {
        let size_at = |at_s| size_at(at_s).max(0.0).round();
        Self::of(seconds, size_at(0.0), |at_s, size| {
            let net = size_at(at_s + STEP_S) - size;
            (net.max(0.0), (-net).max(0.0))
        })
    }

    /// The same in an array of this number of slots, which is replaced by one half as long again when it is full.
    pub fn in_array(mut self, first: f64) -> Self {
        let mut slots = first;
        for &size in &self.sizes {
            while size > slots {
                slots = (1.5 * slots).floor();
            }
            self.slots.push(slots as u32);
        }
        self
    }

    /// Length of the array at this time, if there is one.
    pub fn slots(&self, at_s: f64) -> Option<u32> {
        self.slots.get(self.index(at_s)).copied()
    }

    /// Members at this time.
    pub fn size(&self, at_s: f64) -> f64 {
        self.sizes[self.index(at_s)]
    }

    /// Members removed up to this time.
    pub fn removed(&self, at_s: f64) -> f64 {
        self.removed[self.index(at_s)]
    }

    fn index(&self, at_s: f64) -> usize {
        ((at_s / STEP_S) as usize).min(self.sizes.len() - 1)
    }
}

/// A number between the two, every order of magnitude alike.
pub fn between(low: f64, high: f64, random: &mut Random) -> f64 {
    low * (high / low).powf(random.unit())
}

/// A number between the two, all alike.
pub fn evenly(low: f64, high: f64, random: &mut Random) -> f64 {
    low + (high - low) * random.unit()
}

/// A standard normal number.
pub fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - random.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.unit()).cos()
}

/// How many of events that come at random with this mean.
pub fn poisson(mean: f64, random: &mut Random) -> f64 {
    if mean > 30.0 {
        return (mean + mean.sqrt() * normal(random)).round().max(0.0);
    }
    let (limit, mut product, mut count) = ((-mean).exp(), random.unit(), 0.0);
    while product > limit {
        product *= random.unit();
        count += 1.0;
    }
    count
}

/// Whole members out of a regular stream: what is left over waits for the next step.
pub fn regular(rest: &mut f64, amount: f64) -> f64 {
    *rest += amount;
    let whole = rest.floor();
    *rest -= whole;
    whole
}
