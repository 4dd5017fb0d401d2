//! Conditions under which a run fails: the values of `--fail-on`.

use super::{Rate, RateError};
use crate::report::Region;
use std::fmt;
use std::str::FromStr;

/// Condition under which a run fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Condition {
    /// A structure grows that could fill the heap within a year, and the known leaks do not excuse it.
    Grower,
    /// The same, and it did not grow in the earlier run that this one is compared with.
    NewGrower,
    /// A structure grows faster than this rate: the lower end of its 95 % interval is above it.
    Growth(Rate),
}

/// The reason why a text is no condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    /// It is the name of none.
    #[error("write grower, new-grower or growth>RATE, for instance 'growth>10MB/h'")]
    Unknown,
    /// The rate is missing; a shell takes `>` for a redirection.
    #[error("growth needs a rate, and the shell needs quotes: 'growth>10MB/h'")]
    NoRate,
    /// The rate is none.
    #[error(transparent)]
    Rate(#[from] RateError),
}

impl Condition {
    /// Whether the growth of a region meets it. `is_new` states whether the region did not grow in the earlier run.
    #[must_use]
    pub(super) fn is_met(self, region: &Region, is_new: bool) -> bool {
        match self {
            Self::Grower => region.grows_independently(),
            Self::NewGrower => region.grows_independently() && is_new,
            Self::Growth(rate) => grows_faster(region, rate),
        }
    }
}

/// Whether a region surely grows faster. Of compared dumps, which have no interval, the estimate decides.
pub(super) fn grows_faster(region: &Region, rate: Rate) -> bool {
    let least = region.bytes_per_hour_low.or(region.bytes_per_hour);
    region.is_grower() && region.contained_in().is_none() && least.is_some_and(|least| least > rate.bytes_per_hour())
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        match text.trim() {
            "grower" => Ok(Self::Grower),
            "new-grower" => Ok(Self::NewGrower),
            "growth" => Err(ConditionError::NoRate),
            other => match other.split_once('>') {
                Some((name, rate)) if name.trim() == "growth" => Ok(Self::Growth(rate.parse()?)),
                _ => Err(ConditionError::Unknown),
            },
        }
    }
}

/// `grower`, `new-grower`, `growth>10.0 MB/h`.
impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grower => formatter.write_str("grower"),
            Self::NewGrower => formatter.write_str("new-grower"),
            Self::Growth(rate) => write!(formatter, "growth>{rate}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::figure_5;

    fn condition(text: &str) -> Condition {
        text.parse().unwrap()
    }

    #[test]
    fn conditions_are_read_as_they_are_written() {
        assert_eq!(condition("grower"), Condition::Grower);
        assert_eq!(condition(" new-grower "), Condition::NewGrower);
        assert_eq!(condition("growth>10MB/h").to_string(), "growth>10.0 MB/h");
        for (text, error) in [
            ("flowers", ConditionError::Unknown),
            ("growth", ConditionError::NoRate),
            ("growth>", ConditionError::Rate(RateError::NoTime)),
            ("growth>10MB", ConditionError::Rate(RateError::NoTime)),
            ("heap>1MB/h", ConditionError::Unknown),
        ] {
            assert_eq!(text.parse::<Condition>(), Err(error), "{text}");
        }
    }

    #[test]
    fn a_rate_is_exceeded_only_beyond_doubt() {
        // 460,800 bytes an hour, at least 450,000.
        let region = &figure_5().regions[0];
        assert!(condition("growth>449999/h").is_met(region, false));
        assert!(!condition("growth>450000/h").is_met(region, false), "the interval reaches below it");
        let dumps = Region { bytes_per_hour_low: None, ..region.clone() };
        assert!(condition("growth>450000/h").is_met(&dumps, false), "dumps have no interval");
    }

    #[test]
    fn what_takes_a_year_is_no_grower_and_may_exceed_a_rate() {
        let slow = Region { harmless: true, ..figure_5().regions[0].clone() };
        assert!(!Condition::Grower.is_met(&slow, true));
        assert!(condition("growth>1K/h").is_met(&slow, true));
        let part = Region { within: Some(slow.fingerprint), ..slow };
        assert!(!condition("growth>1K/h").is_met(&part, true), "its whole counts");
    }

    #[test]
    fn only_what_did_not_grow_before_is_new() {
        let region = &figure_5().regions[0];
        assert!(Condition::NewGrower.is_met(region, true) && !Condition::NewGrower.is_met(region, false));
    }
}
