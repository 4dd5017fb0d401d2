//! Numbers in as few bytes as they need: seven bits a byte, low ones first, the high bit set on all but the last.

/// Writes a number into `out`, which has room for ten bytes at `at`; returns the index after it.
#[inline]
pub(super) fn write(out: &mut [u8], mut at: usize, mut number: u64) -> usize {
    while number >= 0x80 {
        out[at] = number as u8 | 0x80;
        number >>= 7;
        at += 1;
    }
    out[at] = number as u8;
    at + 1
}

/// Reads a number from the front of `bytes`; `None` if it is cut off or longer than 64 bits.
#[inline]
pub(super) fn read(bytes: &mut &[u8]) -> Option<u64> {
    match bytes {
        // Most numbers are this short.
        [first, rest @ ..] if *first < 0x80 => {
            let number = u64::from(*first);
            *bytes = rest;
            Some(number)
        }
        _ => read_long(bytes),
    }
}

fn read_long(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0u64, 0u32);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7F);
        if shift == 63 && bits > 1 || shift > 63 {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// Number of bytes of a number.
#[inline]
pub(super) fn length(number: u64) -> usize {
    (u64::BITS - (number | 1).leading_zeros()).div_ceil(7) as usize
}

/// Maps numbers of either sign to unsigned ones; small ones stay small.
#[inline]
pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

/// The number of a zigzag code.
#[inline]
pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
