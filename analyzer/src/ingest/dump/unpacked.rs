//! The bytes of a dump as a file. A file that is packed by gzip is unpacked into a temporary file, which has no name
//! and disappears when it is closed.

use super::warning::Warning;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

const GZIP: [u8; 2] = [0x1F, 0x8B];
const CHUNK_BYTES: usize = 256 << 10;
/// Free space that unpacking leaves to others, for a few bytes may unpack to a thousand times as many.
const LEFT_FREE_BYTES: u64 = 128 << 20;
/// Number of bytes between two checks of the free space; smaller files are not checked.
const CHECKED_EVERY_BYTES: u64 = 16 << 20;

/// Opens a file and unpacks it if it is packed. Data that cannot be unpacked are left out, with a warning.
pub(super) fn open(path: &Path) -> io::Result<(File, Option<Warning>)> {
    let file = File::open(path)?;
    let mut magic = [0; 2];
    if file.read_at(&mut magic, 0)? < 2 || magic != GZIP {
        return Ok((file, None));
    }
    unpack(file, free_bytes)
}

fn unpack(packed: impl Read, free_bytes: impl Fn(&File) -> io::Result<u64>) -> io::Result<(File, Option<Warning>)> {
    let mut unpacked = tempfile::tempfile()?;
    let mut decoder = MultiGzDecoder::new(BufReader::with_capacity(CHUNK_BYTES, packed));
    let (mut chunk, mut total, mut checked) = (vec![0; CHUNK_BYTES], 0, CHECKED_EVERY_BYTES);
    loop {
        if total >= checked {
            if free_bytes(&unpacked)? < LEFT_FREE_BYTES {
                return Ok((
                    unpacked,
                    Some(cut(total, "the folder for temporary files is nearly full; TMPDIR names another")),
                ));
            }
            checked = total + CHECKED_EVERY_BYTES;
        }
        match decoder.read(&mut chunk) {
            Ok(0) => return Ok((unpacked, None)),
            Ok(count) => {
                unpacked.write_all(&chunk[..count])?;
                total += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Ok((unpacked, Some(cut(total, &error.to_string())))),
        }
    }
}

/// Free bytes on the file's disk.
fn free_bytes(file: &File) -> io::Result<u64> {
    let place = rustix::fs::fstatvfs(file)?;
    Ok(place.f_bavail.saturating_mul(place.f_frsize))
}

fn cut(total: u64, reason: &str) -> Warning {
    Warning::Other(format!(
        "the file cannot be unpacked beyond byte {total} of its contents ({reason}); what follows was left out"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn packed(bytes: u64) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        io::copy(&mut io::repeat(0).take(bytes), &mut encoder).unwrap();
        encoder.finish().unwrap()
    }

    /// The folder has room for 64 MB more than must be left.
    #[test]
    fn a_file_that_unpacks_to_more_than_there_is_room_for_is_cut_off() {
        let bomb = packed(256 << 20);
        assert!(bomb.len() < 16 << 20, "{} bytes", bomb.len());
        let free = |file: &File| Ok(((64 << 20) + LEFT_FREE_BYTES).saturating_sub(file.metadata()?.len()));
        let (file, warning) = unpack(&bomb[..], free).unwrap();
        let most = (64 << 20) + CHECKED_EVERY_BYTES + CHUNK_BYTES as u64;
        assert!(file.metadata().unwrap().len() <= most);
        assert!(warning.is_some_and(|warning| warning.to_string().contains("nearly full")));
    }

    #[test]
    fn a_file_that_fits_is_whole() {
        let (file, warning) = unpack(&packed(1 << 20)[..], free_bytes).unwrap();
        assert_eq!((file.metadata().unwrap().len(), warning), (1 << 20, None));
    }
}
