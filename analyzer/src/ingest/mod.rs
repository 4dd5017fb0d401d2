//! The sources of heaps: messages from a live agent over a socket or from a recording, or a whole heap dump. Sockets,
//! frames and files are used only in this folder; its results are the wire's messages, and heaps.
//!
//! Reading order: [`listener`] opens the socket and [`handshake`] meets new peers. [`live`] carries the accepted
//! connection, [`recording`] writes and reads the same frames as a file, [`dump`] reads heap dumps, [`sources`]
//! finds source files.

mod backlog;
pub mod clock;
pub mod control;
mod door;
pub mod dump;
pub mod handshake;
pub mod listener;
pub mod live;
mod peer;
pub mod recording;
pub mod sources;
mod stream;

#[cfg(test)]
mod fake_agent;
