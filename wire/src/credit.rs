//! Limit on checks of a damaged stream. Every false header may claim megabytes, and each claim costs a checksum over
//! them. The cost of checks stays proportional to the bytes that were read.

use super::frame::MAX_PAYLOAD_BYTES;

/// Bytes that may be checked in vain from the beginning; accidental damage needs no more.
const FIRST_BYTES: u64 = 4 * MAX_PAYLOAD_BYTES as u64;
/// Further bytes of credit for each byte that was read.
const EARNED: u64 = 2;

/// Bytes that may still be checked in vain.
#[derive(Debug)]
pub(crate) struct Credit {
    earned_bytes: u64,
    spent_bytes: u64,
}

impl Credit {
    pub(crate) fn new() -> Self {
        Self { earned_bytes: FIRST_BYTES, spent_bytes: 0 }
    }

    /// Adds credit for `bytes` bytes that were read.
    pub(crate) fn earn(&mut self, bytes: usize) {
        self.earned_bytes = self.earned_bytes.saturating_add(bytes as u64 * EARNED);
    }

    /// Whether the credit covers a check of `bytes` bytes.
    pub(crate) fn affords(&self, bytes: usize) -> bool {
        self.spent_bytes.saturating_add(bytes as u64) <= self.earned_bytes
    }

    /// Deducts `bytes` bytes that were checked in vain.
    pub(crate) fn spend(&mut self, bytes: usize) {
        self.spent_bytes += bytes as u64;
    }

    /// Number of bytes that were checked in vain so far.
    #[cfg(test)]
    pub(crate) fn spent_bytes(&self) -> u64 {
        self.spent_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_stays_within_what_was_read() {
        let mut credit = Credit::new();
        let mut checks = 0;
        while credit.affords(MAX_PAYLOAD_BYTES) {
            credit.spend(MAX_PAYLOAD_BYTES);
            checks += 1;
        }
        assert_eq!((checks, credit.affords(0)), (4, true));
        credit.earn(1000);
        assert!(credit.affords(2000) && !credit.affords(2001));
    }
}
