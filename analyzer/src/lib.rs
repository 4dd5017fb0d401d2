//! The analyzer: finds out, while a Java program runs, which of its data structures grow without bound.
//!
//! Reading order, which is also the way the data flows: [`heap`] (one instant of one heap), then the analyses upon it.
//! The core is pure: no input or output, no clock, no lock; the same input gives the same report.

pub mod heap;
pub mod ingest;
pub mod session;
pub mod view;
