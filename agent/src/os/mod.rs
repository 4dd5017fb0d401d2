//! What the agent asks of the operating system that no safe library does: the forked child of a capture, memory that it shares,
//! and looks at this process. `unsafe` is allowed here and at the border to the JVM. Knows nothing of the JVM or of the agent.
//!
//! Reading order: [`fork`] (the child) with [`cage`] (what it may not do), [`locks`] (which another thread may hold then), [`maps`]
//! (what is mapped where) and [`copier`] (what it copies for the program), [`ring`] (memory that both sides share), [`pages`] (where pages
//! lie), [`own`] (reads of this process that cannot fault), [`symbols`] (of loaded libraries).
#![allow(unsafe_code)]

pub mod cage;
pub mod copier;
pub mod fork;
pub mod locks;
pub mod maps;
pub mod own;
pub mod pages;
pub mod ring;
pub mod symbols;
