//! Captures by address: the heap that comes of a stream is the one that comes of records, and a stream that lies makes
//! no heap at all.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod bytes;
mod equality;
mod lies;
mod marks;
