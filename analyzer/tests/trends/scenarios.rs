//! Programs whose answer is known: each scenario draws one by chance and says what a watcher must find after so long.

use super::life::{Life, STEP_S, between, evenly, poisson, regular};
use crate::random::Random;
use rootbound::tracking::Trend;
use std::f64::consts::TAU;

/// What is true of a life at the end of the watching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    /// This trend and no other.
    Is(Trend),
    /// It changes within bounds: oscillator or, where it changes little, flatliner.
    Bounded,
    /// Nobody could know yet.
    Undecidable,
}

/// A life and what is true of it.
pub struct Case {
    pub life: Life,
    pub truth: Truth,
    /// Members that stay, a minute, where that is a constant.
    pub rate_per_min: Option<f64>,
    /// Standard error of a size, as a share, where only a sample is seen.
    pub error_share: f64,
    /// What the size moves by beside its drift, and for how long.
    pub chance: Option<Chance>,
}

/// Noise of a stationary population.
#[derive(Clone, Copy)]
pub struct Chance {
    pub deviation: f64,
    pub memory_s: f64,
}

impl Case {
    fn new(life: Life, truth: Truth) -> Self {
        Self { life, truth, rate_per_min: None, error_share: 0.0, chance: None }
    }

    fn grower(life: Life, is_decidable: bool, rate_per_s: f64) -> Self {
        let truth = if is_decidable { Truth::Is(Trend::Grower) } else { Truth::Undecidable };
        Self { rate_per_min: Some(rate_per_s * 60.0), ..Self::new(life, truth) }
    }
}

impl Case {
    /// The best that this number of visits could show: growth beneath noise must exceed six standard errors
    /// of the best line through looks that are independent of one another.
    pub fn known_after(&self, seconds: f64, visits: usize) -> Truth {
        let (Some(chance), Some(rate)) = (self.chance, self.rate_per_min) else { return self.truth };
        let looks = (seconds / (2.0 * chance.memory_s)).min(visits as f64);
        let least = 6.0 * chance.deviation * (12.0 / looks).sqrt();
        if rate / 60.0 * seconds < least { Truth::Undecidable } else { self.truth }
    }
}

/// A kind of program.
pub struct Scenario {
    pub name: &'static str,
    /// Whether what can be decided of it is a leak.
    pub leaks: bool,
    pub case: fn(seconds: f64, random: &mut Random) -> Case,
}

/// What has ended is known to have ended after so long.
const HONEST_S: f64 = 12.0;
/// Members from which on regular growth is distinguishable from none.
const ENOUGH: f64 = 16.0;
/// Events from which on growth at random is distinguishable from chance.
const ENOUGH_EVENTS: f64 = 20.0;

/// Bounded where it has been so for long enough.
fn bounded_after(since_s: f64, trend: Truth) -> Truth {
    if since_s >= HONEST_S { trend } else { Truth::Undecidable }
}

fn start(random: &mut Random) -> f64 {
    between(10.0, 20_000.0, random).round()
}

fn regular_leak(seconds: f64, per_s: f64, random: &mut Random) -> Case {
    let first = start(random);
    let life = Life::with_size(seconds, |at_s| first + per_s * at_s);
    Case::grower(life, per_s * seconds >= ENOUGH, per_s)
}

fn steady_leak(seconds: f64, random: &mut Random) -> Case {
    let per_s = between(0.5, 10_000.0, random) / 60.0;
    regular_leak(seconds, per_s, random)
}

fn slow_leak(seconds: f64, random: &mut Random) -> Case {
    let per_s = between(0.5, 6.0, random) / 60.0;
    regular_leak(seconds, per_s, random)
}

fn poisson_leak(seconds: f64, random: &mut Random) -> Case {
    let per_s = between(5.0, 3_000.0, random) / 60.0;
    let first = start(random);
    let life = Life::of(seconds, first, |_, _| (poisson(per_s * STEP_S, random), 0.0));
    Case::grower(life, per_s * seconds >= ENOUGH_EVENTS, per_s)
}

fn leak_in_bursts(seconds: f64, random: &mut Random) -> Case {
    let (period_s, burst) = (between(1.0, 10.0, random), between(5.0, 200.0, random).round());
    let (first, jitter) = (start(random), 0.4 * random.unit());
    let mut next_s = period_s * random.unit();
    let life = Life::of(seconds, first, |at_s, _| {
        if at_s < next_s {
            return (0.0, 0.0);
        }
        next_s += period_s * (1.0 + jitter * (random.unit() - 0.5));
        (burst, 0.0)
    });
    Case::grower(life, seconds / period_s >= 12.0, burst / period_s)
}

fn warm_up(seconds: f64, random: &mut Random) -> Case {
    let (per_s, until_s) = (between(5.0, 500.0, random), evenly(0.05, 0.7, random) * seconds);
    let first = start(random);
    let life = Life::with_size(seconds, |at_s| first + per_s * at_s.min(until_s));
    Case::new(life, bounded_after(seconds - until_s, Truth::Is(Trend::Flatliner)))
}

fn warm_up_then_leak(seconds: f64, random: &mut Random) -> Case {
    let (per_s, until_s) = (between(20.0, 500.0, random), evenly(0.05, 0.3, random) * seconds);
    let leak_per_s = between(30.0, 2_000.0, random) / (seconds - until_s);
    let life = Life::with_size(seconds, |at_s| {
        100.0 + (per_s + leak_per_s) * at_s.min(until_s) + leak_per_s * (at_s - until_s).max(0.0)
    });
    Case::grower(life, true, leak_per_s)
}

fn filling_cache(seconds: f64, random: &mut Random) -> Case {
    let (bound, memory_s) = (between(300.0, 50_000.0, random), evenly(0.05, 0.5, random) * seconds);
    let life = Life::of(seconds, 0.0, |_, size| {
        let missing = (bound - size).max(0.0);
        (poisson(missing * STEP_S / memory_s, random).min(missing.round()), 0.0)
    });
    Case::new(life, if seconds >= 3.0 * memory_s { Truth::Bounded } else { Truth::Undecidable })
}

fn queue_filling_to_its_bound(seconds: f64, random: &mut Random) -> Case {
    let (bound, full_s) = (between(100.0, 20_000.0, random).round(), evenly(0.1, 0.9, random) * seconds);
    let batch = (bound * evenly(0.0, 0.02, random)).round();
    let mut rest = 0.0;
    let life = Life::of(seconds, 0.0, |_, size| {
        let come = regular(&mut rest, bound / full_s * STEP_S);
        let over = (size + come - bound).max(0.0);
        (come, if over > 0.0 { over + batch } else { 0.0 })
    });
    Case::new(life, bounded_after(seconds - full_s, Truth::Bounded))
}

fn burst_then_idle(seconds: f64, random: &mut Random) -> Case {
    let (at_s, lasts_s) = (evenly(0.0, 0.5, random) * seconds, evenly(0.1, 3.0, random));
    let (first, burst) = (start(random), between(20.0, 20_000.0, random));
    let life = Life::with_size(seconds, |now_s| first + burst * ((now_s - at_s) / lasts_s).clamp(0.0, 1.0));
    Case::new(life, bounded_after(seconds - at_s - lasts_s, Truth::Is(Trend::Flatliner)))
}

/// Height of a tooth of height 1, which rises for most of its period.
fn tooth(phase: f64, rising: f64) -> f64 {
    let at = phase.fract();
    if at < rising { at / rising } else { (1.0 - at) / (1.0 - rising) }
}

fn saw_tooth(seconds: f64, random: &mut Random) -> Case {
    let (period_s, rising) = (between(1.0, seconds / 3.0, random), evenly(0.5, 0.98, random));
    let (base, height) = (between(1.0, 5_000.0, random), between(20.0, 5_000.0, random));
    let phase = random.unit();
    let life = Life::with_size(seconds, |at_s| base + height * tooth(phase + at_s / period_s, rising));
    Case::new(life, Truth::Bounded)
}

fn leak_on_a_saw_tooth(seconds: f64, random: &mut Random) -> Case {
    let (period_s, rising) = (between(1.0, seconds / 10.0, random), evenly(0.5, 0.98, random));
    let height = between(20.0, 1_000.0, random);
    let per_s = (height * evenly(0.8, 4.0, random)).max(40.0) / seconds;
    let phase = random.unit();
    let size = |at_s: f64| 100.0 + per_s * at_s + height * tooth(phase + at_s / period_s, rising);
    Case::grower(Life::with_size(seconds, size), true, per_s)
}

fn day_and_night(seconds: f64, random: &mut Random) -> Case {
    let (period_s, phase) = (evenly(1.0 / 6.0, 0.8, random) * seconds, random.unit());
    let (mean, swing) = (between(100.0, 20_000.0, random), evenly(0.1, 0.9, random));
    let life = Life::with_size(seconds, |at_s| mean * (1.0 + swing * (TAU * (phase + at_s / period_s)).sin()));
    Case::new(life, if seconds >= 1.6 * period_s { Truth::Bounded } else { Truth::Undecidable })
}

fn leak_by_day_and_night(seconds: f64, random: &mut Random) -> Case {
    let (period_s, phase) = (evenly(1.0 / 8.0, 0.4, random) * seconds, random.unit());
    let (per_s, swing) = (between(60.0, 20_000.0, random) / seconds, evenly(0.2, 0.9, random));
    let (first, mut rest) = (start(random), 0.0);
    let life = Life::of(seconds, first, |at_s, _| {
        let load = 1.0 + swing * (TAU * (phase + at_s / period_s)).sin();
        (regular(&mut rest, per_s * load * STEP_S), 0.0)
    });
    Case { rate_per_min: None, ..Case::grower(life, true, per_s) }
}

fn night_batch(seconds: f64, random: &mut Random) -> Case {
    let (begins_s, rises_s, falls_s) =
        (evenly(0.1, 0.4, random) * seconds, evenly(0.1, 0.2, random) * seconds, evenly(0.02, 0.15, random) * seconds);
    let (base, batch) = (start(random), between(50.0, 20_000.0, random));
    let life = Life::with_size(seconds, |at_s| {
        let risen = ((at_s - begins_s) / rises_s).clamp(0.0, 1.0);
        let fallen = ((at_s - begins_s - rises_s) / falls_s).clamp(0.0, 1.0);
        base + batch * (risen - fallen)
    });
    Case::new(life, Truth::Bounded)
}

/// A population in which this number comes each second and each lives for `life_s` on average; a share of them stays.
fn population(seconds: f64, per_s: f64, life_s: f64, leaked: f64, random: &mut Random) -> Life {
    let mut leaking = 0.0;
    Life::of(seconds, per_s * life_s, |_, size| {
        let come = poisson(per_s * STEP_S, random);
        leaking += poisson(per_s * leaked * STEP_S, random);
        let leave = 1.0 - (-STEP_S / life_s).exp();
        (come, poisson((size - leaking).max(0.0) * leave, random).min((size - leaking).max(0.0)))
    })
}

fn leak_beneath_flux(seconds: f64, random: &mut Random) -> Case {
    const LEAKED: f64 = 0.001;
    let (per_s, life_s) = (between(50.0, 5_000.0, random), between(0.1, 10.0, random));
    let life = population(seconds, per_s, life_s, LEAKED, random);
    let chance = Some(Chance { deviation: (per_s * life_s).sqrt(), memory_s: life_s });
    Case { chance, ..Case::grower(life, per_s * LEAKED * seconds >= ENOUGH, per_s * LEAKED) }
}

fn stable_flux(seconds: f64, random: &mut Random) -> Case {
    let (size, life_s) = (between(50.0, 20_000.0, random), between(0.3, 5.0 * seconds, random));
    Case::new(population(seconds, size / life_s, life_s, 0.0, random), Truth::Bounded)
}

/// Full, and cleaned behind its writers: it overshoots its limit by more the more they write.
fn cache_that_overshoots(seconds: f64, random: &mut Random) -> Case {
    let (limit, most) = (between(200.0, 20_000.0, random), evenly(0.002, 0.02, random));
    let life = Life::of(seconds, limit, |at_s, size| {
        let writes = 0.1 + 0.9 * at_s / seconds;
        let net = (limit * (1.0 + most * writes * random.unit().powi(2))).round() - size;
        (net.max(0.0), (-net).max(0.0))
    });
    Case::new(life, Truth::Bounded)
}

fn cache_with_expiry(seconds: f64, random: &mut Random) -> Case {
    let (lives_s, age_s) = (evenly(0.03, 0.4, random) * seconds, random.unit());
    let per_s = between(3.0, 500.0, random);
    let mut arrivals: Vec<f64> = Vec::new();
    let before = (age_s * lives_s / STEP_S) as usize;
    arrivals.extend((0..before).map(|_| poisson(per_s * STEP_S, random)));
    let lives = (lives_s / STEP_S) as usize;
    let first = arrivals.iter().sum();
    let life = Life::of(seconds, first, |_, _| {
        let come = poisson(per_s * STEP_S, random);
        arrivals.push(come);
        let gone = if arrivals.len() > lives { arrivals[arrivals.len() - 1 - lives] } else { 0.0 };
        (come, gone)
    });
    Case::new(life, bounded_after(seconds - lives_s * (1.0 - age_s), Truth::Bounded))
}

fn sessions_with_time_out(seconds: f64, random: &mut Random) -> Case {
    let (per_s, life_s) = (between(2.0, 200.0, random), between(2.0, seconds / 4.0, random));
    let sweep_s = between(1.0, seconds / 8.0, random);
    let (mut dead, mut next_s) = (0.0, sweep_s * random.unit());
    let mut alive = per_s * life_s;
    let life = Life::of(seconds, alive.round(), |at_s, _| {
        let come = poisson(per_s * STEP_S, random);
        let died = poisson(alive * STEP_S / life_s, random).min(alive + come);
        alive += come - died;
        dead += died;
        if at_s < next_s {
            return (come, 0.0);
        }
        next_s += sweep_s;
        (come, std::mem::take(&mut dead))
    });
    Case::new(life, Truth::Bounded)
}

/// As many of them as the load of late brings, which changes by a sixth at most; swept now and then.
fn sessions_under_a_load_that_changes(seconds: f64, random: &mut Random) -> Case {
    let (per_s, life_s) = (between(5.0, 200.0, random), between(5.0, seconds / 2.0, random));
    let (sweep_s, holds_s) = (between(1.0, seconds / 6.0, random), evenly(0.1, 1.0, random) * seconds);
    let (mut load, mut changes_s) = (evenly(0.92, 1.08, random), holds_s * random.unit());
    let mut arrivals: Vec<f64> = (0..(life_s / STEP_S) as usize).map(|_| poisson(per_s * STEP_S, random)).collect();
    let (mut next_s, mut swept) = (sweep_s * random.unit(), 0);
    let life = Life::of(seconds, per_s * life_s, |at_s, _| {
        if at_s >= changes_s {
            (load, changes_s) = (evenly(0.92, 1.08, random), changes_s + holds_s);
        }
        let come = poisson(per_s * load * STEP_S, random);
        arrivals.push(come);
        if at_s < next_s {
            return (come, 0.0);
        }
        next_s += sweep_s;
        let from = std::mem::replace(&mut swept, arrivals.len() - (life_s / STEP_S) as usize);
        (come, arrivals[from..swept].iter().sum())
    });
    Case::new(life, Truth::Bounded)
}

fn growth_that_begins_late(seconds: f64, random: &mut Random) -> Case {
    let from_s = evenly(0.2, 0.75, random) * seconds;
    let per_s = between(40.0, 20_000.0, random) / (seconds - from_s);
    let first = start(random);
    let life = Life::with_size(seconds, |at_s| first + per_s * (at_s - from_s).max(0.0));
    Case::grower(life, seconds - from_s >= 15.0, per_s)
}

fn growth_that_stops(seconds: f64, random: &mut Random) -> Case {
    let (until_s, per_s) = (evenly(0.3, 0.8, random) * seconds, between(0.5, 100.0, random));
    let first = start(random);
    let life = Life::with_size(seconds, |at_s| first + per_s * at_s.min(until_s));
    Case::new(life, bounded_after((seconds - until_s).min(HONEST_S * per_s), Truth::Is(Trend::Flatliner)))
}

fn shrinker(seconds: f64, random: &mut Random) -> Case {
    let lost = between(40.0, 20_000.0, random);
    let first = lost * evenly(1.1, 5.0, random);
    let life = Life::with_size(seconds, |at_s| first - lost * at_s / seconds);
    Case::new(life, Truth::Is(Trend::Shrinker))
}

fn flatliner(seconds: f64, random: &mut Random) -> Case {
    let size = start(random);
    Case::new(Life::with_size(seconds, |_| size), Truth::Is(Trend::Flatliner))
}

fn flat_seen_by_sample(seconds: f64, random: &mut Random) -> Case {
    let size = between(5_000.0, 1e7, random);
    let case = Case::new(Life::with_size(seconds, |_| size), Truth::Is(Trend::Flatliner));
    Case { error_share: between(0.003, 0.05, random), ..case }
}

fn leak_seen_by_sample(seconds: f64, random: &mut Random) -> Case {
    let (size, error_share) = (between(5_000.0, 1e7, random), between(0.003, 0.05, random));
    let deviation = error_share * size;
    let per_s = between(0.5 * deviation, 10.0 * deviation, random) / seconds;
    let chance = Some(Chance { deviation, memory_s: 0.0 });
    Case { error_share, chance, ..Case::grower(Life::with_size(seconds, |at_s| size + per_s * at_s), true, per_s) }
}

fn leaking_list(seconds: f64, random: &mut Random) -> Case {
    let leak = steady_leak(seconds, random);
    Case { life: leak.life.in_array(10.0), ..leak }
}

/// Its array would be full after ten times as long, or later.
fn leaking_list_made_large(seconds: f64, random: &mut Random) -> Case {
    let per_s = between(60.0, 10_000.0, random) / 60.0;
    let slots = per_s * seconds * between(10.0, 1_000.0, random);
    let first = slots * evenly(0.0, 0.05, random);
    let life = Life::with_size(seconds, |at_s| (first + per_s * at_s).min(slots)).in_array(slots.ceil());
    Case::grower(life, per_s * seconds >= ENOUGH, per_s)
}

fn queue_in_an_array(from: f64, seconds: f64, random: &mut Random) -> (Life, f64) {
    let (slots, full_s) = (between(200.0, 20_000.0, random).round(), evenly(0.2, 0.9, random) * seconds);
    let (batch, first) = ((slots * evenly(0.0, 0.02, random)).round(), (from * slots).round());
    let mut rest = 0.0;
    let life = Life::of(seconds, first, |_, size| {
        let come = regular(&mut rest, (slots - first) / full_s * STEP_S);
        let over = (size + come - slots).max(0.0);
        (come, if over > 0.0 { over + batch } else { 0.0 })
    });
    (life.in_array(slots), full_s)
}

/// Seen first when it is far from full.
fn queue_filling_an_array(seconds: f64, random: &mut Random) -> Case {
    let (life, _) = queue_in_an_array(evenly(0.0, 0.4, random), seconds, random);
    Case::new(life, Truth::Bounded)
}

/// Seen first when a list could be as full: what it is shows only when it should have passed its array's end, by a
/// tenth of what it grew by.
fn queue_nearly_filling_an_array(seconds: f64, random: &mut Random) -> Case {
    let (life, full_s) = queue_in_an_array(evenly(0.5, 0.9, random), seconds, random);
    let is_late = seconds < 1.1 * full_s + 3.0;
    Case::new(life, if is_late { Truth::Undecidable } else { Truth::Bounded })
}

/// Every scenario, leaks first.
pub const ALL: &[Scenario] = &[
    Scenario { name: "steady leak, 0.5 to 10,000/min", leaks: true, case: steady_leak },
    Scenario { name: "slow leak, 0.5 to 6/min", leaks: true, case: slow_leak },
    Scenario { name: "leak at random (Poisson)", leaks: true, case: poisson_leak },
    Scenario { name: "leak in bursts", leaks: true, case: leak_in_bursts },
    Scenario { name: "leak by day and night", leaks: true, case: leak_by_day_and_night },
    Scenario { name: "warm-up, then a leak", leaks: true, case: warm_up_then_leak },
    Scenario { name: "growth that begins late", leaks: true, case: growth_that_begins_late },
    Scenario { name: "leak on a saw-tooth", leaks: true, case: leak_on_a_saw_tooth },
    Scenario { name: "1 leaked in 1,000, beneath flux", leaks: true, case: leak_beneath_flux },
    Scenario { name: "leak seen by sample", leaks: true, case: leak_seen_by_sample },
    Scenario { name: "list that leaks, seen in its array", leaks: true, case: leaking_list },
    Scenario { name: "list made large, that leaks", leaks: true, case: leaking_list_made_large },
    Scenario { name: "growth that stops", leaks: false, case: growth_that_stops },
    Scenario { name: "warm-up, then flat", leaks: false, case: warm_up },
    Scenario { name: "burst, then idle", leaks: false, case: burst_then_idle },
    Scenario { name: "cache that fills ever more slowly", leaks: false, case: filling_cache },
    Scenario { name: "queue that fills to its bound", leaks: false, case: queue_filling_to_its_bound },
    Scenario { name: "queue that fills an array, seen early", leaks: false, case: queue_filling_an_array },
    Scenario { name: "queue that fills an array, seen late", leaks: false, case: queue_nearly_filling_an_array },
    Scenario { name: "cache that overshoots its limit", leaks: false, case: cache_that_overshoots },
    Scenario { name: "cache with expiry", leaks: false, case: cache_with_expiry },
    Scenario { name: "sessions with a time-out", leaks: false, case: sessions_with_time_out },
    Scenario { name: "sessions, load changes", leaks: false, case: sessions_under_a_load_that_changes },
    Scenario { name: "stable flux", leaks: false, case: stable_flux },
    Scenario { name: "saw-tooth queue", leaks: false, case: saw_tooth },
    Scenario { name: "day and night", leaks: false, case: day_and_night },
    Scenario { name: "night batch", leaks: false, case: night_batch },
    Scenario { name: "shrinker", leaks: false, case: shrinker },
    Scenario { name: "flatliner", leaks: false, case: flatliner },
    Scenario { name: "flat, seen by sample", leaks: false, case: flat_seen_by_sample },
];
