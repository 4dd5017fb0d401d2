//! Pairs of runs, and what changed between them.

use super::*;
use crate::report::samples::{figure_5, healthy, waiting};

fn changes(before: &Report, after: &Report) -> Vec<(String, Change)> {
    let comparison = compare(("a.json", before), ("b.json", after));
    let short = |text: &str| text.replace("com.example.leaky.SimpleLeaker.", "");
    comparison.structures.iter().map(|one| (short(&one.structure), one.change)).collect()
}

/// Figure 5 with another rate of its first structure.
fn paced(bytes_per_hour: f64, half: f64) -> Report {
    let mut report = figure_5();
    report.regions.truncate(1);
    let first = &mut report.regions[0];
    first.bytes_per_hour = Some(bytes_per_hour);
    first.bytes_per_hour_low = Some(bytes_per_hour - half);
    first.bytes_per_hour_high = Some(bytes_per_hour + half);
    report
}

fn change(before: &Report, after: &Report) -> Change {
    changes(before, after)[0].1
}

#[test]
fn a_run_is_the_same_as_itself() {
    let all = changes(&figure_5(), &figure_5());
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all.iter().all(|(_, change)| *change == Change::Same), "{all:?}");
}

#[test]
fn what_did_not_grow_is_new_and_what_grows_no_more_is_gone() {
    let new = changes(&healthy(), &figure_5());
    assert!(new.iter().all(|(_, change)| *change == Change::New) && new.len() == 3, "{new:?}");
    let gone = changes(&figure_5(), &healthy());
    assert!(gone.iter().all(|(_, change)| *change == Change::Gone) && gone.len() == 3, "{gone:?}");
}

#[test]
fn without_evidence_a_change_is_unknown() {
    for (before, after) in [(waiting(), figure_5()), (figure_5(), waiting())] {
        let all = changes(&before, &after);
        assert!(all.iter().all(|(_, change)| *change == Change::Unknown) && all.len() == 3, "{all:?}");
    }
    let mut open = paced(100.0, 1.0);
    open.regions[0].trend = None;
    open.regions.push(healthy().regions[0].clone());
    assert_eq!(change(&paced(100.0, 1.0), &open), Change::Unknown, "this one structure has no trend yet");
}

#[test]
fn rates_differ_where_their_distance_is_beyond_both_errors() {
    let usual = paced(1_000.0, 30.0);
    for (rate, half, expected) in [
        (1_049.0, 40.0, Change::Same),
        (1_051.0, 40.0, Change::Faster),
        (951.0, 40.0, Change::Same),
        (949.0, 40.0, Change::Slower),
        (2_000.0, 2_000.0, Change::Same),
    ] {
        assert_eq!(change(&usual, &paced(rate, half)), expected, "{rate} ± {half}");
    }
}

#[test]
fn growth_that_was_harmless_is_faster_and_not_new() {
    let mut harmless = paced(10.0, 1.0);
    harmless.regions[0].harmless = true;
    assert_eq!(change(&harmless, &paced(1_000.0, 30.0)), Change::Faster);
    assert_eq!(change(&paced(1_000.0, 30.0), &harmless), Change::Slower);
    assert!(changes(&harmless, &harmless).is_empty());
}

#[test]
fn without_intervals_a_fifth_is_the_error() {
    let bare = |rate: f64| {
        let mut report = paced(rate, 0.0);
        report.regions[0].bytes_per_hour_low = None;
        report.regions[0].bytes_per_hour_high = None;
        report
    };
    // hypot(200, 260) = 328
    assert_eq!(change(&bare(1_000.0), &bare(1_300.0)), Change::Same);
    assert_eq!(change(&bare(1_000.0), &bare(1_500.0)), Change::Faster);
}

#[test]
fn regions_of_one_name_are_one_structure() {
    let mut twice = paced(1_000.0, 30.0);
    twice.regions.push(twice.regions[0].clone());
    let comparison = compare(("a", &paced(2_000.0, 10.0)), ("b", &twice));
    let [one] = &comparison.structures[..] else { panic!("{comparison:?}") };
    assert_eq!(one.change, Change::Same);
    let after = one.after.unwrap();
    assert_eq!(after.bytes_per_hour, Some(2_000.0));
    assert!((after.bytes_per_hour_low.unwrap() - (2_000.0 - 30.0_f64.hypot(30.0))).abs() < 1e-9);
}

#[test]
fn the_worst_is_first_and_the_contract_is_named() {
    let mut after = figure_5();
    after.regions.remove(1);
    let mut before = figure_5();
    before.regions[0].bytes_per_hour_high = Some(100.0);
    before.regions[0].bytes_per_hour = Some(90.0);
    before.regions[0].bytes_per_hour_low = Some(80.0);
    before.regions.remove(2);
    let all: Vec<Change> = changes(&before, &after).into_iter().map(|(_, change)| change).collect();
    assert_eq!(all, [Change::New, Change::Faster, Change::Gone]);
    insta::assert_json_snapshot!(compare(("before.json", &before), ("after.json", &after)));
}

#[test]
fn of_two_dumps_the_sizes_are_compared_in_both_directions() {
    let with = |sizes: &[(usize, [u64; 2])]| {
        let mut report = figure_5();
        report.regions =
            sizes.iter().map(|&(at, of)| Region { sizes: of.to_vec(), ..report.regions[at].clone() }).collect();
        report
    };
    let forward = with(&[(0, [10, 30]), (1, [0, 5]), (4, [7, 7])]);
    let backward = with(&[(2, [3, 9]), (3, [0, 2])]);
    let comparison = of_dumps(("1.hprof", "2.hprof"), &forward, &backward);
    let all: Vec<_> = comparison
        .structures
        .iter()
        .map(|one| (one.change, one.before.and_then(|course| course.size), one.after.and_then(|course| course.size)))
        .collect();
    assert_eq!(
        all,
        [
            (Change::New, None, Some(5)),
            (Change::Gone, Some(2), None),
            (Change::Larger, Some(10), Some(30)),
            (Change::Smaller, Some(9), Some(3)),
        ]
    );
}
