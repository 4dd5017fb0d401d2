//! All classes of the reachable heap: instances, their own bytes, and what they retain together. An instance that another
//! of the same class dominates retains nothing on top of that one, so that no byte counts twice for a class.

use super::Forest;
use crate::graph::{BitSet, Visitor};
use crate::heap::{ClassIdx, ObjectIdx};

/// One row a class that has reachable instances.
#[derive(Debug, Default)]
pub struct Census {
    /// By class.
    pub rows: Vec<ClassRow>,
}

/// One class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRow {
    /// Which.
    pub class: ClassIdx,
    /// Reachable instances.
    pub instance_count: u64,
    /// Their shallow sizes.
    pub shallow_bytes: u64,
    /// What they retain together.
    pub retained_bytes: u64,
    /// The same without what lies below other suspects.
    pub beyond_bytes: u64,
}

/// Walks the dominator tree once. What the `covering` objects dominate is not beyond them.
pub(super) fn take(forest: &Forest<'_>, covering: &[ObjectIdx]) -> Census {
    let class_count = forest.heap().classes().len();
    let rows = (0..class_count as u32).map(|at| ClassRow::empty(ClassIdx(at))).collect();
    let mut covers = BitSet::new(forest.heap().object_count());
    for object in covering {
        covers.insert(object.at());
    }
    let mut counter = Counter { forest, covers, rows, open: vec![0; class_count], covered: 0 };
    forest.dominated.walk(None, &mut counter);
    counter.rows.retain(|row| row.instance_count > 0);
    Census { rows: counter.rows }
}

impl ClassRow {
    fn empty(class: ClassIdx) -> Self {
        Self { class, instance_count: 0, shallow_bytes: 0, retained_bytes: 0, beyond_bytes: 0 }
    }
}

struct Counter<'a> {
    forest: &'a Forest<'a>,
    covers: BitSet,
    rows: Vec<ClassRow>,
    /// By class: instances that the walk is below of.
    open: Vec<u32>,
    /// Covering objects that the walk is below of.
    covered: u32,
}

impl Counter<'_> {
    /// What a covering object retains is not beyond the suspects for any class that is open above it.
    fn subtract(&mut self, object: ObjectIdx) {
        let bytes = self.forest.retained_bytes(object);
        for (row, _) in self.rows.iter_mut().zip(&self.open).filter(|(_, open)| **open > 0) {
            row.beyond_bytes -= bytes;
        }
    }
}

impl Visitor for Counter<'_> {
    #[inline]
    fn enter(&mut self, object: ObjectIdx) {
        if self.covers.contains(object.at()) {
            if self.covered == 0 {
                self.subtract(object);
            }
            self.covered += 1;
        }
        let class = self.forest.class_of(object).at();
        let row = &mut self.rows[class];
        row.instance_count += 1;
        row.shallow_bytes += self.forest.heap().shallow_bytes(object);
        if self.open[class] == 0 {
            let bytes = self.forest.retained_bytes(object);
            row.retained_bytes += bytes;
            row.beyond_bytes += if self.covered == 0 { bytes } else { 0 };
        }
        self.open[class] += 1;
    }

    #[inline]
    fn leave(&mut self, object: ObjectIdx) {
        self.open[self.forest.class_of(object).at()] -= 1;
        if self.covers.contains(object.at()) {
            self.covered -= 1;
        }
    }
}
