//! All classes of the reachable heap: instances, their shallow sizes, and their joint retained size. An instance that
//! another of the same class dominates adds nothing to that one's size, so that no byte counts twice for a class.

use super::Forest;
use crate::graph::{BitSet, Visitor};
use crate::heap::{ClassIdx, ObjectIdx};

/// One row for each class that has reachable instances.
#[derive(Debug, Default)]
pub struct Census {
    /// Rows, sorted by class.
    pub rows: Vec<ClassRow>,
}

/// One class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRow {
    /// The class.
    pub class: ClassIdx,
    /// Number of reachable instances.
    pub instance_count: u64,
    /// Their shallow sizes in bytes.
    pub shallow_bytes: u64,
    /// Their joint retained size in bytes.
    pub retained_bytes: u64,
    /// The same without the subtrees of other suspects.
    pub beyond_bytes: u64,
    /// The instance that retains most outside the subtrees of other suspects; of equals, the first.
    pub example: Option<ObjectIdx>,
}

/// Walks the dominator tree once. Objects that the `covering` objects dominate do not count as beyond them.
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
        Self { class, instance_count: 0, shallow_bytes: 0, retained_bytes: 0, beyond_bytes: 0, example: None }
    }
}

struct Counter<'a> {
    forest: &'a Forest<'a>,
    covers: BitSet,
    rows: Vec<ClassRow>,
    /// By class: number of instances that the walk is below.
    open: Vec<u32>,
    /// Number of covering objects that the walk is below.
    covered: u32,
}

impl Counter<'_> {
    /// Subtracts a covering object's retained size from the `beyond_bytes` of every class that is open above it.
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
            if self.covered == 0 {
                row.beyond_bytes += bytes;
                let best = row.example.map_or(0, |example| self.forest.retained_bytes(example));
                row.example = if bytes > best { Some(object) } else { row.example };
            }
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
