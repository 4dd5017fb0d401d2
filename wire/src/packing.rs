//! Long messages of the agent made smaller in a file: those of captures shrink to half. On a connection nothing is
//! packed: reader and writer are on one machine there, and the bound of a reader counts bytes that arrive.
//!
//! A frame of the kind [`PACKED`] stands for one of the agent's messages. Its payload is the other's payload, packed by
//! DEFLATE (RFC 1951). A frame of the kind [`COLUMNS`] stands for a chunk of a graph, whose columns are packed likewise
//! (see `graph/columns`). This is the only file that depends on the compressor.

use crate::codec::{self, CodecError, Message};
use crate::frame::{self, Frame, MAX_PAYLOAD_BYTES, Written, written};
use crate::graph::Chunk;
use crate::graph::columns::{Forecast, join, split};
use crate::message::FromAgent;
use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use std::fmt;

/// The kind of a frame with a packed payload.
pub const PACKED: u8 = 4;

/// The kind of a frame with the packed columns of a chunk.
pub const COLUMNS: u8 = 7;

/// Shorter payloads stay as they are: they are few bytes in all, and are read more often than they are written.
const LEAST_BYTES: usize = 4 << 10;

/// A level that is nearly as fast as the fastest one: of chunks in columns it leaves a tenth less.
const LEVEL: i32 = 2;
/// DEFLATE alone: no header of zlib around it.
const RAW: i32 = 0;
/// The usual strategy.
const STRATEGY: i32 = 0;

/// Packs frames. Holds the compressor's state of some 300 KB, and as much of the forecast.
pub struct Packer {
    compressor: CompressorOxide,
    payload: Vec<u8>,
    forecast: Forecast,
    columns: Vec<u8>,
}

impl Packer {
    /// A packer that has packed nothing.
    #[must_use]
    pub fn new() -> Self {
        let compressor = CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, RAW, STRATEGY));
        Self { compressor, payload: Vec::new(), forecast: Forecast::new(), columns: Vec::new() }
    }

    /// Copies whole frames to the end of `out`. Of the agent's long messages the payload is packed, unless that makes
    /// it no shorter.
    pub fn pack(&mut self, frames: &[u8], out: &mut Vec<u8>) {
        for Written { range, kind, payload } in written(frames) {
            let is_long = kind == FromAgent::KIND && payload.len() >= LEAST_BYTES;
            if is_long && self.is_packed_in_columns(payload) {
                frame::append_payload(COLUMNS, &self.payload, out);
            } else if is_long && self.is_packed(payload) {
                frame::append_payload(PACKED, &self.payload, out);
            } else {
                out.extend_from_slice(&frames[range]);
            }
        }
    }

    /// Whether `self.payload` now has the packed columns of a chunk, in fewer bytes.
    fn is_packed_in_columns(&mut self, payload: &[u8]) -> bool {
        let mut columns = std::mem::take(&mut self.columns);
        columns.clear();
        let is_chunk =
            codec::chunk(payload).is_some_and(|chunk| split(chunk, &mut self.forecast, &mut columns).is_ok());
        let is_packed = is_chunk && columns.len() <= MAX_PAYLOAD_BYTES && self.fits(&columns, payload.len() - 1);
        self.columns = columns;
        is_packed
    }

    /// The payload packed, whether that makes it shorter or not; `None` when the compressor fails.
    pub(crate) fn packed(&mut self, payload: &[u8]) -> Option<&[u8]> {
        // Stored blocks, the worst case, take five bytes for each 64 KB or part of it.
        let most = payload.len() + payload.len() / 1_000 + 64;
        self.fits(payload, most).then_some(&self.payload[..])
    }

    /// Whether `self.payload` now has the payload, in fewer bytes.
    fn is_packed(&mut self, payload: &[u8]) -> bool {
        self.fits(payload, payload.len() - 1)
    }

    /// Whether `self.payload` now has the payload, in at most this number of bytes.
    fn fits(&mut self, payload: &[u8], most: usize) -> bool {
        self.compressor.reset();
        self.payload.resize(most, 0);
        let (status, _, packed) = compress(&mut self.compressor, payload, &mut self.payload, TDEFLFlush::Finish);
        self.payload.truncate(packed);
        status == TDEFLStatus::Done
    }
}

impl fmt::Debug for Packer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Packer").finish_non_exhaustive()
    }
}

impl Default for Packer {
    fn default() -> Self {
        Self::new()
    }
}

/// The frame as it was before it was packed. Other frames are returned as they are.
///
/// # Errors
/// [`CodecError::Malformed`] when the payload does not unpack to one that a frame may have. Never allocates more than
/// a few times that, whatever the bytes claim.
pub fn unpacked(frame: Frame) -> Result<Frame, CodecError> {
    match frame.kind {
        PACKED => Ok(Frame { kind: FromAgent::KIND, payload: inflated(&frame.payload)? }),
        COLUMNS => Ok(Frame { kind: FromAgent::KIND, payload: of_columns(&frame.payload)? }),
        _ => Ok(frame),
    }
}

/// The payload of the message with the chunk whose packed columns these are.
fn of_columns(packed: &[u8]) -> Result<Vec<u8>, CodecError> {
    let malformed = |reason| CodecError::Malformed { length: packed.len(), reason };
    let chunk = join(&inflated(packed)?, MAX_PAYLOAD_BYTES);
    let chunk = chunk.map_err(|fault| malformed(format!("its columns give no chunk: {fault}")))?;
    let mut payload = Vec::new();
    codec::encode(&FromAgent::Graph(Chunk(chunk)), &mut payload)?;
    let fits = payload.len() <= MAX_PAYLOAD_BYTES;
    if fits { Ok(payload) } else { Err(malformed("its chunk is longer than a message may be".to_owned())) }
}

/// Unpacks a payload, as [`unpacked`] does.
pub(crate) fn inflated(payload: &[u8]) -> Result<Vec<u8>, CodecError> {
    let malformed = |reason| CodecError::Malformed { length: payload.len(), reason };
    let inflated = decompress_to_vec_with_limit(payload, MAX_PAYLOAD_BYTES);
    inflated.map_err(|error| malformed(format!("it does not unpack: {error}")))
}
