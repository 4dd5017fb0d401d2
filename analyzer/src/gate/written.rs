//! Entries of known leaks, written for structures of a report.

use super::finding::sentence;
use crate::report::Region;
use chrono::NaiveDate;
use std::borrow::Cow;

/// What is written in each entry besides its fingerprint.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// Why the leak is accepted.
    pub reason: &'a str,
    /// The last day on which it is accepted.
    pub until: Option<NaiveDate>,
}

/// The text of one entry, with the structure in a comment above it.
///
/// ```toml
/// # com.example.Shop.sessions (HashMap) gains 600 Session a minute, 6.3 MB/h
/// [[known]]
/// fingerprint = "1d82c94f9eff2a82"
/// reason = "SHOP-77: cleared by the nightly job"
/// until = 2027-03-01
/// ```
#[must_use]
pub fn entry(region: &Region, written: Written<'_>) -> String {
    let until = written.until.map_or_else(String::new, |until| format!("until = {until}\n"));
    format!(
        "# {}\n[[known]]\nfingerprint = \"{}\"\nreason = {}\n{until}",
        comment(&sentence(region)),
        region.fingerprint,
        toml::Value::from(written.reason)
    )
}

/// TOML allows no control character in a comment, and names of the program may have any.
fn comment(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) { text.escape_debug().to_string().into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::known::{Covers, KnownLeaks};
    use crate::naming::{Origin, Place};
    use crate::report::samples::figure_5;

    const UNTIL: Option<NaiveDate> = NaiveDate::from_ymd_opt(2027, 3, 1);

    #[test]
    fn an_entry_names_its_structure_for_people() {
        let text = entry(&figure_5().regions[0], Written { reason: "SHOP-77", until: UNTIL });
        assert_eq!(
            text,
            "# com.example.leaky.SimpleLeaker.integers (Vector) gains 480 Integer a minute, 450 KB/h\n\
             [[known]]\nfingerprint = \"0000000000001fa4\"\nreason = \"SHOP-77\"\nuntil = 2027-03-01\n"
        );
    }

    #[test]
    fn an_entry_is_read_back_whatever_its_names_are() {
        let mut region = figure_5().regions[0].clone();
        region.owner_proxy.path = Place::at(Origin::Static("Shop\n[[known]]\u{7}".to_owned()));
        let reason = "it \"is\"\nnone = 1 \\ '''";
        let known = KnownLeaks::from_toml(&entry(&region, Written { reason, until: None })).unwrap();
        assert_eq!(known.leaks.len(), 1);
        assert_eq!(known.leaks[0].covers, Covers::Fingerprint(region.fingerprint));
        assert_eq!((known.leaks[0].reason.as_str(), known.leaks[0].until), (reason, None));
    }
}
