//! The analyzer: finds out, while a Java program runs, which of its data structures grow without bound.
//!
//! Reading order, which is also the way the data flows. First what all use: [`naming`] (what things are called) and
//! [`units`] (numbers as people read them). Then the core: [`heap`] (one instant of one heap), [`graph`] (its
//! attributes), [`marking`] (what to recognise in the next), [`matching`] (the same between heap dumps), [`ranking`]
//! (candidate leak roots), [`relations`] (of regions to one another), [`regions`] (what evolves together below them),
//! [`tracking`] (how it really evolves). For
//! one heap dump: [`suspects`] (who keeps it), [`heap_roots`] (its roots and what each owns), [`structure_size`] (how
//! large a structure is), [`ways`] (why an object is kept), [`holders`] (who refers to it), [`structures`] (structures
//! that users described), and for several of a repeated scenario [`rounds`] (what grew in every round). Then [`report`]
//! (all that is known, as values), [`session`] (the loop that joins the core to it), [`growing`] (how structures grow
//! from one heap to another), [`dump_reports`] (the same for one dump) and [`gate`] (whether a run fails a build). Last
//! the borders: [`agents`] (the agent's libraries), [`attach`] (into a running JVM), [`ingest`] (what comes in) and
//! [`view`] (what people see). The core is pure: no input or output, no clock, no lock; the same input gives the same
//! report.

pub mod agents;
pub mod attach;
pub mod dump_reports;
pub mod gate;
pub mod graph;
pub mod growing;
pub mod heap;
pub mod heap_roots;
pub mod holders;
pub mod ingest;
pub mod marking;
pub mod matching;
pub mod naming;
pub mod ranking;
pub mod regions;
pub mod relations;
pub mod report;
pub mod rounds;
pub mod session;
pub mod structure_size;
pub mod structures;
pub mod suspects;
pub mod tracking;
pub mod units;
pub mod view;
pub mod ways;
