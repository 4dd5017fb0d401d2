//! The answer in one sentence.

use crate::naming::Kind;
use crate::report::dump::{AnalysisReport, Held, SuspectRow};
use crate::units;

/// The answer for a report whose suspects are filled in; it is about the suspect [`AnalysisReport::verdict_suspect`].
#[must_use]
pub fn sentence(report: &AnalysisReport) -> String {
    if report.totals.reachable_count == 0 {
        return "no GC root reaches any object of this dump, so nobody keeps anything; `rootbound roots` needs no GC roots".to_owned();
    }
    match report.verdict_suspect.and_then(|at| report.suspects.get(at)) {
        Some(suspect) => format!("{}{}", about(suspect, report.totals.reachable_bytes), above_all(report, suspect)),
        None => healthy(report),
    }
}

fn about(suspect: &SuspectRow, reachable_bytes: u64) -> String {
    let share = |bytes: u64| units::percent(bytes as f64 / reachable_bytes.max(1) as f64);
    if let (Some(class), Some(count)) = (&suspect.class, suspect.instance_count) {
        let at = suspect.example.as_ref().map(|held| format!("; the largest is at {}", held.place));
        return format!(
            "no single object, but {} instances of {class} together keep {} of the reachable heap ({}){}",
            units::count(count),
            share(suspect.retained_bytes),
            units::bytes(suspect.retained_bytes as f64),
            at.unwrap_or_default()
        );
    }
    match (&suspect.object, &suspect.accumulation) {
        (Some(loader), Some(point)) if suspect.is_built_in || is_most_of(point, loader) => {
            one_structure(point, &share(point.structure_bytes))
        }
        (Some(loader), Some(_)) => format!(
            "one class loader keeps {} of the reachable heap, spread over many structures: {} ({})",
            share(loader.retained_bytes),
            loader.class,
            units::bytes(loader.retained_bytes as f64)
        ),
        (Some(object), None) => one_structure(object, &share(object.structure_bytes)),
        (None, _) => String::new(),
    }
}

/// For a class that keeps several large structures: the largest one that a static field of its own holds.
fn above_all(report: &AnalysisReport, suspect: &SuspectRow) -> String {
    let class = suspect.object.as_ref().filter(|held| held.kind == Kind::Class);
    let Some(class) = class.and_then(|held| held.root_path.steps.last()).map(|step| &step.class) else {
        return String::new();
    };
    let below = |held: &&Held| held.kind == Kind::Object && held.static_of.as_ref() == Some(class);
    let largest = report.largest_retainers.iter().find(below);
    largest.map(|held| format!(", above all {} ({})", held.place, in_brackets(held))).unwrap_or_default()
}

/// Whether the accumulation point has more than half of its loader's retained size.
fn is_most_of(point: &Held, loader: &Held) -> bool {
    2 * point.retained_bytes > loader.retained_bytes
}

fn one_structure(held: &Held, share: &str) -> String {
    let what = match held.kind {
        Kind::Class => "the static fields of one class keep",
        Kind::Thread => "one thread keeps",
        Kind::ClassLoader => "one class loader keeps",
        Kind::Object => "one structure keeps",
    };
    format!("{what} {share} of the reachable heap: {} ({})", held.place, in_brackets(held))
}

fn in_brackets(held: &Held) -> String {
    let class = (!held.names_structure_class && held.kind == Kind::Object).then(|| held.structure_class.clone());
    let entries = held.contents.as_ref().filter(|_| held.kind == Kind::Object).and_then(|contents| {
        (contents.entry_count > 1).then(|| format!("{} entries", units::count(contents.entry_count)))
    });
    let bytes = units::bytes(held.structure_bytes as f64);
    [class, entries, Some(bytes)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn healthy(report: &AnalysisReport) -> String {
    let largest = report.largest_retainers.first();
    let named =
        largest.map(|held| format!("; the largest is {} ({})", held.place, units::bytes(held.retained_bytes as f64)));
    format!("no object keeps more than 5 % of the reachable heap, no class more than 10 %{}", named.unwrap_or_default())
}
