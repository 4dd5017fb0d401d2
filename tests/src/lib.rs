//! Starts real JVMs with the agent and reads the reports of rootbound.
//!
//! Reading order: [`places`] finds built files and the JDK, [`jvms`] the other JVMs, [`java`] compiles the test
//! programs, [`process`] starts and reliably ends processes, [`watching`] runs `rootbound` over a program, [`report`]
//! is the resulting JSON, [`expect`] compares it with an app's `expect.toml`, [`terminal`] is one with keys, [`census`]
//! counts the stream of a capture, [`dumps`] takes heap dumps, [`jni_check`] reads the JVM's complaints, [`slots`]
//! limits the number of JVMs that run at the same time, [`faults`] injects faults around a program, [`measure`] is for
//! benches.
//!
//! A harness that cannot go on panics with the reason: it is test code, and only a test would handle the error.
#![allow(clippy::expect_used, clippy::panic)]

pub mod census;
pub mod dumps;
pub mod expect;
pub mod faults;
pub mod java;
pub mod jni_check;
pub mod jvms;
pub mod measure;
pub mod places;
pub mod process;
pub mod report;
pub mod slots;
pub mod terminal;
pub mod watching;
