//! Who adds the members of a structure that grows: for a bounded time the JVM samples allocations (JEP 331), those of
//! the members' classes are remembered with their stacks, and those that are later found inside the structure tell its
//! allocation sites. Everything is switched off and given back afterwards. Decides nothing beyond bounds that protect
//! the program.
//!
//! Reading order: [`owner`] (what it needs of the agent), [`pace`] (how often the JVM reports), [`samples`] (what the allocating threads leave behind),
//! [`search`] (which of it lies inside the structures), [`sites`] (stacks into sites), [`window`] (one sampling from
//! its beginning to its end), [`sampler`] (what the work thread sees of it).

pub mod owner;
pub mod pace;
pub mod sampler;
pub mod samples;
pub mod search;
pub mod sites;
pub mod window;
