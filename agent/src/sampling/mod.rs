//! The allocation sites of a growing structure's members. For a bounded time the JVM samples allocations (JEP 331),
//! those of the members' classes are stored with their stacks, and those that are later found inside the structure
//! give its allocation sites. Everything is switched off and undone afterwards. Decides nothing beyond bounds that
//! protect the program.
//!
//! Reading order: [`owner`] (the needs from the agent), [`pace`] (how often the JVM reports), [`samples`] (the samples
//! of the allocating threads), [`search`] (the samples inside the structures), [`sites`] (stacks into sites),
//! [`window`] (one sampling from its beginning to its end) with [`sampling_error`], [`sampler`] (the interface for the
//! work thread).

pub mod owner;
pub mod pace;
pub mod sampler;
pub mod samples;
pub mod sampling_error;
pub mod search;
pub mod sites;
pub mod window;
