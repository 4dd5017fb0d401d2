//! What people and other programs see. Everything here is made from the [`crate::report`] alone.
//!
//! Reading order: [`names`] fits names, [`plain`] keeps terminals from obeying them; [`headline`] is what stands above
//! the trend table; [`columns`] makes rows of it, which [`table`] prints and [`tui`] draws; [`trace`] tells where a
//! structure is, and [`paths`] the same reference by reference; [`sites`] who adds; [`several`] is for runs with
//! several JVMs; [`json`] and [`explain`] are for other readers; [`dump`] shows reports on heap dumps.

pub mod columns;
pub mod dump;
pub mod explain;
pub mod headline;
pub mod json;
pub mod names;
pub mod paths;
pub mod plain;
pub mod several;
pub mod sites;
pub mod table;
pub mod trace;
pub mod tui;
