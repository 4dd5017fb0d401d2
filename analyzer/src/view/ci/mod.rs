//! Forms that build servers read: SARIF, JUnit XML, and what GitHub understands. All are made from the
//! [`Gate`](crate::gate::Gate) alone.

pub mod github;
pub mod junit;
pub mod sarif;

#[cfg(test)]
pub(crate) mod samples;

use crate::gate::Finding;
use crate::units;
use crate::view::check;
use crate::view::plain::plain;

/// The details of a finding, a line each: reason, interval, time to a full heap, trace, allocation sites.
fn details(finding: &Finding) -> Vec<String> {
    let region = &finding.region;
    let mut lines = vec![format!("{}.", finding.sentence())];
    if finding.fails() {
        lines.push(format!("Fails the check: {}.", check::reasons(finding)));
    }
    lines.extend(finding.accepted().map(|leak| format!("Known leak, {}.", check::acceptance(leak))));
    if let Some((low, high)) = region.bytes_per_hour_low.zip(region.bytes_per_hour_high) {
        lines.push(format!("Between {} and {}.", units::bytes_per_hour(low), units::bytes_per_hour(high)));
    }
    lines.extend(region.time_to_full_s.map(|seconds| format!("Heap full in about {}.", units::duration_s(seconds))));
    lines.extend(region.route.lines().into_iter().flat_map(|line| {
        let mark = line.marked.map(|(from, to)| format!("{}{}", " ".repeat(from), "^".repeat(to - from)));
        std::iter::once(line.text).chain(mark)
    }));
    lines.extend(crate::view::sites::lines(region));
    lines.push(format!("Fingerprint {}", region.fingerprint));
    lines.iter().map(|line| plain(line).into_owned()).collect()
}
