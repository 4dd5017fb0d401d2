//! What people and other programs see. Everything here is made from the [`report::Report`] alone.
//!
//! Reading order: [`report`] is the contract; [`units`] and [`names`] turn values into words, [`plain`] keeps
//! terminals from obeying names; [`columns`] makes rows of
//! the trend table, which [`table`] prints and [`tui`] draws; [`trace`] tells where a structure is, with what
//! [`collections`] knows of the JDK, and [`paths`] the same reference by reference; [`sites`] who adds; [`several`] is for runs with several JVMs; [`json`] and
//! [`explain`] are for other readers.

pub mod collections;
pub mod columns;
pub mod dump;
pub mod explain;
pub mod headline;
pub mod json;
pub mod names;
pub mod paths;
pub mod plain;
pub mod report;
pub mod several;
pub mod sites;
pub mod table;
pub mod trace;
pub mod tui;
pub mod units;

#[cfg(test)]
pub(crate) mod samples;
