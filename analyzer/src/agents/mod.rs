//! The agent's libraries: one for each C library, beside the program or packed into it, and the choice among them for a
//! given JVM.
//!
//! Reading order: [`libc`] (the C library of a program), [`elf`] (what an ELF file states of it), [`packed`] (libraries
//! within this program), [`source`] (where the library for a JVM comes from), [`fit`] (whether a JVM can load it),
//! [`store`] (a place that outlives this process), [`error`].

pub mod elf;
pub mod error;
pub mod fit;
pub mod libc;
pub mod packed;
pub mod source;
pub mod store;
