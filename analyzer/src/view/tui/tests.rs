//! The screen of the sample reports, reviewed and approved by hand, and terminals too small for it.

use super::*;
use crate::report::Report;
use crate::report::growth::{GrowthReport, Size, State as Capture, Window};
use crate::report::samples::{figure_5, healthy, waiting};
use crate::view::columns::ColumnSet;
use crate::view::look::Look;
use crate::view::verdict;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

fn screen(report: &Report, keys: &[KeyCode], columns: u16, rows: u16) -> String {
    screen_of(Look::default(), report, keys, columns, rows)
}

fn screen_of(look: Look, report: &Report, keys: &[KeyCode], columns: u16, rows: u16) -> String {
    let setup = Setup { look, leaving: "stop the program" };
    let fingerprints = screen::fingerprints(report, look);
    let mut state = State::default();
    state.note_captures(report.structures.as_ref().map_or(0, |growth| growth.states.len()));
    for &code in keys {
        state.press(KeyEvent::new(code, KeyModifiers::NONE), &fingerprints);
    }
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(frame, frame.area(), report, &state, setup)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn figure_5_live() {
    insta::assert_snapshot!(screen(&figure_5(), &[KeyCode::Down], 120, 20));
}

#[test]
fn the_first_row_opened() {
    insta::assert_snapshot!(screen(&figure_5(), &[KeyCode::Enter], 140, 34));
}

#[test]
fn the_first_row_opened_on_80_columns() {
    insta::assert_snapshot!(screen(&figure_5(), &[KeyCode::Enter], 80, 24));
}

#[test]
fn the_window_between_two_captures() {
    let state = |at: u64| Capture {
        name: format!("capture after {} s", 10 + 15 * at),
        heap: Size { objects: 10_000 * (at + 4), bytes: 1_000_000 * (at * at + 30) },
        top_level: 40,
    };
    let window = Window { from_state: 0, to_state: 3, ..Window::default() };
    let growth = GrowthReport { states: (0..4).map(state).collect(), window, ..GrowthReport::default() };
    let report = Report { structures: Some(growth), ..figure_5() };
    let keys = [KeyCode::Char('s'), KeyCode::Char('w'), KeyCode::Down];
    insta::assert_snapshot!(screen(&report, &keys, 100, 24));
    let begun = [&keys[..], &[KeyCode::Enter, KeyCode::Down]].concat();
    insta::assert_snapshot!(screen(&report, &begun, 100, 24));
}

#[test]
fn the_log_below_the_table() {
    insta::assert_snapshot!(screen(&figure_5(), &[KeyCode::Char('l')], 120, 24));
}

#[test]
fn the_columns_of_the_paper_and_all_receipts() {
    let look = Look { columns: ColumnSet::Leakbot, receipts: true };
    insta::assert_snapshot!(screen_of(look, &figure_5(), &[KeyCode::Down], 140, 24));
}

#[test]
fn waiting_for_a_jvm() {
    insta::assert_snapshot!(screen(&waiting(), &[], 80, 24));
}

#[test]
fn a_healthy_program() {
    insta::assert_snapshot!(screen(&healthy(), &[], 100, 16));
}

#[test]
fn a_verdict_is_reported_to_its_end_on_a_narrow_screen() {
    let report = figure_5();
    let screen = screen(&report, &[], 60, 24);
    let lines: Vec<&str> = screen.lines().map(|line| line.trim_matches('"').trim_end()).collect();
    let reported = lines.iter().take_while(|line| !line.starts_with("JVM")).copied().collect::<Vec<_>>().join(" ");
    assert_eq!(reported, verdict::text(&report));
}

#[test]
fn no_terminal_is_too_small_to_draw_on() {
    for (columns, rows) in [(1, 1), (5, 3), (20, 4), (200, 2), (3, 60)] {
        for report in [figure_5(), waiting()] {
            screen(&report, &[KeyCode::Enter], columns, rows);
            screen(&report, &[KeyCode::Char('l'), KeyCode::Enter], columns, rows);
        }
    }
}
