//! The lines of the check, reviewed and approved by hand.

use super::*;
use crate::gate::known::KnownLeaks;
use crate::report::Report;
use crate::report::samples::{figure_5, healthy, waiting};
use chrono::NaiveDate;

const KNOWN: &str = r#"
[[known]]
place = "*.characters"
reason = "SHOP-77: bounded by the alphabet"
until = 2027-03-01

[[known]]
place = "*.first"
reason = "SHOP-12"
until = 2027-01-01

[[known]]
fingerprint = "1d82c94f9eff2a82"
reason = "SHOP-3"
until = 2027-01-01
"#;

pub(crate) fn gate(conditions: &[&str], known: &str, report: &Report) -> Gate {
    let conditions = conditions.iter().map(|text| text.parse().unwrap()).collect();
    let today = NaiveDate::from_ymd_opt(2027, 2, 1).unwrap();
    let mut gate = Gate::new(conditions, KnownLeaks::from_toml(known).unwrap(), today);
    gate.add(report, None, &|_| None);
    gate
}

#[test]
fn a_run_that_fails() {
    let gate = gate(&["grower", "growth>100KB/h"], KNOWN, &figure_5());
    insta::assert_snapshot!(text(&gate, Some("known-leaks.toml")).trim_start());
}

#[test]
fn a_run_that_passes_or_is_not_judged_has_one_line() {
    let none = None::<&str>;
    assert_eq!(text(&gate(&["grower"], "", &healthy()), none), "\nCheck     passed (--fail-on grower)\n");
    assert_eq!(text(&gate(&["grower"], "", &waiting()), none), "\nCheck     NOTHING JUDGED (--fail-on grower)\n");
    assert_eq!(text(&gate(&[], "", &figure_5()), none), "");
}
