//! Trends of simulated series whose answer is known, over seeds, and the statistics under them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod confusion;
mod life;
mod scenarios;
mod turns;
mod watch;

use crate::random::Random;
use confusion::{Rates, Row, by_captures, by_visits, row, table};
use life::Life;
use rootbound::tracking::{Assessment, Drift, Flux, Point, Series, Trend, VETOES, assess};

/// The size of a region at each second.
type SizeAt = fn(f64, &mut Random) -> f64;

/// Seconds between two visits, on average; the sample bias spreads them.
const VISIT_EVERY_S: f64 = 2.0;
const SEEDS: u64 = 50;

/// The assessment after watching a life for so long.
fn assessed_after(life: SizeAt, seconds: f64, seed: u64) -> Option<Assessment> {
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
    assess(&series, flux, None)
}

fn trend_after(life: SizeAt, seconds: f64, seed: u64) -> Option<Trend> {
    assessed_after(life, seconds, seed).map(|assessment| assessment.trend)
}

/// In how many of the seeds the trend is the expected one.
fn right_of_seeds(life: SizeAt, seconds: f64, expected: Trend) -> u64 {
    (0..SEEDS).filter(|&seed| trend_after(life, seconds, seed) == Some(expected)).count() as u64
}

fn assert_always(life: SizeAt, seconds: f64, expected: Trend) {
    let right = right_of_seeds(life, seconds, expected);
    assert_eq!(right, SEEDS, "{expected:?} in {right} of {SEEDS} runs");
}

/// A counter is doubted now and then, and samples stand in for it.
#[test]
fn a_few_samples_do_not_hide_what_a_counter_shows() {
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let mut series = Series::default();
        for at in 0..60 {
            let (at_s, truth) = (f64::from(at), 60_000.0 + 40.0 * f64::from(at));
            let error = if random.percent(25) { 5_000.0 } else { 0.0 };
            series.push(Point { at_s, size: truth + error * life::normal(&mut random), error });
        }
        let found = assess(&series, Flux::default(), None).expect("there is evidence");
        assert_eq!(found.trend, Trend::Grower);
        assert!((found.drift.expect("there is a drift").per_s - 40.0).abs() < 1.0, "{found:?}");
    }
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
fn a_queue_that_filled_up_and_is_served_in_batches_since_is_a_flatliner() {
    let life = |t: f64, random: &mut Random| {
        let batch = if random.unit() < 0.5 { 20.0 } else { 0.0 };
        (628.0 + 28.0 * t).min(1200.0) - batch
    };
    assert_always(life, 36.0, Trend::Flatliner);
}

#[test]
fn a_queue_that_fills_up_and_is_emptied_again_and_again_is_an_oscillator() {
    assert_always(|t, _| 60.0 * (t % 15.0).min(10.0), 44.0, Trend::Oscillator);
}

#[test]
fn a_bounded_cache_that_is_full_is_no_grower() {
    assert_always(|t, random| (200.0 * t).min(2000.0) - (4.0 * random.unit()), 40.0, Trend::Flatliner);
}

#[test]
fn a_queue_that_is_full_since_a_few_seconds_is_no_grower_any_more() {
    // 28 a second until it is full, 14 seconds before the end; then its consumer takes 20 at a time.
    let life: SizeAt =
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
    let life: SizeAt = |_, random| 300.0 + 60.0 * random.unit();
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

/// Nobody can say of such sizes that they stand still, or that they come back.
#[test]
fn sizes_that_are_hardly_known_have_no_trend_unless_they_move_all_the_same() {
    let seen = |error: f64, slope: f64| {
        let mut series = Series::default();
        for at in 0..40 {
            let at_s = f64::from(at);
            series.push(Point { at_s, size: 10_000.0 + slope * at_s, error });
        }
        assess(&series, Flux::default(), None).map(|found| found.trend)
    };
    assert_eq!(seen(3_000.0, 1.0), None);
    assert_eq!(seen(100.0, 0.0), Some(Trend::Flatliner));
    assert_eq!(seen(3_000.0, 1_000.0), Some(Trend::Grower));
}

/// A life for each veto that sizes meet, at least for some visits, and the seconds for which it is watched.
const TURNED_DOWN: [(&str, f64, SizeAt); 11] = [
    ("brief in flux", 16.0, |t, _| 100.0 + 40.0 * (t % 5.3)),
    ("unsure", 60.0, |_, random| 300.0 + 60.0 * random.unit()),
    ("load", 60.0, |t, _| 1000.0 + t + 40.0 * (t % 2.3)),
    ("few members", 60.0, |t, _| 100.0 + 0.11 * t),
    ("few steps", 60.0, |t, _| 100.0 + 100.0 * (t / 12.5).floor()),
    ("ebbed", 60.0, |t, _| 1000.0 * (1.0 - (-t / 12.0).exp())),
    ("stopped", 100.0, |t, _| 460.0 + 28.0 * t.min(90.0)),
    ("peaks rise alone", 80.0, |t, _| 1000.0 + if t % 9.0 < 2.0 { 0.0 } else { 4.0 * t }),
    ("comes back", 60.0, |t, _| if t < 20.0 { 100.0 + 30.0 * t } else { 100.0 + 12.0 * (t - 20.0) }),
    ("slows down", 60.0, |t, _| 1000.0 * (1.0 - (-t / 40.0).exp())),
    ("bends", 300.0, |t, _| 1000.0 * (1.0 - (-t / 200.0).exp())),
];

#[test]
fn each_veto_turns_growth_down() {
    for (name, seconds, life) in TURNED_DOWN {
        let veto = |seed| assessed_after(life, seconds, seed).and_then(|found| found.veto);
        assert!((0..SEEDS).any(|seed| veto(seed) == Some(name)), "{name}");
    }
}

#[test]
fn every_veto_is_in_the_documents() {
    let page = include_str!("../../docs/trends.md");
    for veto in &VETOES {
        assert!(page.contains(&format!("| {} | {} |", veto.name, veto.why)), "{}", veto.name);
    }
}

/// A Scala map that is full, whose inner nodes go on to fork for a while, was counted ten times in a minute.
#[test]
fn a_bend_shows_in_few_sightings() {
    let times = [55.5, 60.2, 65.7, 71.9, 76.0, 86.9, 90.8, 95.5, 100.4, 108.4];
    let forks = [4931.0, 4998.0, 5048.0, 5091.0, 5126.0, 5164.0, 5182.0, 5191.0, 5194.0, 5200.0];
    let course = |size: &dyn Fn(usize) -> f64| {
        let mut series = Series::default();
        times.iter().enumerate().for_each(|(at, &at_s)| series.push(Point { at_s, size: size(at), error: 0.0 }));
        assess(&series, Flux::default(), None).map(|found| (found.trend, found.veto))
    };
    assert_eq!(course(&|at| forks[at]), Some((Trend::Flatliner, Some("slows down"))));
    let leak = |at: usize| (4931.0 + 5.1 * (times[at] - times[0]) + [0.0, 9.0, 2.0][at % 3]).round();
    assert_eq!(course(&leak), Some((Trend::Grower, None)));
}

fn line(points: usize, slope: f64) -> Vec<Point> {
    (0..points).map(|at| Point { at_s: at as f64, size: 7.0 + slope * at as f64, error: 0.0 }).collect()
}

#[test]
fn the_drift_of_a_line_is_exact_and_its_interval_holds_with_an_outlier() {
    let mut points = line(21, 2.5);
    let drift = Drift::of(&points).unwrap();
    assert!((drift.per_s - 2.5).abs() < 1e-6 && drift.high - drift.low < 0.2 && drift.rises > 0.999, "{drift:?}");
    points[14].size += 1000.0;
    let drift = Drift::of(&points).unwrap();
    assert!(drift.low <= 2.5 && drift.high >= 2.5 && drift.rises < 0.99, "{drift:?}");
}

#[test]
fn an_interval_knows_that_neighbours_are_alike() {
    // The same values, in random order and sorted into ten waves: what comes in waves tells less of a drift.
    let mut random = Random::new(3);
    let scattered: Vec<f64> = (0..60).map(|_| 100.0 * random.unit()).collect();
    let waves: Vec<f64> = (0..60).map(|at| 50.0 + 50.0 * (f64::from(at) * 0.5).sin() + random.unit()).collect();
    let width = |sizes: &[f64]| {
        let point = |(at, &size): (usize, &f64)| Point { at_s: at as f64, size, error: 0.0 };
        let drift = Drift::of(&sizes.iter().enumerate().map(point).collect::<Vec<_>>()).unwrap();
        assert!(drift.low < 0.0 && drift.high > 0.0, "{drift:?}");
        drift.high - drift.low
    };
    assert!(width(&waves) > 1.2 * width(&scattered));
}

#[test]
fn growth_at_random_is_known_no_better_than_its_events_allow() {
    // 300 events in 60 s: the standard error of their rate is √300 / 60 s = 0.29 a second.
    let mut random = Random::new(5);
    let mut size = 0.0;
    let mut point = |at: u32| {
        size += life::poisson(5.0, &mut random);
        Point { at_s: f64::from(at), size, error: 0.0 }
    };
    let points: Vec<Point> = (0..60).map(&mut point).collect();
    let drift = Drift::of(&points).unwrap();
    assert!((0.15..0.6).contains(&drift.error) && drift.low < 5.0 && drift.high > 5.0, "{drift:?}");
}

#[test]
fn a_long_series_stays_small_and_keeps_its_beginning() {
    let mut series = Series::default();
    line(100_000, 1.0).into_iter().for_each(|point| series.push(point));
    assert!(series.points().len() <= 400);
    assert_eq!(series.points()[0].at_s, 0.0);
    assert_eq!(series.points().last().unwrap().at_s, 99_999.0);
}

/// Seeds of each scenario and time: 1,008 programs.
const TABLE_SEEDS: u64 = 14;
const WATCHED_S: [f64; 3] = [60.0, 120.0, 600.0];

/// Every scenario, watched for each time, once a seed; `TREND_SEEDS` asks for more seeds.
fn rows() -> Vec<Row> {
    let seeds = std::env::var("TREND_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(TABLE_SEEDS);
    scenarios::ALL
        .iter()
        .flat_map(|scenario| WATCHED_S.map(|seconds| row(by_visits, scenario, seconds, seeds)))
        .collect()
}

/// A share of a count, in percent.
fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of as f64
}

/// The floors are those that docs/trends.md states; its figures lie well within.
#[test]
fn of_a_thousand_programs_few_are_misjudged_and_rates_lie_within_their_intervals() {
    let rows = rows();
    println!("{}", table(&rows));
    let (leaks, healthy): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.leaks);
    let sum = |rows: &[&Row], of: fn(&Row) -> usize| rows.iter().map(|row| of(row)).sum::<usize>();
    let missed = percent(sum(&leaks, |row| row.wrong), sum(&leaks, Row::decidable));
    let false_alarms = percent(sum(&healthy, Row::growers), sum(&healthy, Row::decidable));
    let wrong = percent(sum(&healthy, |row| row.wrong), sum(&healthy, Row::decidable));
    let rates = rows.iter().fold(Rates::default(), |sum, row| sum.plus(row.rates));
    let (covered, near) = (percent(rates.covered, rates.count), percent(rates.near, rates.count));
    println!(
        "{} programs, {} of them decidable: {missed:.1} % of leaks missed, {false_alarms:.1} % of the others called \
         growers, {wrong:.1} % of the others not what they are; {covered:.1} % of {} intervals hold the rate, \
         {near:.1} % of rates are within a tenth",
        sum(&leaks, Row::drawn) + sum(&healthy, Row::drawn),
        sum(&leaks, Row::decidable) + sum(&healthy, Row::decidable),
        rates.count
    );
    assert!(missed <= 7.0, "missed leaks: {missed:.1} %");
    assert!(false_alarms <= 1.5, "false growers: {false_alarms:.1} %");
    assert!(wrong <= 2.0, "wrong trends: {wrong:.1} %");
    assert!((92.0..=99.8).contains(&covered), "intervals that hold: {covered:.1} %");
    assert!(near >= 80.0, "rates within a tenth: {near:.1} %");
}

/// The same programs, seen by the captures of a recording without an analyzer in ten minutes and in an hour. The floors
/// lie around the figures of docs/trends.md.
#[test]
fn captures_alone_call_few_growers_that_are_none_and_miss_few_leaks() {
    let one =
        |scenario: &scenarios::Scenario| [600.0, 3600.0].map(|seconds| row(by_captures, scenario, seconds, SEEDS));
    let rows: Vec<Row> = scenarios::ALL.iter().flat_map(one).collect();
    println!("{}", table(&rows));
    let (leaks, healthy): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.leaks);
    let sum = |rows: &[&Row], of: fn(&Row) -> usize| rows.iter().map(|row| of(row)).sum::<usize>();
    let missed = percent(sum(&leaks, |row| row.wrong), sum(&leaks, Row::decidable));
    let false_alarms = percent(sum(&healthy, Row::growers), sum(&healthy, Row::decidable));
    let rates = rows.iter().fold(Rates::default(), |sum, row| sum.plus(row.rates));
    let near = percent(rates.near, rates.count);
    println!("{missed:.1} % of leaks missed, {false_alarms:.1} % false growers, {near:.1} % of rates within a tenth");
    assert!(false_alarms <= 10.0, "false growers: {false_alarms:.1} %");
    assert!(missed <= 15.0, "missed leaks: {missed:.1} %");
    assert!(near >= 90.0, "rates within a tenth: {near:.1} %");
}

/// Of a whole run of a minute, tracking gets half, and a leak must be told well before its end.
#[test]
fn a_steady_leak_is_reported_after_fifteen_seconds() {
    for rate_per_min in [60.0, 120.0, 600.0, 10_000.0] {
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let life = life::Life::with_size(15.0, |at_s| 100.0 + rate_per_min / 60.0 * at_s);
            let watcher = watch::Watcher { error_share: 0.0, others: 5.0 };
            let region = watch::watch(&life, 15.0, watcher, &mut random).region;
            assert_eq!(region.trend(), Some(Trend::Grower), "{rate_per_min} a minute, seed {seed}");
        }
    }
}

/// Ten seconds of a rise are no evidence once it has ended for as long.
#[test]
fn a_cache_that_filled_while_it_was_watched_is_a_grower_for_twelve_seconds_more_at_most() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let life = life::Life::with_size(32.0, |at_s| 50.0 * at_s.min(20.0));
        let watcher = watch::Watcher { error_share: 0.0, others: 2.0 };
        let region = watch::watch(&life, 32.0, watcher, &mut random).region;
        assert_eq!(region.trend(), Some(Trend::Flatliner), "seed {seed}");
    }
}

/// The kinds of regions that one JVM has: two that grow, four that come and go, two that shrink, 32 that stand still.
fn forty_regions(seconds: f64) -> Vec<turns::Seat> {
    let life = |number: usize| match number {
        0..2 => Life::with_size(seconds, |at_s| 500.0 + 3.0 * at_s),
        2..6 => Life::with_size(seconds, |at_s| 100.0 + 40.0 * (at_s % 7.3)),
        6..8 => Life::with_size(seconds, |at_s| 90_000.0 - 20.0 * at_s),
        _ => Life::with_size(seconds, |_| 900.0),
    };
    (0..40).map(|number| turns::Seat::new(life(number))).collect()
}

#[test]
fn growers_are_watched_closely_and_the_settled_seldom_but_none_never() {
    let (from_s, until_s) = (60.0, 240.0);
    let mut seats = forty_regions(until_s);
    turns::serve(&mut seats, until_s, &mut Random::new(1), |_, _| ());
    let per_min = |range: std::ops::Range<usize>| {
        let count = range.len() as f64;
        seats[range].iter().map(|seat| seat.visits_per_min(from_s, until_s)).sum::<f64>() / count
    };
    let (growers, oscillators, shrinkers, flatliners) = (per_min(0..2), per_min(2..6), per_min(6..8), per_min(8..40));
    let gap_s = seats.iter().map(turns::Seat::longest_gap_s).fold(0.0, f64::max);
    println!(
        "visits a minute: growers {growers:.0}, oscillators {oscillators:.0}, shrinkers {shrinkers:.0}, \
         flatliners {flatliners:.0}; the longest time without a visit {gap_s:.0} s"
    );
    assert!(growers > 8.0 * flatliners, "{growers} {flatliners}");
    assert!(growers > oscillators && oscillators > flatliners, "{oscillators}");
    assert!(flatliners >= 4.0 && gap_s < 120.0, "{flatliners} {gap_s}");
}

#[test]
fn a_flatliner_that_begins_to_grow_is_noticed_within_a_minute() {
    const BEGINS_S: f64 = 200.0;
    for seed in 0..10 {
        let mut seats = forty_regions(300.0);
        seats[20] = turns::Seat::new(Life::with_size(300.0, |at_s| 900.0 + 2.0 * (at_s - BEGINS_S).max(0.0)));
        let (mut before, mut noticed_s) = (None, f64::INFINITY);
        turns::serve(&mut seats, 300.0, &mut Random::new(seed), |at_s, seats| {
            let trend = seats[20].region.trend();
            if at_s < BEGINS_S {
                before = trend;
            } else if trend == Some(Trend::Grower) {
                noticed_s = noticed_s.min(at_s - BEGINS_S);
            }
        });
        assert_eq!(before, Some(Trend::Flatliner));
        assert!(noticed_s <= 60.0, "seed {seed}: {noticed_s} s");
    }
}
