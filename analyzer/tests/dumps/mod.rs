//! Heap dumps of all formats: read from bytes put together here, written and read back, cut, damaged, and made up.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod bytes;
mod content;
mod damage;
mod formats;
mod hprof;
mod mutate;
mod round_trip;
