//! The reads of a visit: the heap as probes see it.
//!
//! [`reader`] (operations that a visit may use), [`live`] and [`live_counter`] (the JVM as a reader).

pub mod live;
pub mod live_counter;
pub mod reader;
