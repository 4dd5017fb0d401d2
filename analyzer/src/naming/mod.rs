//! What things are called. Nothing here knows a heap, and nothing here is a sentence for people.
//!
//! Reading order: [`class`] (names of classes), [`kind`] (kinds of object), [`collections`] (what is known of the JDK's),
//! [`named`] (enums whose values have names).

pub mod class;
pub mod collections;
mod kind;
pub(crate) mod named;

pub use kind::Kind;
