//! One capture: its costs, and its stream.

use crate::link::Link;
use rootbound_wire::graph::Chunk;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{CaptureDone, CaptureMethod, ClassRecord, FromAgent, ToAgent};
use std::time::{Duration, Instant};

/// A capture that has ended.
pub struct Captured {
    /// The agent's receipt.
    pub done: CaptureDone,
    /// Its stream; empty for captures by tags.
    pub chunks: Vec<Chunk>,
    /// Its classes.
    pub classes: Vec<ClassRecord>,
    /// Time from the request to the end.
    pub took: Duration,
}

/// Asks for a capture and takes it in. `leave_out`: whether a fork leaves out the free parts of the heap.
pub fn ask(link: &mut Link, snapshot: SnapshotId, method: CaptureMethod, leave_out: bool) -> Captured {
    let begun = Instant::now();
    link.say(&ToAgent::Capture { snapshot, method, abort_after_ms: 0, deadline_ms: 0, leave_out });
    let (mut chunks, mut classes) = (Vec::new(), Vec::new());
    let done = link.until(|message| match message {
        FromAgent::Graph(chunk) => {
            chunks.push(chunk);
            None
        }
        FromAgent::Classes(more) => {
            classes.extend(more);
            None
        }
        FromAgent::CaptureDone(done) => Some(done),
        _ => None,
    });
    Captured { done, chunks, classes, took: begun.elapsed() }
}

impl Captured {
    /// Reason why the agent rejected it.
    pub fn failure(&self) -> Option<&str> {
        self.done.failure.as_deref()
    }
}

/// Name of the method on the command line.
pub fn name(method: CaptureMethod) -> &'static str {
    match method {
        CaptureMethod::Fork => "fork",
        CaptureMethod::InProcess => "in-process",
        CaptureMethod::Tags => "tags",
    }
}
