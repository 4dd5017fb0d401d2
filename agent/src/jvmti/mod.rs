//! The border to the JVM: `unsafe`, and nothing else. All rooms above it use safe types only.
//!
//! Reading order: [`abi`] (C types), [`functions`] (the function table), [`mod@env`] (one JVMTI environment),
//! [`classes`] and [`signature`] (names, fields, threads), [`jni`] (the attached thread and its references),
//! [`checked`] (reads of fields and arrays), [`heap`] (walks), [`events`] and [`host`] (the JVM's calls into us).
//! Captures by address: [`sentinels`] and [`primitive_arrays`] (planted objects), [`stacks`], [`peek`] (addresses in
//! heap callbacks), [`notes`] (many of them at a time), [`class_word`] (the difference between mirrors and other
//! objects). The platform's counters: [`direct`]. Allocation sites: [`allocations`] (the sampler and its event),
//! [`methods`] (frames in the words of the source). Our Java library: [`java_arrays`], [`natives`].
#![allow(unsafe_code)]

pub mod abi;
pub mod allocations;
pub mod checked;
pub mod class_word;
pub mod classes;
pub mod direct;
pub mod env;
pub mod events;
pub mod functions;
#[cfg(test)]
mod header_tests;
pub mod heap;
pub mod host;
pub mod java_arrays;
pub mod jni;
pub mod methods;
pub mod natives;
pub mod notes;
pub mod peek;
pub mod primitive_arrays;
pub mod sentinels;
pub mod signature;
#[cfg(test)]
mod slot_tests;
pub mod stacks;
