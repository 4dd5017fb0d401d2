//! Tabs of JVMs: one line at the top names them all, Tab and the number keys choose the JVM whose report is below. Each
//! JVM keeps its own selection. A single JVM has the whole screen, as if there were no tabs.

use crate::view::names::{cut, fit_class, width};
use crate::view::several::{self, Seen, Tally};
use crate::view::tui::screen::{self, Setup};
use crate::view::tui::state::{Reaction, State};
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use std::collections::BTreeMap;

/// Longest name of a program in its tab.
const NAME_COLUMNS: usize = 24;

/// Separator of two tabs.
const GAP: &str = "  ";

/// State over all JVMs that keys change.
#[derive(Clone, Debug, Default)]
pub struct Tabs {
    /// The JVM that the user chose, by its number; the first while there is no choice.
    chosen: Option<u32>,
    states: BTreeMap<u32, State>,
    setup: Setup,
}

impl Tabs {
    /// Creates tabs without a choice.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { setup, ..Self::default() }
    }

    /// Index of the shown JVM in `seen`.
    #[must_use]
    pub fn shown(&self, seen: &[Seen]) -> usize {
        self.chosen.and_then(|number| seen.iter().position(|jvm| jvm.number == number)).unwrap_or(0)
    }

    /// Shows a text in the last line of the JVM with this number, until the next key.
    pub fn notify(&mut self, number: u32, text: String) {
        self.states.entry(number).or_default().notify(text);
    }

    /// Reacts to a key.
    pub fn press(&mut self, key: KeyEvent, seen: &[Seen]) -> Reaction {
        let shown = self.shown(seen);
        let Some(jvm) = seen.get(shown) else { return State::default().press(key, &[]) };
        if let Some(next) = (key.kind != KeyEventKind::Release).then(|| target(key.code, shown, seen.len())).flatten() {
            self.chosen = Some(seen[next].number);
            return Reaction::Redraw;
        }
        let fingerprints = screen::fingerprints(&jvm.report, self.setup.look);
        let state = self.states.entry(jvm.number).or_default();
        state.note_captures(jvm.report.structures.as_ref().map_or(0, |growth| growth.states.len()));
        state.press(key, &fingerprints)
    }

    /// Draws the tabs, and the chosen JVM's report below.
    pub fn draw(&mut self, frame: &mut Frame<'_>, seen: &[Seen], tally: Tally) {
        self.states.retain(|number, _| seen.iter().any(|jvm| jvm.number == *number));
        let shown = self.shown(seen);
        let Some(jvm) = seen.get(shown) else { return };
        let bar_rows = u16::from(tally.is_several());
        let [bar, rest] = frame.area().layout(&Layout::vertical([Constraint::Length(bar_rows), Constraint::Fill(1)]));
        if bar_rows > 0 {
            frame.render_widget(bar_line(seen, shown, tally, usize::from(bar.width)), bar);
        }
        let state = self.states.get(&jvm.number).cloned().unwrap_or_default();
        screen::draw(frame, rest, &jvm.report, &state, self.setup);
    }
}

/// Tab to which a key leads among `count` tabs; `None` when it leads to no other.
fn target(key: KeyCode, shown: usize, count: usize) -> Option<usize> {
    let to = match key {
        KeyCode::Tab | KeyCode::Right => (shown + 1) % count,
        KeyCode::BackTab | KeyCode::Left => (shown + count - 1) % count,
        KeyCode::Char(digit @ '1'..='9') => digit.to_digit(10)? as usize - 1,
        _ => return None,
    };
    (to < count && to != shown).then_some(to)
}

/// `3 JVMs watched, 1 ended · Tab next   1 4711 Shop  2 4712 Stock  …`, starting at the first tab with which the chosen
/// one fits.
fn bar_line(seen: &[Seen], shown: usize, tally: Tally, columns: usize) -> Line<'static> {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let head = cut(&format!("{} · Tab next{GAP}", tally.text()), columns);
    let room = columns.saturating_sub(width(&head));
    let labels: Vec<String> = seen.iter().enumerate().map(|(at, jvm)| label(at, jvm)).collect();
    let mut spans = vec![Span::styled(head, dim)];
    for at in first_label(&labels, shown, room)..seen.len() {
        let style = if at == shown { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        spans.push(Span::styled(labels[at].clone(), verdict_style(&seen[at], style)));
        spans.push(Span::raw(GAP));
    }
    Line::from(spans)
}

/// The first label to show, so that the one of the chosen JVM is on the screen.
fn first_label(labels: &[String], shown: usize, room: usize) -> usize {
    let mut used = 0;
    let fits = labels[..=shown].iter().rev().take_while(|label| {
        used += width(label) + GAP.len();
        used <= room
    });
    (shown + 1).saturating_sub(fits.count().max(1))
}

/// ` 2 4712 Stock ↑ `: the key of the tab, the process, its program, and whether a structure grows there.
fn label(at: usize, jvm: &Seen) -> String {
    let pid = jvm.report.jvm.as_ref().map_or_else(String::new, |known| format!(" {}", known.pid));
    let name = program(several::main(&jvm.report));
    let grows = if jvm.report.verdict.leaking == Some(true) { " ↑" } else { "" };
    let over = if jvm.is_over { " (ended)" } else { "" };
    format!(" {}{pid} {name}{grows}{over} ", at + 1)
}

/// A class as far as it fits; a jar by its file name.
fn program(main: &str) -> String {
    match main.rsplit_once('/') {
        _ if !main.ends_with(".jar") => fit_class(main, NAME_COLUMNS),
        Some((_, file)) => cut(file, NAME_COLUMNS),
        None => cut(main, NAME_COLUMNS),
    }
}

fn verdict_style(jvm: &Seen, style: Style) -> Style {
    match jvm.report.verdict.leaking {
        Some(true) => style.fg(Color::Red),
        Some(false) => style.fg(Color::Green),
        None => style,
    }
}

#[cfg(test)]
#[path = "tabs_tests.rs"]
mod tests;
