//! What a visit reads: the heap as probes see it.
//!
//! [`reader`] (what a visit may do), [`route`] (the automaton), [`live`] and [`live_counter`] (the JVM as a reader).

pub mod live;
pub mod live_counter;
pub mod reader;
pub mod route;
