//! The analysis of one dump for people: the verdict first, then the suspects with their paths, then tables.

use super::colours;
use super::held::{is_built_in, way_lines, what};
use super::independence;
use super::rows::{Table, behind, heading, labelled, line, wrapped};
use crate::naming::Kind;
use crate::report::dump::{AnalysisReport, DumpFile, Held, SuspectRow, Totals};
use crate::units;
use crate::view::names::{pad_left, pad_right};

/// Rows of each table, unless the user gives a number.
pub const ROWS: usize = 15;

/// Extent of the printed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Rows of each table.
    pub rows: usize,
    /// Whether the largest retainers and the classes are printed in addition to verdict, suspects and big drops.
    pub is_whole: bool,
    /// Whether severities are coloured, for terminals.
    pub is_coloured: bool,
}

/// The whole text.
#[must_use]
pub fn text(report: &AnalysisReport, columns: usize, extent: Extent) -> String {
    let mut out = String::new();
    wrapped(&mut out, &report.verdict, columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    heap(&mut out, &report.totals, columns);
    suspects(&mut out, report, columns, extent.is_coloured);
    independence::lines(&report.suspects).iter().for_each(|text| wrapped(&mut out, text, columns));
    if extent.is_whole {
        held_table(&mut out, "Largest retainers", &report.largest_retainers, columns, extent.rows);
    }
    drops(&mut out, &report.big_drops, columns, extent.rows);
    if extent.is_whole {
        classes(&mut out, report, columns, extent.rows);
    }
    out
}

/// The dump, and the parts of it that could not be read.
pub(in crate::view) fn head(out: &mut String, dump: &DumpFile, columns: usize) {
    labelled(out, "Dump", &format!("{} · {}", dump.file, dump.format), columns);
    for note in &dump.notes {
        labelled(out, "Note", note, columns);
    }
}

fn heap(out: &mut String, totals: &Totals, columns: usize) {
    let amount =
        |bytes: u64, count: u64| format!("{} in {}", units::bytes(bytes as f64), units::counted(count, "object"));
    let unreachable = match totals.unreachable_count {
        0 => "nothing unreachable".to_owned(),
        count => format!("unreachable {}", amount(totals.unreachable_bytes, count)),
    };
    let reachable = amount(totals.reachable_bytes, totals.reachable_count);
    labelled(out, "Heap", &format!("reachable {reachable} · {unreachable}"), columns);
    let class_count = match totals.class_count {
        1 => "1 class".to_owned(),
        count => format!("{} classes", units::count(count)),
    };
    let counts = format!(
        "{} · {class_count} · {} · {}",
        units::counted(totals.reference_count, "reference"),
        units::counted(totals.root_count, "GC root"),
        units::counted(totals.thread_count, "thread")
    );
    labelled(out, "", &counts, columns);
}

fn suspects(out: &mut String, report: &AnalysisReport, columns: usize, is_coloured: bool) {
    for (at, suspect) in report.suspects.iter().enumerate() {
        if at == 0 {
            heading(out, "Suspects");
        }
        out.push('\n');
        let begin = out.len();
        suspect_lines(out, at + 1, suspect, columns);
        if is_coloured {
            colours::severity(out, begin, suspect.severity);
        }
    }
}

fn suspect_lines(out: &mut String, number: usize, suspect: &SuspectRow, columns: usize) {
    const INDENT: &str = "    ";
    let figures = format!(
        "{}{} {}  {}  ",
        pad_right(&format!("#{number}"), 4),
        pad_right(suspect.severity, 6),
        pad_left(&units::percent(suspect.share), 5),
        pad_left(&units::bytes(suspect.retained_bytes as f64), 7)
    );
    behind(out, &figures, &subject(suspect), columns);
    let mut say = |text: &str| wrapped(out, &format!("{INDENT}{text}"), columns);
    if let Some(beyond) = suspect.beyond_bytes.filter(|&beyond| beyond < suspect.retained_bytes) {
        say(&format!("{} of it outside of the suspects above", units::bytes(beyond as f64)));
    }
    if suspect.is_built_in {
        say("every program has this loader, and it keeps what the program keeps");
    }
    if let Some(example) = &suspect.example {
        say(&format!("the largest is at {} ({})", example.place, units::bytes(example.retained_bytes as f64)));
    }
    let shown = suspect.accumulation.as_ref().or(suspect.object.as_ref());
    if let Some(point) = &suspect.accumulation {
        let bytes = units::bytes(point.retained_bytes as f64);
        say(&format!("memory accumulates in {} ({bytes}, {})", point.place, units::percent(point.share)));
    }
    if let Some(held) = shown {
        if held.kind == Kind::Object || held.contents.is_some() {
            say(&what(held));
        }
        way_lines(&held.root_path).iter().enumerate().for_each(|(at, text)| {
            say(&format!("{}{text}", if at == 0 { "" } else { "  " }));
        });
    }
    say(&format!("advice: {}", suspect.advice));
}

fn subject(suspect: &SuspectRow) -> String {
    match (&suspect.object, &suspect.class) {
        (Some(held), _) if held.kind == Kind::ClassLoader => format!("class loader {}", held.class),
        (Some(held), _) => held.place.clone(),
        (None, Some(class)) => {
            let count = suspect.instance_count.unwrap_or(0);
            format!("{} instances of {class} together", units::count(count))
        }
        (None, None) => String::new(),
    }
}

fn held_table(out: &mut String, title: &str, all: &[Held], columns: usize, rows: usize) {
    let figures = |held: &Held| vec![units::bytes(held.retained_bytes as f64), units::percent(held.share)];
    places(out, title, &["retained", "share"], all, figures, columns, rows);
}

fn drops(out: &mut String, all: &[Held], columns: usize, rows: usize) {
    let figures = |held: &Held| {
        let largest = units::bytes(held.largest_child_bytes as f64);
        vec![units::bytes(held.drop_bytes as f64), units::bytes(held.retained_bytes as f64), largest]
    };
    let headings = ["drop", "retained", "largest below"];
    places(out, "Big drops: where memory fans out", &headings, all, figures, columns, rows);
}

/// A table with two lines an object: figures and place, and below them the object.
fn places(
    out: &mut String,
    title: &str,
    headings: &[&'static str],
    all: &[Held],
    figures: impl Fn(&Held) -> Vec<String>,
    columns: usize,
    rows: usize,
) {
    if all.is_empty() {
        return;
    }
    let mut table = Table::new(&[headings, &["where"]].concat());
    for held in all.iter().take(rows) {
        table.row([figures(held), vec![held.place.clone()]].concat());
        table.row([vec![String::new(); headings.len()], vec![format!("  {}", what(held))]].concat());
    }
    heading(out, title);
    table.write(out, columns);
}

fn classes(out: &mut String, report: &AnalysisReport, columns: usize, rows: usize) {
    if report.classes.is_empty() {
        return;
    }
    let mut table = Table::new(&["instances", "shallow", "retained", "share", "class"]);
    for class in report.classes.iter().take(rows) {
        let loader = class.loader.as_ref().filter(|loader| !is_built_in(loader));
        let loader = loader.map(|loader| format!(" (loader {loader})"));
        table.row(vec![
            units::count(class.instance_count),
            units::bytes(class.shallow_bytes as f64),
            units::bytes(class.retained_together_bytes.unwrap_or(class.retained_bytes) as f64),
            units::percent(class.share),
            format!("{}{}", class.class, loader.unwrap_or_default()),
        ]);
    }
    heading(out, "Classes");
    table.write(out, columns);
    let more = report.class_count.saturating_sub(rows.min(report.classes.len()));
    if more > 0 {
        line(out, &format!("and {} more", units::count(more as u64)));
    }
}
