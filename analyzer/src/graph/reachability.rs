//! Which GC roots reach an object (LeakBot §3.2, *reachability*), by kind.
//!
//! "Each element of the vector counts the number of GC roots of a particular type that reach that single-entry
//! subgraph." Exact counts would need a set of roots per region; a few bits per kind count few roots exactly and many
//! roots as many, which is all that the metrics ask.

use super::region_graph::RegionGraph;
use super::{BitSet, DominatorTree, Referrers};
use crate::heap::{Heap, ObjectIdx, RootKind, RootKinds};

const ALL_KINDS: [RootKind; 6] =
    [RootKind::Class, RootKind::JniGlobal, RootKind::Thread, RootKind::OnStack, RootKind::Monitor, RootKind::Other];
/// Bits per kind; 6 × 10 fit a word.
const BITS_PER_KIND: u32 = 10;
/// Region of objects that nothing reaches.
const NO_REGION: u32 = u32::MAX;

/// Reachability vectors, one for each child of the virtual root of the dominator tree.
///
/// What such an object dominates is reached through it alone, hence by the same roots: these subtrees are the largest
/// single-entry regions there are. 4 bytes an object and 8 bytes a region.
#[derive(Debug)]
pub struct Reachability {
    /// By object: its region.
    region: Vec<u32>,
    /// By region: a few bits for each kind.
    vector: Vec<u64>,
    /// What on-stack roots reach. They point into the middle of regions, since the graph is entered through them only
    /// where nothing else leads, so the regions do not tell.
    from_stack: BitSet,
}

impl Reachability {
    /// Gives each root a bit and joins the bits along the references between regions, each followed once.
    pub fn new(heap: &Heap, referrers: &Referrers, dominators: &DominatorTree) -> Self {
        let (region, heads) = regions(heap, dominators);
        let mut vector = vec![0; heads.len()];
        let mut seen = [0; ALL_KINDS.len()];
        for root in heap.roots() {
            let is_inside = root.kind == RootKind::OnStack && dominators.immediate_dominator(root.object).is_some();
            if is_inside {
                continue;
            }
            let number = &mut seen[root.kind as usize];
            vector[region[root.object.at()] as usize] |= bit(root.kind, *number);
            *number += 1;
        }
        RegionGraph { region: &region, heads: &heads, referrers, dominators }.join(&mut vector);
        Self { region, vector, from_stack: reached_from_stack(heap) }
    }

    /// The kinds of roots that reach the object.
    pub fn kinds(&self, object: ObjectIdx) -> RootKinds {
        let mut kinds = RootKinds::default();
        for kind in ALL_KINDS.into_iter().filter(|&kind| self.count(object, kind) > 0) {
            kinds.insert(kind);
        }
        kinds
    }

    /// About how many roots of a kind reach the object: never more than do, never 0 when one does, and exact when the
    /// heap has at most [`BITS_PER_KIND`] of that kind. On-stack roots inside of regions count as one together.
    pub fn count(&self, object: ObjectIdx, kind: RootKind) -> u32 {
        let by_region = (self.vector_of(object) & bits_of(kind)).count_ones();
        if kind == RootKind::OnStack && self.from_stack.contains(object.at()) { by_region.max(1) } else { by_region }
    }

    /// Whether on-stack roots reach the object, and no others do.
    pub fn only_on_stack(&self, object: ObjectIdx) -> bool {
        let vector = self.vector_of(object);
        vector != 0 && vector & !bits_of(RootKind::OnStack) == 0
    }

    fn vector_of(&self, object: ObjectIdx) -> u64 {
        // An unreachable object's region is beyond the last.
        self.vector.get(self.region[object.at()] as usize).copied().unwrap_or(0)
    }
}

fn reached_from_stack(heap: &Heap) -> BitSet {
    let mut reached = BitSet::new(heap.object_count());
    let on_stack = heap.roots().iter().filter(|root| root.kind == RootKind::OnStack);
    let mut pending: Vec<ObjectIdx> =
        on_stack.map(|root| root.object).filter(|object| reached.insert(object.at())).collect();
    while let Some(object) = pending.pop() {
        let referees = heap.references().of(object).iter().copied();
        pending.extend(referees.filter(|referee| reached.insert(referee.at())));
    }
    reached
}

/// The region of each object, and the head of each region, in the order of the dominator tree.
fn regions(heap: &Heap, dominators: &DominatorTree) -> (Vec<u32>, Vec<ObjectIdx>) {
    let mut region = vec![NO_REGION; heap.object_count()];
    let mut heads = Vec::new();
    for &object in dominators.preorder() {
        if dominators.immediate_dominator(object).is_none() {
            heads.push(object);
        }
        region[object.at()] = heads.len() as u32 - 1;
    }
    (region, heads)
}

/// The bit of the root of that number among those of its kind.
fn bit(kind: RootKind, number: u32) -> u64 {
    1 << (kind as u32 * BITS_PER_KIND + number % BITS_PER_KIND)
}

fn bits_of(kind: RootKind) -> u64 {
    ((1 << BITS_PER_KIND) - 1) << (kind as u32 * BITS_PER_KIND)
}
