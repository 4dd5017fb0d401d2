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

/// The heap of the last whole capture, and warnings about unreadable parts of the recording.
///
/// # Errors
/// [`RecordedHeapError`]
pub fn heap_of_recording(source: impl Read, rules: DumpRules) -> Result<(Heap, Vec<Warning>), RecordedHeapError> {
    let mut recording = RecordingReader::new(source);
    let mut captures = Captures { rules, ..Captures::default() };
    while let Some(message) = recording.next_message()? {
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
    /// The reason why a capture after the latest gives no heap.
    reason: Option<String>,
}

impl Captures {
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
                builder.done(&done);
                let heap = done.failure.map_or_else(|| builder.finish().map_err(|error| error.to_string()), Err);
                match heap {
                    Ok(heap) => (self.latest, self.reason) = (Some(heap), None),
                    Err(reason) => self.reason = Some(reason),
                }
            }
            records => {
                if let Some(builder) = &mut self.open {
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
