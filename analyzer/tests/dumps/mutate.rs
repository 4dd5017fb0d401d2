//! Sound dumps of every format, and what can happen to them: the same seed does the same.

#![allow(clippy::unwrap_used)] // As in every test.

use super::bytes::{phd, recording, small};
use flate2::Compression;
use flate2::write::GzEncoder;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rootbound::ingest::dump::read_heap;
use rootbound::ingest::dump::write::{Format, write};
use std::io::Write;

/// The generator.
#[derive(Clone, Debug)]
pub struct Random(pub SplitMix64);

impl Random {
    /// The state of a generator is its seed: a failure can be repeated from there.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }
}

/// A dump of each format, by name.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let hprof = small(8).done();
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&hprof).unwrap();
    let heap = read_heap(file.path(), Default::default()).unwrap().heap;
    let written = |format| {
        let mut bytes = Vec::new();
        write(&heap, format, &mut bytes).unwrap();
        bytes
    };
    vec![
        ("HPROF, ids of 8 bytes", hprof),
        ("HPROF, ids of 4 bytes", small(4).done()),
        ("PHD", phd()),
        ("IBM text", written(Format::IbmText)),
        ("INSANE XML", written(Format::InsaneXml)),
        ("recording", recording()),
        ("HPROF in gzip", packed(&small(8).done())),
    ]
}

/// Bytes packed by gzip.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Damages a dump in a few places.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const VALUES: [u8; 8] = [0, 1, 0x7F, 0x80, 0xFF, b'0', b'<', b'\n'];
    for _ in 0..=random.below(6) {
        let (length, at) = (bytes.len(), random.below(bytes.len()));
        if length == 0 {
            return;
        }
        match random.below(7) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = VALUES[random.below(VALUES.len())],
            2 => bytes.iter_mut().skip(at).take(4).for_each(|byte| *byte = VALUES[at % VALUES.len()]),
            3 => bytes.truncate(at),
            4 => {
                let piece: Vec<u8> = bytes[at..].iter().copied().take(random.below(64)).collect();
                let to = random.below(length);
                bytes.splice(to..to, piece);
            }
            5 => drop(bytes.drain(at..(at + random.below(32)).min(length))),
            _ => bytes.swap(at, random.below(length)),
        }
    }
}
