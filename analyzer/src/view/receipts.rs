//! Costs of the watching for the program: pauses, forked copies, sampling, tags. One line for most readers, all of it
//! on request.

use crate::report::{AllocationSampling, Child, Pauses, Report, Snapshot};
use crate::units;
use crate::view::headline::Line;

/// Collections that took this multiple of their usual time are mentioned.
const STRETCHED: f64 = 2.0;

/// `2 pauses, 32 ms in all, longest 17 ms · collections up to 41 ms during snapshots (usually 6.0 ms) ·
/// sampling 19 ms`; `None` where nothing had a cost.
#[must_use]
pub fn cost(report: &Report) -> Option<String> {
    report.jvm.as_ref()?;
    let pauses = match report.pauses.count {
        0 => "no pause".to_owned(),
        1 => format!("1 pause of {}", units::milliseconds(report.pauses.total_ms)),
        count => format!(
            "{count} pauses, {} in all, longest {}",
            units::milliseconds(report.pauses.total_ms),
            units::milliseconds(report.pauses.max_ms)
        ),
    };
    let sampling = report.sampling.as_ref().filter(|sampling| sampling.refusal.is_none());
    let parts = [
        Some(pauses),
        longest_collection(report),
        sampling.map(|sampling| format!("sampling {}", units::milliseconds(sampling.callback_ms))),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

fn longest_collection(report: &Report) -> Option<String> {
    let stretched = report.snapshots.iter().filter_map(|seen| Some((seen.child.as_ref()?, usual(seen)?)));
    let (child, usual) =
        stretched.max_by(|(a, _), (b, _)| a.longest_collection_ms.total_cmp(&b.longest_collection_ms))?;
    let (longest, usual) = (units::milliseconds(child.longest_collection_ms), units::milliseconds(usual));
    Some(format!("collections up to {longest} during snapshots (usually {usual})"))
}

/// All receipts, labelled.
#[must_use]
pub fn lines(report: &Report) -> Vec<Line> {
    let line = |label, text| Line { label, text };
    let live = || report.snapshots.iter().filter(|seen| seen.file.is_none());
    let mut lines: Vec<Line> =
        live().filter(|seen| seen.failure.is_none()).map(|seen| line("Snapshot", snapshot(seen))).collect();
    lines.extend(live().filter_map(stretched).map(|text| line("Copying", text)));
    if report.jvm.is_some() {
        lines.push(line("Pauses", pauses(&report.pauses)));
    }
    lines.extend(report.sampling.as_ref().map(|sampled| line("Sampling", sampling(sampled))));
    lines.extend(tags(report).map(|text| line("Tags", text)));
    lines
}

/// `mark by paths at 20 s: paused the program for 17 ms, 19.8k of 5.03M objects, forked copy: 1.40 s`.
pub(super) fn snapshot(snapshot: &Snapshot) -> String {
    let at = units::duration_s(snapshot.at_s);
    let by = snapshot.method.map_or_else(String::new, |method| format!(" by {method}"));
    let pause = match snapshot.pause_ms {
        0.0 => "no pause".to_owned(),
        ms => format!("paused the program for {}", units::milliseconds(ms)),
    };
    if let Some(failure) = &snapshot.failure {
        return format!("{}{by} at {at} failed: {failure}; {pause}", snapshot.kind);
    }
    let objects = snapshot.objects.map(units::count);
    let seen = match (snapshot.marked, objects) {
        (Some(marked), Some(objects)) => Some(format!("{} of {objects} objects", units::count(marked))),
        (None, Some(objects)) => Some(format!("{objects} objects")),
        _ => None,
    };
    let parts = [
        Some(pause),
        seen,
        snapshot.references.map(|count| format!("{} references", units::count(count))),
        snapshot.heap_bytes.map(|bytes| units::bytes(bytes as f64)),
        snapshot.child.as_ref().map(child),
        snapshot.analysis_ms.map(|ms| format!("analysed in {}", units::milliseconds(ms))),
    ];
    let reason = snapshot.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
    format!("{}{by} at {at}: {}{reason}", snapshot.kind, parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// `forked copy: 1.4 s, 44 MB`.
fn child(child: &Child) -> String {
    let copied = child.private_bytes.map_or_else(String::new, |bytes| format!(", {}", units::bytes(bytes as f64)));
    format!("forked copy: {}{copied}", units::milliseconds(child.lifetime_ms))
}

/// `a collection took 41 ms during the snapshot at 20 s; usually 6.0 ms`.
fn stretched(snapshot: &Snapshot) -> Option<String> {
    let child = snapshot.child.as_ref()?;
    let usual = usual(snapshot)?;
    let (longest, usual) = (units::milliseconds(child.longest_collection_ms), units::milliseconds(usual));
    let at = units::duration_s(snapshot.at_s);
    Some(format!("a collection took {longest} during the snapshot at {at}; usually {usual}"))
}

/// Usual length of collections in milliseconds, where one took much longer during the snapshot.
fn usual(snapshot: &Snapshot) -> Option<f64> {
    let child = snapshot.child.as_ref()?;
    child.usual_collection_ms.filter(|usual| child.longest_collection_ms > STRETCHED * usual)
}

/// Tags that the agent keeps set in the JVM.
fn tags(report: &Report) -> Option<String> {
    let standing = match report.tags_standing? {
        0 => "no snapshot tags left".to_owned(),
        count => format!("{} snapshot tags", units::count(count)),
    };
    let members = report.member_tags.filter(|&count| count > 0);
    let members = members.map(|count| format!("; {} on watched elements", units::count(count)));
    Some(format!("{standing}{}", members.unwrap_or_default()))
}

/// The pause receipt.
#[must_use]
pub fn pauses(pauses: &Pauses) -> String {
    match pauses.count {
        0 => "none so far".to_owned(),
        1 => format!("1, {}", units::milliseconds(pauses.total_ms)),
        count => format!(
            "{count}, {} in all, longest {}",
            units::milliseconds(pauses.total_ms),
            units::milliseconds(pauses.max_ms)
        ),
    }
}

/// `1 window of 60 s: 91.0k allocations sampled, 412 stacks kept, 3 dropped, 19 ms on the program's threads`.
fn sampling(sampling: &AllocationSampling) -> String {
    if let Some(reason) = &sampling.refusal {
        return format!("of allocations not possible: {reason}");
    }
    let windows = if sampling.windows == 1 { "1 window".to_owned() } else { format!("{} windows", sampling.windows) };
    format!(
        "{windows} of {}{}: {} allocations sampled, {} stacks kept, {} dropped, {} on the program's threads",
        units::duration_s(sampling.window_s),
        if sampling.is_on { " so far" } else { "" },
        units::count(sampling.events),
        units::count(sampling.samples),
        units::count(sampling.dropped),
        units::milliseconds(sampling.callback_ms)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::{figure_5, waiting};

    #[test]
    fn one_line_says_what_it_cost() {
        let text = "2 pauses, 32 ms in all, longest 17 ms · collections up to 41 ms during snapshots (usually 6.0 ms) · \
                    sampling 19 ms";
        assert_eq!(cost(&figure_5()).as_deref(), Some(text));
        assert_eq!(cost(&waiting()), None);
    }

    #[test]
    fn a_refusal_is_all_that_is_said() {
        let refusal = Some("another agent holds it".to_owned());
        let text = sampling(&AllocationSampling { refusal, ..AllocationSampling::default() });
        assert_eq!(text, "of allocations not possible: another agent holds it");
    }
}
