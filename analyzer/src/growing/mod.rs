//! The growth of data structures from one heap of a program to another (AntTracks §3.4): of heap dumps, of the captures
//! in a recording, and of a JVM that runs. Reads no file and prints nothing.
//!
//! Reading order: [`language`] (the descriptions), [`compare`] (two heaps in memory), [`live`] (one heap at a time, as
//! captures come), [`tree`] (classification trees), [`lines`] (values of the report).

mod compare;
mod language;
mod lines;
mod live;
mod tree;

pub use compare::{Between, Compared, Growing, GrowthOrder, GrowthWanted, NamedHeap};
pub use language::language;
pub use live::{LiveGrowth, MOST_HEADS, Owners, StateOf, WantedHead, WindowRefusal};
pub use tree::nodes;

/// Called with the name of each phase before it begins; it shows progress.
pub type OnPhase<'a> = &'a mut dyn FnMut(&'static str);
