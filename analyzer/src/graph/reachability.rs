//! Which GC roots reach an object (LeakBot §3.2, *reachability*), by kind.
//!
//! "Each element of the vector counts the number of GC roots of a particular type that reach that single-entry
//! subgraph." Exact counts would need a set of roots per region; a few hashed bits per kind count few roots exactly
//! and many roots as many, which is all that the metrics ask.

use crate::heap::{Heap, ObjectIdx, RootKind, RootKinds};

const ALL_KINDS: [RootKind; 6] =
    [RootKind::Class, RootKind::JniGlobal, RootKind::Thread, RootKind::OnStack, RootKind::Monitor, RootKind::Other];
/// Bits per kind; 6 × 10 fit a word.
const BITS_PER_KIND: u32 = 10;

/// Reachability vectors of all objects.
#[derive(Debug)]
pub struct Reachability {
    /// By object: a few bits for each kind.
    vector: Vec<u64>,
}

impl Reachability {
    /// Propagates each root's bit along the references until nothing changes.
    pub fn new(heap: &Heap) -> Self {
        let mut reachability = Self { vector: vec![0; heap.object_count()] };
        let mut pending: Vec<ObjectIdx> = Vec::new();
        for (root, number) in heap.roots().iter().zip(0u32..) {
            reachability.add(root.object, bit(root.kind, number), &mut pending);
        }
        while let Some(object) = pending.pop() {
            let vector = reachability.vector[object.at()];
            for &referee in heap.references().of(object) {
                reachability.add(referee, vector, &mut pending);
            }
        }
        reachability
    }

    /// The kinds of roots that reach the object.
    pub fn kinds(&self, object: ObjectIdx) -> RootKinds {
        let mut kinds = RootKinds::default();
        for kind in ALL_KINDS.into_iter().filter(|&kind| self.count(object, kind) > 0) {
            kinds.insert(kind);
        }
        kinds
    }

    /// About how many roots of a kind reach the object: exact while few do, never 0 when one does.
    pub fn count(&self, object: ObjectIdx, kind: RootKind) -> u32 {
        let mask = ((1u64 << BITS_PER_KIND) - 1) << (kind as u32 * BITS_PER_KIND);
        (self.vector[object.at()] & mask).count_ones()
    }

    /// Whether on-stack roots reach the object, and no others do.
    pub fn only_on_stack(&self, object: ObjectIdx) -> bool {
        let on_stack = ((1u64 << BITS_PER_KIND) - 1) << (RootKind::OnStack as u32 * BITS_PER_KIND);
        let vector = self.vector[object.at()];
        vector != 0 && vector & !on_stack == 0
    }

    fn add(&mut self, object: ObjectIdx, bits: u64, pending: &mut Vec<ObjectIdx>) {
        let vector = &mut self.vector[object.at()];
        if *vector | bits != *vector {
            *vector |= bits;
            pending.push(object);
        }
    }
}

/// The bit of one root.
fn bit(kind: RootKind, number: u32) -> u64 {
    1 << (kind as u32 * BITS_PER_KIND + number % BITS_PER_KIND)
}
