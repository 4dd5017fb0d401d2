//! How the rank of each leak root came about: each metric with its value and gate, as the ranking gave them.

use crate::view::report::{LeakRoot, Report};
use crate::view::units;
use std::fmt::Write;

/// A section for the end of the plain report; says so when there is nothing to explain.
#[must_use]
pub fn explain(report: &Report) -> String {
    let mut out = String::from("\nHow the leak roots were ranked\n");
    if report.leak_roots.is_empty() {
        out.push_str("  No object is a candidate leak root, or no capture has been analysed.\n");
    }
    for (place, root) in report.leak_roots.iter().enumerate() {
        out.push_str(&one(place + 1, root));
    }
    out
}

fn one(place: usize, root: &LeakRoot) -> String {
    let mut out = String::new();
    let (rank, class, kind) = (units::rank(root.rank), &root.class, root.kind);
    let owns = format!("{} objects, {}", units::count(root.owned_objects), units::bytes(root.owned_bytes as f64));
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\n#{place}  {rank}  {class} ({kind}), owns {owns}");
    if !root.reached_from.is_empty() {
        let _ = writeln!(out, "    reached from {}", root.reached_from.join(" → "));
    }
    for line in &root.explanation {
        let _ = writeln!(out, "    {line}");
    }
    out
}
