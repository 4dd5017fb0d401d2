//! The choice of a window: the heap at each capture as a bar, and two captures to be chosen (AntTracks, Figure 15).

use crate::report::Report;
use crate::report::growth::GrowthReport;
use crate::units;
use crate::view::names::{cut, pad_left, pad_right, width};
use crate::view::structures::growth::{bar, signed_bytes};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

/// Columns of the longest bar.
const BAR: usize = 30;

/// The state of the choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choosing {
    row: usize,
    /// The beginning, once it is chosen.
    from: Option<usize>,
}

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Another row, or the beginning, is chosen.
    Moved,
    /// Both ends are chosen; the first is before the second.
    Chosen(usize, usize),
    /// The end is the beginning.
    Same,
    /// The key means nothing here.
    None,
}

impl Choosing {
    /// Reacts to a key, with this number of captures.
    pub(super) fn press(&mut self, code: KeyCode, count: usize) -> Step {
        let last = count.saturating_sub(1);
        self.row = match code {
            KeyCode::Down | KeyCode::Char('j') => self.row + 1,
            KeyCode::Up | KeyCode::Char('k') => self.row.saturating_sub(1),
            KeyCode::Home | KeyCode::Char('g') => 0,
            KeyCode::End | KeyCode::Char('G') => last,
            KeyCode::Enter => return self.enter(last),
            _ => return Step::None,
        }
        .min(last);
        Step::Moved
    }

    fn enter(&mut self, last: usize) -> Step {
        let row = self.row.min(last);
        match self.from {
            None => {
                self.from = Some(row);
                Step::Moved
            }
            Some(from) if from == row => Step::Same,
            Some(from) => Step::Chosen(from.min(row), from.max(row)),
        }
    }
}

/// Draws the captures, with the window that is compared now.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, report: &Report, choosing: Choosing) {
    let next = if choosing.from.is_some() { "Enter: end here" } else { "Enter: begin here" };
    let title = format!(" Window ({next}, w: first to latest, Esc: back, ↑↓: move) ");
    let block = Block::bordered().title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let Some(growth) = &report.structures else {
        return frame.render_widget(Paragraph::new("There are no two captures yet."), inner);
    };
    let room = usize::from(inner.height).max(1);
    let row = choosing.row.min(growth.states.len().saturating_sub(1));
    let first = (row + 1).saturating_sub(room);
    let lines = lines(growth, choosing).into_iter().enumerate().skip(first).map(|(at, line)| {
        let style = if at == row { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        let mark = if at == row { "› " } else { "  " };
        Line::styled(cut(&format!("{mark}{line}"), usize::from(inner.width)), style)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), inner);
}

/// `2  capture after 25 s  318 MB  +8 MB  ██████████  end`.
fn lines(growth: &GrowthReport, choosing: Choosing) -> Vec<String> {
    let most = growth.states.iter().map(|state| state.heap.bytes).max().unwrap_or(0).max(1);
    let names = growth.states.iter().map(|state| width(&state.name)).max().unwrap_or(0);
    let mut before = None;
    let line = |(at, state): (usize, &crate::report::growth::State)| {
        let bytes = state.heap.bytes;
        let grown = before.replace(bytes).map(|before: u64| signed_bytes(bytes as i64 - before as i64));
        let percent = bytes as f64 / most as f64 * 100.0;
        format!(
            "{}  {}  {}  {}  {}  {}",
            pad_left(&(at + 1).to_string(), 2),
            pad_right(&state.name, names),
            pad_left(&units::bytes(bytes as f64), 7),
            pad_left(&grown.unwrap_or_default(), 8),
            pad_right(&bar(percent, BAR), BAR),
            end(growth, choosing, at)
        )
    };
    growth.states.iter().enumerate().map(line).collect()
}

/// The meaning of a capture for the window.
fn end(growth: &GrowthReport, choosing: Choosing, at: usize) -> &'static str {
    match choosing.from {
        Some(from) if from == at => "begins here",
        None if at == growth.window.from_state => "beginning",
        None if at == growth.window.to_state => "end",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_enter_begins_the_window_and_the_second_ends_it() {
        let mut choosing = Choosing::default();
        assert_eq!(choosing.press(KeyCode::Down, 3), Step::Moved);
        assert_eq!(choosing.press(KeyCode::Enter, 3), Step::Moved);
        assert_eq!(choosing.press(KeyCode::Enter, 3), Step::Same);
        assert_eq!(choosing.press(KeyCode::End, 3), Step::Moved);
        assert_eq!(choosing.press(KeyCode::Enter, 3), Step::Chosen(1, 2));
    }

    #[test]
    fn ends_that_are_chosen_backwards_are_turned() {
        let mut choosing = Choosing::default();
        for code in [KeyCode::End, KeyCode::Enter, KeyCode::Home] {
            choosing.press(code, 4);
        }
        assert_eq!(choosing.press(KeyCode::Enter, 4), Step::Chosen(0, 3));
        assert_eq!(choosing.press(KeyCode::Tab, 4), Step::None);
    }
}
