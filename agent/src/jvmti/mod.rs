//! The border to the JVM: all `unsafe` of the agent, and nothing else. Everything above it sees safe types only.
//!
//! Reading order: [`abi`] (the JVMTI table), [`mod@env`] (one JVMTI environment), [`classes`] (names, fields, threads),
//! [`jni`] (the attached thread and its references), [`heap`] (walks), [`events`] and [`exports`] (the JVM's calls into us).
//! Captures by address: [`sentinels`] and [`primitive_arrays`] (planted objects), [`stacks`], [`peek`] (addresses in heap callbacks), [`notes`] (many
//! of them at a time), [`class_word`] (what tells mirrors from other objects), [`ring`] (memory shared with a forked child), [`fork`] (the child) with
//! [`cage`] (what it may not do), [`locks`] (which another thread may hold then) and [`maps`] (what is mapped where), [`own`]
//! (reads that cannot fault), [`pages`] (where they lie), [`copier`] (what the child copies for the program). The platform's counters: [`direct`], [`symbols`].
//! Allocation sites: [`allocations`] (the sampler and its event), [`methods`] (frames in the words of the source).
#![allow(unsafe_code)]

pub mod abi;
pub mod allocations;
pub mod cage;
pub mod class_word;
pub mod classes;
pub mod copier;
pub mod direct;
pub mod env;
pub mod events;
pub mod exports;
pub mod fork;
pub mod heap;
pub mod jni;
pub mod locks;
pub mod maps;
pub mod methods;
pub mod notes;
pub mod own;
pub mod pages;
pub mod peek;
pub mod primitive_arrays;
pub mod ring;
pub mod sentinels;
pub mod stacks;
pub mod symbols;
