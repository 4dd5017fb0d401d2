//! Names and places of classes, fields and objects that outlive the heap from which they were read. Nothing here
//! depends on a heap.
//!
//! Reading order: [`class`] (names of classes), [`Pattern`] (names with `*`), [`Kind`] (kinds of object), [`Reference`]
//! (reference from one object to another), [`path`] and [`place`] (paths and their ends), [`route`] (a path with the
//! class that declares each field), [`collections`] (facts about the JDK's), [`stretches`] (references that belong
//! together), [`fingerprint`] (the name of a structure that lasts), [`growth`] (words for the growth of data
//! structures), [`named`] (enums whose values have names), `read` (texts of reports, read back).

pub mod class;
pub mod collections;
pub mod fingerprint;
pub mod growth;
mod kind;
pub(crate) mod named;
pub mod path;
mod pattern;
pub mod place;
mod read;
mod reference;
pub mod route;
pub mod stretches;

pub use fingerprint::Fingerprint;
pub use kind::Kind;
pub use path::{GcRoot, PathStep, Start, Step};
pub use pattern::Pattern;
pub use place::{Origin, Place, Shared, SharedRole, Turn};
pub use reference::Reference;
pub use route::{Hop, Route};

#[cfg(test)]
pub(crate) mod samples;
