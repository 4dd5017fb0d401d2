//! Services of the operating system that no safe library offers: the forked child of a capture, memory that it shares,
//! reads of this process, and the agent's allocator. `unsafe` is allowed here and at the border to the JVM. Uses
//! neither the JVM nor the rest of the agent.
//!
//! Reading order: [`fork`] (the child) with [`cage`] (limits on it), [`locks`] (held by another thread at a fork),
//! [`maps`] (the mappings) and [`copier`] (copies for the program), [`ring`] (memory that both sides share), [`pages`]
//! (the place of pages), [`own`] (reads of this process that cannot fault), [`returned`] (the allocator), [`symbols`]
//! (of loaded libraries).
#![allow(unsafe_code)]

pub mod cage;
pub mod copier;
pub mod fork;
pub mod locks;
pub mod maps;
pub mod own;
pub mod pages;
pub mod returned;
pub mod ring;
pub mod symbols;
