//! The analyzer: finds out, while a Java program runs, which of its data structures grow without bound.
//!
//! Reading order, which is also the way the data flows: [`heap`] (one instant of one heap), [`graph`] (its
//! attributes), [`marking`] (what to recognise in the next), [`ranking`] (candidate leak roots), [`regions`] (what evolves together below them),
//! [`tracking`] (how it really evolves), [`session`] (the loop that joins them), then the borders: [`ingest`] (what
//! comes in) and [`view`] (what people see).
//! The core is pure: no input or output, no clock, no lock; the same input gives the same report.

pub mod dump_reports;
pub mod graph;
pub mod heap;
pub mod heap_roots;
pub mod ingest;
pub mod marking;
pub mod matching;
pub mod ranking;
pub mod regions;
pub mod session;
pub mod structure_size;
pub mod suspects;
pub mod tracking;
pub mod view;
