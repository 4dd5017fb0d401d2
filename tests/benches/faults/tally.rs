//! Results of the captures of one cell.

use e2e::faults::stops;
use e2e::measure::table::ms;
use e2e::report::{Report, Snapshot};
use std::collections::BTreeMap;

/// Counts of one cell.
#[derive(Debug, Default)]
pub struct Tally {
    /// Captures that were complete, by the reports of analyzers that ended in good order.
    pub complete: usize,
    /// Captures that were rejected, or not made, with their reasons.
    pub refused: Vec<String>,
    /// Pauses by the JVM's own log, in milliseconds: each is a capture that was begun.
    pub stops_ms: Vec<f64>,
    /// The longest pause by the receipts of reports, in milliseconds.
    pub longest_reported_ms: f64,
    /// Harm to the program.
    pub harm: Vec<String>,
    /// Waits that did not end.
    pub hangs: Vec<String>,
    /// Children that stayed too long.
    pub stayed: usize,
}

impl Tally {
    /// Takes in the report of an analyzer that ended in good order.
    pub fn add(&mut self, report: &Report) {
        self.complete += report.snapshots.iter().filter(|snapshot| is_capture(snapshot)).count();
        self.refused.extend(report.snapshots.iter().filter_map(|snapshot| snapshot.failure.clone()));
        self.refused.extend(report.problems.iter().cloned());
        self.longest_reported_ms = self.longest_reported_ms.max(stops::longest_ms(report));
    }

    /// The cells of a row: the numbers of captures and of faults.
    pub fn cells(&self) -> Vec<String> {
        let deaths = self.harm.iter().filter(|harm| harm.starts_with("it ended with")).count();
        vec![
            self.complete.to_string(),
            self.stops_ms.len().to_string(),
            self.refused.len().to_string(),
            deaths.to_string(),
            self.hangs.len().to_string(),
            (self.stayed + self.harm.len() - deaths).to_string(),
            ms(self.longest_ms()),
        ]
    }

    /// The longest pause by either account.
    pub fn longest_ms(&self) -> f64 {
        self.stops_ms.iter().copied().fold(self.longest_reported_ms, f64::max)
    }

    /// The headings of these cells.
    pub const HEADINGS: [&str; 7] =
        ["captures", "stops logged", "refused or thrown away", "deaths", "hangs", "left or wrong", "longest stop"];

    /// All faults, and the reasons of refused captures, in words; reasons that differ in numbers alone appear once.
    pub fn words(&self) -> Vec<String> {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for why in &self.refused {
            *reasons.entry(without_numbers(why)).or_default() += 1;
        }
        let mut words: Vec<String> = reasons.iter().map(|(why, count)| format!("{count} refused: {why}")).collect();
        words.extend(self.harm.iter().map(|harm| format!("HARM: {harm}")));
        words.extend(self.hangs.iter().map(|hang| format!("HANG: {hang}")));
        if self.stayed > 0 {
            words.push(format!("LEFT: {} children stayed after their analyzer was gone", self.stayed));
        }
        words
    }
}

/// Whether it is a complete capture; a capture from which marks are chosen is reported in addition.
fn is_capture(snapshot: &Snapshot) -> bool {
    snapshot.failure.is_none() && snapshot.kind.as_deref() == Some("capture")
}

fn without_numbers(text: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.';
    let words = text.split(' ').map(|word| if word.chars().next().is_some_and(is_part) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}
