//! HotSpot's performance counters, where `jstat` reads them: a table of named numbers in the JVM's own memory
//! (`perfMemory.hpp`, format 2.0). Reading them runs no Java code and takes no lock.

use super::own_memory::Memory;

/// Those that are of use here. Classes are counted by where they came from: read by a loader, or from the shared
/// archive.
const NAMES: [&str; 6] = [
    "sun.gc.metaspace.used",
    "java.threads.live",
    "java.cls.loadedClasses",
    "java.cls.sharedLoadedClasses",
    "java.cls.unloadedClasses",
    "java.cls.sharedUnloadedClasses",
];

/// The addresses of their values, which never move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    places: [Option<u64>; NAMES.len()],
}

const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
const MAJOR_VERSION: u8 = 2;
/// Offsets in the head of the table and in an entry, and the values in an entry of a single 64-bit number.
const ORDER_AT: u64 = 4;
const FIRST_ENTRY_AT: u64 = 24;
const ENTRIES_AT: u64 = 28;
const NAME_AT: u64 = 4;
const KIND_AT: u64 = 12;
const VALUE_AT: u64 = 16;
const ENTRY_BYTES: u32 = 20;
const LONG: u8 = b'J';
/// A table has some hundreds; more is none.
const MAX_ENTRIES: u32 = 20_000;

impl Counters {
    /// Finds them in the table that begins at `table`; `None` when there is no table.
    pub fn find(memory: &impl Memory, table: u64) -> Option<Self> {
        let mut head = [0; 8];
        memory.read(table, &mut head)?;
        let order = head[ORDER_AT as usize];
        let is_ours = head[..4] == MAGIC && order == u8::from(cfg!(target_endian = "little"));
        if !is_ours || head[5] != MAJOR_VERSION {
            return None;
        }
        let mut entry = table + u64::from(memory.half(table + FIRST_ENTRY_AT)?);
        let mut found = Self::default();
        for _ in 0..memory.half(table + ENTRIES_AT)?.min(MAX_ENTRIES) {
            let length = memory.half(entry)?;
            if length < ENTRY_BYTES {
                break;
            }
            found.take(memory, entry);
            entry += u64::from(length);
        }
        Some(found)
    }

    fn take(&mut self, memory: &impl Memory, entry: u64) {
        let Some(name) = memory.half(entry + NAME_AT).map(|at| entry + u64::from(at)) else { return };
        let Some(which) = NAMES.iter().position(|known| memory.says(name, known)) else { return };
        let mut kind = [0];
        if memory.read(entry + KIND_AT, &mut kind).is_some() && kind[0] == LONG {
            self.places[which] = memory.half(entry + VALUE_AT).map(|at| entry + u64::from(at));
        }
    }

    fn values(&self, memory: &impl Memory) -> [Option<u64>; NAMES.len()] {
        self.places.map(|place| memory.word(place?))
    }

    /// Metaspace in use, in bytes, as of the latest collection; `None` before the first.
    pub fn metaspace_bytes(&self, memory: &impl Memory) -> Option<u64> {
        self.values(memory)[0].filter(|&bytes| bytes > 0)
    }

    /// Live platform threads.
    pub fn threads(&self, memory: &impl Memory) -> Option<u64> {
        self.values(memory)[1]
    }

    /// Loaded classes.
    pub fn classes(&self, memory: &impl Memory) -> Option<u64> {
        let [_, _, loaded, shared, unloaded, shared_unloaded] = self.values(memory);
        let sum = |one: Option<u64>, other: Option<u64>| Some(one? + other.unwrap_or(0));
        Some(sum(loaded, shared)?.saturating_sub(sum(unloaded, shared_unloaded)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::own_memory::Stretches;
    use super::*;

    const AT: u64 = 0x7000;

    fn entry(name: &str, value: u64) -> Vec<u8> {
        let name_end = ENTRY_BYTES as usize + name.len() + 1;
        let value_at = name_end.next_multiple_of(8);
        let mut bytes = Vec::new();
        for word in [value_at as u32 + 8, ENTRY_BYTES, 0] {
            bytes.extend(word.to_ne_bytes());
        }
        bytes.extend([LONG, 0, 1, 1]);
        bytes.extend((value_at as u32).to_ne_bytes());
        bytes.extend(name.as_bytes());
        bytes.resize(value_at, 0);
        bytes.extend(value.to_ne_bytes());
        bytes
    }

    fn table(entries: &[Vec<u8>]) -> Stretches {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([u8::from(cfg!(target_endian = "little")), 2, 0, 1]);
        bytes.resize(FIRST_ENTRY_AT as usize, 0);
        bytes.extend(32_u32.to_ne_bytes());
        bytes.extend((entries.len() as u32).to_ne_bytes());
        bytes.extend(entries.concat());
        Stretches(vec![(AT, bytes)])
    }

    #[test]
    fn counters_are_found_by_name_and_read_again_and_again() {
        let mut memory = table(&[
            entry("sun.gc.cause", 7),
            entry("java.threads.live", 12),
            entry("sun.gc.metaspace.used", 5_000_000),
            entry("java.cls.loadedClasses", 400),
            entry("java.cls.sharedLoadedClasses", 600),
            entry("java.cls.unloadedClasses", 30),
        ]);
        let found = Counters::find(&memory, AT).expect("a table");
        assert_eq!(found.metaspace_bytes(&memory), Some(5_000_000));
        assert_eq!((found.threads(&memory), found.classes(&memory)), (Some(12), Some(970)));
        memory = table(&[entry("sun.gc.cause", 7), entry("java.threads.live", 13)]);
        assert_eq!(found.threads(&memory), Some(13), "values are read anew");
    }

    #[test]
    fn other_bytes_are_no_table() {
        assert_eq!(Counters::find(&Stretches(vec![(AT, vec![0; 64])]), AT), None);
        assert_eq!(Counters::find(&Stretches(Vec::new()), AT), None);
        let cut_off = table(&[entry("java.threads.live", 12), vec![0; 20]]);
        assert!(Counters::find(&cut_off, AT).is_some_and(|found| found.threads(&cut_off) == Some(12)));
        assert_eq!(Counters::find(&cut_off, AT).and_then(|found| found.classes(&cut_off)), None);
    }
}
