//! The parts of the heap that a fork leaves out: those that hold no object, and the insides of arrays of primitive
//! values that are larger than a region. The JVM's table is checked against the JVM's own figures before it is used,
//! and against planted objects in the pause itself.

use super::roll::HeldObjects;
use crate::jvmti::jni::Jni;
use crate::jvmti::primitive_arrays::{ArrayWords, PrimitiveArrays};
use crate::jvmti::sentinels::Sentinels;
use crate::os::fork::Spare;
use crate::platform::free::{Arrays, Free, NoArrays, TableFault};
use crate::platform::hotspot::HotSpot;
use crate::platform::own_memory::Copies;
use rootbound_wire::graph::Address;
use std::ops::Range;

/// Number of tries to read a table that the program changes meanwhile.
const LOOKS: usize = 3;
/// Most difference between the table and the JVM's figure: collections move megabytes between the two reads, and a
/// share of the heap.
const NEAR_BYTES: u64 = 64 << 20;
const NEAR_SHARE: u64 = 8;
/// Number of named objects that are checked not to lie in the parts left out, in addition to the planted ones.
const ANCHORS: usize = 256;
/// Where huge pages are possible, borders inside one would split its mapping.
const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// The reason for leaving nothing out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Objection {
    /// HotSpot's tables have no layout that is known.
    #[error("it is not known how this JVM lays its heap out")]
    UnknownLayout,
    /// The fields of a region lie too far apart.
    #[error("the regions of this JVM's heap are described in another way")]
    OtherRegions,
    /// Nothing to compare the table with.
    #[error("the JVM does not report how much of its heap is used")]
    UnknownUse,
    /// The table itself.
    #[error(transparent)]
    Table(#[from] TableFault),
    /// The table and the JVM's own figure differ.
    #[error("the table of the heap and the JVM do not agree how much of it is used")]
    Disagreement,
    /// A planted or named object lies in a free part.
    #[error("an object lies where the heap's table has none")]
    Misplaced,
    /// Each range left out costs a mapping.
    #[error("the process has too many mappings")]
    Mappings,
}

/// The free parts of this JVM's heap, checked.
pub struct Checked {
    free: Free,
    /// Bytes that are free now.
    pub free_bytes: u64,
}

/// Looks the layout up and checks it, without a pause.
///
/// # Errors
/// The reason for leaving nothing out.
pub fn check(jni: &Jni, may_be_huge: bool) -> Result<Checked, Objection> {
    let layout = HotSpot::of_this_jvm().layout.clone();
    let layout = layout.ok_or(Objection::UnknownLayout)?;
    let grain = if may_be_huge { HUGE_PAGE_BYTES } else { rustix::param::page_size() as u64 };
    let mut free = Free::new(layout, grain).ok_or(Objection::OtherRegions)?;
    for _ in 0..LOOKS {
        let (used, committed, _) = jni.heap_bytes().ok_or(Objection::UnknownUse)?;
        let free_bytes = free.look(&Copies, &NoArrays)?.iter().map(|range| range.end - range.start).sum();
        if free.used().abs_diff(used) <= NEAR_BYTES.max(committed / NEAR_SHARE) {
            return Ok(Checked { free, free_bytes });
        }
    }
    Err(Objection::Disagreement)
}

/// The parts that one fork leaves out.
pub struct LeftOut<'m> {
    free: Free,
    arrays: Option<PrimitiveArrays<'m>>,
    held_objects: &'m HeldObjects<'m>,
    planted: &'m Sentinels<'m>,
    /// The reason for leaving nothing out after all.
    pub objection: Option<Objection>,
}

struct LargeArrays(ArrayWords);

impl Arrays for LargeArrays {
    fn primitive_bytes(&self, address: u64) -> Option<u64> {
        self.0.bytes_at(address)
    }
}

impl<'m> LeftOut<'m> {
    /// For a fork that is about to be made, with the objects that must not be left out.
    pub fn new(jni: &'m Jni, checked: Checked, held_objects: &'m HeldObjects<'m>, planted: &'m Sentinels<'m>) -> Self {
        let has_large = checked.free.layout().used_for.is_some_and(|used_for| used_for.humongous.is_some());
        let arrays = if has_large { PrimitiveArrays::plant(jni) } else { None };
        Self { free: checked.free, arrays, held_objects, planted, objection: None }
    }

    /// Memory that it holds.
    pub fn bytes(&self) -> u64 {
        self.free.held_bytes()
    }

    /// Stretches of the heap that hold objects, as of the fork.
    pub fn in_use(&self) -> &[Range<u64>] {
        if self.objection.is_none() { self.free.in_use() } else { &[] }
    }

    /// Checks the table again, with the world stopped.
    fn look(&mut self) -> Result<(), Objection> {
        let words = self.arrays.as_ref().and_then(PrimitiveArrays::words);
        let ranges = match words {
            Some(words) => self.free.look(&Copies, &LargeArrays(words))?,
            None => self.free.look(&Copies, &NoArrays)?,
        };
        let planted = self.planted.addresses().map(|(_, address)| address);
        let named = self.held_objects.all().take(ANCHORS).map(|(_, object)| object.object.address());
        let is_left_out = |address: u64| {
            let behind = ranges.partition_point(|range| range.start <= address);
            behind > 0 && address < ranges[behind - 1].end
        };
        let mut is_misplaced = planted.chain(named).any(|address| is_left_out(address.0));
        let mut look = |_, address: Address| is_misplaced |= is_left_out(address.0);
        self.held_objects.heads().into_iter().for_each(|heads| heads.each(&mut look));
        if is_misplaced {
            return Err(Objection::Misplaced);
        }
        Ok(())
    }
}

impl Spare for LeftOut<'_> {
    fn ranges(&mut self) -> (&[Range<u64>], Range<u64>) {
        let whole = self.free.layout().heap.clone();
        match self.look() {
            Ok(()) => (self.free.ranges(), whole),
            Err(objection) => {
                self.objection = Some(objection);
                (&[], whole)
            }
        }
    }

    fn may_be_written(&self) -> bool {
        self.free.layout().walk_writes_free()
    }
}
