//! T2: one walk over the whole reference graph, and the names that go with it. Reads no value of the program.
//!
//! Reading order: by address [`roll`] with [`head_roll`] (before the walk), [`recorder`] (inside it) with [`roots`],
//! [`coder`], [`address_table`], [`bounds`], [`seen`], [`methods`], [`failure`], [`drain`] (next to it), [`drained`]
//! (both together), [`left_out`] (what a fork leaves out), [`child`] (the forked one that makes it) with its
//! [`watchdog`], [`ahead`] (what it copies for the program), [`assigned_ids`] (after it); by tags [`walk`]; [`names`]
//! (after either).

pub mod address_table;
pub mod ahead;
pub mod assigned_ids;
pub mod bounds;
pub mod child;
pub mod coder;
pub mod drain;
pub mod drained;
pub mod failure;
pub mod head_roll;
pub mod left_out;
pub mod methods;
pub mod names;
pub mod recorder;
pub mod roll;
pub mod roots;
pub mod seen;
pub mod walk;
pub mod watchdog;
