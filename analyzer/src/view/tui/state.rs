//! State that keys change: the selected row, and whether its details, the log or the data structures are shown.

use super::window::{Choosing, Step};
use crate::report::Fingerprint;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Rows that Page Up and Page Down move.
const PAGE_ROWS: usize = 10;

/// Request of a key to the program around the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Draw again.
    Redraw,
    /// Nothing changed.
    Nothing,
    /// Leave with a report.
    Leave,
    /// Take the first snapshot now.
    Mark,
    /// Take the second snapshot now.
    Capture,
    /// Compare these two captures; `None`: the first and the latest.
    Window(Option<(usize, usize)>),
}

/// The selection. A row is remembered by its region's fingerprint, because ranks change and rows move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    selected: Option<Fingerprint>,
    open: bool,
    log: bool,
    notice: Option<String>,
    structures: bool,
    /// First line of the structures that is shown.
    scrolled: usize,
    /// The choice of the window in place of the structures.
    choosing: Option<Choosing>,
    /// Number of captures to choose from.
    captures: usize,
}

impl State {
    /// Index of the selected row among `fingerprints`; the first when the selected region is gone.
    #[must_use]
    pub fn row(&self, fingerprints: &[Fingerprint]) -> Option<usize> {
        let found = self.selected.and_then(|wanted| fingerprints.iter().position(|&have| have == wanted));
        found.or(if fingerprints.is_empty() { None } else { Some(0) })
    }

    /// Whether the selected row's details are open.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the log of the tracking is shown.
    #[must_use]
    pub fn shows_log(&self) -> bool {
        self.log
    }

    /// The answer to the latest request of a snapshot.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Shows a text until the next key.
    pub fn notify(&mut self, text: String) {
        self.notice = Some(text);
    }

    /// The first line of the data structures to show, if they are shown in place of the table.
    #[must_use]
    pub fn structures_from(&self) -> Option<usize> {
        self.structures.then_some(self.scrolled)
    }

    /// The choice of the window, while it is shown in place of the structures.
    #[must_use]
    pub fn choosing(&self) -> Option<Choosing> {
        self.choosing.filter(|_| self.structures)
    }

    /// Notes how many captures there are to choose from.
    pub fn note_captures(&mut self, count: usize) {
        self.captures = count;
    }

    /// Reacts to a key.
    pub fn press(&mut self, key: KeyEvent, fingerprints: &[Fingerprint]) -> Reaction {
        if key.kind == KeyEventKind::Release {
            return Reaction::Nothing;
        }
        let had_notice = self.notice.take().is_some();
        let leaves = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            _ if leaves => return Reaction::Leave,
            KeyCode::Char('q') => return Reaction::Leave,
            KeyCode::Char('m') => return self.ask(Reaction::Mark, "taking the first snapshot"),
            KeyCode::Char('c') => return self.ask(Reaction::Capture, "taking the second snapshot"),
            KeyCode::Esc if self.choosing().is_some() => self.choosing = None,
            KeyCode::Char('w') if self.structures => return self.window(),
            _ if self.choosing().is_some() => return self.choose(key.code),
            KeyCode::Enter => self.open = !self.open && !fingerprints.is_empty(),
            KeyCode::Esc => (self.open, self.log, self.structures) = (false, false, false),
            KeyCode::Char('s') => (self.structures, self.scrolled) = (!self.structures, 0),
            _ if self.structures && self.scroll(key.code) => {}
            KeyCode::Char('l') => self.log = !self.log,
            KeyCode::Down | KeyCode::Char('j') => self.step(fingerprints, |row| row + 1),
            KeyCode::Up | KeyCode::Char('k') => self.step(fingerprints, |row| row.saturating_sub(1)),
            KeyCode::PageDown => self.step(fingerprints, |row| row + PAGE_ROWS),
            KeyCode::PageUp => self.step(fingerprints, |row| row.saturating_sub(PAGE_ROWS)),
            KeyCode::Home | KeyCode::Char('g') => self.step(fingerprints, |_| 0),
            KeyCode::End | KeyCode::Char('G') => self.step(fingerprints, |_| usize::MAX),
            _ if had_notice => {}
            _ => return Reaction::Nothing,
        }
        Reaction::Redraw
    }

    fn ask(&mut self, reaction: Reaction, text: &str) -> Reaction {
        self.notify(text.to_owned());
        reaction
    }

    /// Begins the choice of the window; the second time the first capture and the latest are compared again.
    fn window(&mut self) -> Reaction {
        match self.choosing.take() {
            Some(_) => Reaction::Window(None),
            None if self.captures < 2 => self.ask(Reaction::Redraw, "there are no two captures to choose from yet"),
            None => {
                self.choosing = Some(Choosing::default());
                Reaction::Redraw
            }
        }
    }

    fn choose(&mut self, code: KeyCode) -> Reaction {
        let step = self.choosing.as_mut().map_or(Step::None, |choosing| choosing.press(code, self.captures));
        match step {
            Step::Moved => Reaction::Redraw,
            Step::None if code == KeyCode::Char('s') => {
                (self.choosing, self.structures) = (None, false);
                Reaction::Redraw
            }
            Step::None => Reaction::Nothing,
            Step::Same => self.ask(Reaction::Redraw, "the window must end at another capture than it begins"),
            Step::Chosen(from, to) => {
                (self.choosing, self.scrolled) = (None, 0);
                Reaction::Window(Some((from, to)))
            }
        }
    }

    /// Moves the text of the structures; returns whether the key does that.
    fn scroll(&mut self, code: KeyCode) -> bool {
        self.scrolled = match code {
            KeyCode::Down | KeyCode::Char('j') => self.scrolled + 1,
            KeyCode::Up | KeyCode::Char('k') => self.scrolled.saturating_sub(1),
            KeyCode::PageDown => self.scrolled + PAGE_ROWS,
            KeyCode::PageUp => self.scrolled.saturating_sub(PAGE_ROWS),
            KeyCode::Home | KeyCode::Char('g') => 0,
            _ => return false,
        };
        true
    }

    fn step(&mut self, fingerprints: &[Fingerprint], to: impl Fn(usize) -> usize) {
        let Some(row) = self.row(fingerprints) else { return };
        let row = to(row).min(fingerprints.len() - 1);
        self.selected = Some(fingerprints[row]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Fingerprint = Fingerprint(1);
    const B: Fingerprint = Fingerprint(2);
    const C: Fingerprint = Fingerprint(3);

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn the_selection_stays_with_its_region_when_ranks_change() {
        let mut state = State::default();
        assert_eq!(state.press(key(KeyCode::Char('j')), &[A, B, C]), Reaction::Redraw);
        assert_eq!(state.row(&[A, B, C]), Some(1));
        assert_eq!(state.row(&[B, C, A]), Some(0));
        assert_eq!(state.row(&[C, A]), Some(0));
    }

    #[test]
    fn the_selection_stops_at_both_ends() {
        let mut state = State::default();
        for code in [KeyCode::Up, KeyCode::PageUp, KeyCode::Home] {
            state.press(key(code), &[A, B]);
            assert_eq!(state.row(&[A, B]), Some(0));
        }
        for code in [KeyCode::End, KeyCode::Down, KeyCode::PageDown] {
            state.press(key(code), &[A, B]);
            assert_eq!(state.row(&[A, B]), Some(1));
        }
        assert_eq!(state.row(&[]), None);
    }

    #[test]
    fn enter_opens_and_closes_and_escape_closes() {
        let mut state = State::default();
        state.press(key(KeyCode::Enter), &[]);
        assert!(!state.is_open());
        state.press(key(KeyCode::Enter), &[A]);
        assert!(state.is_open());
        state.press(key(KeyCode::Esc), &[A]);
        assert!(!state.is_open());
    }

    #[test]
    fn l_shows_and_hides_the_log_and_escape_hides_it() {
        let mut state = State::default();
        state.press(key(KeyCode::Char('l')), &[]);
        assert!(state.shows_log());
        state.press(key(KeyCode::Char('l')), &[]);
        assert!(!state.shows_log());
        state.press(key(KeyCode::Char('l')), &[]);
        state.press(key(KeyCode::Esc), &[]);
        assert!(!state.shows_log());
    }

    #[test]
    fn s_shows_the_structures_which_the_arrows_move() {
        let mut state = State::default();
        assert_eq!(state.structures_from(), None);
        state.press(key(KeyCode::Char('s')), &[A, B]);
        assert_eq!(state.structures_from(), Some(0));
        state.press(key(KeyCode::Down), &[A, B]);
        state.press(key(KeyCode::PageDown), &[A, B]);
        assert_eq!((state.structures_from(), state.row(&[A, B])), (Some(11), Some(0)), "the selection stays");
        state.press(key(KeyCode::Up), &[A, B]);
        assert_eq!(state.structures_from(), Some(10));
        state.press(key(KeyCode::Esc), &[A, B]);
        assert_eq!(state.structures_from(), None);
    }

    #[test]
    fn w_chooses_the_window_within_the_structures_alone() {
        let mut state = State::default();
        state.note_captures(3);
        assert_eq!(state.press(key(KeyCode::Char('w')), &[A]), Reaction::Nothing, "the table has no window");
        state.press(key(KeyCode::Char('s')), &[A]);
        state.press(key(KeyCode::Char('w')), &[A]);
        assert!(state.choosing().is_some());
        for code in [KeyCode::Down, KeyCode::Enter, KeyCode::Down] {
            assert_eq!(state.press(key(code), &[A]), Reaction::Redraw);
        }
        assert_eq!(state.press(key(KeyCode::Enter), &[A]), Reaction::Window(Some((1, 2))));
        assert_eq!((state.choosing(), state.structures_from()), (None, Some(0)));
        state.press(key(KeyCode::Char('w')), &[A]);
        assert_eq!(state.press(key(KeyCode::Char('w')), &[A]), Reaction::Window(None), "back to the whole");
        state.press(key(KeyCode::Char('w')), &[A]);
        state.press(key(KeyCode::Esc), &[A]);
        assert_eq!((state.choosing(), state.structures_from()), (None, Some(0)), "one step back");
    }

    #[test]
    fn without_two_captures_there_is_no_window_to_choose() {
        let mut state = State::default();
        state.press(key(KeyCode::Char('s')), &[]);
        assert_eq!(state.press(key(KeyCode::Char('w')), &[]), Reaction::Redraw);
        assert!(state.choosing().is_none() && state.notice().is_some());
    }

    #[test]
    fn q_and_control_c_leave_while_c_alone_asks_for_a_capture() {
        let mut state = State::default();
        assert_eq!(state.press(key(KeyCode::Char('q')), &[]), Reaction::Leave);
        let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(state.press(control_c, &[]), Reaction::Leave);
        assert_eq!(state.press(key(KeyCode::Char('c')), &[]), Reaction::Capture);
    }

    #[test]
    fn the_answer_to_a_request_stays_until_the_next_key() {
        let mut state = State::default();
        assert_eq!(state.press(key(KeyCode::Char('m')), &[]), Reaction::Mark);
        assert_eq!(state.notice(), Some("taking the first snapshot"));
        state.notify("marked 8,000 objects".to_owned());
        assert_eq!(state.press(key(KeyCode::Char('x')), &[]), Reaction::Redraw);
        assert_eq!(state.notice(), None);
        assert_eq!(state.press(key(KeyCode::Char('x')), &[]), Reaction::Nothing);
    }
}
