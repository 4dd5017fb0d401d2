//! Files of known leaks, good and bad.

use super::*;
use crate::report::samples::figure_5;

const FILE: &str = r#"# Accepted until the rewrite.
[[known]]
fingerprint = "0000000000001fa4"
reason = "SHOP-77: cleared by the nightly job"
until = 2027-03-01
max_growth = "1MB/h"

[[known]]
place = "*SimpleLeaker.char*"
reason = "bounded by the alphabet"
"#;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn fault(text: &str) -> String {
    KnownLeaks::from_toml(text).unwrap_err().to_string()
}

#[test]
fn entries_cover_structures_by_fingerprint_or_place() {
    let known = KnownLeaks::from_toml(FILE).unwrap();
    assert_eq!(known.leaks.iter().map(|leak| leak.line).collect::<Vec<_>>(), [2, 8]);
    let regions = figure_5().regions;
    let covering: Vec<_> = regions.iter().map(|region| known.covering(region)).collect();
    assert_eq!(covering, [Some(0), Some(1), None, None, None]);
    assert_eq!(known.leaks[1].covers.to_string(), "place *SimpleLeaker.char*");
}

#[test]
fn a_place_needs_no_static() {
    let text = "[[known]]\nplace = \"com.example.leaky.SimpleLeaker.flags\"\nreason = \"r\"\n";
    assert_eq!(KnownLeaks::from_toml(text).unwrap().covering(&figure_5().regions[4]), Some(0));
}

#[test]
fn an_entry_excuses_to_its_last_day_and_to_its_rate() {
    let known = &KnownLeaks::from_toml(FILE).unwrap().leaks[0];
    let region = &figure_5().regions[0];
    assert_eq!(known.excuse(region, day("2027-03-01")), Excuse::Accepted);
    assert_eq!(known.excuse(region, day("2027-03-02")), Excuse::Expired);
    let slow = KnownLeak { max_growth: Some("100K/h".parse().unwrap()), ..known.clone() };
    assert_eq!(slow.excuse(region, day("2027-03-01")), Excuse::TooFast);
    let lasting = KnownLeak { until: None, ..known.clone() };
    assert_eq!(lasting.excuse(region, day("2999-01-01")), Excuse::Accepted);
}

#[test]
fn an_empty_file_knows_no_leak() {
    assert_eq!(KnownLeaks::from_toml("").unwrap(), KnownLeaks::default());
}

#[test]
fn a_bad_file_is_refused_with_line_and_column() {
    for (text, place, reason) in [
        ("[[known]\n", "line 1, column 9", "]"),
        ("[[leak]]\n", "line 1, column 3", "unknown field `leak`"),
        ("[[known]]\nreason = \"r\"\n", "line 1, column 1", "either `fingerprint` or `place`"),
        ("\n[[known]]\nplace = \" \"\nreason = \"r\"\n", "line 2, column 1", "either"),
        ("[[known]]\nplace = \"a\"\nreason = \" \"\n", "line 1, column 1", "`reason`"),
        ("[[known]]\nplace = \"a\"\n", "line 1, column 1", "missing field `reason`"),
        ("[[known]]\nfingerprint = \"XY\"\nreason = \"r\"\n", "line 2, column 15", "16 hexadecimal digits"),
        ("[[known]]\nplace = \"a\"\nreason = \"r\"\nuntil = 2027-02-30\n", "line 4, column 9", ""),
        ("[[known]]\nplace = \"a\"\nreason = \"r\"\nuntil = 2027-02-01T10:00:00Z\n", "line 4, column 9", "a day"),
        ("[[known]]\nplace = \"a\"\nreason = \"r\"\nuntil = \"soon\"\n", "line 4, column 9", ""),
        ("[[known]]\nplace = \"a\"\nreason = \"r\"\nmax_growth = \"fast\"\n", "line 4, column 14", "10MB/h"),
        ("[[known]]\nplace = \"a\"\nreson = \"r\"\n", "line 3, column 1", "unknown field `reson`"),
        (
            "[[known]]\nplace = \"a\"\nreason = \"r\"\n[[known]]\nplace = \"a\"\nreason = \"s\"\n",
            "line 4, column 1",
            "line 1 has the same",
        ),
    ] {
        let fault = fault(text);
        assert!(fault.contains(place) && fault.contains(reason), "{text}: {fault}");
    }
}
