//! The lines above the trend table: the verdict first, then the JVM, what is waited for, the snapshots with their
//! pauses, and the heap.

use crate::view::report::{HeapGrowth, Jvm, Pauses, Report, Snapshot};
use crate::view::units;

/// One labelled line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is about.
    pub label: &'static str,
    /// What there is to say.
    pub text: String,
}

/// The verdict; before there is one, what is being done about it.
#[must_use]
pub fn verdict(report: &Report) -> &str {
    if report.verdict.summary.is_empty() { "No verdict yet." } else { &report.verdict.summary }
}

/// The header, without the verdict. Lines about what is not known yet are left out.
#[must_use]
pub fn lines(report: &Report) -> Vec<Line> {
    let line = |label, text| Line { label, text };
    let mut lines = Vec::new();
    lines.extend(report.jvm.as_ref().map(|known| line("JVM", jvm(known))));
    lines.push(line("Status", format!("{} · {}", units::duration_s(report.duration_s), report.status)));
    lines.extend(report.snapshots.iter().map(|seen| line("Snapshot", snapshot(seen))));
    lines.push(line("Pauses", pauses(&report.pauses)));
    lines.extend(heap(&report.heap).map(|text| line("Heap", text)));
    lines
}

fn jvm(jvm: &Jvm) -> String {
    let main = if jvm.main.is_empty() { "unnamed program" } else { &jvm.main };
    format!("{main} · process {} · {} · {}", jvm.pid, jvm.vm, jvm.gc)
}

/// `mark at 20 s: 198.0k of 5.03M objects, the program stood still 320 ms`.
fn snapshot(snapshot: &Snapshot) -> String {
    let at = units::duration_s(snapshot.at_s);
    let pause = format!("the program stood still {}", units::milliseconds(snapshot.pause_ms));
    if let Some(failure) = &snapshot.failure {
        return format!("{} at {at} failed: {failure}; {pause}", snapshot.kind);
    }
    let objects = snapshot.objects.map(units::count);
    let seen = match (snapshot.marked, objects) {
        (Some(marked), Some(objects)) => Some(format!("{} of {objects} objects", units::count(marked))),
        (None, Some(objects)) => Some(format!("{objects} objects")),
        _ => None,
    };
    let parts = [
        seen,
        snapshot.references.map(|count| format!("{} references", units::count(count))),
        snapshot.heap_bytes.map(|bytes| units::bytes(bytes as f64)),
        Some(pause),
        snapshot.analysis_ms.map(|ms| format!("analysed in {}", units::milliseconds(ms))),
    ];
    format!("{} at {at}: {}", snapshot.kind, parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// The pause receipt.
#[must_use]
pub fn pauses(pauses: &Pauses) -> String {
    match pauses.count {
        0 => "none caused so far".to_owned(),
        1 => format!("1 caused, {}", units::milliseconds(pauses.total_ms)),
        count => format!(
            "{count} caused, {} in all, the longest {}",
            units::milliseconds(pauses.total_ms),
            units::milliseconds(pauses.max_ms)
        ),
    }
}

fn heap(heap: &HeapGrowth) -> Option<String> {
    let live = units::bytes(heap.live_bytes? as f64);
    let of = heap.max_bytes.map_or_else(String::new, |max| format!(" of {}", units::bytes(max as f64)));
    let growth = heap.growth_bytes_per_hour.map(|rate| match rate {
        rate if rate > 0.0 => format!(", growing {}", units::bytes_per_hour(rate)),
        rate if rate < 0.0 => format!(", shrinking {}", units::bytes_per_hour(-rate)),
        _ => ", not growing".to_owned(),
    });
    let explained =
        heap.explained.map(|share| format!(", {} of it explained by the growers below", units::percent(share)));
    Some(format!("{live} live{of}{}{}", growth.unwrap_or_default(), explained.unwrap_or_default()))
}
