//! The check for continuous integration: which growing structures make a run fail, and what changed between two runs.
//!
//! Everything here is decided on the values of reports that their JSON has, so that a stored report gives the same
//! answer as a live one.
//!
//! Reading order: [`Rate`] and [`Condition`] (what `--fail-on` asks), [`known`] (leaks that a team accepts for a time),
//! [`Finding`] (one structure that grows, and whether it fails the run), [`Gate`] (all findings of a run),
//! [`comparison`] (two runs by fingerprint, the contract `rootbound.compare/1`).

pub mod comparison;
mod condition;
mod finding;
#[expect(clippy::module_inception)]
mod gate;
pub mod known;
mod rate;
mod written;

pub use condition::{Condition, ConditionError};
pub use finding::{Finding, Reason, SourceLine, Standing};
pub use gate::{Gate, Locate, MOST_SUBJECTS, Outcome, Subject, Wanted, is_judged};
pub use rate::{Rate, RateError};
pub use written::{Written, entry};
