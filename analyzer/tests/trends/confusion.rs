//! What is said of many simulated programs against what is true of them: counts by scenario and time watched.

use super::life::between;
use super::scenarios::{Case, Scenario, Truth};
use super::watch::{Watched, Watcher, capture, watch};
use crate::random::Random;
use rootbound::tracking::Trend;
use std::fmt::Write;

/// What was said: a trend, or none yet.
const ANSWERS: [Option<Trend>; 5] =
    [Some(Trend::Grower), Some(Trend::Oscillator), Some(Trend::Flatliner), Some(Trend::Shrinker), None];

/// One scenario, watched for so long, many times.
pub struct Row {
    pub name: &'static str,
    /// Whether the scenario is one of leaks.
    pub leaks: bool,
    pub seconds: f64,
    /// Answers where the truth can be known, and where it cannot.
    pub answers: [usize; 5],
    pub undecidable: [usize; 5],
    pub wrong: usize,
    pub rates: Rates,
}

/// Growers whose rate is a constant.
#[derive(Clone, Copy, Default)]
pub struct Rates {
    pub count: usize,
    /// Intervals that hold the truth.
    pub covered: usize,
    /// Rates within a tenth of the truth.
    pub near: usize,
}

impl Rates {
    pub fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, covered: self.covered + other.covered, near: self.near + other.near }
    }
}

/// How a life is seen for a number of seconds.
pub type Look = fn(&Case, f64, &mut Random) -> Watched;

/// By visits, beside other regions.
pub fn by_visits(case: &Case, seconds: f64, random: &mut Random) -> Watched {
    let watcher = Watcher { error_share: case.error_share, others: between(0.2, 10.0, random) };
    watch(&case.life, seconds, watcher, random)
}

/// By the captures of a recording without an analyzer.
pub fn by_captures(case: &Case, seconds: f64, _random: &mut Random) -> Watched {
    capture(&case.life, seconds)
}

/// Draws and watches a scenario once a seed.
pub fn row(look: Look, scenario: &Scenario, seconds: f64, seeds: u64) -> Row {
    let mut row = Row {
        name: scenario.name,
        leaks: scenario.leaks,
        seconds,
        answers: [0; 5],
        undecidable: [0; 5],
        wrong: 0,
        rates: Rates::default(),
    };
    for seed in 0..seeds {
        row.add(look, scenario, seed);
    }
    row
}

impl Row {
    fn add(&mut self, look: Look, scenario: &Scenario, seed: u64) {
        let mut random = Random::new(seed.wrapping_mul(7_919).wrapping_add(self.seconds as u64 * 31));
        let case = (scenario.case)(self.seconds, &mut random);
        let watched = look(&case, self.seconds, &mut random);
        let answer = watched.region.trend();
        let column = ANSWERS.iter().position(|each| *each == answer).unwrap();
        let truth = case.known_after(self.seconds, watched.visits);
        if truth == Truth::Undecidable {
            self.undecidable[column] += 1;
            return;
        }
        self.answers[column] += 1;
        if !is_right(truth, answer) {
            self.wrong += 1;
        }
        if answer == Some(Trend::Grower) && case.truth == Truth::Is(Trend::Grower) {
            self.rates = self.rates.plus(measured(&case, watched.region.rate_per_min()));
        }
    }

    pub fn decidable(&self) -> usize {
        self.answers.iter().sum()
    }

    pub fn drawn(&self) -> usize {
        self.decidable() + self.undecidable.iter().sum::<usize>()
    }

    pub fn growers(&self) -> usize {
        self.answers[0]
    }
}

fn is_right(truth: Truth, answer: Option<Trend>) -> bool {
    match truth {
        Truth::Is(trend) => answer == Some(trend),
        Truth::Bounded => matches!(answer, Some(Trend::Oscillator | Trend::Flatliner)),
        Truth::Undecidable => true,
    }
}

fn measured(case: &Case, reported: Option<(f64, f64, f64)>) -> Rates {
    let Some((truth, (rate, low, high))) = case.rate_per_min.zip(reported) else { return Rates::default() };
    Rates {
        count: 1,
        covered: usize::from(low <= truth && truth <= high),
        near: usize::from((rate - truth).abs() <= 0.1 * truth),
    }
}

/// The rows as a table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| scenario | watched | grower | oscillator | flatliner | shrinker | none | wrong | rate held by its interval | rate within 10 % | undecidable: of them growers |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let [grower, oscillator, flatliner, shrinker, none] = row.answers;
        let Rates { count, covered, near } = row.rates;
        let of = |part: usize| if count == 0 { "–".to_owned() } else { format!("{part} of {count}") };
        let unknown: usize = row.undecidable.iter().sum();
        let unknown = if unknown == 0 { "–".to_owned() } else { format!("{unknown}: {}", row.undecidable[0]) };
        let _ = writeln!(
            out,
            "| {} | {} s | {grower} | {oscillator} | {flatliner} | {shrinker} | {none} | {} | {} | {} | {unknown} |",
            row.name,
            row.seconds,
            row.wrong,
            of(covered),
            of(near)
        );
    }
    out
}
