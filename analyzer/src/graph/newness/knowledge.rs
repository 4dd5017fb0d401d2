//! Knowledge of containers and classes from the marks: from the table of a plan, or from the marks alone if an
//! iteration set them.

use crate::graph::DominatorTree;
use crate::heap::{Container, Heap, Mark, MarkTable, ObjectIdx};
use std::collections::{HashMap, HashSet};

/// The nearest container above an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Above {
    /// A container of the earlier snapshot.
    Known(Container),
    /// A container that is not certainly of the earlier snapshot, as its class came later; the objects that it owns
    /// came with it.
    New,
}

impl Above {
    pub(super) const ROOTS: Self = Self::Known(Container::Roots);
}

/// A group: container, and class by its number in the table (or the heap, without a table).
pub(super) type Key = (Container, u32);

/// Without a table: number of owned objects above which a marked object of a wholly marked class is a container.
const MIN_OWNED: usize = 64;

/// The knowledge from one heap's marks.
pub(super) struct Knowledge<'h> {
    pub(super) heap: &'h Heap,
    pub(super) table: Option<&'h MarkTable>,
    dominators: &'h DominatorTree,
    /// By class of the heap: its number in the table.
    class: Vec<Option<u32>>,
    /// Without a table: the number of objects of a class that each mark stands for.
    stands_for: HashMap<u32, f64>,
}

impl<'h> Knowledge<'h> {
    pub(super) fn new(heap: &'h Heap, dominators: &'h DominatorTree) -> Self {
        let table = heap.marks();
        let number = |(at, name): (u32, &str)| table.map_or(Some(at), |table| table.class(name));
        let class = heap.classes().iter().map(|(at, class)| number((at.0, &class.name))).collect();
        let mut stands_for = HashMap::new();
        if table.is_none() {
            for object in heap.objects().filter(|&object| !heap.is_new(object)) {
                stands_for.insert(heap.class_of(object).0, heap.stands_for(object));
            }
        }
        Self { heap, table, dominators, class, stands_for }
    }

    pub(super) fn leaves_inherit(&self) -> bool {
        self.table.is_some_and(|table| table.leaves_inherit)
    }

    /// The container that the object is.
    pub(super) fn container(&self, object: ObjectIdx) -> Option<Above> {
        if let Some(class) = self.heap.class_of_mirror(object) {
            if self.mirror_is_new(object) == Some(true) {
                return Some(Above::New);
            }
            return Some(self.class[class.at()].map_or(Above::New, |class| Above::Known(Container::Mirror(class))));
        }
        if self.heap.is_new(object) && self.class[self.heap.class_of(object).at()].is_none() {
            return Some(Above::New);
        }
        let (mark, is_container) = (self.heap.mark_of(object)?, |number| {
            self.table.and_then(|table| table.mark(number)).is_some_and(|mark| mark.container_below.is_some())
        });
        match mark {
            Mark::Planned(number) => is_container(number).then_some(Above::Known(Container::Marked(number))),
            Mark::StandsFor(1) if self.table.is_none() && !self.heap.is_array(object) => {
                let is_large = self.dominators.subtree(object).len() > MIN_OWNED;
                is_large.then_some(Above::Known(Container::Marked(object.0)))
            }
            Mark::StandsFor(_) => None,
        }
    }

    /// For mirrors: whether the class is new. If mirrors bear no marks, whether no class of its name was known.
    pub(super) fn mirror_is_new(&self, object: ObjectIdx) -> Option<bool> {
        let class = self.heap.class_of_mirror(object)?;
        match self.table {
            Some(table) if !table.marks_mirrors => Some(self.class[class.at()].is_none()),
            Some(_) => Some(self.heap.is_new(object)),
            None if self.stands_for.get(&self.heap.class_of(object).0).is_some_and(|&count| count > 1.0) => Some(false),
            None => Some(self.heap.is_new(object)),
        }
    }

    /// The group of an object below `above`; `None` for objects that must be new if they bear no mark.
    pub(super) fn group(&self, object: ObjectIdx, above: Above) -> Option<Key> {
        let Above::Known(container) = above else { return None };
        Some((container, self.class[self.heap.class_of(object).at()]?))
    }

    /// The stratum from which the object's mark was drawn.
    pub(super) fn stratum(&self, object: ObjectIdx) -> Option<u32> {
        let Some(Mark::Planned(number)) = self.heap.mark_of(object) else { return None };
        self.table?.mark(number)?.stratum
    }

    /// By class of the heap: whether each of its objects was marked, and no mark missed its object, so that those
    /// without a mark are new.
    pub(super) fn all_marked(&self) -> Vec<bool> {
        let Some(table) = self.table else { return vec![false; self.class.len()] };
        let samples = table.strata.iter().filter(|stratum| stratum.marked < stratum.count);
        let missed = table.marks.iter().filter(|mark| mark.weight == 0.0);
        let unsure: HashSet<u32> = samples.map(|stratum| stratum.class).chain(missed.map(|mark| mark.class)).collect();
        self.class.iter().map(|class| class.is_none_or(|class| !unsure.contains(&class))).collect()
    }

    /// Without a table: the number of objects of the class that one mark stands for; 1 if the class has no mark.
    pub(super) fn class_stands_for(&self, class: u32) -> f64 {
        self.stands_for.get(&class).copied().unwrap_or(1.0)
    }
}
