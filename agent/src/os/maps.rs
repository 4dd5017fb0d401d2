//! Lines of `/proc/self/maps`. Pure arithmetic on bytes, without allocation: a forked child reads them too.

/// One mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// First address.
    pub start: usize,
    /// First address behind.
    pub end: usize,
    /// Whether it may be written.
    pub is_writable: bool,
    /// Whether a forked child would write the parent's memory.
    pub is_shared: bool,
}

/// Reads one line; `None` when it is none.
pub fn mapping(line: &[u8]) -> Option<Mapping> {
    let (start, rest) = hex(line, b'-')?;
    let (end, rest) = hex(rest, b' ')?;
    let &[_, write, _, sharing, ..] = rest else { return None };
    Some(Mapping { start, end, is_writable: write == b'w', is_shared: sharing == b's' })
}

/// The mapping that holds an address.
pub fn holding(maps: &str, address: u64) -> Option<Mapping> {
    let mut all = maps.lines().filter_map(|line| mapping(line.as_bytes()));
    all.find(|mapping| (mapping.start as u64..mapping.end as u64).contains(&address))
}

fn hex(bytes: &[u8], end: u8) -> Option<(usize, &[u8])> {
    let mut number = 0_usize;
    for (at, &byte) in bytes.iter().enumerate().take(17) {
        if byte == end {
            return Some((number, &bytes[at + 1..]));
        }
        number = number << 4 | char::from(byte).to_digit(16)? as usize;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAPS: &str = "\
00400000-00401000 r-xp 00000000 fe:01 123                /usr/bin/java
705400000-7ffe00000 rw-p 00000000 00:00 0 
7f1c00000000-7f1c00008000 rw-s 00000000 fe:01 77         /tmp/hsperfdata_shop/1
7ffd1a000000-7ffd1a002000 r--s 00000000 00:00 0          [vvar]
";

    #[test]
    fn an_address_is_found_with_its_sharing() {
        let heap = holding(MAPS, 0x7_0540_0010).expect("mapped");
        assert_eq!((heap.start, heap.is_writable, heap.is_shared), (0x7_0540_0000, true, false));
        let counters = holding(MAPS, 0x7f1c_0000_7fff).expect("mapped");
        assert!(counters.is_writable && counters.is_shared && counters.end - counters.start == 0x8000);
        assert_eq!(holding(MAPS, 0x7f1c_0000_8000), None);
    }

    #[test]
    fn other_bytes_are_no_mapping() {
        for line in ["", "-", "1-", "1-2", "1-2 r", "xyz-3 rw-s", "11111111111111111111-2 rw-s "] {
            assert_eq!(mapping(line.as_bytes()), None, "{line}");
        }
    }
}
