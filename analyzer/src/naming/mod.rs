//! What things are called and where they are: names that outlive the heap they were read from. Nothing here knows a
//! heap.
//!
//! Reading order: [`class`] (names of classes), [`Kind`] (kinds of object), [`Reference`] (how one object refers to
//! another), [`path`] and [`place`] (ways and where they lead), [`route`] (a way with who declares each field),
//! [`collections`] (what is known of the JDK's), [`stretches`] (references that belong together), [`fingerprint`] (the
//! name of a structure that lasts), [`named`] (enums whose values have names), `read` (what reports say, read back).

pub mod class;
pub mod collections;
pub mod fingerprint;
mod kind;
pub(crate) mod named;
pub mod path;
pub mod place;
mod read;
mod reference;
pub mod route;
pub mod stretches;

pub use fingerprint::Fingerprint;
pub use kind::Kind;
pub use path::{GcRoot, PathStep, Start, Step};
pub use place::{Origin, Place, Turn};
pub use reference::Reference;
pub use route::{Hop, Route};

#[cfg(test)]
pub(crate) mod samples;
