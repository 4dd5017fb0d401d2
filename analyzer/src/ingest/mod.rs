//! How messages come in: from a live agent over a socket, or from a recording. Nothing beyond this folder knows
//! sockets, frames or files; what leaves it are the wire's messages.
//!
//! Reading order: [`listener`] opens the meeting point and [`handshake`] meets who knocks, [`live`] carries the
//! accepted connection, [`recording`] writes and reads the same frames as a file.

mod backlog;
pub mod clock;
mod door;
pub mod handshake;
pub mod listener;
pub mod live;
mod peer;
pub mod recording;
mod stream;

#[cfg(test)]
mod fake_agent;
