//! The closure itself.

use super::target::Target;
use crate::graph::BitSet;
use crate::heap::{ClassIdx, Heap, ObjectIdx};

/// Objects that are not entered.
#[derive(Debug)]
pub struct Skipped {
    /// By class.
    classes: Vec<bool>,
    objects: BitSet,
    /// Whether class mirrors are skipped, except those at which the measurement begins. INSANE always skips them:
    /// through a class, all classes are reached that its loader ever loaded.
    mirrors: bool,
}

impl Skipped {
    /// Skips only class mirrors, or nothing.
    pub fn new(heap: &Heap, mirrors: bool) -> Self {
        Self { classes: vec![false; heap.classes().len()], objects: BitSet::new(heap.object_count()), mirrors }
    }

    /// Adds objects to skip.
    pub fn add(&mut self, target: &Target) {
        match target {
            Target::Classes(classes) => classes.iter().for_each(|class| self.classes[class.at()] = true),
            Target::Objects(objects) => {
                for object in objects {
                    self.objects.insert(object.at());
                }
            }
        }
    }

    fn by_name(&self, heap: &Heap, object: ObjectIdx) -> bool {
        self.classes[heap.class_of(object).at()] || self.objects.contains(object.at())
    }
}

/// A measured structure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// Number of objects.
    pub object_count: u64,
    /// Their shallow sizes, in bytes.
    pub bytes: u64,
    /// Classes with their instances, in the order of classes.
    pub rows: Vec<ClosureRow>,
    /// Number of distinct objects that references led to and that were skipped, including class mirrors.
    pub skipped_count: u64,
}

/// One class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosureRow {
    /// The class.
    pub class: ClassIdx,
    /// Number of instances.
    pub instance_count: u64,
    /// Their shallow sizes, in bytes.
    pub bytes: u64,
}

/// Measures all objects that the starts reach, including these. A start that is skipped by name is left out.
pub fn measure(heap: &Heap, starts: &[ObjectIdx], skipped: &Skipped) -> Closure {
    let mut seen = BitSet::new(heap.object_count());
    let mut met = BitSet::new(heap.object_count());
    let mut queue: Vec<ObjectIdx> = Vec::new();
    for &start in starts {
        if !skipped.by_name(heap, start) && seen.insert(start.at()) {
            queue.push(start);
        }
    }
    let mut at = 0;
    while let Some(&object) = queue.get(at) {
        at += 1;
        for &referee in heap.references().of(object) {
            if seen.contains(referee.at()) {
                continue;
            }
            let is_mirror = || skipped.mirrors && heap.class_of_mirror(referee).is_some();
            if skipped.by_name(heap, referee) || is_mirror() {
                met.insert(referee.at());
            } else {
                seen.insert(referee.at());
                queue.push(referee);
            }
        }
    }
    tally(heap, &queue, met.count() as u64)
}

fn tally(heap: &Heap, objects: &[ObjectIdx], skipped_count: u64) -> Closure {
    let row = |at| ClosureRow { class: ClassIdx(at), instance_count: 0, bytes: 0 };
    let mut rows: Vec<ClosureRow> = (0..heap.classes().len() as u32).map(row).collect();
    for &object in objects {
        let row = &mut rows[heap.class_of(object).at()];
        row.instance_count += 1;
        row.bytes += heap.shallow_bytes(object);
    }
    rows.retain(|row| row.instance_count > 0);
    let bytes = rows.iter().map(|row| row.bytes).sum();
    Closure { object_count: objects.len() as u64, bytes, rows, skipped_count }
}
