//! Whatever happens around a capture, the program runs on: it does its work right, ends with its own exit code, is
//! paused no longer than is allowed, and finds nothing left behind.
//!
//! Each test here is the short form of an experiment; `scripts/faults` repeats it many times, and
//! docs/safety-figures.md has the results. Reading order: [`exits`] is the plain program of [`analyzers`] (that go,
//! come back, or never read), [`panics`] and [`endings`]; all others put the program of `tests/java/Subject.java` on
//! trial ([`unharmed`]): [`children`] that die or stay, [`limits`] and [`groups`] of memory, [`disks`], [`files`] that
//! the program maps, [`stops`], [`crowds`] of threads and processes, [`neighbours`], and everything once on each JVM
//! ([`everywhere`]).
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod analyzers;
mod children;
mod crowds;
mod disks;
mod endings;
mod everywhere;
mod exits;
mod files;
mod groups;
mod limits;
mod neighbours;
mod panics;
mod stops;
mod unharmed;
