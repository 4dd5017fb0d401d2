//! The border to the JVM: all `unsafe` of the agent, and nothing else. Everything above it sees safe types only.
//!
//! Reading order: [`abi`] (the JVMTI table), [`mod@env`] (one JVMTI environment), [`classes`] (names, fields, threads),
//! [`jni`] (the attached thread and its references), [`heap`] (walks), [`events`] and [`exports`] (the JVM's calls into us).
//! Captures by address: [`sentinels`] (planted objects), [`stacks`], [`peek`] (addresses in heap callbacks), [`ring`] (memory shared with
//! a forked child), [`fork`] (the child), [`maps`] (what is mapped where).
#![allow(unsafe_code)]

pub mod abi;
pub mod classes;
pub mod env;
pub mod events;
pub mod exports;
pub mod fork;
pub mod heap;
pub mod jni;
pub mod maps;
pub mod peek;
pub mod ring;
pub mod sentinels;
pub mod stacks;
