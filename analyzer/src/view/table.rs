//! The plain table: for pipes, files and terminals without a live view. Writes no control sequence and never wraps. On a
//! terminal every line fits; in a file only the table is fitted, and every sentence is whole.

use crate::report::trace::{TraceLine, marks};
use crate::report::{Region, Report};
use crate::view::columns::{Column, GAP_COLUMNS, Grid, grid};
use crate::view::names::{cut, pad_left, pad_right};
use crate::view::plain::line;
use crate::view::{headline, paths, sites, trace};

/// Columns of the table where there is no terminal to ask.
const COLUMNS_WITHOUT_TERMINAL: usize = 140;

/// Narrower than this nothing fits any more.
const LEAST_COLUMNS: usize = 30;

/// Rows of an interim table; the whole is for the end.
const INTERIM_ROWS: usize = 10;

/// Rows of the final table; ranks below are far from any leak.
const FINAL_ROWS: usize = 30;

/// Leak traces at the end.
const PATHS: usize = 5;

/// Regions at the end that are bounded by what the table does not show.
const BOUNDS: usize = 5;

/// Width of the labels above the table.
const LABEL_COLUMNS: usize = 10;

/// How much room there is, in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width {
    /// For the table.
    pub table: usize,
    /// For a line of text.
    pub text: usize,
}

impl Width {
    /// A terminal of so many columns.
    #[must_use]
    pub fn of_terminal(columns: usize) -> Self {
        let columns = columns.max(LEAST_COLUMNS);
        Self { table: columns, text: columns }
    }

    /// The terminal that standard output is, or one as wide as the `COLUMNS` variable says; else a file.
    #[must_use]
    pub fn of_output() -> Self {
        let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let terminal = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
        let file = Self { table: COLUMNS_WITHOUT_TERMINAL, text: usize::MAX };
        terminal.filter(|&columns| columns > 0).or(asked).map_or(file, Self::of_terminal)
    }
}

/// What is known so far, for every few seconds.
#[must_use]
pub fn interim_table(report: &Report, width: Width) -> String {
    let mut out = String::new();
    head(&mut out, report, width.text);
    trend_table(&mut out, &report.regions, width.table, INTERIM_ROWS);
    out.push('\n');
    out
}

/// The whole report: the table, the leak traces of the first growers, what the trends do not say, and what went wrong.
#[must_use]
pub fn final_table(report: &Report, width: Width) -> String {
    let mut out = String::new();
    head(&mut out, report, width.text);
    trend_table(&mut out, &report.regions, width.table, FINAL_ROWS);
    let grows = |region: &Region| region.is_grower() || region.trend.is_none() && region.has_more();
    for (place, region) in report.regions.iter().enumerate().filter(|(_, region)| grows(region)).take(PATHS) {
        leak_trace(&mut out, place + 1, region, width.text);
    }
    bounds(&mut out, &report.regions, width.text);
    problems(&mut out, report);
    out
}

fn head(out: &mut String, report: &Report, columns: usize) {
    line(out, &cut(headline::verdict(report), columns));
    for entry in headline::lines(report) {
        let text = cut(&entry.text, columns.saturating_sub(LABEL_COLUMNS));
        line(out, &format!("{}{text}", pad_right(entry.label, LABEL_COLUMNS)));
    }
    if report.dropped_events > 0 {
        let text = format!("{}{} messages of the agent", pad_right("Dropped", LABEL_COLUMNS), report.dropped_events);
        line(out, &cut(&text, columns));
    }
}

fn trend_table(out: &mut String, regions: &[Region], columns: usize, most: usize) {
    if regions.is_empty() {
        return;
    }
    let shown = &regions[..regions.len().min(most)];
    let grid = grid(shown, columns);
    out.push('\n');
    row(out, &grid, &grid.headings);
    let rule: Vec<String> = grid.widths.iter().map(|&width| "─".repeat(width)).collect();
    row(out, &grid, &rule);
    for cells in &grid.rows {
        row(out, &grid, cells);
    }
    if shown.len() < regions.len() {
        line(out, &cut(&format!("and {} more of lower rank", regions.len() - shown.len()), columns));
    }
}

fn row(out: &mut String, grid: &Grid, cells: &[String]) {
    let padded: Vec<String> = grid.columns.iter().zip(&grid.widths).zip(cells).map(pad).collect();
    line(out, &padded.join(&" ".repeat(GAP_COLUMNS)));
}

fn pad(((column, &columns), cell): ((&Column, &usize), &String)) -> String {
    if column.is_number() { pad_left(cell, columns) } else { pad_right(cell, columns) }
}

fn leak_trace(out: &mut String, place: usize, region: &Region, columns: usize) {
    out.push('\n');
    line(out, &cut(&format!("#{place}  {}", paths::title(region)), columns));
    let growth = paths::growth(region);
    if !growth.is_empty() {
        line(out, &cut(&format!("    {growth}"), columns));
    }
    let lines = trace::shown(&region.route);
    for (at, TraceLine { text, marked }) in lines.iter().enumerate() {
        let is_last = at + 1 == lines.len();
        let note = if is_last { format!("   ← {}", paths::what_comes(region)) } else { String::new() };
        line(out, &cut(&format!("    {text}{note}"), columns));
        if let Some((from, to)) = *marked {
            line(out, &cut(&format!("    {}{}", " ".repeat(from), marks(to - from)), columns));
        }
    }
    for text in sites::lines(region) {
        line(out, &cut(&format!("    {text}"), columns));
    }
    line(out, &cut(&format!("    fingerprint {}", region.fingerprint), columns));
}

/// Why regions that became larger are no growers.
fn bounds(out: &mut String, regions: &[Region], columns: usize) {
    let bounded = regions.iter().filter(|region| !region.is_grower());
    let notes = bounded.filter_map(|region| Some((region, region.note.as_ref()?)));
    for (at, (region, note)) in notes.take(BOUNDS).enumerate() {
        if at == 0 {
            out.push('\n');
        }
        line(out, &cut(&format!("No grower: {} {note}", paths::title(region)), columns));
    }
}

fn problems(out: &mut String, report: &Report) {
    if report.problems.is_empty() {
        return;
    }
    out.push('\n');
    for problem in &report.problems {
        line(out, &format!("Note: {problem}"));
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
