//! The report as plain text: for pipes, files, and the final output on a terminal. Writes no control sequence and cuts
//! nothing: on a terminal sentences and names go on in the next line.

use crate::report::trace::{TraceLine, marks};
use crate::report::{Region, Report};
use crate::view::columns::{Column, Fit, GAP_COLUMNS, Grid, grid, parts_left_out, rows};
use crate::view::headline::{self, Line};
use crate::view::look::{Look, Width};
use crate::view::names::{pad_left, pad_right, wrap};
use crate::view::plain::line;
use crate::view::{candidates, paths, receipts, sites, structures, trace, verdict};

/// Rows of the table; ranks below are far from any leak.
const ROWS: usize = 30;

/// Maximum of leak traces.
const PATHS: usize = 5;

/// Maximum of listed regions with a bound that the table does not show.
const BOUNDS: usize = 5;

/// Width of the labels above the table.
const LABEL_COLUMNS: usize = 10;

/// Indentation of the lines of one leak.
const INDENT: usize = 4;

/// The whole report: the answer, the table, the leak traces of the first growers, facts that the trends do not show,
/// the costs, and the problems.
#[must_use]
pub fn final_table(report: &Report, width: Width, look: Look) -> String {
    let mut out = String::new();
    let columns = width.columns();
    sentence(&mut out, 0, &verdict::text(report), columns);
    verdict::way(report).iter().for_each(|way| sentence(&mut out, 0, way, columns));
    out.push('\n');
    labelled(&mut out, &headline::lines(report), columns);
    let regions = rows(report, look.columns);
    trend_table(&mut out, &regions, columns, look);
    parts_left_out(report, look.columns).iter().for_each(|text| sentence(&mut out, 0, text, columns));
    let grows = |region: &Region| region.is_grower() || region.trend.is_none() && region.has_more();
    for (place, region) in regions.iter().enumerate().filter(|(_, region)| grows(region)).take(PATHS) {
        leak_trace(&mut out, place + 1, region, columns);
        let structure = structures::region::sentence(report, region);
        structure.iter().for_each(|text| sentence(&mut out, INDENT, text, columns));
    }
    bounds(&mut out, &report.regions, columns);
    out.push_str(&candidates::section(report, columns));
    if let Some(growth) = &report.structures {
        out.push_str(&structures::growth::section(report, growth, width));
    }
    cost(&mut out, report, columns, look);
    problems(&mut out, report, columns);
    out
}

/// A sentence, indented, over as many lines as needed.
fn sentence(out: &mut String, indent: usize, text: &str, columns: usize) {
    let blanks = " ".repeat(indent);
    for text in wrap(text, columns.saturating_sub(indent)) {
        line(out, &format!("{blanks}{text}"));
    }
}

fn labelled(out: &mut String, lines: &[Line], columns: usize) {
    for Line { label, text } in lines {
        for (at, text) in wrap(text, columns.saturating_sub(LABEL_COLUMNS)).iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            line(out, &format!("{}{text}", pad_right(label, LABEL_COLUMNS)));
        }
    }
}

fn trend_table(out: &mut String, regions: &[&Region], columns: usize, look: Look) {
    if regions.is_empty() {
        return;
    }
    let shown = &regions[..regions.len().min(ROWS)];
    let grid = grid(shown, columns, look.columns, Fit::Whole);
    out.push('\n');
    row(out, &grid, &grid.headings);
    let rule: Vec<String> = grid.widths.iter().map(|&width| "─".repeat(width)).collect();
    row(out, &grid, &rule);
    for cells in &grid.rows {
        row(out, &grid, cells);
    }
    if shown.len() < regions.len() {
        sentence(out, 0, &format!("and {} more of lower rank", regions.len() - shown.len()), columns);
    }
}

/// One row, as high as its highest cell.
fn row(out: &mut String, grid: &Grid, cells: &[String]) {
    let cells: Vec<Vec<String>> = cells.iter().zip(&grid.widths).map(|(cell, &width)| broken(cell, width)).collect();
    for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
        let fitted = cells
            .iter()
            .zip(&grid.columns)
            .zip(&grid.widths)
            .map(|((cell, &column), &width)| aligned(cell.get(at).map_or("", String::as_str), column, width));
        line(out, &fitted.collect::<Vec<_>>().join(&" ".repeat(GAP_COLUMNS)));
    }
}

/// Lines of a name, which goes on below its own beginning, behind the mark.
fn broken(cell: &str, columns: usize) -> Vec<String> {
    let text = cell.trim_start_matches(['▲', ' ']);
    let mark = &cell[..cell.len() - text.len()];
    let indent = mark.chars().count();
    let lines = wrap(text, columns.saturating_sub(indent)).into_iter().enumerate();
    lines
        .map(|(at, text)| if at == 0 { format!("{mark}{text}") } else { format!("{}{text}", " ".repeat(indent)) })
        .collect()
}

fn aligned(cell: &str, column: Column, columns: usize) -> String {
    if column.is_number() { pad_left(cell, columns) } else { pad_right(cell, columns) }
}

fn leak_trace(out: &mut String, place: usize, region: &Region, columns: usize) {
    out.push('\n');
    sentence(out, 0, &format!("#{place}  {}", verdict::gain(region)), columns);
    let growth = paths::growth(region);
    if !growth.is_empty() {
        sentence(out, INDENT, &growth, columns);
    }
    let indent = " ".repeat(INDENT);
    let lines = trace::shown(&region.route);
    for (at, TraceLine { text, marked }) in lines.iter().enumerate() {
        let is_last = at + 1 == lines.len();
        let note = if is_last { format!("   ← {}", paths::what_comes(region)) } else { String::new() };
        // Underlined text must stay above its underline, so a line of the trace is not broken.
        line(out, &format!("{indent}{text}{note}"));
        if let Some((from, to)) = *marked {
            line(out, &format!("{indent}{}{}", " ".repeat(from), marks(to - from)));
        }
    }
    for text in sites::lines(region) {
        line(out, &format!("{indent}{text}"));
    }
    line(out, &format!("{indent}fingerprint {}", region.fingerprint));
}

/// Reasons why regions that became larger are no growers.
fn bounds(out: &mut String, regions: &[Region], columns: usize) {
    let bounded = regions.iter().filter(|region| !region.is_grower());
    let notes = bounded.filter_map(|region| Some((region, region.note.as_ref()?)));
    for (at, (region, note)) in notes.take(BOUNDS).enumerate() {
        if at == 0 {
            out.push('\n');
        }
        sentence(out, 0, &format!("Not a leak: {} {note}", paths::title(region)), columns);
    }
}

/// The costs, in one line or in full.
fn cost(out: &mut String, report: &Report, columns: usize, look: Look) {
    let Some(sum) = receipts::cost(report) else { return };
    let hint = if look.receipts { "" } else { " · details: --receipts" };
    out.push('\n');
    labelled(out, &[Line { label: "Cost", text: format!("{sum}{hint}") }], columns);
    if look.receipts {
        labelled(out, &receipts::lines(report), columns);
    }
}

fn problems(out: &mut String, report: &Report, columns: usize) {
    if report.problems.is_empty() {
        return;
    }
    out.push('\n');
    for problem in &report.problems {
        sentence(out, 0, &format!("Note: {problem}"), columns);
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
