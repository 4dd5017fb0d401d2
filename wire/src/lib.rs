//! The vocabulary that the agent and the analyzer share: messages, their coding and their framing.
//!
//! Reading order: [`ids`] (names), [`objects`] (facts about objects in all messages), [`message`] (the messages),
//! [`graph`] (the stream of a capture), [`codec`] (a message as bytes). Then [`frame`] (those bytes on a socket or in a
//! recording), [`packing`] (long ones made smaller in a file), [`class_table`] (classes once a file), [`secret`] and
//! [`greeting`] (the exchange over TCP before them), [`private_file`] (the file of a recording), [`loading`] (the
//! numbers of a load into a running JVM). `docs/wire-protocol.md` describes the same byte by byte.
//!
//! No message has a field for a primitive or a string *value of the watched program*: names of classes, fields,
//! methods and threads are the only texts that leave the JVM (kept by `tests/privacy.rs`).

pub mod class_table;
pub mod codec;
mod credit;
pub mod endpoint;
pub mod frame;
pub mod graph;
pub mod greeting;
pub mod ids;
pub mod loading;
pub mod message;
pub mod objects;
pub mod packing;
pub mod private_file;
pub mod secret;

/// The protocol version of this build. It stands in every frame; a reader refuses any other, and its error names both.
pub const PROTOCOL_VERSION: u16 = 11;

/// The oldest version whose recordings this build reads: messages and kinds of frames were added since, and none
/// was changed.
pub const OLDEST_RECORDED_VERSION: u16 = 9;
