//! Known leaks: a TOML file of growing structures that a team accepts for a time, each with its reason.
//!
//! ```toml
//! [[known]]
//! fingerprint = "1d82c94f9eff2a82"            # or place = "static org.apache.catalina.*"
//! reason = "SHOP-77: cleared by the nightly job"
//! until = 2027-03-01                          # optional: from the next day on it excuses nothing
//! max_growth = "10MB/h"                       # optional: it excuses no faster growth
//! ```

use super::Rate;
use super::condition::grows_faster;
use crate::naming::{Fingerprint, Pattern};
use crate::report::Region;
use chrono::NaiveDate;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use std::ops::Range;
use toml::Spanned;
use toml::value::Datetime;

/// Known leaks, in the order of their file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KnownLeaks {
    /// The entries.
    pub leaks: Vec<KnownLeak>,
}

/// One known leak.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownLeak {
    /// The structures that it covers.
    pub covers: Covers,
    /// Why it is accepted; not empty.
    pub reason: String,
    /// The last day (UTC) on which it is accepted; `None` for ever.
    pub until: Option<NaiveDate>,
    /// The fastest growth that is accepted.
    pub max_growth: Option<Rate>,
    /// Its line in the file, from 1 on.
    pub line: usize,
}

/// The structures that an entry covers.
#[derive(Clone, Debug, PartialEq)]
pub enum Covers {
    /// The one with this fingerprint.
    Fingerprint(Fingerprint),
    /// Those whose owner has such a place; `*` is any text.
    Place(Pattern),
}

/// What an entry means for a growing structure that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// Its growth is accepted.
    Accepted,
    /// The entry has expired.
    Expired,
    /// It grows faster than accepted.
    TooFast,
}

/// The fault of a file of known leaks. Lines and columns count from 1.
#[derive(Debug, thiserror::Error)]
pub enum KnownError {
    /// It is no TOML, or a value is none of the format; the text has line and column.
    #[error("{}", .0.to_string().trim_end())]
    Toml(toml::de::Error),
    /// An entry names no structure, or names it twice.
    #[error("line {line}, column {column}: an entry needs either `fingerprint` or `place`")]
    NoOrTwoNames {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
    },
    /// An entry has an empty reason.
    #[error("line {line}, column {column}: an entry needs a `reason` that people understand")]
    NoReason {
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
    },
    /// Two entries cover the same structure by name.
    #[error("line {line}, column {column}: line {first} has the same structure already")]
    Twice {
        /// Line of the second.
        line: usize,
        /// Its column.
        column: usize,
        /// Line of the first.
        first: usize,
    },
}

/// The file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    known: Vec<Spanned<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    fingerprint: Option<Fingerprint>,
    place: Option<String>,
    reason: String,
    #[serde(default, deserialize_with = "date")]
    until: Option<NaiveDate>,
    #[serde(default, deserialize_with = "rate")]
    max_growth: Option<Rate>,
}

fn date<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let found = Datetime::deserialize(deserializer)?;
    let day = match (found.date, found.time, found.offset) {
        (Some(day), None, None) => {
            NaiveDate::from_ymd_opt(i32::from(day.year), u32::from(day.month), u32::from(day.day))
        }
        _ => None,
    };
    day.map(Some).ok_or_else(|| D::Error::custom("expected a day without a time, as in 2027-03-01"))
}

fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rate>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(D::Error::custom)
}

impl KnownLeaks {
    /// Reads the file's text.
    ///
    /// # Errors
    /// [`KnownError`], with line and column.
    pub fn from_toml(text: &str) -> Result<Self, KnownError> {
        let file: File = toml::from_str(text).map_err(KnownError::Toml)?;
        let mut leaks: Vec<KnownLeak> = Vec::new();
        for entry in file.known {
            let (line, column) = position(text, &entry.span());
            let leak = known(entry.into_inner(), line, column)?;
            if let Some(first) = leaks.iter().find(|other| other.covers == leak.covers) {
                return Err(KnownError::Twice { line, column, first: first.line });
            }
            leaks.push(leak);
        }
        Ok(Self { leaks })
    }

    /// Index of the entry that covers a region: by its fingerprint before by its place.
    #[must_use]
    pub fn covering(&self, region: &Region) -> Option<usize> {
        let by_name = |leak: &KnownLeak| matches!(leak.covers, Covers::Fingerprint(name) if name == region.fingerprint);
        let found = self.leaks.iter().position(by_name);
        found.or_else(|| self.leaks.iter().position(|leak| leak.covers.is_place_of(region)))
    }
}

fn known(entry: Entry, line: usize, column: usize) -> Result<KnownLeak, KnownError> {
    let covers = match (entry.fingerprint, entry.place) {
        (Some(fingerprint), None) => Covers::Fingerprint(fingerprint),
        (None, Some(place)) if !place.trim().is_empty() => Covers::Place(Pattern::new(&place)),
        _ => return Err(KnownError::NoOrTwoNames { line, column }),
    };
    if entry.reason.trim().is_empty() {
        return Err(KnownError::NoReason { line, column });
    }
    let reason = entry.reason.trim().to_owned();
    Ok(KnownLeak { covers, reason, until: entry.until, max_growth: entry.max_growth, line })
}

/// Line and column of the beginning of a span.
fn position(text: &str, span: &Range<usize>) -> (usize, usize) {
    let before = text.get(..span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

impl KnownLeak {
    /// What the entry means for a growing region that it covers.
    #[must_use]
    pub fn excuse(&self, region: &Region, today: NaiveDate) -> Excuse {
        match self {
            Self { until: Some(until), .. } if today > *until => Excuse::Expired,
            Self { max_growth: Some(most), .. } if grows_faster(region, *most) => Excuse::TooFast,
            _ => Excuse::Accepted,
        }
    }

    /// Whether its last day is over.
    #[must_use]
    pub fn is_expired(&self, today: NaiveDate) -> bool {
        self.until.is_some_and(|until| today > until)
    }
}

impl Covers {
    /// A pattern fits the place as reports write it, with or without its `static`.
    fn is_place_of(&self, region: &Region) -> bool {
        let Self::Place(pattern) = self else { return false };
        let place = region.owner_proxy.path.to_string();
        pattern.fits(&place) || place.strip_prefix("static ").is_some_and(|bare| pattern.fits(bare))
    }
}

/// `fingerprint 1d82c94f9eff2a82`, `place static com.example.*`.
impl std::fmt::Display for Covers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Fingerprint(name) => write!(formatter, "fingerprint {name}"),
            Self::Place(pattern) => write!(formatter, "place {}", pattern.text()),
        }
    }
}

#[cfg(test)]
#[path = "known_tests.rs"]
mod tests;
