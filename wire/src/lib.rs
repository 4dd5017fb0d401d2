//! The vocabulary that the agent and the analyzer share: messages, their coding and their framing.
//!
//! Reading order: [`ids`] names things, [`objects`] is said of them everywhere, [`message`] says what is told, [`graph`] is the stream of a capture, [`codec`] turns a message into bytes,
//! [`frame`] carries those bytes over a socket or in a recording, [`secret`] and [`greeting`] are what is said over TCP before,
//! [`private_file`] makes the file of a recording. `docs/wire-protocol.md` describes the same byte by byte.
//!
//! No message has a field for a primitive or a string *value of the watched program*: names of classes, fields,
//! methods and threads are the only texts that leave the JVM (kept by `tests/privacy.rs`).

pub mod codec;
mod credit;
pub mod endpoint;
pub mod frame;
pub mod graph;
pub mod greeting;
pub mod ids;
pub mod message;
pub mod objects;
pub mod private_file;
pub mod secret;

/// The protocol that this build speaks. It stands in every frame; a reader refuses any other, naming both.
pub const PROTOCOL_VERSION: u16 = 6;
