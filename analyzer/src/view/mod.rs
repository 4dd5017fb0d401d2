//! Views for people and other programs. Everything here is made from the [`crate::report`], or from the
//! [`crate::gate`] that checks it.
//!
//! Reading order: [`names`] fits names, [`plain`] keeps terminals from obeying them; [`look`] has the user's options;
//! [`holder`] states in the words of the program where a growing structure is held; [`verdict`] is the answer,
//! [`headline`] the lines below it, with the [`container`], [`receipts`] the costs; [`columns`] makes rows of the
//! table, which [`table`] prints and [`tui`] draws; [`trace`] shows the place of a structure, and [`paths`] the same
//! reference by reference; [`sites`] shows allocation sites, [`candidates`] leak roots where nothing grows; [`log`] is
//! that of the tracking; [`interim`] is one line on each change; [`several`] is for runs with several JVMs; [`json`]
//! and [`explain`] are for other readers; [`check`] is the result of the check of a build, [`ci`] its forms for build
//! servers, [`comparison`] compares two runs; [`dump`] shows reports on heap dumps, [`structures`] those on data
//! structures, [`rounds`] those on rounds of a scenario, and [`processes`] the JVMs of a machine.

pub mod candidates;
pub mod check;
pub mod ci;
pub mod columns;
pub mod comparison;
pub mod container;
pub mod dump;
pub mod explain;
pub mod headline;
pub mod holder;
pub mod interim;
pub mod json;
pub mod log;
pub mod look;
pub mod names;
pub mod paths;
pub mod plain;
pub mod processes;
pub mod receipts;
pub mod rounds;
pub mod several;
pub mod sites;
pub mod structures;
pub mod table;
pub mod trace;
pub mod tui;
pub mod verdict;
