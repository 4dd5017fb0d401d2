//! The lines between the verdict and the table: the JVM, the status, the heap and the memory outside it. The costs are
//! reported by [`super::receipts`].

use crate::report::{Forecast, HeapGrowth, Jvm, Life, MethodForecast, Native, Report, Snapshot};
use crate::units;
use crate::view::{container, receipts, verdict};
use std::time::{Duration, UNIX_EPOCH};

/// The last millisecond of the year 9999, since 1970: later ones have no date.
const LATEST_MS: u64 = 253_402_300_799_000;

/// One labelled line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its subject.
    pub label: &'static str,
    /// Its text.
    pub text: String,
}

/// The header without the verdict: the JVM, the status, dumps, failures, the heap and the memory outside it. Lines
/// about unknown values are left out.
#[must_use]
pub fn lines(report: &Report) -> Vec<Line> {
    let line = |label, text| Line { label, text };
    let mut lines = Vec::new();
    lines.extend(report.jvm.as_ref().map(|known| line("JVM", jvm(known))));
    let status = verdict::status(&report.status);
    lines.push(line("Status", format!("{} · {status}", units::duration_s(report.duration_s))));
    let dumps = report.snapshots.iter().filter_map(|seen| Some(line("Dump", dump(seen.file.as_ref()?, seen))));
    lines.extend(dumps);
    lines.extend(report.lives.iter().enumerate().map(|(at, lived)| line("Life", life(at + 1, lived))));
    let failed = report.snapshots.iter().filter(|seen| seen.failure.is_some());
    lines.extend(failed.map(|seen| line("Snapshot", receipts::snapshot(seen))));
    lines.extend(report.forecast.iter().filter(|_| report.snapshots.is_empty()).flat_map(forecast));
    lines.extend(heap(&report.heap).map(|text| line("Heap", text)));
    lines.extend(report.native.as_ref().and_then(native).map(|text| line("Native", text)));
    lines.extend(container::line(report).map(|text| line("Container", text)));
    if report.dropped_events > 0 {
        lines.push(line("Dropped", format!("{} messages of the agent", report.dropped_events)));
    }
    lines
}

fn jvm(jvm: &Jvm) -> String {
    let main = if jvm.main.is_empty() { "unnamed program" } else { &jvm.main };
    format!("{main} · process {} · {} · {}", jvm.pid, jvm.vm, jvm.gc)
}

/// `1 from 2026-11-23T10:00:00Z: process 4711, 12 captures in 2 h`.
fn life(number: usize, life: &Life) -> String {
    let loaded = UNIX_EPOCH + Duration::from_millis(life.loaded_unix_ms.min(LATEST_MS));
    let from = humantime::format_rfc3339_seconds(loaded);
    let (captures, duration) = (units::counted(life.captures, "capture"), units::duration_s(life.duration_s));
    format!("{number} from {from}: process {}, {captures} in {duration}", life.pid)
}

/// `shop-2.hprof: 1.30M objects, 3.10M references, 44 MB; 92 % of its objects have the place of one in the first dump,
/// 1.2k of that are gone`.
fn dump(file: &str, dump: &Snapshot) -> String {
    let parts = [
        dump.objects.map(|count| format!("{} objects", units::count(count))),
        dump.references.map(|count| format!("{} references", units::count(count))),
        dump.heap_bytes.map(|bytes| units::bytes(bytes as f64)),
    ];
    let matched = dump.matched.map(|share| {
        let gone = dump.gone.filter(|&gone| gone > 0).map(|gone| format!(", {} of that are gone", units::count(gone)));
        format!(
            "; {} of its objects have the place of one in the first dump{}",
            units::percent(share),
            gone.unwrap_or_default()
        )
    });
    let facts = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    format!("{file}: {facts}{}", matched.unwrap_or_default())
}

/// Forecast of the costs of a capture, by each method.
fn forecast(forecast: &Forecast) -> Vec<Line> {
    let of = |each: &MethodForecast| {
        let ms = units::milliseconds;
        let (pause, duration) = (ms(each.pause_ms), units::duration_s(each.duration_ms / 1000.0));
        let memory = units::bytes(each.memory_bytes as f64);
        let used = if forecast.method == Some(each.method) { " ← would be used" } else { "" };
        let not = each.obstacle.as_ref().map_or_else(String::new, |reason| format!(" ← not: {reason}"));
        let text =
            format!("{}: pauses the program for {pause}, takes {duration} and up to {memory}{used}{not}", each.method);
        Line { label: "Forecast", text }
    };
    forecast.methods.iter().map(of).collect()
}

/// If collections leave this multiple of the bytes that a snapshot reached, most of it is garbage.
const MOSTLY_GARBAGE: u64 = 2;

fn heap(heap: &HeapGrowth) -> Option<String> {
    let live_bytes = heap.live_bytes?;
    let live = units::bytes(live_bytes as f64);
    let of = heap.max_bytes.map_or_else(String::new, |max| format!(" of {}", units::bytes(max as f64)));
    let growth = growth(heap);
    let explained =
        heap.explained.map(|share| format!(", {} of it explained by the structures below", units::percent(share)));
    let held = match heap.reachable_bytes {
        Some(bytes) if live_bytes > bytes.saturating_mul(MOSTLY_GARBAGE) => {
            format!("held after a collection, {} reached by the last snapshot,", units::bytes(bytes as f64))
        }
        _ => "live".to_owned(),
    };
    Some(format!("{live} {held}{of}{growth}{}", explained.unwrap_or_default()))
}

/// Growth by collections; by captures where only these show it and growers explain some of it.
fn growth(heap: &HeapGrowth) -> String {
    let rate = units::bytes_per_hour;
    match (heap.growth_bytes_per_hour, heap.captured_growth_bytes_per_hour) {
        (Some(growth), _) if growth > 0.0 => format!(", growing {}", rate(growth)),
        (_, Some(captured)) if heap.explained.is_some() => {
            let ends = heap.captured_growth_low.zip(heap.captured_growth_high);
            let interval = ends.map(|(low, high)| format!(" ({} to {})", rate(low), rate(high)));
            format!(", growing {} between captures{}", rate(captured), interval.unwrap_or_default())
        }
        (Some(growth), _) if growth < 0.0 => format!(", shrinking {}", rate(-growth)),
        _ => match (heap.most_after_collections(), heap.most_between_captures()) {
            (Some(most), _) => format!(", no growth seen (at most {})", rate(most)),
            (None, Some(most)) if most > 0.0 => format!(", growing at most {} between captures", rate(most)),
            (None, Some(_)) => ", not growing between captures".to_owned(),
            (None, None) if heap.growth_bytes_per_hour.is_some() => ", growth not known yet".to_owned(),
            (None, None) => String::new(),
        },
    }
}

/// Growth outside the heap; nothing while there is none.
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
