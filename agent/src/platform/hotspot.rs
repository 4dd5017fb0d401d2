//! The agent's knowledge of its JVM, from the tables that HotSpot exports for its debugger: the place of the heap and
//! of the counters, and the layout of the heap. Looked up once. A field that is not in the tables is unknown.

use super::layout::HeapLayout;
use super::marking::ThreadFields;
use super::own_memory::{Memory, OwnMemory};
use super::tables::{Symbols, Tables};
use std::ops::Range;
use std::sync::OnceLock;

const WORD: u64 = 8;

/// The known facts, of which each may be missing.
#[derive(Clone, Debug, Default)]
pub struct HotSpot {
    /// The possible place of the heap; empty when unknown.
    pub heap: Range<u64>,
    /// The address of the table of counters.
    pub counters: Option<u64>,
    /// The layout of the heap.
    pub layout: Option<HeapLayout>,
    /// The place in threads of the collector's data for them.
    pub threads: Option<ThreadFields>,
}

impl HotSpot {
    /// The JVM of this process. The first call takes some tens of milliseconds of the calling thread.
    pub fn of_this_jvm() -> &'static Self {
        static KNOWN: OnceLock<HotSpot> = OnceLock::new();
        KNOWN.get_or_init(|| {
            let memory = OwnMemory::open();
            let tables = memory.as_ref().zip(Symbols::of_this_jvm());
            tables
                .and_then(|(memory, symbols)| Some(Self::find(memory, &Tables::read(memory, &symbols)?)))
                .unwrap_or_default()
        })
    }

    fn find(memory: &impl Memory, tables: &Tables) -> Self {
        let counters = tables.static_field("PerfMemory", "_start").and_then(|place| memory.word(place));
        let heap = heap(memory, tables).unwrap_or_default();
        let layout = HeapLayout::find(memory, tables, &heap);
        Self { heap, counters: counters.filter(|&table| table > 0), layout, threads: ThreadFields::find(tables) }
    }
}

/// The reserved range of the heap.
fn heap(memory: &impl Memory, tables: &Tables) -> Option<Range<u64>> {
    let holder = tables.static_field("Universe", "_collectedHeap")?;
    let region = memory.word(holder)? + tables.offset(&["CollectedHeap"], "_reserved", "MemRegion")?;
    let start = memory.word(region + tables.offset(&["MemRegion"], "_start", "HeapWord*")?)?;
    let words = memory.word(region + tables.offset(&["MemRegion"], "_word_size", "size_t")?)?;
    let end = start.checked_add(words.checked_mul(WORD)?)?;
    (start > 0 && words > 0).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::super::own_memory::Stretches;
    use super::*;

    fn words(words: &[u64]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_ne_bytes()).collect()
    }

    #[test]
    fn heap_and_counters_are_found_through_the_tables() {
        let fields = [
            ("CollectedHeap", "_reserved", "MemRegion", false, 0x10),
            ("Universe", "_collectedHeap", "CollectedHeap*", true, 0x5000),
            ("MemRegion", "_word_size", "size_t", false, 8),
            ("MemRegion", "_start", "HeapWord*", false, 0),
            ("PerfMemory", "_start", "char*", true, 0x6000),
        ];
        let memory = Stretches(vec![
            (0x5000, words(&[0x7000])),
            (0x6000, words(&[0x9000])),
            (0x7010, words(&[0x7_0000_0000, 0x100])),
        ]);
        let known = HotSpot::find(&memory, &Tables::of_test(&fields, &[]));
        assert_eq!((known.heap, known.counters), (0x7_0000_0000..0x7_0000_0800, Some(0x9000)));
    }

    #[test]
    fn facts_not_in_the_tables_are_unknown() {
        let memory = Stretches(vec![(0x6000, words(&[0]))]);
        let known = HotSpot::find(&memory, &Tables::of_test(&[("PerfMemory", "_start", "char*", true, 0x6000)], &[]));
        assert!(known.heap.is_empty() && known.counters.is_none() && known.layout.is_none());
    }
}
