//! A heap from one of our recordings: that of its last whole capture.

use super::warning::Warning;
use crate::heap::{DumpRules, Heap, HeapBuilder};
use crate::ingest::recording::{RecordedMessage, RecordingError, RecordingReader};
use rootbound_wire::message::FromAgent;
use std::io::Read;

/// Reasons why a recording gives no heap.
#[derive(Debug, thiserror::Error)]
pub enum RecordedHeapError {
    /// It cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// No capture in it gives a heap.
    #[error("the recording has no whole capture of the heap{}", reason.as_ref().map_or(String::new(), |reason| format!(": {reason}")))]
    NoCapture {
        /// The reason why the last capture gives none.
        reason: Option<String>,
    },
}

/// A capture of a recording by its number among those that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedCapture {
    /// Its number, counted from 0.
    pub number: usize,
    /// Milliseconds after the agent's start.
    pub at_ms: u64,
}

/// The captures of a recording that did not fail, in their order.
///
/// # Errors
/// [`RecordingError`]
pub fn captures_of_recording(source: impl Read) -> Result<Vec<RecordedCapture>, RecordingError> {
    let (mut recording, mut captures) = (RecordingReader::new(source), Vec::new());
    let mut is_open = false;
    while let Some(message) = recording.next_message()? {
        match message {
            RecordedMessage::FromAgent(FromAgent::CaptureStarted { .. }) => is_open = true,
            RecordedMessage::FromAgent(FromAgent::CaptureDone(done))
                if std::mem::take(&mut is_open) && done.failure.is_none() =>
            {
                captures.push(RecordedCapture { number: captures.len(), at_ms: done.at_ms });
            }
            _ => {}
        }
    }
    Ok(captures)
}

/// The heap of one capture, or of the last whole one, and warnings about unreadable parts of the recording.
///
/// # Errors
/// [`RecordedHeapError`]
pub fn heap_of_recording(
    source: impl Read,
    rules: DumpRules,
    wanted: Option<RecordedCapture>,
) -> Result<(Heap, Vec<Warning>), RecordedHeapError> {
    let mut recording = RecordingReader::new(source);
    let mut captures = Captures { rules, wanted, ..Captures::default() };
    while let Some(message) = recording.next_message()? {
        if captures.is_found() {
            break;
        }
        if let RecordedMessage::FromAgent(reported) = message {
            captures.take(reported);
        }
    }
    let damage = recording.damage().sentences().into_iter();
    let later = captures.reason.iter().filter(|_| captures.latest.is_some());
    let later = later.map(|reason| format!("a later capture in the recording gives no heap: {reason}"));
    let warnings = damage.chain(later).map(Warning::Other).collect();
    let heap = captures.latest.ok_or(RecordedHeapError::NoCapture { reason: captures.reason })?;
    Ok((heap, warnings))
}

#[derive(Default)]
struct Captures {
    rules: DumpRules,
    open: Option<HeapBuilder>,
    latest: Option<Heap>,
    /// The only capture that is read.
    wanted: Option<RecordedCapture>,
    /// Captures so far that did not fail.
    seen: usize,
    /// The reason why a capture after the latest gives no heap.
    reason: Option<String>,
}

impl Captures {
    /// Whether the wanted capture has been read.
    fn is_found(&self) -> bool {
        self.wanted.is_some_and(|wanted| self.seen > wanted.number)
    }

    /// Whether the next capture that does not fail is read.
    fn is_wanted(&self) -> bool {
        self.wanted.is_none_or(|wanted| self.seen == wanted.number)
    }

    fn take(&mut self, reported: FromAgent) {
        match reported {
            FromAgent::CaptureStarted { .. } => {
                if self.open.is_some() {
                    self.reason = Some("it was never finished".to_owned());
                }
                let mut builder = HeapBuilder::new();
                builder.keep(self.rules);
                self.open = Some(builder);
            }
            FromAgent::CaptureDone(done) => {
                let Some(mut builder) = self.open.take() else { return };
                let is_wanted = self.is_wanted();
                self.seen += usize::from(done.failure.is_none());
                if !is_wanted {
                    return;
                }
                builder.done(&done);
                let heap = done.failure.map_or_else(|| builder.finish().map_err(|error| error.to_string()), Err);
                match heap {
                    Ok(heap) => (self.latest, self.reason) = (Some(heap), None),
                    Err(reason) => self.reason = Some(reason),
                }
            }
            records => {
                let is_wanted = self.is_wanted();
                if let Some(builder) = self.open.as_mut().filter(|_| is_wanted) {
                    add(builder, records);
                }
            }
        }
    }
}

fn add(builder: &mut HeapBuilder, records: FromAgent) {
    match records {
        FromAgent::Graph(chunk) => builder.graph(&chunk),
        FromAgent::Objects(records) => builder.objects(&records),
        FromAgent::References(records) => builder.references(&records),
        FromAgent::Roots(records) => builder.roots(&records),
        FromAgent::Classes(records) => builder.classes(records),
        FromAgent::Threads(records) => builder.threads(records),
        FromAgent::Methods(records) => builder.methods(records),
        _ => {}
    }
}
