//! Tables: numbers at the right, and behind them one column of names, which go on in the next line where there is no
//! room. Nothing is cut.

use crate::view::names::{pad_left, pad_right, width, wrap};
pub(in crate::view) use crate::view::plain::line;

/// Blanks between two columns.
const GAP: &str = "  ";

/// A table under construction. All columns but the last are numbers.
#[derive(Debug)]
pub(in crate::view) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(in crate::view) fn new(headings: &[&'static str]) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new() }
    }

    pub(in crate::view) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes it with at most this number of columns.
    pub(in crate::view) fn write(&self, out: &mut String, columns: usize) {
        let numbers = self.headings.len() - 1;
        let widest = |at: usize| self.rows.iter().map(|row| width(&row[at])).max().unwrap_or(0);
        let widths: Vec<usize> = (0..numbers).map(|at| widest(at).max(width(self.headings[at]))).collect();
        let taken: usize = widths.iter().map(|width| width + GAP.len()).sum();
        let room = columns.saturating_sub(taken);
        let figures = |cells: &[&str]| -> String {
            cells.iter().zip(&widths).map(|(cell, &width)| format!("{}{GAP}", pad_left(cell, width))).collect()
        };
        behind(out, &figures(&self.headings[..numbers]), self.headings[numbers], columns);
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let name = room.min(widest(numbers).max(width(self.headings[numbers])));
        line(out, &format!("{}{}", figures(&rules), "─".repeat(name)));
        for row in &self.rows {
            let cells: Vec<&str> = row[..numbers].iter().map(String::as_str).collect();
            behind(out, &figures(&cells), &row[numbers], columns);
        }
    }
}

/// The title of a section, behind an empty line.
pub(in crate::view) fn heading(out: &mut String, title: &str) {
    out.push('\n');
    line(out, title);
}

/// Text behind a label, over as many lines as needed.
pub(in crate::view) fn labelled(out: &mut String, label: &str, text: &str, columns: usize) {
    const LABEL_COLUMNS: usize = 10;
    for (at, text) in wrap(text, columns.saturating_sub(LABEL_COLUMNS)).iter().enumerate() {
        line(out, &format!("{}{text}", pad_right(if at == 0 { label } else { "" }, LABEL_COLUMNS)));
    }
}

/// A sentence over as many lines as it needs; those behind the first begin below it.
pub(in crate::view) fn wrapped(out: &mut String, text: &str, columns: usize) {
    lines_of(text, columns).iter().for_each(|text| line(out, text));
}

/// Text that keeps its indentation in every line.
fn lines_of(text: &str, columns: usize) -> Vec<String> {
    let unindented = text.trim_start_matches(' ');
    let indent = text.len() - unindented.len();
    let lines = wrap(unindented, columns.saturating_sub(indent)).into_iter();
    lines.map(|text| format!("{}{text}", " ".repeat(indent))).collect()
}

/// Figures, and behind them a name over as many lines as needed.
pub(in crate::view) fn behind(out: &mut String, figures: &str, name: &str, columns: usize) {
    let taken = width(figures);
    for (at, name) in lines_of(name, columns.saturating_sub(taken)).iter().enumerate() {
        let before = if at == 0 { figures.to_owned() } else { " ".repeat(taken) };
        line(out, &format!("{before}{name}"));
    }
}
