//! The bytes of a dump as a file: the file itself, or, when it is packed by gzip, what is in it, in a temporary file that
//! has no name and goes when it is closed.

use super::warning::Warning;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

const GZIP: [u8; 2] = [0x1F, 0x8B];
const CHUNK_BYTES: usize = 256 << 10;
/// No member of a gzip file packs more than about a thousand bytes into one; a file of many that say so is no dump.
const MOST_PACKED: u64 = 1 << 42;

/// Opens a file and unpacks it where it is packed. What cannot be unpacked any more is left out, with a warning.
pub(super) fn open(path: &Path) -> io::Result<(File, Option<Warning>)> {
    let file = File::open(path)?;
    let mut magic = [0; 2];
    if file.read_at(&mut magic, 0)? < 2 || magic != GZIP {
        return Ok((file, None));
    }
    unpack(file)
}

fn unpack(packed: File) -> io::Result<(File, Option<Warning>)> {
    let mut unpacked = tempfile::tempfile()?;
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(CHUNK_BYTES, packed));
    let (mut chunk, mut total) = (vec![0; CHUNK_BYTES], 0);
    loop {
        match decoder.read(&mut chunk) {
            Ok(0) => return Ok((unpacked, None)),
            Ok(count) => {
                unpacked.write_all(&chunk[..count])?;
                total += count as u64;
                if total > MOST_PACKED {
                    return Ok((unpacked, Some(cut(total, "it unpacks to more than 4 TiB"))));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok((unpacked, Some(cut(total, &error.to_string())))),
        }
    }
}

fn cut(total: u64, reason: &str) -> Warning {
    Warning::Other(format!(
        "the file cannot be unpacked beyond byte {total} of its contents ({reason}); what follows was left out"
    ))
}
