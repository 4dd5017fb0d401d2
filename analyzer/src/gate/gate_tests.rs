//! Runs that fail, pass, or are not judged.

use super::*;
use crate::report::samples::{figure_5, healthy, waiting};

const TODAY: Option<NaiveDate> = NaiveDate::from_ymd_opt(2027, 2, 1);

fn gate(conditions: &[&str], known: &str) -> Gate {
    let conditions = conditions.iter().map(|text| text.parse().unwrap()).collect();
    Gate::new(conditions, KnownLeaks::from_toml(known).unwrap(), TODAY.unwrap())
}

fn add(gate: &mut Gate, report: &Report, earlier: Option<&Report>) {
    gate.add(report, earlier, &|_| None);
}

fn outcome(conditions: &[&str], known: &str, report: &Report) -> Outcome {
    let mut gate = gate(conditions, known);
    add(&mut gate, report, None);
    gate.outcome()
}

/// An entry for one structure of Figure 5.
fn entry(field: &str, rest: &str) -> String {
    format!("[[known]]\nplace = \"*SimpleLeaker.{field}\"\nreason = \"SHOP-77\"\n{rest}\n")
}

#[test]
fn a_grower_fails_only_a_run_that_asks() {
    assert_eq!(outcome(&["grower"], "", &figure_5()), Outcome::Failed);
    assert_eq!(outcome(&[], "", &figure_5()), Outcome::Unasked);
    assert_eq!(outcome(&["grower"], "", &healthy()), Outcome::Passed);
}

#[test]
fn without_evidence_nothing_is_judged() {
    assert_eq!(outcome(&["grower"], "", &waiting()), Outcome::Unjudged);
    let mut report = healthy();
    report.regions[0].trend = None;
    assert_eq!(outcome(&["grower"], "", &report), Outcome::Unjudged, "no structure was watched long enough");
}

#[test]
fn one_jvm_that_was_judged_is_enough() {
    let mut all = gate(&["grower"], "");
    add(&mut all, &waiting(), None);
    assert_eq!(all.outcome(), Outcome::Unjudged);
    add(&mut all, &healthy(), None);
    add(&mut all, &waiting(), None);
    assert_eq!(all.outcome(), Outcome::Passed);
    add(&mut all, &figure_5(), None);
    assert_eq!(all.outcome(), Outcome::Failed);
}

#[test]
fn known_leaks_are_excused_and_stay_in_the_findings() {
    let all = entry("integers", "") + &entry("characters", "") + &entry("first", "");
    let mut gate = gate(&["grower"], &all);
    add(&mut gate, &figure_5(), None);
    assert_eq!(gate.outcome(), Outcome::Passed);
    assert_eq!(gate.findings().count(), 3);
    assert!(gate.findings().all(|finding| finding.accepted().is_some_and(|leak| leak.reason == "SHOP-77")));
    assert_eq!(gate.unmatched().count(), 0);
}

#[test]
fn one_structure_that_no_entry_covers_fails_the_run() {
    let mut gate = gate(&["new-grower"], &(entry("integers", "") + &entry("other", "")));
    add(&mut gate, &figure_5(), None);
    assert_eq!(gate.outcome(), Outcome::Failed);
    assert_eq!(gate.findings().filter(|finding| finding.fails()).count(), 2);
    let unmatched: Vec<usize> = gate.unmatched().map(|leak| leak.line).collect();
    assert_eq!(unmatched, [5], "the entry that matches nothing is named by its line");
}

#[test]
fn expired_entries_and_faster_growth_fail_whatever_the_condition_is() {
    let report = Report { regions: figure_5().regions[..1].to_vec(), ..figure_5() };
    for (rest, reason) in [("until = 2027-01-31", Reason::Expired), ("max_growth = \"100K/h\"", Reason::TooFast)] {
        let mut gate = gate(&["growth>1GB/h"], &entry("integers", rest));
        add(&mut gate, &report, None);
        assert_eq!(gate.outcome(), Outcome::Failed, "{rest}");
        assert_eq!(gate.findings().next().unwrap().reasons, [reason]);
    }
    for rest in ["until = 2027-02-01", "max_growth = \"1MB/h\""] {
        assert_eq!(outcome(&["grower"], &entry("integers", rest), &report), Outcome::Passed, "{rest}");
    }
    assert_eq!(outcome(&[], &entry("integers", "until = 2027-01-31"), &report), Outcome::Unasked);
}

#[test]
fn what_grew_in_the_earlier_run_is_not_new() {
    let mut gate_ = gate(&["new-grower"], "");
    add(&mut gate_, &figure_5(), Some(&figure_5()));
    assert_eq!(gate_.outcome(), Outcome::Passed);
    assert!(gate_.findings().all(|finding| finding.standing == Standing::Grew));
    let mut gate_ = gate(&["new-grower"], "");
    add(&mut gate_, &figure_5(), Some(&healthy()));
    assert_eq!(gate_.outcome(), Outcome::Failed);
    let mut gate_ = gate(&["new-grower"], "");
    add(&mut gate_, &figure_5(), Some(&waiting()));
    assert_eq!(gate_.outcome(), Outcome::Unjudged, "nobody can tell what is new");
    let mut gate_ = gate(&["new-grower"], "");
    add(&mut gate_, &healthy(), Some(&waiting()));
    assert_eq!(gate_.outcome(), Outcome::Passed, "nothing grows, so nothing is new");
}

#[test]
fn several_conditions_fail_by_each() {
    let mut gate = gate(&["grower", "growth>100K/h"], "");
    add(&mut gate, &figure_5(), None);
    let reasons: Vec<usize> = gate.findings().map(|finding| finding.reasons.len()).collect();
    assert_eq!(reasons, [2, 1, 1]);
}

#[test]
fn the_source_is_the_line_that_adds_or_the_class_that_holds() {
    let locate = |wanted: &Wanted<'_>| match wanted {
        Wanted::Line(frame) => Some(SourceLine { file: frame.file.clone()?, line: frame.line }),
        Wanted::Class(class) => Some(SourceLine { file: (*class).to_owned(), line: None }),
    };
    let mut gate = gate(&["grower"], "");
    gate.add(&figure_5(), None, &locate);
    let sources: Vec<SourceLine> = gate.findings().filter_map(|finding| finding.source.clone()).collect();
    assert_eq!(sources[0], SourceLine { file: "Checkout.java".to_owned(), line: Some(88) });
    assert_eq!(sources[1], SourceLine { file: "com.example.leaky.SimpleLeaker".to_owned(), line: None });
}

#[test]
fn a_watch_of_months_keeps_a_bounded_number_of_jvms() {
    let mut gate = gate(&["grower"], "");
    for _ in 0..MOST_SUBJECTS {
        add(&mut gate, &waiting(), None);
    }
    add(&mut gate, &figure_5(), None);
    assert_eq!((gate.subjects().len(), gate.left_out()), (MOST_SUBJECTS, 1));
    assert_eq!(gate.outcome(), Outcome::Failed, "it counts all the same");
}

#[test]
fn a_stored_report_gives_the_same_findings() {
    let stored = Report::from_json(&serde_json::to_string(&figure_5()).unwrap()).unwrap();
    let sentences = |report: &Report| {
        let mut gate = gate(&["grower"], &entry("integers", ""));
        add(&mut gate, report, None);
        gate.findings().map(|finding| (finding.sentence(), finding.fails())).collect::<Vec<_>>()
    };
    assert_eq!(sentences(&stored), sentences(&figure_5()));
}
