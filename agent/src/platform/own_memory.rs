//! The process's own memory as a file. A wrong address is an error here, never a fault.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Memory by address.
pub trait Memory {
    /// Fills `into` with what stands at `address`; `None` when nothing is there.
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

    /// Whether exactly this text stands at `address`, with a zero behind it.
    fn says(&self, address: u64, text: &str) -> bool {
        let mut bytes = vec![0; text.len() + 1];
        self.read(address, &mut bytes).is_some() && bytes.split_last() == Some((&0, text.as_bytes()))
    }
}

/// `/proc/self/mem`.
pub struct OwnMemory(File);

impl OwnMemory {
    /// `None` where the process may not look at itself.
    pub fn open() -> Option<Self> {
        File::open("/proc/self/mem").ok().map(Self)
    }
}

impl Memory for OwnMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        self.0.read_exact_at(into, address).ok()
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
