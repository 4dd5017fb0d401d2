//! The process's own memory, as a file or by copies of the kernel's. A wrong address is an error here, never a fault.

use crate::os::own::read_places;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Memory by address.
pub trait Memory {
    /// Fills `into` with the bytes at `address`; `None` when nothing is there.
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()>;

    /// A word.
    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Some(u64::from_ne_bytes(bytes))
    }

    /// A half word.
    fn half(&self, address: u64) -> Option<u32> {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes)?;
        Some(u32::from_ne_bytes(bytes))
    }

    /// Fills each `part` bytes of `into` from the next of `places`.
    fn read_all(&self, places: impl Iterator<Item = u64>, part: usize, into: &mut [u8]) -> Option<()> {
        places.zip(into.chunks_mut(part)).try_for_each(|(place, bytes)| self.read(place, bytes))
    }

    /// The text at `address`, up to the zero behind it. Names of the JVM's are short.
    fn text(&self, address: u64) -> Option<String> {
        const LONGEST: u64 = 256;
        const STEP: usize = 32;
        let mut text = Vec::new();
        for at in (address..address + LONGEST).step_by(STEP) {
            // The last text before a hole may end within the step.
            let bytes = self.step::<STEP>(at)?;
            match bytes.iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&bytes[..end]);
                    return String::from_utf8(text).ok();
                }
                None => text.extend_from_slice(&bytes),
            }
        }
        None
    }

    /// Reads some bytes; zeros beyond the end of the memory.
    fn step<const N: usize>(&self, address: u64) -> Option<[u8; N]> {
        let mut bytes = [0; N];
        if self.read(address, &mut bytes).is_some() {
            return Some(bytes);
        }
        let readable = (0..N).take_while(|&at| self.read(address + at as u64, &mut bytes[at..=at]).is_some()).count();
        (readable > 0).then(|| {
            bytes[readable..].fill(0);
            bytes
        })
    }

    /// Whether exactly this text stands at `address`, with a zero behind it.
    fn says(&self, address: u64, text: &str) -> bool {
        let mut bytes = vec![0; text.len() + 1];
        self.read(address, &mut bytes).is_some() && bytes.split_last() == Some((&0, text.as_bytes()))
    }
}

/// `/proc/self/mem`.
pub struct OwnMemory(File);

impl OwnMemory {
    /// `None` where the process may not read its own memory.
    pub fn open() -> Option<Self> {
        File::open("/proc/self/mem").ok().map(Self)
    }
}

impl Memory for OwnMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.read_exact_at(into, address).ok()
    }
}

/// Copies of the kernel's: for the stop, in which no file may be opened. Allocates nothing.
pub struct Copies;

impl Memory for Copies {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let length = into.len();
        read_places([address], length, into).then_some(())
    }

    fn read_all(&self, places: impl Iterator<Item = u64>, part: usize, into: &mut [u8]) -> Option<()> {
        read_places(places, part, into).then_some(())
    }
}

/// Memory of tests: some stretches of bytes.
#[cfg(test)]
pub struct Stretches(pub Vec<(u64, Vec<u8>)>);

#[cfg(test)]
impl Memory for Stretches {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.iter().find_map(|(start, bytes)| {
            let at = usize::try_from(address.checked_sub(*start)?).ok()?;
            into.copy_from_slice(bytes.get(at..at + into.len())?);
            Some(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_reads_itself_and_a_wrong_address_is_no_fault() {
        let word = Box::new(0x1234_5678_9abc_def0_u64);
        let memory = OwnMemory::open().expect("a process may read itself");
        assert_eq!(memory.word(std::ptr::from_ref(&*word) as u64), Some(*word));
        assert_eq!(memory.word(8), None);
    }
}
