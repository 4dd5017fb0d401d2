//! The log of the tracking: the last visits and changes of sample biases, below the table as in LeakBot's Figure 5.

use crate::report::Report;
use crate::view::log;
use crate::view::names::cut;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

/// Draws the last lines for which there is room, the latest at the bottom.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report) {
    let block = Block::bordered().title(" Last visits ");
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let lines = log::lines(report);
    let first = lines.len().saturating_sub(usize::from(inner.height));
    let shown = lines[first..].iter().map(|line| Line::raw(cut(line, usize::from(inner.width))));
    frame.render_widget(Paragraph::new(shown.collect::<Vec<_>>()), inner);
}
