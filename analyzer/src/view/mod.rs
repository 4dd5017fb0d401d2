//! What people and other programs see. Everything here is made from the [`crate::report`] alone.
//!
//! Reading order: [`names`] fits names, [`plain`] keeps terminals from obeying them; [`look`] is what the user asked for;
//! [`holder`] says in the words of the program who holds what; [`verdict`] is the answer, [`headline`] what stands below
//! it, [`receipts`] what it cost; [`columns`] makes rows of the table, which [`table`] prints and [`tui`] draws;
//! [`trace`] tells where a structure is, and [`paths`] the same reference by reference; [`sites`] who adds; [`interim`]
//! is one line on what has changed; [`several`] is for runs with several JVMs; [`json`] and [`explain`] are for other
//! readers; [`dump`] shows reports on heap dumps.

pub mod columns;
pub mod dump;
pub mod explain;
pub mod headline;
pub mod holder;
pub mod interim;
pub mod json;
pub mod look;
pub mod names;
pub mod paths;
pub mod plain;
pub mod receipts;
pub mod several;
pub mod sites;
pub mod table;
pub mod trace;
pub mod tui;
pub mod verdict;
