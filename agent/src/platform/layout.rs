//! The layout of HotSpot's heap: its regions or spaces, the offsets of their fields, and the mark of a free one. Known
//! for G1, Parallel, Serial and Shenandoah of the releases whose tables name all of it; otherwise not at all.

use super::own_memory::Memory;
use super::tables::Tables;
use std::ops::Range;

/// Regions of a heap at most: G1 makes some 2048, and more only of heaps beyond 64 GB.
const MOST_REGIONS: u64 = 1 << 16;
/// Eden, two survivor spaces, the old generation.
const SPACES: usize = 4;

/// The collectors whose layout is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Collector {
    G1,
    Parallel,
    Serial,
    Shenandoah,
}

const FLAGS: [(&str, Collector); 4] = [
    ("UseG1GC", Collector::G1),
    ("UseParallelGC", Collector::Parallel),
    ("UseSerialGC", Collector::Serial),
    ("UseShenandoahGC", Collector::Shenandoah),
];

/// The regions or spaces that a heap is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Units {
    /// A fixed number of parts, which stay where they are.
    Spaces([u64; SPACES]),
    /// A table of pointers, of which each stays null until its region is used for the first time.
    Table {
        /// The first.
        first: u64,
        /// Their number.
        count: u64,
    },
}

/// The use of a region: a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// The offset in the region.
    pub at: u64,
    /// The numbers of free regions, from and to.
    pub free: (i32, i32),
    /// The number of regions that hold objects up to their top, when only they do.
    pub regular: Option<i32>,
    /// The numbers of the first region of an object larger than one, and of the following.
    pub humongous: Option<(i32, i32)>,
}

/// The layout of one heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapLayout {
    /// The collector of the heap.
    pub collector: Collector,
    /// The possible place of the heap.
    pub heap: Range<u64>,
    /// Its parts.
    pub units: Units,
    /// The offsets in a part of its first address, of the end of its objects, and of its end.
    pub bounds: [u64; 3],
    /// The field with the use of a part; `None`: every part holds objects up to its top.
    pub used_for: Option<Use>,
}

impl HeapLayout {
    /// Reads it from the tables.
    pub fn find(memory: &impl Memory, tables: &Tables, heap: &Range<u64>) -> Option<Self> {
        let flags = FLAGS.map(|(flag, _)| flag);
        let [on] = tables.flags_on(memory, &flags)?.try_into().ok()?;
        let (_, collector) = *FLAGS.iter().find(|(flag, _)| *flag == on)?;
        let holder = memory.word(tables.static_field("Universe", "_collectedHeap")?)?;
        let of = Of { memory, tables, holder };
        let (units, bounds, used_for) = match collector {
            Collector::G1 => of.g1()?,
            Collector::Parallel => of.parallel()?,
            Collector::Serial => of.serial()?,
            Collector::Shenandoah => of.shenandoah()?,
        };
        (!heap.is_empty()).then(|| Self { collector, heap: heap.clone(), units, bounds, used_for })
    }

    /// Whether the walk in a forked child may write into free parts: Shenandoah's reads move objects there.
    pub fn walk_writes_free(&self) -> bool {
        self.collector == Collector::Shenandoah
    }

    /// The largest number of parts.
    pub fn count(&self) -> usize {
        match self.units {
            Units::Spaces(spaces) => spaces.len(),
            Units::Table { count, .. } => count as usize,
        }
    }
}

type Parts = (Units, [u64; 3], Option<Use>);

/// The heap's object and all that is known.
struct Of<'a, M> {
    memory: &'a M,
    tables: &'a Tables,
    holder: u64,
}

impl<M: Memory> Of<'_, M> {
    fn bounds(&self, bottom: &[&str], top: &[&str]) -> Option<[u64; 3]> {
        let word = |of: &[&str], name: &str| self.tables.offset(of, name, "HeapWord*");
        Some([word(bottom, "_bottom")?, word(top, "_top")?, word(bottom, "_end")?])
    }

    /// Types were renamed in 23; in 11 three types share the fields of a region.
    fn g1(&self) -> Option<Parts> {
        let tables = self.tables;
        let [region, kind, manager] = if tables.size("G1HeapRegion").is_some() {
            ["G1HeapRegion", "G1HeapRegionType", "G1HeapRegionManager"]
        } else {
            ["HeapRegion", "HeapRegionType", "HeapRegionManager"]
        };
        let table = self.holder
            + tables.offset(&["G1CollectedHeap"], "_hrm", manager)?
            + tables.offset(&[manager], "_regions", "G1HeapRegionTable")?;
        let first = self.memory.word(table + tables.offset(&["G1HeapRegionTable"], "_base", "address")?)?;
        let count = self.memory.word(table + tables.offset(&["G1HeapRegionTable"], "_length", "size_t")?)?;
        let tag = |name: &str| tables.constant(&format!("{kind}::{name}"));
        let free = tag("FreeTag")?;
        let used_for = Use {
            at: tables.offset(&[region], "_type", kind)? + tables.offset(&[kind], "_tag", kind)?,
            free: (free, free),
            regular: None,
            humongous: Some((tag("StartsHumongousTag")?, tag("ContinuesHumongousTag")?)),
        };
        let bounds = self.bounds(&[region, "Space"], &[region, "G1ContiguousSpace"])?;
        Some((table_of(first, count)?, bounds, Some(used_for)))
    }

    fn parallel(&self) -> Option<Parts> {
        let generation = |name: &str, kind: &str| {
            let field = self.tables.static_field("ParallelScavengeHeap", name)?;
            self.memory.word(field).filter(|_| self.tables.size(kind).is_some())
        };
        let (young, old) = (generation("_young_gen", "PSYoungGen")?, generation("_old_gen", "PSOldGen")?);
        let space = |holder: u64, of: &str, name: &str| {
            self.memory.word(holder + self.tables.offset(&[of], name, "MutableSpace*")?)
        };
        let spaces = [
            space(young, "PSYoungGen", "_eden_space")?,
            space(young, "PSYoungGen", "_from_space")?,
            space(young, "PSYoungGen", "_to_space")?,
            space(old, "PSOldGen", "_object_space")?,
        ];
        Some((Units::Spaces(spaces), self.bounds(&["MutableSpace", "ImmutableSpace"], &["MutableSpace"])?, None))
    }

    fn serial(&self) -> Option<Parts> {
        let generation = |name: &str| {
            let heaps = ["SerialHeap", "GenCollectedHeap"];
            self.memory.word(self.holder + self.tables.offset(&heaps, name, "")?)
        };
        let (young, old) = (generation("_young_gen")?, generation("_old_gen")?);
        let space = |holder: u64, of: &str, name: &str| self.memory.word(holder + self.tables.offset(&[of], name, "")?);
        let spaces = [
            space(young, "DefNewGeneration", "_eden_space")?,
            space(young, "DefNewGeneration", "_from_space")?,
            space(young, "DefNewGeneration", "_to_space")?,
            space(old, "TenuredGeneration", "_the_space")?,
        ];
        Some((Units::Spaces(spaces), self.bounds(&["ContiguousSpace", "Space"], &["ContiguousSpace"])?, None))
    }

    /// Since 17; the states of empty regions are the first two.
    fn shenandoah(&self) -> Option<Parts> {
        let (tables, region) = (self.tables, ["ShenandoahHeapRegion"]);
        let field =
            |name: &str, kind: &str| self.memory.word(self.holder + tables.offset(&["ShenandoahHeap"], name, kind)?);
        let state = |name: &str| tables.constant(&format!("ShenandoahHeapRegion::{name}"));
        let used_for = Use {
            at: tables.offset(&region, "_state", "ShenandoahHeapRegion::RegionState")?,
            free: (state("_empty_uncommitted")?, state("_empty_committed")?),
            regular: Some(state("_regular")?),
            humongous: None,
        };
        let units = table_of(field("_regions", "ShenandoahHeapRegion**")?, field("_num_regions", "size_t")?)?;
        Some((units, self.bounds(&region, &region)?, Some(used_for)))
    }
}

fn table_of(first: u64, count: u64) -> Option<Units> {
    (first != 0 && (1..=MOST_REGIONS).contains(&count)).then_some(Units::Table { first, count })
}
