//! Choice of artificial roots among the objects of cycles: as few as possible. HeapRoots chooses "some"; here it is one
//! of each cyclic structure that no outside object refers to.

use super::parents::Children;
use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// The fewest objects from which all objects that are not `reached` can be reached, ascending.
///
/// An earlier start of a search in the order of addresses did not reach a later one. So in reverse order, each start is
/// either reached already or reached by no other.
pub(super) fn choose(heap: &Heap, reached: &BitSet) -> Vec<ObjectIdx> {
    let mut search = Reach { children: Children::new(heap), seen: reached.clone(), stack: Vec::new() };
    let starts: Vec<ObjectIdx> = heap.objects().filter(|&object| search.from(object)).collect();
    search.seen = reached.clone();
    let mut chosen: Vec<ObjectIdx> = starts.into_iter().rev().filter(|&start| search.from(start)).collect();
    chosen.reverse();
    chosen
}

struct Reach<'h> {
    children: Children<'h>,
    seen: BitSet,
    stack: Vec<ObjectIdx>,
}

impl Reach<'_> {
    /// Marks all objects that the object reaches; returns whether it was unreached before.
    fn from(&mut self, object: ObjectIdx) -> bool {
        if !self.seen.insert(object.at()) {
            return false;
        }
        self.stack.push(object);
        while let Some(object) = self.stack.pop() {
            let class = self.children.left_out(object);
            for &child in self.children.row(object) {
                if Some(child) != class && self.seen.insert(child.at()) {
                    self.stack.push(child);
                }
            }
        }
        true
    }
}
