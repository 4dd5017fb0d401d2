//! References beside the spanning tree: most objects have none, so turning these alone around takes little memory.

use crate::graph::dominators::Incoming;

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
    pub(super) fn by_referee(self, count: usize) -> OtherReferrers {
        let mut offsets = vec![0u32; count + 1];
        for &(referee, _) in self.pieces.iter().flatten() {
            offsets[referee as usize] += 1;
        }
        let mut end = 0;
        for offset in &mut offsets {
            end += *offset;
            *offset = end;
        }
        let mut referrers = vec![0; end as usize];
        // Rows are filled from their ends, so that each offset finishes at its row's start.
        for piece in self.pieces.into_iter().rev() {
            for (referee, referrer) in piece.into_iter().rev() {
                let at = &mut offsets[referee as usize];
                *at -= 1;
                referrers[*at as usize] = referrer;
            }
        }
        OtherReferrers { offsets, referrers }
    }
}

/// By number: who refers to it besides its parent.
#[derive(Debug)]
pub(super) struct OtherReferrers {
    offsets: Vec<u32>,
    referrers: Vec<u32>,
}

impl Incoming for OtherReferrers {
    #[inline]
    fn of(&self, number: u32) -> impl Iterator<Item = u32> {
        let row = self.offsets[number as usize] as usize..self.offsets[number as usize + 1] as usize;
        self.referrers[row].iter().copied()
    }
}
