//! The result of the check, below the report: what fails the run, what is known, and entries that match nothing.

use crate::gate::known::KnownLeak;
use crate::gate::{Condition, Finding, Gate, Outcome, Reason, Standing};
use crate::units;
use crate::view::plain::line;
use std::fmt::Display;

/// The result of the check, behind a blank line; empty where nothing was asked. `known` is the name of the file of
/// known leaks.
///
/// ```text
/// Check     FAILED (--fail-on grower): 1 structure
///   com.example.Shop.sessions (HashMap) gains 600 Session a minute, 6.3 MB/h · fingerprint 1d82c94f9eff2a82
/// Known     1 structure grows and is not counted
///   com.example.Shop.log (ArrayList) gains 9 Line a minute · until 2027-03-01 · SHOP-77: cleared by the nightly job
/// Unmatched 1 entry of known-leaks.toml covers nothing that grows
///   line 7: fingerprint 00c94f9eff2a8211 · SHOP-12
/// ```
#[must_use]
pub fn text(gate: &Gate, known: Option<impl Display>) -> String {
    let mut out = String::new();
    let failing: Vec<&Finding> = gate.findings().filter(|finding| finding.fails()).collect();
    if let Some(head) = head(gate, failing.len()) {
        line(&mut out, &head);
    }
    failing.iter().for_each(|finding| line(&mut out, &failing_line(finding)));
    let accepted: Vec<(&Finding, &KnownLeak)> =
        gate.findings().filter_map(|finding| Some((finding, finding.accepted()?))).collect();
    if !accepted.is_empty() {
        let verb = if accepted.len() == 1 { "grows and is" } else { "grow and are" };
        let counted = units::counted(accepted.len() as u64, "structure");
        line(&mut out, &format!("Known     {counted} {verb} not counted"));
        accepted.iter().for_each(|(finding, leak)| line(&mut out, &known_line(finding, leak)));
    }
    if let Some(file) = known {
        unmatched(&mut out, gate, &file.to_string());
    }
    if out.is_empty() { out } else { format!("\n{out}") }
}

fn head(gate: &Gate, failing: usize) -> Option<String> {
    let conditions = gate.conditions().iter().map(Condition::to_string).collect::<Vec<_>>().join(", ");
    let result = match gate.outcome() {
        Outcome::Unasked => return None,
        Outcome::Failed if failing == 0 => "FAILED",
        Outcome::Failed => {
            let counted = units::counted(failing as u64, "structure");
            return Some(format!("Check     FAILED (--fail-on {conditions}): {counted}"));
        }
        Outcome::Unjudged => "NOTHING JUDGED",
        Outcome::Passed => "passed",
    };
    Some(format!("Check     {result} (--fail-on {conditions})"))
}

fn failing_line(finding: &Finding) -> String {
    format!("  {} · {} · fingerprint {}", finding.sentence(), reasons(finding), finding.region.fingerprint)
}

/// Why a finding fails the run, in words: `grower`, `expired on 2027-03-01: SHOP-77`.
#[must_use]
pub fn reasons(finding: &Finding) -> String {
    let words = |reason: &Reason| match (reason, &finding.standing) {
        (Reason::Met(condition), _) => condition.to_string(),
        (Reason::Expired, Standing::Expired(KnownLeak { until: Some(until), reason, .. })) => {
            format!("known leak expired on {until}: {reason}")
        }
        (Reason::TooFast, Standing::TooFast(KnownLeak { max_growth: Some(most), reason, .. })) => {
            format!("known leak exceeds {most}: {reason}")
        }
        (Reason::Expired, _) => "known leak expired".to_owned(),
        (Reason::TooFast, _) => "known leak grows too fast".to_owned(),
    };
    finding.reasons.iter().map(words).collect::<Vec<_>>().join(", ")
}

fn known_line(finding: &Finding, leak: &KnownLeak) -> String {
    format!("  {} · {}", finding.sentence(), acceptance(leak))
}

/// `until 2027-03-01 · SHOP-77: cleared by the nightly job`.
#[must_use]
pub fn acceptance(leak: &KnownLeak) -> String {
    leak.until.map_or_else(|| leak.reason.clone(), |until| format!("until {until} · {}", leak.reason))
}

fn unmatched(out: &mut String, gate: &Gate, file: &str) {
    let entries: Vec<&KnownLeak> = gate.unmatched().collect();
    let count = entries.len();
    if count == 0 {
        return;
    }
    let noun = if count == 1 { "entry" } else { "entries" };
    let verb = if count == 1 { "covers" } else { "cover" };
    line(out, &format!("Unmatched {count} {noun} of {file} {verb} nothing that grows"));
    for leak in entries {
        let expired = if leak.is_expired(gate.today()) { " · expired" } else { "" };
        line(out, &format!("  line {}: {}{expired} · {}", leak.line, leak.covers, acceptance(leak)));
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
