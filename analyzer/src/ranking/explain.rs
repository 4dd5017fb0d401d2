//! Explains a candidate's rank, for people (`--explain`).

use super::Candidate;

/// One line for each metric: name, meaning, value, gated value; then the discounts and the final rank.
pub fn explain(candidate: &Candidate) -> Vec<String> {
    let owned = &candidate.attributes;
    let mut lines = vec![format!(
        "S1–S4, T1–T4 passed: owns {} objects ({} bytes), {:.0} old and {} new, {} on the fringe",
        owned.owned,
        owned.owned_bytes,
        owned.old,
        with_error(owned.new, owned.new_error),
        with_error(owned.fringe, owned.fringe_error)
    )];
    for metric in &candidate.mixture.metrics {
        lines.push(format!("{} {}: {:.3} → {:+.2}", metric.name, metric.meaning, metric.value, metric.gated));
    }
    lines.push(format!("step 2: mean {:.3}", candidate.mixture.rank));
    for discount in &candidate.discounts {
        lines.push(format!("× 0.5  {}", discount.reason()));
    }
    lines.push(format!("leakroot {:.3}", candidate.rank));
    lines
}

/// A count, with its standard error if it is an estimate.
fn with_error(count: f64, error: f64) -> String {
    if error == 0.0 { format!("{count:.0}") } else { format!("about {count:.0} (± {error:.0})") }
}
