//! Keys that lead from JVM to JVM, and the line that names them.

use super::*;
use crate::report::samples::{figure_5, healthy, waiting};
use crate::report::{Jvm, Report};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyModifiers;
use std::sync::Arc;

fn seen(number: u32, main: &str, is_over: bool, report: Report) -> Seen {
    let jvm = report.jvm.clone().unwrap_or_default();
    let jvm = Some(Jvm { pid: 4710 + number, main: main.to_owned(), ..jvm });
    Seen { number, is_over, report: Arc::new(Report { jvm, ..report }) }
}

fn three() -> [Seen; 3] {
    [
        seen(1, "com.example.shop.Shop", false, figure_5()),
        seen(2, "com.example.stock.Stock", false, healthy()),
        seen(5, "lib/bootstrap.jar", true, waiting()),
    ]
}

const TALLY: Tally = Tally { watched: 2, ended: 1, refused: 1 };

fn press(tabs: &mut Tabs, code: KeyCode, seen: &[Seen]) -> Reaction {
    tabs.press(KeyEvent::new(code, KeyModifiers::NONE), seen)
}

fn screen_of(tabs: &mut Tabs, seen: &[Seen], tally: Tally, columns: u16, rows: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| tabs.draw(frame, seen, tally)).unwrap();
    terminal.backend().to_string()
}

#[test]
fn tab_and_arrows_go_round_and_numbers_go_straight() {
    let (mut tabs, seen) = (Tabs::default(), three());
    for (code, shown) in [
        (KeyCode::Tab, 1),
        (KeyCode::Right, 2),
        (KeyCode::Tab, 0),
        (KeyCode::BackTab, 2),
        (KeyCode::Left, 1),
        (KeyCode::Char('3'), 2),
        (KeyCode::Char('1'), 0),
    ] {
        assert_eq!(press(&mut tabs, code, &seen), Reaction::Redraw, "{code:?}");
        assert_eq!(tabs.shown(&seen), shown, "{code:?}");
    }
    assert_eq!(press(&mut tabs, KeyCode::Char('9'), &seen), Reaction::Nothing);
    assert_eq!(tabs.shown(&seen), 0);
}

#[test]
fn the_choice_stays_with_its_jvm_when_others_go() {
    let (mut tabs, seen) = (Tabs::default(), three());
    press(&mut tabs, KeyCode::Char('3'), &seen);
    assert_eq!(tabs.shown(&seen[1..]), 1);
    assert_eq!(tabs.shown(&seen[..2]), 0, "of a JVM that is forgotten nothing can be shown");
}

#[test]
fn each_jvm_keeps_its_own_selection() {
    let (mut tabs, seen) = (Tabs::default(), three());
    press(&mut tabs, KeyCode::Enter, &seen);
    press(&mut tabs, KeyCode::Tab, &seen);
    assert!(!screen_of(&mut tabs, &seen, TALLY, 100, 30).contains("Esc: close"));
    press(&mut tabs, KeyCode::BackTab, &seen);
    assert!(screen_of(&mut tabs, &seen, TALLY, 100, 30).contains("Esc: close"));
}

#[test]
fn q_leaves_whether_there_is_a_jvm_or_not() {
    assert_eq!(press(&mut Tabs::default(), KeyCode::Char('q'), &[]), Reaction::Leave);
    assert_eq!(press(&mut Tabs::default(), KeyCode::Char('q'), &three()), Reaction::Leave);
}

#[test]
fn three_jvms_the_second_chosen() {
    let (mut tabs, seen) = (Tabs::default(), three());
    press(&mut tabs, KeyCode::Tab, &seen);
    insta::assert_snapshot!(screen_of(&mut tabs, &seen, TALLY, 120, 18));
}

#[test]
fn the_chosen_tab_is_on_the_screen_when_not_all_fit() {
    let (mut tabs, seen) = (Tabs::default(), three());
    press(&mut tabs, KeyCode::Char('3'), &seen);
    let screen = screen_of(&mut tabs, &seen, TALLY, 80, 18);
    assert!(screen.lines().next().unwrap().contains("3 4715 bootstrap.jar"), "{screen}");
}

#[test]
fn one_jvm_has_the_whole_screen() {
    let mut tabs = Tabs::default();
    let one = [seen(1, "com.example.shop.Shop", false, healthy())];
    let alone = screen_of(&mut tabs, &one, Tally { watched: 1, ended: 0, refused: 0 }, 100, 16);
    assert!(!alone.contains("Tab next"), "{alone}");
}

#[test]
fn no_terminal_is_too_small_for_tabs() {
    for (columns, rows) in [(1, 1), (5, 3), (20, 4), (200, 2), (3, 60)] {
        let mut tabs = Tabs::default();
        press(&mut tabs, KeyCode::Char('3'), &three());
        screen_of(&mut tabs, &three(), TALLY, columns, rows);
    }
}
