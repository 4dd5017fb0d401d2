//! The plain table and the JSON of the sample reports, reviewed and approved by hand.

use super::*;
use crate::naming::{Origin, Route};
use crate::report::samples::{beside_the_heap, figure_5, healthy, static_field, waiting};
use crate::report::{LeakTrace, Note};
use crate::view::columns::ColumnSet;
use crate::view::look::LEAST_COLUMNS;
use crate::view::names::width;
use crate::view::{explain, json};

#[test]
fn figure_5_on_a_wide_terminal() {
    insta::assert_snapshot!(final_table(&figure_5(), Width::of_terminal(140), Look::default()));
}

#[test]
fn figure_5_on_80_columns() {
    insta::assert_snapshot!(final_table(&figure_5(), Width::of_terminal(80), Look::default()));
}

#[test]
fn figure_5_in_the_columns_of_the_paper_with_all_receipts() {
    let look = Look { columns: ColumnSet::Leakbot, receipts: true };
    insta::assert_snapshot!(final_table(&figure_5(), Width::of_terminal(140), look));
}

#[test]
fn a_run_that_waits() {
    insta::assert_snapshot!(final_table(&waiting(), Width::of_terminal(80), Look::default()));
}

#[test]
fn a_healthy_program() {
    insta::assert_snapshot!(final_table(&healthy(), Width::of_terminal(110), Look::default()));
}

#[test]
fn captures_bound_the_growth_where_collections_do_not() {
    let line = |most: f64, captures| {
        let mut report = healthy();
        (report.heap.growth_bytes_per_hour, report.heap.most_growth_bytes_per_hour) = (Some(0.0), None);
        (report.heap.captured_growth_high, report.heap.captured_growth_captures) = (Some(most), Some(captures));
        let table = final_table(&report, Width::of_terminal(110), Look::default());
        table.lines().find(|line| line.starts_with("Heap")).unwrap().to_owned()
    };
    assert!(line(20e6, 3).contains(", growing at most 19.1 MB/h between captures"), "{}", line(20e6, 3));
    assert!(line(-20e6, 3).contains(", not growing between captures"), "{}", line(-20e6, 3));
    assert!(line(20e6, 2).contains(", growth not known yet"), "{}", line(20e6, 2));
}

#[test]
fn a_program_that_grows_beside_its_heap() {
    insta::assert_snapshot!(final_table(&beside_the_heap(), Width::of_terminal(140), Look::default()));
}

#[test]
fn in_a_file_and_on_any_terminal_nothing_is_cut() {
    let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
    for look in [Look::default(), Look { columns: ColumnSet::Leakbot, receipts: true }] {
        let file = final_table(&figure_5(), Width::FILE, look);
        assert!(!file.contains('…'), "{file}");
        for columns in LEAST_COLUMNS..180 {
            let text = final_table(&figure_5(), Width::of_terminal(columns), look);
            assert!(!text.contains('…'), "{columns}: {text}");
            let sentence = letters(&verdict::text(&figure_5()));
            assert!(letters(&text).starts_with(&sentence), "{columns}: {text}");
        }
    }
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
fn sentences_and_the_default_table_fit_a_terminal() {
    for columns in 80..180 {
        let text = final_table(&figure_5(), Width::of_terminal(columns), Look::default());
        // Lines of a trace and of a stack are whole, so that editors link them.
        let is_code = |line: &str| line.starts_with("    ");
        for line in text.lines().filter(|line| !is_code(line)) {
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
        let route = region.route.route().expect("samples have routes").clone();
        region.route = LeakTrace::Of(Route { origin: Origin::Thread(NAME.to_owned()), ..route });
        region.note = Some(Note::GrowsWithin { class: NAME.to_owned() });
    }
    report.problems.push(NAME.to_owned());
    for width in [Width::of_terminal(80), Width::FILE] {
        let text = final_table(&report, width, Look::default()) + &explain::explain(&report);
        assert!(!text.contains(|letter| letter != '\n' && crate::view::plain::is_order(letter)), "{text}");
        assert!(text.lines().all(|line| line != "x" && !line.starts_with("x\"")), "{text}");
    }
}
