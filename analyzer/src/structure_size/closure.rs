//! The closure itself.

use super::fields::InstanceFields;
use super::target::Target;
use crate::graph::BitSet;
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, WeakFields};

/// Objects that are not entered, and references that are not followed.
#[derive(Debug)]
pub struct Skipped<'h> {
    heap: &'h Heap,
    /// By class.
    classes: Vec<bool>,
    objects: BitSet,
    fields: InstanceFields,
    /// References that count as null because they keep nothing alive.
    weak: Option<WeakFields<'h>>,
    /// Whether class mirrors are skipped, except those at which the measurement begins. INSANE always skips them:
    /// through a class, all classes are reached that its loader ever loaded.
    mirrors: bool,
}

impl<'h> Skipped<'h> {
    /// Skips only class mirrors, or nothing.
    pub fn new(heap: &'h Heap, mirrors: bool) -> Self {
        Self {
            heap,
            classes: vec![false; heap.classes().len()],
            objects: BitSet::new(heap.object_count()),
            fields: InstanceFields::default(),
            weak: None,
            mirrors,
        }
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

    /// Adds instance fields: their references count as null.
    pub fn add_fields(&mut self, fields: InstanceFields) {
        self.fields.extend(fields);
    }

    /// Counts these references as null.
    pub fn set_weak(&mut self, weak: Option<WeakFields<'h>>) {
        self.weak = weak;
    }

    fn by_name(&self, object: ObjectIdx) -> bool {
        self.classes[self.heap.class_of(object).at()] || self.objects.contains(object.at())
    }

    fn has_fields(&self, class: ClassIdx) -> bool {
        self.fields.are_in(class) || self.weak.as_ref().is_some_and(|weak| weak.are_in(class))
    }

    /// Reason why a reference is not followed.
    fn reference(&self, class: ClassIdx, label: Label) -> Option<NotFollowed> {
        let is_weak = || self.weak.as_ref().is_some_and(|weak| weak.contains(class, label));
        match self.fields.contains(class, label) {
            true => Some(NotFollowed::Skipped),
            false => is_weak().then_some(NotFollowed::Weak),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NotFollowed {
    Skipped,
    Weak,
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
pub fn measure(heap: &Heap, starts: &[ObjectIdx], skipped: &Skipped<'_>) -> Closure {
    let (seen, met) = (BitSet::new(heap.object_count()), BitSet::new(heap.object_count()));
    let mut walk = Walk { heap, skipped, seen, met, queue: Vec::new() };
    for &start in starts {
        if !skipped.by_name(start) && walk.seen.insert(start.at()) {
            walk.queue.push(start);
        }
    }
    let mut at = 0;
    while let Some(&object) = walk.queue.get(at) {
        at += 1;
        walk.follow(object);
    }
    // A skipped field may lead to an object that another reference takes in.
    let is_skipped = |object: &ObjectIdx| walk.met.contains(object.at()) && !walk.seen.contains(object.at());
    tally(heap, &walk.queue, heap.objects().filter(is_skipped).count() as u64)
}

struct Walk<'a> {
    heap: &'a Heap,
    skipped: &'a Skipped<'a>,
    seen: BitSet,
    /// Skipped objects.
    met: BitSet,
    queue: Vec<ObjectIdx>,
}

impl Walk<'_> {
    fn follow(&mut self, object: ObjectIdx) {
        let (heap, class) = (self.heap, self.heap.class_of(object));
        if !self.skipped.has_fields(class) {
            heap.references().of(object).iter().for_each(|&referee| self.meet(referee));
            return;
        }
        for (referee, label) in heap.references().labelled(object) {
            match self.skipped.reference(class, label) {
                None => self.meet(referee),
                Some(NotFollowed::Skipped) => {
                    self.met.insert(referee.at());
                }
                Some(NotFollowed::Weak) => {}
            }
        }
    }

    fn meet(&mut self, referee: ObjectIdx) {
        if self.seen.contains(referee.at()) {
            return;
        }
        let is_mirror = || self.skipped.mirrors && self.heap.class_of_mirror(referee).is_some();
        if self.skipped.by_name(referee) || is_mirror() {
            self.met.insert(referee.at());
        } else {
            self.seen.insert(referee.at());
            self.queue.push(referee);
        }
    }
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
