//! The growth of data structures for people: the answer, the window, the table with its bars, and new structures.

use super::sites;
use crate::naming::class::{short_name, simple_name};
use crate::naming::growth::Pattern;
use crate::report::Report;
use crate::report::growth::{GrowthReport, Item, Leaf, Metrics, Portion};
use crate::units::{self, UNKNOWN};
use crate::view::dump::rows::{Table, behind, heading, labelled, line, wrapped};
use crate::view::look::Width;
use crate::view::names::pad_right;

/// Columns of a bar of 100 %.
const BAR: usize = 48;
/// Blanks before the lines below a structure.
const INDENT: usize = 14;

/// The code that adds to a structure, by its place in the report: one text for each site.
type Adding<'a> = &'a dyn Fn(usize) -> Vec<String>;

/// The whole text.
#[must_use]
pub fn text(report: &GrowthReport, columns: usize) -> String {
    written(report, columns, &|_| Vec::new(), None)
}

/// The text for a running program, with the code that was sampled for its regions.
#[must_use]
pub fn live_text(report: &Report, growth: &GrowthReport, columns: usize) -> String {
    written(growth, columns, &|at| sites::adding(report, at), sites::undescribed(report).as_deref())
}

fn written(report: &GrowthReport, columns: usize, adding: Adding<'_>, undescribed: Option<&str>) -> String {
    let mut out = String::new();
    wrapped(&mut out, &report.verdict, columns);
    out.push('\n');
    head(&mut out, report, columns);
    undescribed.into_iter().for_each(|text| labelled(&mut out, "Note", text, columns));
    if !report.items.is_empty() {
        table(&mut out, report, columns);
    }
    let (shown, reaching): (Vec<_>, Vec<_>) =
        report.items.iter().enumerate().partition(|(_, item)| !only_reaches(report, item));
    for (at, item) in shown {
        details(&mut out, (at + 1, item), &adding(at), columns);
    }
    if !reaching.is_empty() {
        let numbers: Vec<String> = reaching.iter().map(|(at, _)| format!("#{}", at + 1)).collect();
        let (reach, rest) = match numbers.len() {
            1 => ("only reaches", "it neither has nor keeps it"),
            _ => ("only reach", "they neither have nor keep it"),
        };
        out.push('\n');
        wrapped(&mut out, &format!("{} {reach} what grew: {rest}", numbers.join(", ")), columns);
    }
    let more = report.item_count - report.items.len().min(report.item_count);
    if more > 0 {
        out.push('\n');
        line(&mut out, &format!("and {} more", units::count(more as u64)));
    }
    super::tree::write(&mut out, &report.tree, columns);
    born(&mut out, report, columns);
    out
}

/// The same below the report of a running program, under a heading.
#[must_use]
pub fn section(report: &Report, growth: &GrowthReport, width: Width) -> String {
    let columns = if width == Width::FILE { usize::MAX } else { width.columns() };
    let mut out = String::new();
    heading(&mut out, "Data structures");
    out.push_str(&live_text(report, growth, columns));
    out
}

/// Whether a structure reaches growth that others have or keep. Where nothing else grew, it is the only trace.
fn only_reaches(report: &GrowthReport, item: &Item) -> bool {
    let reaches = |item: &Item| item.pattern == Some(Pattern::SharedOwnershipData);
    reaches(item) && report.items.iter().any(|other| !reaches(other) && other.pattern.is_some_and(Pattern::is_growth))
}

fn head(out: &mut String, report: &GrowthReport, columns: usize) {
    let window = &report.window;
    let time = window.seconds.map(|seconds| format!(", {}", units::duration_s(seconds))).unwrap_or_default();
    labelled(out, "Window", &format!("{} → {}{time}", window.from, window.to), columns);
    let heap = format!(
        "reachable {} → {} ({}) in {} → {} objects",
        units::bytes(window.heap_bytes_before as f64),
        units::bytes(window.heap_bytes_after as f64),
        signed_bytes(window.growth_bytes),
        units::count(window.heap_objects_before),
        units::count(window.heap_objects_after)
    );
    labelled(out, "Heap", &heap, columns);
    if report.states.len() > 2 {
        let sizes: Vec<String> = report.states.iter().map(|state| units::bytes(state.heap.bytes as f64)).collect();
        labelled(out, "", &format!("in {} states: {}", report.states.len(), sizes.join(" → ")), columns);
    }
    let counts = &report.counts;
    let known = |count: u64, by: &str| match count {
        0 => String::new(),
        count => format!("{} by {by}, ", units::counted(count, "structure")),
    };
    let marked = known(counts.by_identity.handle, "handles") + &known(counts.by_identity.mark, "marks");
    let found = format!(
        "{}{} by path, {} as groups at a place; {} gone, {} new",
        marked,
        units::counted(counts.by_identity.path, "structure"),
        units::count(counts.by_identity.place),
        units::count(counts.died),
        units::count(counts.born)
    );
    labelled(out, "Identity", &found, columns);
    let files: Vec<String> = report.language.files.iter().filter(|file| file.matched > 0).map(file).collect();
    labelled(out, "Language", &files.join(" + "), columns);
    if let Some(explained) = report.explained {
        let text = format!("the growing structures together keep {} of the growth", percent(explained));
        labelled(out, "Explained", &text, columns);
    }
    report.notes.iter().for_each(|note| labelled(out, "Note", note, columns));
}

fn file(file: &crate::report::language::LanguageFile) -> String {
    format!("{} ({} of {} types in this heap)", file.name, file.matched, file.types)
}

fn table(out: &mut String, report: &GrowthReport, columns: usize) {
    let headings = ["#", "deep", "retained", "structure", "deep str.", "Δretained", "type · place"];
    let mut table = Table::new(&headings);
    for (at, item) in report.items.iter().enumerate() {
        let [deep, retained, structure, deep_structure] = portions(&item.hgp).map(|(_, portion)| of(portion));
        let grown = item.growth.retained.map_or(UNKNOWN.to_owned(), |growth| signed_bytes(growth.bytes));
        let name = format!("{} {}", name(item), item.place);
        table.row(vec![(at + 1).to_string(), deep, retained, structure, deep_structure, grown, name]);
    }
    heading(out, "Portions of the heap's growth, of structures that are in both");
    table.write(out, columns);
}

/// The four metrics in the order of the paper's chart.
fn portions(hgp: &Metrics<Option<Portion>>) -> [(&'static str, Option<Portion>); 4] {
    [("deep", hgp.deep), ("retained", hgp.retained), ("structure", hgp.structure), ("deep str.", hgp.deep_structure)]
}

fn of(portion: Option<Portion>) -> String {
    portion.map_or(UNKNOWN.to_owned(), |portion| percent(portion.bytes))
}

fn details(out: &mut String, (number, item): (usize, &Item), adding: &[String], columns: usize) {
    out.push('\n');
    let steady = match item.grew_steadily {
        Some(true) => ", in every step",
        Some(false) if item.pattern.is_some_and(Pattern::is_growth) => ", not in every step",
        _ => "",
    };
    let pattern = item.pattern.map_or("no pattern: a metric is not known", Pattern::name);
    behind(
        out,
        &pad_right(&format!("#{number}"), 4),
        &format!("{} {}: {pattern}{steady}", name(item), item.place),
        columns,
    );
    // Bars are for terminals: in a file they have no fixed room.
    if columns != usize::MAX {
        bars(out, item, columns);
    }
    let mut say = |label: &str, text: &str| {
        behind(out, &format!("    {}", pad_right(label, INDENT - 4)), text, columns);
    };
    let leaves: Vec<String> = item.leaves.iter().filter(|leaf| leaf.growth != 0).map(leaf).collect();
    if !leaves.is_empty() {
        say("leaves", &leaves.join(", "));
    }
    if !item.also_contained_in.is_empty() {
        say("also in", &item.also_contained_in.join(", "));
    }
    if !adding.is_empty() {
        say("added at", &adding.join(", "));
    }
    if let Some(advice) = item.advice {
        let condition = if item.grew_steadily == Some(false) { "if it goes on: " } else { "" };
        say("fix", &format!("{condition}{}", advice.name()));
    }
}

fn bars(out: &mut String, item: &Item, columns: usize) {
    let room = columns.saturating_sub(INDENT + 8).min(BAR);
    for (label, portion) in portions(&item.hgp) {
        let Some(portion) = portion else { continue };
        let bar = bar(portion.bytes, room);
        line(out, &format!("    {}{} {}", pad_right(label, INDENT - 4), pad_right(&bar, room), percent(portion.bytes)));
    }
}

/// A bar in eighths of a column; portions beyond 100 % are cut.
pub(crate) fn bar(percent: f64, room: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (percent.clamp(0.0, 100.0) / 100.0 * room as f64 * 8.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn name(item: &Item) -> String {
    match item.alike {
        0 | 1 => simple_name(&item.class).to_owned(),
        count => format!("{} {}", units::count(count), simple_name(&item.class)),
    }
}

fn leaf(leaf: &Leaf) -> String {
    let kept = leaf.retained_growth.filter(|&bytes| bytes != 0).map(|bytes| {
        let share = leaf.hgp.map(|hgp| format!(", {}", percent(hgp))).unwrap_or_default();
        format!(", retain {}{share}", signed_bytes(bytes))
    });
    let sign = if leaf.growth < 0 { "-" } else { "+" };
    format!(
        "{} → {} {} ({sign}{}{})",
        units::count(leaf.before),
        units::count(leaf.after),
        short_name(&leaf.class),
        units::count(leaf.growth.unsigned_abs()),
        kept.unwrap_or_default()
    )
}

fn born(out: &mut String, report: &GrowthReport, columns: usize) {
    if report.born.is_empty() {
        return;
    }
    let mut table = Table::new(&["new", "retained", "type · place"]);
    for born in &report.born {
        let retained = born.retained_bytes.map_or(UNKNOWN.to_owned(), |bytes| units::bytes(bytes as f64));
        table.row(vec![units::count(born.count), retained, format!("{} {}", simple_name(&born.class), born.place)]);
    }
    heading(out, "Structures at places that had none before");
    table.write(out, columns);
}

pub(super) fn percent(percent: f64) -> String {
    let digits = usize::from(percent.abs() < 9.95);
    format!("{percent:.digits$} %")
}

pub(crate) fn signed_bytes(bytes: i64) -> String {
    let sign = if bytes < 0 { "-" } else { "+" };
    format!("{sign}{}", units::bytes(bytes.unsigned_abs() as f64))
}
