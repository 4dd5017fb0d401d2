//! Numbers out of a piece of a binary dump; each is `None` if the piece ends before it.

/// The unread rest of a piece.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    left: &'a [u8],
}

impl<'a> Fields<'a> {
    pub(super) fn new(piece: &'a [u8]) -> Self {
        Self { left: piece }
    }

    /// Number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.left.len()
    }

    #[inline]
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.left.split_at_checked(count)?;
        self.left = left;
        Some(taken)
    }

    #[inline]
    pub(super) fn u1(&mut self) -> Option<u8> {
        Some(self.bytes(1)?[0])
    }

    #[inline]
    pub(super) fn u2(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.bytes(2)?.try_into().ok()?))
    }

    #[inline]
    pub(super) fn u4(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.bytes(4)?.try_into().ok()?))
    }

    #[inline]
    pub(super) fn u8(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.bytes(8)?.try_into().ok()?))
    }

    /// An id of four or eight bytes.
    #[inline]
    pub(super) fn id(&mut self, id_bytes: usize) -> Option<u64> {
        if id_bytes == 4 { self.u4().map(u64::from) } else { self.u8() }
    }
}
