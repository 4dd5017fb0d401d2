//! The base of every room of the agent: panics that go no further, lines for the user, and an account of the agent's
//! own threads.

pub mod log;
pub mod own_threads;
pub mod panics;
