//! The capture of a generated heap on its way from one process to another, in the frames of a connection.

use super::generator;
use rootbound::heap::HeapBuilder;
use rootbound::heap::recorded::{Recorded, Streamed, extra_objects};
use rootbound_wire::frame::{self, FrameReader};
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::FromAgent;
use std::io::{self, BufWriter, Read, Write};

/// Records in one message, and bytes in one chunk.
const MESSAGE_RECORDS: usize = 4096;
const CHUNK_BYTES: usize = 64 << 10;
/// The capture.
const SNAPSHOT: SnapshotId = generator::NEW;

/// How a capture is told.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    Records,
    Stream,
}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Self::Records => "records",
            Self::Stream => "stream",
        }
    }
}

/// Writes the capture of a generated heap to standard output.
pub fn emit(objects: usize, way: Way) -> io::Result<()> {
    let recorded = generator::generate(objects);
    let out = &mut BufWriter::new(io::stdout().lock());
    match way {
        Way::Records => emit_records(&recorded, out),
        Way::Stream => {
            let addresses = addresses(recorded.objects.len() + extra_objects());
            emit_stream(recorded.streamed(SNAPSHOT, &addresses, CHUNK_BYTES), out)
        }
    }?;
    out.flush()
}

fn emit_records(recorded: &Recorded, out: &mut impl Write) -> io::Result<()> {
    for records in recorded.objects.chunks(MESSAGE_RECORDS) {
        send(&FromAgent::Objects(records.to_vec()), out)?;
    }
    for records in recorded.references.chunks(MESSAGE_RECORDS) {
        send(&FromAgent::References(records.to_vec()), out)?;
    }
    send(&FromAgent::Classes(recorded.classes.clone()), out)
}

fn emit_stream(streamed: Streamed, out: &mut impl Write) -> io::Result<()> {
    for chunk in streamed.chunks {
        send(&FromAgent::Graph(chunk), out)?;
    }
    send(&FromAgent::Classes(streamed.classes), out)?;
    send(&FromAgent::CaptureDone(streamed.done), out)
}

fn send(message: &FromAgent, out: &mut impl Write) -> io::Result<()> {
    frame::write(message, out).map_err(io::Error::other)
}

/// A builder that has been told the capture that comes in.
#[expect(clippy::expect_used, reason = "a benchmark ends with the bug that it meets")]
pub fn listen(source: impl Read) -> HeapBuilder {
    let mut builder = HeapBuilder::new();
    let mut frames = FrameReader::new(source);
    while let Some(frame) = frames.next_frame().expect("the teller's frames are whole") {
        match frame.message().expect("the teller's messages are sound") {
            Some(FromAgent::Graph(chunk)) => builder.graph(&chunk),
            Some(FromAgent::Objects(records)) => builder.objects(&records),
            Some(FromAgent::References(records)) => builder.references(&records),
            Some(FromAgent::Classes(classes)) => builder.classes(classes),
            Some(FromAgent::CaptureDone(done)) => builder.done(&done),
            _ => {}
        }
    }
    builder
}

/// Where a collector leaves objects: those that were made together lie together in a region of a megabyte, the regions
/// lie in any order, and between objects some others have died.
fn addresses(count: usize) -> Vec<u64> {
    const REGION_BYTES: u64 = 1 << 20;
    const BASE: u64 = 0x6_0000_0000;
    const SPACING: u64 = 32;
    let regions = (count as u64 * SPACING).div_ceil(REGION_BYTES).next_power_of_two();
    let mut died = 0;
    (0..count as u64)
        .map(|at| {
            // One in sixteen leaves a gap before the next, within its own spacing.
            died = if at % 16 == 0 { 8 } else { died };
            let (region, within) = (at * SPACING / REGION_BYTES, at * SPACING % REGION_BYTES);
            // An odd multiplier visits every region of a power of two once.
            BASE + region.wrapping_mul(0x9E37_79B1) % regions * REGION_BYTES + within + died
        })
        .collect()
}
