//! From the class names in batches to classes: one look-up for every object of the heap.

use crate::heap::{ClassIdx, Classes, ObjectIdx};
use rootbound_wire::ids::ObjectId;

/// Limit of table entries per id. A sparser range of ids is searched instead.
const PLACES_PER_ID: u64 = 64;
const NONE: u32 = u32::MAX;

/// Classes by the names of their mirrors. Names without a record (an unloaded class, or a thread) stand behind the
/// described classes, for one of them may turn out to be a class.
#[derive(Debug)]
pub(super) struct ClassIds {
    first: u64,
    /// By distance from the first id: the class, or [`NONE`]. Empty when ids lie far apart.
    dense: Vec<u32>,
    sorted: Vec<(u64, u32)>,
    /// By class: its mirror. Class 0, the unknown one, has none.
    mirrors: Vec<Option<ObjectIdx>>,
}

impl ClassIds {
    pub(super) fn new(named: &[(ObjectIdx, ObjectId)], classes: &Classes) -> Self {
        let mut mirrors: Vec<Option<ObjectIdx>> = classes.iter().map(|(_, class)| class.mirror).collect();
        let mut sorted: Vec<(u64, u32)> = Vec::new();
        for &(object, id) in named {
            let class = classes.of_mirror(object).unwrap_or_else(|| {
                mirrors.push(Some(object));
                ClassIdx(mirrors.len() as u32 - 1)
            });
            sorted.push((id.0, class.0));
        }
        sorted.sort_unstable();
        let first = sorted.first().map_or(0, |entry| entry.0);
        let span = sorted.last().map_or(0, |entry| (entry.0 - first).saturating_add(1));
        let mut dense = Vec::new();
        if span <= PLACES_PER_ID * sorted.len() as u64 {
            dense.resize(span as usize, NONE);
            sorted.iter().for_each(|&(id, class)| dense[(id - first) as usize] = class);
        }
        Self { first, dense, sorted, mirrors }
    }

    #[inline]
    pub(super) fn class(&self, id: ObjectId) -> Option<ClassIdx> {
        if let Some(&class) = usize::try_from(id.0.wrapping_sub(self.first)).ok().and_then(|at| self.dense.get(at)) {
            return (class != NONE).then_some(ClassIdx(class));
        }
        self.sorted.binary_search_by_key(&id.0, |entry| entry.0).ok().map(|at| ClassIdx(self.sorted[at].1))
    }

    #[inline]
    pub(super) fn mirror(&self, class: ClassIdx) -> Option<ObjectIdx> {
        self.mirrors[class.at()]
    }

    /// Number of classes, with those behind the described ones.
    pub(super) fn class_count(&self) -> usize {
        self.mirrors.len()
    }
}
