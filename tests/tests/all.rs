//! Tests of the whole: real JVMs, the agent in them, `rootbound` next to them; and the structure of the project itself.

mod apps;
mod assertions;
mod attach;
mod documents;
mod dump_reports;
mod dumps;
mod dumps_compared;
mod faults;
mod fingerprints;
mod gates;
mod growth;
mod harness;
mod matrix;
mod packages;
mod program;
mod programs;
mod recording;
mod requests;
mod several;
mod staging;
mod structure;
mod structures;
mod terminal;
mod usage;
mod visualvm;
