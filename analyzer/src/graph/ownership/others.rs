//! References outside the spanning tree: most objects have none, so reversing only these takes little memory.

use crate::graph::dominators::Incoming;
use crate::graph::rows::Rows;

/// Number of pairs in one piece.
const PIECE: usize = 1 << 18;

/// Referee and referrer by their numbers, in the order of discovery. They lie in pieces, for a growing vector would at
/// times exist twice.
#[derive(Debug, Default)]
pub(super) struct Others {
    pieces: Vec<Vec<(u32, u32)>>,
}

impl Others {
    /// Adds a reference. One of an object to itself is ignored.
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

    /// Reverses them; numbers are below `count`.
    pub(super) fn by_referee(&self, count: usize) -> OtherReferrers {
        OtherReferrers(Rows::new(count, 0, || self.pieces.iter().flatten().rev().copied()))
    }
}

/// By number: its referrers other than its parent.
#[derive(Debug)]
pub(super) struct OtherReferrers(Rows<u32>);

impl Incoming for OtherReferrers {
    #[inline]
    fn of(&self, number: u32) -> impl Iterator<Item = u32> {
        self.0.of(number).iter().copied()
    }
}
