//! The plain table and the JSON of the sample reports, as they were looked at and approved.

use super::*;
use crate::naming::Origin;
use crate::report::Note;
use crate::report::samples::{beside_the_heap, figure_5, healthy, static_field, waiting};
use crate::view::names::width;
use crate::view::{explain, json};

#[test]
fn figure_5_on_a_wide_terminal() {
    insta::assert_snapshot!(final_table(&figure_5(), Width::of_terminal(140)));
}

#[test]
fn figure_5_on_80_columns() {
    insta::assert_snapshot!(final_table(&figure_5(), Width::of_terminal(80)));
}

#[test]
fn figure_5_while_it_runs() {
    insta::assert_snapshot!(interim_table(&figure_5(), Width::of_terminal(110)));
}

#[test]
fn a_run_that_waits() {
    insta::assert_snapshot!(interim_table(&waiting(), Width::of_terminal(80)));
}

#[test]
fn a_healthy_program() {
    insta::assert_snapshot!(final_table(&healthy(), Width::of_terminal(110)));
}

#[test]
fn a_program_that_grows_beside_its_heap() {
    insta::assert_snapshot!(final_table(&beside_the_heap(), Width::of_terminal(140)));
}

#[test]
fn in_a_file_the_table_is_fitted_and_sentences_are_whole() {
    let file = Width { table: 60, text: usize::MAX };
    let text = final_table(&beside_the_heap(), file);
    assert!(text.starts_with(&format!("{}\n", beside_the_heap().verdict.summary)));
    assert_eq!(text.lines().filter(|line| line.starts_with('─')).map(width).collect::<Vec<_>>(), [60]);
}

#[test]
fn how_the_ranks_came_about() {
    insta::assert_snapshot!(explain::explain(&figure_5()));
}

#[test]
fn the_report_as_json() {
    insta::assert_snapshot!(json::to_json(&figure_5()).unwrap());
}

#[test]
fn no_line_is_ever_wider_than_the_terminal() {
    let tables = |columns| {
        [
            interim_table(&figure_5(), Width::of_terminal(columns)),
            interim_table(&waiting(), Width::of_terminal(columns)),
        ]
    };
    for columns in LEAST_COLUMNS..180 {
        for line in tables(columns).iter().flat_map(|table| table.lines()) {
            assert!(width(line) <= columns, "{columns}: {line}");
        }
    }
}

#[test]
fn no_name_gives_the_terminal_an_order() {
    const NAME: &str = "T\u{1b}]0;owned\u{7}\u{9b}31m\u{7f}\u{202e}\nx";
    let mut report = figure_5();
    for region in &mut report.regions {
        region.owner_proxy.path = static_field(NAME, NAME);
        region.owner_proxy.class = NAME.to_owned();
        region.change_proxy.class = NAME.to_owned();
        region.route.origin = Origin::Thread(NAME.to_owned());
        region.note = Some(Note::GrowsWithin { class: NAME.to_owned() });
    }
    report.problems.push(NAME.to_owned());
    for width in [Width::of_terminal(80), Width { table: 140, text: usize::MAX }] {
        let text = final_table(&report, width) + &explain::explain(&report);
        assert!(!text.contains(|letter| letter != '\n' && crate::view::plain::is_order(letter)), "{text}");
        assert!(text.lines().all(|line| line != "x" && !line.starts_with("x\"")), "{text}");
    }
}
