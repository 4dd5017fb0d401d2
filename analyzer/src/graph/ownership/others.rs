//! References beside the spanning tree: most objects have none, so turning these alone around takes little memory.

use crate::graph::dominators::Incoming;
use crate::graph::rows::Rows;

/// Pairs in one piece.
const PIECE: usize = 1 << 18;

/// Referee and referrer by their numbers, in the order in which they were met; in pieces, for a vector that grows would be
/// there twice at times.
#[derive(Debug, Default)]
pub(super) struct Others {
    pieces: Vec<Vec<(u32, u32)>>,
}

impl Others {
    /// One more. A reference of an object to itself says nothing.
    pub(super) fn push(&mut self, referee: u32, referrer: u32) {
        if referee == referrer {
            return;
        }
        match self.pieces.last_mut().filter(|piece| piece.len() < PIECE) {
            Some(piece) => piece.push((referee, referrer)),
            None => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push((referee, referrer));
                self.pieces.push(piece);
            }
        }
    }

    /// Turns them around; numbers are below `count`.
    pub(super) fn by_referee(&self, count: usize) -> OtherReferrers {
        OtherReferrers(Rows::new(count, 0, || self.pieces.iter().flatten().rev().copied()))
    }
}

/// By number: who refers to it besides its parent.
#[derive(Debug)]
pub(super) struct OtherReferrers(Rows<u32>);

impl Incoming for OtherReferrers {
    #[inline]
    fn of(&self, number: u32) -> impl Iterator<Item = u32> {
        self.0.of(number).iter().copied()
    }
}
