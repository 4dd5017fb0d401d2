//! The lines above the trend table: the verdict first, then the JVM, what is waited for, the snapshots with their
//! pauses, and the heap.

use crate::report::{Child, Forecast, HeapGrowth, Jvm, MethodForecast, Native, Pauses, Report, Snapshot};
use crate::units;
use crate::view::sites;

/// Collections that took so many times as long as usual are worth a word.
const STRETCHED: f64 = 2.0;

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
    lines.extend(report.snapshots.iter().map(|seen| match &seen.file {
        Some(file) => line("Dump", dump(file, seen)),
        None => line("Snapshot", snapshot(seen)),
    }));
    lines.extend(report.snapshots.iter().filter_map(stretched).map(|text| line("Copying", text)));
    lines.extend(report.forecast.iter().filter(|_| report.snapshots.is_empty()).flat_map(forecast));
    if report.snapshots.iter().all(|seen| seen.file.is_none()) {
        lines.push(line("Pauses", pauses(&report.pauses)));
    }
    lines.extend(report.sampling.as_ref().map(|sampling| line("Sampling", sites::receipt(sampling))));
    lines.extend(tags(report).map(|text| line("Tags", text)));
    lines.extend(heap(&report.heap).map(|text| line("Heap", text)));
    lines.extend(report.native.as_ref().and_then(native).map(|text| line("Native", text)));
    lines
}

fn jvm(jvm: &Jvm) -> String {
    let main = if jvm.main.is_empty() { "unnamed program" } else { &jvm.main };
    format!("{main} · process {} · {} · {}", jvm.pid, jvm.vm, jvm.gc)
}

/// `mark by paths at 20 s: the program stood still 17 ms, 19.8k of 5.03M objects, a child lived 1.40 s`.
fn snapshot(snapshot: &Snapshot) -> String {
    let at = units::duration_s(snapshot.at_s);
    let by = snapshot.method.map_or_else(String::new, |method| format!(" by {method}"));
    let pause = match snapshot.pause_ms {
        0.0 => "the program did not stand still".to_owned(),
        ms => format!("the program stood still {}", units::milliseconds(ms)),
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

/// `shop-2.hprof: 1.30M objects, 3.10M references, 44 MB; 92 % stand where the first dump had one, 1.2k of that are gone`.
fn dump(file: &str, dump: &Snapshot) -> String {
    let parts = [
        dump.objects.map(|count| format!("{} objects", units::count(count))),
        dump.references.map(|count| format!("{} references", units::count(count))),
        dump.heap_bytes.map(|bytes| units::bytes(bytes as f64)),
    ];
    let matched = dump.matched.map(|share| {
        let gone = dump.gone.filter(|&gone| gone > 0).map(|gone| format!(", {} of that are gone", units::count(gone)));
        format!("; {} stand where the first dump had one{}", units::percent(share), gone.unwrap_or_default())
    });
    let facts = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!("{file}: {facts}{}", matched.unwrap_or_default())
}

/// `a child lived 1.4 s and copied 44 MB`.
fn child(child: &Child) -> String {
    let copied =
        child.private_bytes.map_or_else(String::new, |bytes| format!(" and copied {}", units::bytes(bytes as f64)));
    format!("a child lived {}{copied}", units::milliseconds(child.lifetime_ms))
}

/// `while the child of 20 s lived, a collection took 41 ms (6.0 ms as a rule)`.
fn stretched(snapshot: &Snapshot) -> Option<String> {
    let child = snapshot.child.as_ref()?;
    let usual = child.usual_collection_ms.filter(|usual| child.longest_collection_ms > STRETCHED * usual)?;
    let (longest, usual) = (units::milliseconds(child.longest_collection_ms), units::milliseconds(usual));
    let at = units::duration_s(snapshot.at_s);
    Some(format!("while the child of {at} lived, a collection took {longest} ({usual} as a rule)"))
}

/// What a capture would cost, by each method.
fn forecast(forecast: &Forecast) -> Vec<Line> {
    let of = |each: &MethodForecast| {
        let ms = units::milliseconds;
        let (pause, duration) = (ms(each.pause_ms), units::duration_s(each.duration_ms / 1000.0));
        let memory = units::bytes(each.memory_bytes as f64);
        let used = if forecast.method == Some(each.method) { " ← would be used" } else { "" };
        let not = each.obstacle.as_ref().map_or_else(String::new, |reason| format!(" ← not: {reason}"));
        let text = format!("{}: stands still {pause}, takes {duration} and up to {memory}{used}{not}", each.method);
        Line { label: "Forecast", text }
    };
    forecast.methods.iter().map(of).collect()
}

/// What the agent has standing in the JVM.
fn tags(report: &Report) -> Option<String> {
    let standing = match report.tags_standing? {
        0 => "none of any snapshot stands".to_owned(),
        count => format!("{} of snapshots stand", units::count(count)),
    };
    let members = report.member_tags.filter(|&count| count > 0);
    let members = members.map(|count| format!("; {} on members that probes know again", units::count(count)));
    Some(format!("{standing}{}", members.unwrap_or_default()))
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

/// Where collections leave so many times what a snapshot reached, most of it is garbage.
const MOSTLY_GARBAGE: u64 = 2;

fn heap(heap: &HeapGrowth) -> Option<String> {
    let live_bytes = heap.live_bytes?;
    let live = units::bytes(live_bytes as f64);
    let of = heap.max_bytes.map_or_else(String::new, |max| format!(" of {}", units::bytes(max as f64)));
    let growth = heap.growth_bytes_per_hour.map(|rate| match (rate, heap.most_growth_bytes_per_hour) {
        (rate, _) if rate > 0.0 => format!(", growing {}", units::bytes_per_hour(rate)),
        (rate, _) if rate < 0.0 => format!(", shrinking {}", units::bytes_per_hour(-rate)),
        // As much as the heap holds says nothing.
        (_, Some(most)) if heap.max_bytes.is_some_and(|max| most < max as f64) => {
            format!(", no growth seen (at most {})", units::bytes_per_hour(most))
        }
        _ => ", no growth seen".to_owned(),
    });
    let explained =
        heap.explained.map(|share| format!(", {} of it explained by the growers below", units::percent(share)));
    let held = match heap.reachable_bytes {
        Some(bytes) if live_bytes > bytes.saturating_mul(MOSTLY_GARBAGE) => {
            format!("held after a collection, {} reached by the last snapshot,", units::bytes(bytes as f64))
        }
        _ => "live".to_owned(),
    };
    Some(format!("{live} {held}{of}{}{}", growth.unwrap_or_default(), explained.unwrap_or_default()))
}

/// What grows beside the heap; nothing while nothing does.
fn native(native: &Native) -> Option<String> {
    native.grows?;
    let resident = native.resident_bytes.map(|bytes| format!("{} resident", units::bytes(bytes as f64)));
    let bytes = |name: &str, holds: Option<u64>, growth: Option<f64>| {
        let (holds, growth) = (holds?, growth.filter(|&growth| growth > 0.0)?);
        Some(format!("{name} {}, growing {}", units::bytes(holds as f64), units::bytes_per_hour(growth)))
    };
    let threads = native.threads.zip(native.threads_growth_per_hour.filter(|&growth| growth > 0.0));
    let classes = native.classes.zip(native.classes_growth_per_hour.filter(|&growth| growth > 0.0));
    let parts = [
        resident,
        bytes("direct buffers", native.direct_bytes, native.direct_growth_bytes_per_hour),
        bytes("mapped files", native.mapped_bytes, native.mapped_growth_bytes_per_hour),
        bytes("metaspace", native.metaspace_bytes, native.metaspace_growth_bytes_per_hour),
        classes.map(|(count, growth)| format!("{} classes, {growth:+.0}/h", units::count(count))),
        threads.map(|(count, growth)| format!("{} threads, {growth:+.0}/h", units::count(count))),
        bytes("other native memory", native.other_bytes, native.other_growth_bytes_per_hour),
    ];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}
