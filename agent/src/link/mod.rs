//! The connection to the analyzer: a bounded queue, a writer that drains it, and the other end. Never touches the JVM:
//! its threads are native and keep running while the world is stopped.
//!
//! Reading order: [`outbox`] (the queue), [`pool`] (buffers for captures), [`writer`], [`split`], [`socket`], [`pace`],
//! [`destination`], [`connector`], [`recording`].

pub mod connector;
pub mod destination;
pub mod outbox;
pub mod pace;
pub mod pool;
pub mod recording;
pub mod socket;
pub mod split;
pub mod writer;

use crossbeam_channel::Sender;
use outbox::Outbox;
use recording::schedule::Spent;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureMethod, ToAgent};

/// The link's events for the session.
pub enum LinkEvent {
    /// A connection (or a recording) is up, and Hello is on its way.
    Up(Outbox),
    /// The other side asks for something.
    Asked(ToAgent),
    /// There is no listener; capture.
    Unattended {
        /// Its number.
        snapshot: SnapshotId,
        /// The method; `None`: as the program allows.
        method: Option<CaptureMethod>,
        /// Bound of a pause; 0: none.
        max_pause_ms: u32,
        /// Receives the cost.
        spent: Sender<Spent>,
    },
    /// The connection is gone, with everything that was queued on it.
    Down,
}
