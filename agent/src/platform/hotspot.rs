//! Where HotSpot keeps its heap and its counters, as the table says that it exports for its own debugger
//! (`vmStructs.hpp`: the serviceability agent reads it in every release). A field that is not in it is not known.

use super::own_memory::Memory;
use crate::jvmti::symbols;
use std::ops::Range;

/// Addresses of the symbols that describe the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols {
    /// Holds the address of the first entry.
    pub table: u64,
    /// Holds the distance of two entries.
    pub stride: u64,
    /// Hold the places in an entry of: type name, field name, offset of an instance field, address of a static one.
    pub places: [u64; 4],
}

impl Symbols {
    /// Those of the JVM that this process is.
    pub fn of_this_jvm() -> Option<Self> {
        let [table, stride, type_name, field_name, offset, address] = symbols::of_library(
            c"libjvm.so",
            [
                "gHotSpotVMStructs",
                "gHotSpotVMStructEntryArrayStride",
                "gHotSpotVMStructEntryTypeNameOffset",
                "gHotSpotVMStructEntryFieldNameOffset",
                "gHotSpotVMStructEntryOffsetOffset",
                "gHotSpotVMStructEntryAddressOffset",
            ],
        )?;
        Some(Self { table, stride, places: [type_name, field_name, offset, address] })
    }
}

/// What is looked for: type, field, whether it is static.
const FIELDS: [(&str, &str, bool); 5] = [
    ("Universe", "_collectedHeap", true),
    ("CollectedHeap", "_reserved", false),
    ("MemRegion", "_start", false),
    ("MemRegion", "_word_size", false),
    ("PerfMemory", "_start", true),
];
/// A table has some thousands of entries; more is none.
const MAX_ENTRIES: u64 = 50_000;
const WORD: u64 = 8;

/// The places, of which each may be unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Where the heap may lie; empty when unknown.
    pub heap: Option<(u64, u64)>,
    /// Where the table of counters begins.
    pub counters: Option<u64>,
}

impl Places {
    /// Reads the table.
    pub fn find(memory: &impl Memory, symbols: &Symbols) -> Option<Self> {
        let [heap, reserved, start, words, counters] = fields(memory, symbols)?;
        let heap = heap.and_then(|heap| heap_range(memory, heap, [reserved?, start?, words?]));
        let counters = counters.and_then(|place| memory.word(place)).filter(|&table| table > 0);
        Some(Self { heap, counters })
    }

    /// Where the heap may lie; empty when that is not known.
    pub fn heap(&self) -> Range<u64> {
        self.heap.map_or(0..0, |(start, end)| start..end)
    }
}

/// The reserved range of the heap that `holder` points to.
fn heap_range(memory: &impl Memory, holder: u64, [reserved, start, words]: [u64; 3]) -> Option<(u64, u64)> {
    let region = memory.word(holder)? + reserved;
    let (start, words) = (memory.word(region + start)?, memory.word(region + words)?);
    let end = start.checked_add(words.checked_mul(WORD)?)?;
    (start > 0 && words > 0).then_some((start, end))
}

/// For each of [`FIELDS`] its address, or its offset in an instance.
fn fields(memory: &impl Memory, symbols: &Symbols) -> Option<[Option<u64>; FIELDS.len()]> {
    let (table, stride) = (memory.word(symbols.table)?, memory.word(symbols.stride)?);
    let mut places = [0; 4];
    for (place, symbol) in places.iter_mut().zip(symbols.places) {
        *place = memory.word(symbol)?;
    }
    let [type_name, field_name, offset, address] = places;
    let mut found = [None; FIELDS.len()];
    for entry in (0..MAX_ENTRIES).map(|number| table + number * stride) {
        let (of, name) = (memory.word(entry + type_name)?, memory.word(entry + field_name)?);
        if of == 0 {
            break;
        }
        for (slot, (wanted, field, is_static)) in found.iter_mut().zip(FIELDS) {
            if slot.is_none() && memory.says(name, field) && memory.says(of, wanted) {
                *slot = memory.word(entry + if is_static { address } else { offset });
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::own_memory::Stretches;
    use super::*;

    const TABLE: u64 = 0x10_0000;
    const TEXTS: u64 = 0x20_0000;
    const SYMBOLS_AT: u64 = 0x30_0000;

    /// A table with these fields: type, field, offset, address.
    fn described(entries: &[(&str, &str, u64, u64)], also: &[(u64, Vec<u64>)]) -> (Stretches, Symbols) {
        let (mut table, mut texts) = (Vec::new(), Vec::new());
        let mut text = |text: &str| {
            let at = TEXTS + texts.len() as u64;
            texts.extend(text.bytes().chain([0]));
            texts.resize(texts.len().next_multiple_of(64), 0);
            at
        };
        for &(of, field, offset, address) in entries {
            for word in [text(of), text(field), offset, address] {
                table.extend(word.to_ne_bytes());
            }
        }
        table.extend([0; 32]);
        let words = |words: &[u64]| words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<u8>>();
        let mut stretches = vec![(TABLE, table), (TEXTS, texts), (SYMBOLS_AT, words(&[TABLE, 32, 0, 8, 16, 24]))];
        stretches.extend(also.iter().map(|(at, contents)| (*at, words(contents))));
        let symbols =
            Symbols { table: SYMBOLS_AT, stride: SYMBOLS_AT + 8, places: [16, 24, 32, 40].map(|at| SYMBOLS_AT + at) };
        (Stretches(stretches), symbols)
    }

    #[test]
    fn heap_and_counters_are_found_through_the_table() {
        let entries = [
            ("CollectedHeap", "_reserved", 0x10, 0),
            ("Universe", "_collectedHeap", 0, 0x5000),
            ("MemRegion", "_word_size", 8, 0),
            ("MemRegion", "_start", 0, 0),
            ("PerfMemory", "_start", 0, 0x6000),
        ];
        let memory = [(0x5000, vec![0x7000]), (0x6000, vec![0x9000]), (0x7010, vec![0x7_0000_0000, 0x100])];
        let (memory, symbols) = described(&entries, &memory);
        let places = Places::find(&memory, &symbols).expect("a table");
        assert_eq!(places.heap(), 0x7_0000_0000..0x7_0000_0800);
        assert_eq!(places.counters, Some(0x9000));
    }

    #[test]
    fn what_the_table_does_not_name_is_not_known() {
        let (memory, symbols) = described(&[("PerfMemory", "_start", 0, 0x6000)], &[(0x6000, vec![0])]);
        assert_eq!(Places::find(&memory, &symbols), Some(Places::default()));
        assert_eq!(Places::find(&Stretches(Vec::new()), &symbols), None);
    }
}
