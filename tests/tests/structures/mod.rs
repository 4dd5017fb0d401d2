//! Shipped descriptions of data structures against real libraries: a Java program fills each collection with 0, 1, 13
//! and 1000 elements and dumps its heap. Every collection must be found with exactly its elements and its own objects.
//!
//! Reading order: [`walk`] (the paper's detection, written down once more), [`filled`] (dumps of a program),
//! [`jdk`] and [`libraries`] (the collections).

mod filled;
mod jdk;
mod libraries;
mod walk;
