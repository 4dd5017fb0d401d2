//! Result of a trial, in one line for people: `cargo test … -- --nocapture` shows it, and failed tests do.

use super::stops;
use crate::measure::table::{bytes, ms};
use crate::report::{Report, Snapshot};
use std::collections::BTreeSet;

/// The figures of a report.
pub fn of(report: &Report) -> String {
    let (whole, failed): (Vec<_>, Vec<_>) = report.snapshots.iter().partition(|each| each.failure.is_none());
    let children = || report.snapshots.iter().filter_map(|snapshot| snapshot.child.as_ref());
    let lived = children().filter_map(|child| child.lifetime_ms).fold(0.0, f64::max);
    let held = children().filter_map(|child| child.private_bytes).max().unwrap_or(0);
    let problems = report.problems.join(" | ");
    let failures: BTreeSet<&str> = failed.iter().filter_map(|each| each.failure.as_deref()).collect();
    format!(
        "{} snapshots ({}), {} thrown away {failures:?}; walks in the program: {:?}; longest stop {} ({}); children lived {} \
         and held {} at most; problems: {problems}",
        whole.len(),
        methods(&whole),
        failed.len(),
        stops::walks(report),
        ms(stops::longest_ms(report)),
        stops::longest_kind(report),
        ms(lived),
        bytes(held)
    )
}

fn methods(snapshots: &[&Snapshot]) -> String {
    let mut names: Vec<&str> = snapshots.iter().map(|snapshot| snapshot.method.as_deref().unwrap_or("?")).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}
