//! Trends of simulated series whose answer is known, over seeds, and the statistics under them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod random;

use random::Random;
use rootbound::tracking::{Flux, Point, Series, Trend, assess, mann_kendall, theil_sen};

/// A region's life: its size at each second.
type Life = fn(f64, &mut Random) -> f64;

/// Seconds between two visits, on average; the sample bias spreads them.
const VISIT_EVERY_S: f64 = 2.0;
const SEEDS: u64 = 50;

/// The trend after watching a life for so long.
fn trend_after(life: Life, seconds: f64, seed: u64) -> Option<Trend> {
    let mut random = Random::new(seed);
    let mut series = Series::default();
    let mut flux = Flux::default();
    let (mut at_s, mut before) = (0.0, None);
    while at_s < seconds {
        let size = life(at_s, &mut random).max(0.0).round();
        series.push(Point { at_s, size, error: 0.0 });
        if let Some(before) = before.replace(size) {
            flux.additions += (size - before).max(0.0);
            flux.removals += (before - size).max(0.0);
        }
        at_s += VISIT_EVERY_S * (0.5 + random.unit());
    }
    assess(&series, flux).map(|assessment| assessment.trend)
}

/// In how many of the seeds the trend is the expected one.
fn right_of_seeds(life: Life, seconds: f64, expected: Trend) -> u64 {
    (0..SEEDS).filter(|&seed| trend_after(life, seconds, seed) == Some(expected)).count() as u64
}

fn assert_always(life: Life, seconds: f64, expected: Trend) {
    let right = right_of_seeds(life, seconds, expected);
    assert_eq!(right, SEEDS, "{expected:?} in {right} of {SEEDS} runs");
}

#[test]
fn steady_growth_is_a_grower() {
    assert_always(|t, _| 100.0 + 3.0 * t, 35.0, Trend::Grower);
}

#[test]
fn growth_of_less_than_one_a_second_is_a_grower() {
    assert_always(|t, _| 20.0 + 0.8 * t, 35.0, Trend::Grower);
}

#[test]
fn growth_in_bursts_is_a_grower() {
    assert_always(|t, _| 50.0 + 20.0 * (t / 5.0).floor(), 60.0, Trend::Grower);
}

#[test]
fn a_slow_leak_beneath_a_moving_population_is_a_grower() {
    assert_always(|t, random| 1000.0 + t + 10.0 * random.unit(), 90.0, Trend::Grower);
}

#[test]
fn what_never_changes_is_a_flatliner() {
    assert_always(|_, _| 900.0, 35.0, Trend::Flatliner);
}

#[test]
fn a_warm_up_that_has_ended_is_a_flatliner() {
    assert_always(|t, _| 500.0 + 20.0 * t.min(12.0), 40.0, Trend::Flatliner);
}

#[test]
fn a_bounded_cache_that_is_full_is_no_grower() {
    assert_always(|t, random| (200.0 * t).min(2000.0) - (4.0 * random.unit()), 40.0, Trend::Flatliner);
}

#[test]
fn a_queue_that_is_full_since_a_few_seconds_is_no_grower_any_more() {
    // 28 a second until it is full, 14 seconds before the end; then its consumer takes 20 at a time.
    let life: Life =
        |at_s, random| (460.0 + 28.0 * at_s).min(1200.0) - if at_s > 27.0 { 20.0 * random.unit().round() } else { 0.0 };
    let growers = right_of_seeds(life, 40.0, Trend::Grower);
    assert_eq!(growers, 0);
    assert_eq!(right_of_seeds(life, 24.0, Trend::Grower), SEEDS, "while it is being filled it is one");
}

#[test]
fn a_saw_tooth_is_an_oscillator() {
    assert_always(|t, _| 100.0 + 40.0 * (t % 7.3), 60.0, Trend::Oscillator);
}

#[test]
fn a_population_that_comes_and_goes_is_no_grower() {
    let life: Life = |_, random| 300.0 + 60.0 * random.unit();
    let wrong = right_of_seeds(life, 60.0, Trend::Grower);
    assert_eq!(wrong, 0, "a grower in {wrong} of {SEEDS} runs");
}

#[test]
fn a_burst_and_then_silence_is_no_grower() {
    assert_always(|t, _| if t < 4.0 { 10.0 } else { 400.0 }, 40.0, Trend::Flatliner);
}

#[test]
fn a_handful_of_late_additions_is_no_grower_yet() {
    assert_always(|t, _| 40.0 + (t / 10.0).floor(), 40.0, Trend::Flatliner);
}

#[test]
fn steady_loss_is_a_shrinker() {
    assert_always(|t, _| 5000.0 - 30.0 * t, 40.0, Trend::Shrinker);
}

#[test]
fn a_grower_that_stopped_long_ago_is_one_no_more() {
    assert_always(|t, _| 100.0 + 5.0 * t.min(60.0), 200.0, Trend::Flatliner);
}

#[test]
fn a_structure_that_begins_to_grow_later_is_noticed() {
    assert_always(|t, _| 100.0 + 5.0 * (t - 120.0).max(0.0), 180.0, Trend::Grower);
}

#[test]
fn a_leak_of_one_in_ten_seconds_is_noticed_in_the_end() {
    assert_always(|t, _| 100.0 + (t / 10.0).floor(), 600.0, Trend::Grower);
}

#[test]
fn too_few_sightings_have_no_trend() {
    assert_eq!(trend_after(|t, _| 10.0 * t, 5.0, 1), None);
}

fn line(points: usize, slope: f64) -> Vec<Point> {
    (0..points).map(|at| Point { at_s: at as f64, size: 7.0 + slope * at as f64, error: 0.0 }).collect()
}

#[test]
fn the_slope_of_a_line_is_exact_and_one_outlier_does_not_move_it() {
    let mut points = line(21, 2.5);
    assert!((theil_sen(&points).unwrap().per_s - 2.5).abs() < 1e-9);
    points[10].size += 1000.0;
    let slope = theil_sen(&points).unwrap();
    assert!((slope.per_s - 2.5).abs() < 0.1 && slope.low <= 2.5 && slope.high >= 2.5, "{slope:?}");
}

#[test]
fn mann_kendall_scores_a_rising_line_as_the_textbook_does() {
    // Ten rising points: S = 45, variance 10 · 9 · 25 / 18 = 125, score 44 / √125.
    assert!((mann_kendall(&line(10, 1.0)) - 44.0 / 125f64.sqrt()).abs() < 1e-9);
    assert!((mann_kendall(&line(10, -1.0)) + 44.0 / 125f64.sqrt()).abs() < 1e-9);
    assert_eq!(mann_kendall(&line(10, 0.0)), 0.0);
}

#[test]
fn a_long_series_stays_small_and_keeps_its_beginning() {
    let mut series = Series::default();
    line(100_000, 1.0).into_iter().for_each(|point| series.push(point));
    assert!(series.points().len() <= 400);
    assert_eq!(series.points()[0].at_s, 0.0);
    assert_eq!(series.points().last().unwrap().at_s, 99_999.0);
}
