//! The libraries within this program, as the build packed them: one behind the other in one stream, since the builds of
//! one library for two C libraries have most of their bytes in common.

use super::libc::Libc;
use lzma_rust2::LzipReader;
use std::io::{self, Read};
use std::ops::Range;

/// All libraries together are no longer: a damaged program must not fill the memory.
const MOST_BYTES: u64 = 64 << 20;

/// A packed library.
#[derive(Debug)]
pub struct Packed {
    libc: Libc,
    /// Its place in the stream.
    place: Range<usize>,
}

include!(concat!(env!("OUT_DIR"), "/packed.rs"));

impl Packed {
    /// The one for this C library; `None` in a build without.
    #[must_use]
    pub fn find(libc: Libc) -> Option<&'static Self> {
        PACKED.iter().find(|packed| packed.libc == libc)
    }

    /// The library's bytes.
    ///
    /// # Errors
    /// When this program's file was damaged.
    pub fn unpack(&self) -> io::Result<Vec<u8>> {
        let mut all = Vec::new();
        LzipReader::new(STREAM).take(MOST_BYTES).read_to_end(&mut all)?;
        let library = all.get(self.place.clone()).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(library.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::elf::Elf;

    #[test]
    fn each_packed_library_is_one_for_its_c_library() {
        for packed in PACKED {
            let elf = Elf::of(&packed.unpack().unwrap()).expect("an ELF file");
            assert_eq!(elf.is_musl, packed.libc == Libc::Musl);
        }
    }
}
