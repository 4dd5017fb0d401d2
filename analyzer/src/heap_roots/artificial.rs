//! Which objects of cycles become roots: as few as can be. HeapRoots chooses "some"; here it is one of each cyclic
//! structure that nothing outside leads into.

use super::parents::Children;
use crate::graph::BitSet;
use crate::heap::{Heap, ObjectIdx};

/// Objects from which all that is not `reached` can be reached, ascending.
///
/// Searched in the order of addresses, a start that a later one reaches was not reached by it. So, going through the starts
/// backward, each is reached already or no other leads to it.
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
    /// Marks all that the object reaches; tells whether it had not been reached before.
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
