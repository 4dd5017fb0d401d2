//! The chunks of a capture, surveyed on arrival. They lie in a few large pieces of memory, which go back to the system
//! one by one while the heap is built.

use super::survey::Survey;
use super::unproven::Unproven;
use rootbound_wire::graph::Chunk;
use std::ops::Range;

/// Number of bytes from which a piece takes no more chunks.
const PIECE_BYTES: usize = 32 << 20;

/// Chunks in their order.
#[derive(Debug, Default)]
pub(in crate::heap) struct Stream {
    pieces: Vec<Piece>,
    survey: Survey,
    /// The reason to reject the stream; from then on chunks are no longer kept.
    wrong: Option<Unproven>,
}

/// Some chunks, one after another.
#[derive(Debug, Default)]
pub(super) struct Piece {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Stream {
    pub(in crate::heap) fn push(&mut self, chunk: &Chunk) {
        if self.wrong.is_some() {
            return;
        }
        self.wrong = self.survey.look_through(&chunk.0).err();
        if self.pieces.last().is_none_or(|piece| piece.bytes.len() + chunk.0.len() > PIECE_BYTES) {
            self.pieces.push(Piece::default());
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.bytes.extend_from_slice(&chunk.0);
            piece.ends.push(piece.bytes.len());
        }
    }

    pub(in crate::heap) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.wrong.is_none()
    }

    /// Takes the result of the survey.
    pub(super) fn take_survey(&mut self) -> Result<Survey, Unproven> {
        self.wrong.take().map_or_else(|| Ok(std::mem::take(&mut self.survey)), Err)
    }

    /// All chunks.
    pub(super) fn chunks(&self) -> Vec<&[u8]> {
        self.pieces.iter().flat_map(Piece::chunks).collect()
    }

    /// The pieces, each to be dropped after use.
    pub(super) fn into_pieces(self) -> Vec<Piece> {
        self.pieces
    }
}

impl Piece {
    pub(super) fn chunks(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).map(|at| &self.bytes[self.range(at)])
    }

    fn range(&self, at: usize) -> Range<usize> {
        at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]
    }
}
