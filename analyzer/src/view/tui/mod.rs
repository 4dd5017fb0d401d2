//! The live table: draws a report, moves a selection, opens the leak path of a row, and changes between JVMs. Knows no
//! session and no socket.
//!
//! [`state`] is what the keys change of one JVM's screen, [`screen`] lays it out, [`detail`] draws the opened row,
//! [`tabs`] leads from JVM to JVM, [`terminal`] owns the real terminal and gives it back whatever happens.

mod detail;
mod screen;
pub mod state;
mod style;
pub mod tabs;
pub mod terminal;

pub use screen::{Setup, draw};
pub use state::{Reaction, State};
pub use tabs::Tabs;
pub use terminal::Tui;

#[cfg(test)]
mod tests;
