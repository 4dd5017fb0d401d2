//! The analyzer from outside: generated heaps and programs, simulated series, dumps, and a scripted agent.

mod programs;
mod random;
mod sketches;

mod ages_generated;
mod begun;
mod clearable;
mod dump_faces;
mod dumped;
mod dumps;
mod dumps_compared;
mod entries;
mod final_fields;
mod footprint;
mod graph_oracles;
mod heap_roots_manual;
mod inner_members;
mod large_states;
mod matching;
mod paper_examples;
mod probe_plans;
mod probe_routes;
mod ranking_generated;
mod ranking_sampled;
mod region_names;
mod replaced;
mod session;
mod siblings;
mod snapshots;
mod standing;
mod streams;
mod structure_growth;
mod trends;
