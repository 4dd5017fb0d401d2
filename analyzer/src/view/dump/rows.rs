//! Tables of fitted cells: numbers at the right, names at the left, one name column that takes what is left.

use super::held::fit_place;
use crate::view::names::{cut, pad_left, pad_right, width};
pub(super) use crate::view::plain::line;
use std::fmt::Write;

/// Blanks between two columns.
const GAP: &str = "  ";

/// A table in the making. All columns but the last are numbers.
#[derive(Debug)]
pub(super) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(headings: &[&'static str]) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Writes it into so many columns.
    pub(super) fn write(&self, out: &mut String, columns: usize) {
        let numbers = self.headings.len() - 1;
        let widest = |at: usize| self.rows.iter().map(|row| width(&row[at])).max().unwrap_or(0);
        let widths: Vec<usize> = (0..numbers).map(|at| widest(at).max(width(self.headings[at]))).collect();
        let taken: usize = widths.iter().map(|width| width + GAP.len()).sum();
        let room = columns.saturating_sub(taken);
        let write = |out: &mut String, cells: &[&str], name: &str| {
            for (cell, &width) in cells.iter().zip(&widths) {
                let _ = write!(out, "{}{GAP}", pad_left(cell, width));
            }
            line(out, name);
        };
        write(out, &self.headings[..numbers], self.headings[numbers]);
        let rules: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        write(out, &rules, &"─".repeat(room.min(widest(numbers).max(width(self.headings[numbers])))));
        for row in &self.rows {
            let cells: Vec<&str> = row[..numbers].iter().map(String::as_str).collect();
            write(out, &cells, &fit_place(&row[numbers], room));
        }
    }
}

/// The title of a section, behind an empty line.
pub(super) fn heading(out: &mut String, title: &str) {
    out.push('\n');
    line(out, title);
}

/// One line behind a label, cut where it is too long.
pub(super) fn labelled(out: &mut String, label: &str, text: &str, columns: usize) {
    const LABEL_COLUMNS: usize = 10;
    line(out, &format!("{}{}", pad_right(label, LABEL_COLUMNS), cut(text, columns.saturating_sub(LABEL_COLUMNS))));
}

/// A sentence over as many lines as it needs.
pub(super) fn wrapped(out: &mut String, text: &str, columns: usize) {
    let mut current = String::new();
    for word in text.split(' ') {
        if !current.is_empty() && width(&current) + 1 + width(word) > columns {
            line(out, &current);
            current.clear();
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    line(out, &current);
}
