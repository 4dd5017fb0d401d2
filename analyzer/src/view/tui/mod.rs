//! The live table: draws a report, moves a selection, opens the leak path of a row, and changes between JVMs.
//! Independent of sessions and sockets.
//!
//! [`state`] holds the part of one JVM's screen that keys change, [`screen`] lays it out, [`detail`] draws the opened
//! row, [`visits`] the log, [`structures`] and [`window`] the data structures, [`tabs`] leads from JVM to JVM,
//! [`terminal`] owns the real terminal and always restores it.

mod detail;
mod screen;
pub mod state;
mod structures;
mod style;
pub mod tabs;
pub mod terminal;
mod visits;
mod window;

pub use screen::{Setup, draw};
pub use state::{Reaction, State};
pub use tabs::Tabs;
pub use terminal::Tui;

#[cfg(test)]
mod tests;
