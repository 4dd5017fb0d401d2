//! Objects that containers held at T1, by type, whether they still exist or not. A queue that is served more slowly
//! than it is filled has replaced all its objects, and grows. Only the table of a plan of marks has these counts.

use crate::heap::{ClassIdx, Container, Heap, Mark, MarkTable, ObjectIdx};
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// Types and numbers of the objects that the containers of the earlier snapshot held.
pub(super) struct Turnover<'h> {
    heap: &'h Heap,
    table: Option<&'h MarkTable>,
    held: FxHashMap<Container, Vec<(ClassIdx, u32)>>,
}

impl<'h> Turnover<'h> {
    pub(super) fn new(heap: &'h Heap) -> Self {
        let table = heap.marks();
        let mut held: FxHashMap<Container, Vec<(ClassIdx, u32)>> = FxHashMap::default();
        let mut classes: HashMap<u32, Vec<ClassIdx>> = HashMap::new();
        for (class, described) in heap.classes().iter() {
            if let Some(number) = table.and_then(|table| table.class(&described.name)) {
                classes.entry(number).or_default().push(class);
            }
        }
        for stratum in table.into_iter().flat_map(|table| &table.strata) {
            let of_name = classes.get(&stratum.class).into_iter().flatten();
            held.entry(stratum.below).or_default().extend(of_name.map(|&class| (class, stratum.count)));
        }
        Self { heap, table, held }
    }

    /// The objects that the object held at T1, by type; none if it was no container then.
    pub(super) fn held(&self, object: ObjectIdx) -> &[(ClassIdx, u32)] {
        let held = self.container(object).and_then(|container| self.held.get(&container));
        held.map_or(&[], Vec::as_slice)
    }

    fn container(&self, object: ObjectIdx) -> Option<Container> {
        let table = self.table?;
        if let Some(class) = self.heap.class_of_mirror(object) {
            return table.class(&self.heap.classes().get(class).name).map(Container::Mirror);
        }
        let Some(Mark::Planned(number)) = self.heap.mark_of(object) else { return None };
        table.mark(number)?.container_below.map(|_| Container::Marked(number))
    }
}
