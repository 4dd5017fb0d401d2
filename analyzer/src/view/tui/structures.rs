//! The growth of data structures in place of the table: the text of the report, with its bars, as far as there is room.

use crate::report::Report;
use crate::view::names::cut;
use crate::view::structures::growth;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

/// Draws the lines from `first` on; the last page stays full.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report, first: usize) {
    let block = Block::bordered().title(" Data structures (s: back, w: window, ↑↓: move) ");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let text = match &report.structures {
        Some(growth) => growth::live_text(report, growth, usize::from(inner.width)),
        None => "Nothing is compared yet: start with --growth, and wait for the second capture.".to_owned(),
    };
    let lines: Vec<&str> = text.lines().collect();
    let first = first.min(lines.len().saturating_sub(usize::from(inner.height)));
    let shown = lines[first..].iter().map(|line| Line::raw(cut(line, usize::from(inner.width))));
    frame.render_widget(Paragraph::new(shown.collect::<Vec<_>>()), inner);
}
