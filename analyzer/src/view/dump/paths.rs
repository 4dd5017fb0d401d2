//! Ways from GC roots to objects, for people.

use super::analysis::head;
use super::held::{marked_way_lines, way_lines};
use super::rows::{labelled, line, wrapped};
use crate::report::dump::{PathsReport, WayLine};
use crate::units;

/// The whole text.
#[must_use]
pub fn text(report: &PathsReport, columns: usize) -> String {
    let mut out = String::new();
    wrapped(&mut out, &sentence(report), columns);
    out.push('\n');
    head(&mut out, &report.dump, columns);
    if !report.avoid.is_empty() {
        labelled(&mut out, "Avoided", &report.avoid.join(", "), columns);
    }
    for (at, way) in report.ways.iter().enumerate() {
        out.push('\n');
        way_text(&mut out, at + 1, way, report.object_count > 1, columns);
    }
    let more = report.way_count.saturating_sub(report.ways.len() as u64);
    if more > 0 {
        out.push('\n');
        let kind = if report.object_count > 1 { "kinds of way" } else { "ways" };
        line(&mut out, &format!("and {} more {kind}", units::count(more)));
    }
    out
}

/// The ways alone, for programs: one reference a line, with the planned marks of the objects, an empty line between two
/// ways, and at the end how many more there are.
#[must_use]
pub fn lines(report: &PathsReport) -> String {
    let mut ways: Vec<String> = report.ways.iter().map(|way| marked_way_lines(&way.root_path).join("\n")).collect();
    let more = report.way_count.saturating_sub(report.ways.len() as u64);
    if more > 0 {
        ways.push(format!("and {} more {}", units::count(more), if more == 1 { "way" } else { "ways" }));
    }
    let mut out = String::new();
    ways.join("\n\n").lines().for_each(|text| line(&mut out, text));
    out
}

fn sentence(report: &PathsReport) -> String {
    let past = if report.avoid.is_empty() { "" } else { " past what is avoided" };
    match (report.object_count, report.reached_count) {
        (1, 0) => format!("no GC root reaches {}{past}: the collector takes it", report.to),
        (1, _) => format!("{} is kept: {}", report.to, units::counted(report.way_count, "way")),
        (count, 0) => {
            format!("no GC root reaches any of {}{past}: {}", report.to, units::counted(count, "object"))
        }
        (count, reached) => {
            let kinds = match report.way_count {
                1 => "one kind of way".to_owned(),
                ways => format!("{} kinds of way", units::count(ways)),
            };
            let bytes = units::bytes(report.reached_bytes as f64);
            let (reached, count) = (units::count(reached), units::counted(count, "object"));
            format!("{}: GC roots reach {reached} of {count} ({bytes}){past}, by {kinds}", report.to)
        }
    }
}

fn way_text(out: &mut String, number: usize, way: &WayLine, is_counted: bool, columns: usize) {
    let title = match (is_counted, way.object_count) {
        (false, _) => format!("#{number}"),
        (true, count) => {
            let objects = units::counted(count, "object");
            format!("#{number}  {objects}, {} of their own", units::bytes(way.bytes as f64))
        }
    };
    line(out, &title);
    for (at, text) in way_lines(&way.root_path).iter().enumerate() {
        let indent = if at == 0 { "    " } else { "      " };
        wrapped(out, &format!("{indent}{text}"), columns);
    }
    if let Some(id) = way.root_path.steps.last().and_then(|step| step.id.as_ref()) {
        let what = if is_counted { "for instance " } else { "" };
        line(out, &format!("      ({what}{id})"));
    }
}
