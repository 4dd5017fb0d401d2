//! What people and other programs see. Everything here is made from the [`report::Report`] alone.
//!
//! Reading order: [`report`] is the contract; [`units`] and [`names`] turn values into words; [`columns`] makes rows of
//! the trend table, which [`table`] prints and [`tui`] draws; [`paths`] tells where a structure is; [`json`] and
//! [`explain`] are for other readers.

pub mod columns;
pub mod explain;
pub mod headline;
pub mod json;
pub mod names;
pub mod paths;
pub mod report;
pub mod table;
pub mod tui;
pub mod units;

#[cfg(test)]
mod samples;
