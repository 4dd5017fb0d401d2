//! How heaps come in: as messages from a live agent over a socket or from a recording, or whole, from a heap dump. Nothing
//! beyond this folder knows sockets, frames or files; what leaves it are the wire's messages, and heaps.
//!
//! Reading order: [`listener`] opens the meeting point and [`handshake`] meets who knocks, [`live`] carries the
//! accepted connection, [`recording`] writes and reads the same frames as a file, [`dump`] reads heap dumps.

mod backlog;
pub mod clock;
mod door;
pub mod dump;
pub mod handshake;
pub mod listener;
pub mod live;
mod peer;
pub mod recording;
mod stream;

#[cfg(test)]
mod fake_agent;
