//! Every data structure of a heap with its sizes (AntTracks §3.2.3, §3.4.2).
//!
//! Each structure is walked once, and those that contain others a second time with these. The references that all walks
//! together follow are bounded; the structures that retain most come first.

use super::contain;
use super::walk::{Walked, Walker};
use super::{HeadIdx, Heads, Layout};
use crate::graph::{BitSet, Dominance, Size};
use crate::heap::ObjectIdx;
use std::cmp::Reverse;

/// Limits of the detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// References followed over all structures, for each reference of the heap.
    pub looks_per_reference: u64,
    /// The least limit, for small heaps.
    pub least_looks: u64,
    /// The share of these, in percent, after which no structure is walked with those that it contains.
    pub deep_percent: u64,
}

impl Default for Detection {
    fn default() -> Self {
        Self { looks_per_reference: 8, least_looks: 1_000_000, deep_percent: 75 }
    }
}

/// Size and number of leaves of a structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Its members, the head included.
    pub size: Size,
    /// Members at its edge; see [`super::Reach`] for heads among them.
    pub leaves: u64,
}

impl From<Walked> for Measured {
    fn from(walked: Walked) -> Self {
        Self { size: walked.members, leaves: walked.leaves() }
    }
}

/// A size in 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Packed {
    bytes: u64,
    objects: u32,
    leaves: u32,
}

impl Packed {
    const UNKNOWN: Self = Self { bytes: 0, objects: u32::MAX, leaves: 0 };

    fn of(walked: Walked) -> Self {
        let objects = walked.members.objects as u32;
        Self { bytes: walked.members.bytes, objects, leaves: walked.leaves() as u32 }
    }

    fn measured(self) -> Option<Measured> {
        let size = Size { objects: u64::from(self.objects), bytes: self.bytes };
        (self.objects != u32::MAX).then_some(Measured { size, leaves: u64::from(self.leaves) })
    }
}

/// A structure that contains others.
#[derive(Clone, Copy, Debug)]
struct Container {
    head: HeadIdx,
    /// Its range in [`Structures::contained`].
    first: u32,
    count: u32,
    deep: Packed,
}

/// The structures of one heap. 29 bytes a head, 32 more for one that contains others, 4 for each contained one.
#[derive(Debug)]
pub struct Structures {
    /// Their heads.
    pub heads: Heads,
    own: Vec<Packed>,
    /// By head: the bytes that it retains.
    retained: Vec<u64>,
    /// Objects in structures that were walked, each once.
    members: Size,
    /// Sorted by head.
    containers: Vec<Container>,
    contained: Vec<HeadIdx>,
    /// By head: the top-level structure that owns it, or itself.
    tops: Vec<HeadIdx>,
}

impl Structures {
    /// Detects all structures; equal input gives equal results.
    pub fn new(dominance: &impl Dominance, layout: &Layout, limits: Detection) -> Self {
        let heads = Heads::new(dominance, layout);
        let sizes: Vec<Size> = heads.iter().map(|(_, object)| dominance.retained(object)).collect();
        let order = by_retained_size(&sizes);
        let retained = sizes.into_iter().map(|size| size.bytes).collect();
        let own = vec![Packed::UNKNOWN; heads.len()];
        let (members, containers, contained, tops) = (Size::default(), Vec::new(), Vec::new(), Vec::new());
        let mut found = Self { heads, own, retained, members, containers, contained, tops };
        found.measure(Walker::new(dominance.heap(), layout), &order, limits);
        found.containers.sort_unstable_by_key(|container| container.head);
        found.tops = contain::tops(dominance, &found, &order);
        found
    }

    fn measure(&mut self, mut walker: Walker<'_>, order: &[HeadIdx], limits: Detection) {
        let heap = walker.heap();
        let heap_looks = heap.references().len() as u64;
        let most = (heap_looks * limits.looks_per_reference).max(limits.least_looks);
        let most_deep = most * limits.deep_percent / 100;
        let mut seen = BitSet::new(heap.object_count());
        for &head in order {
            let visit = &mut |object: ObjectIdx| {
                if seen.insert(object.at()) {
                    self.members.add_object(heap.shallow_bytes(object));
                }
            };
            let Some(walked) = walker.own(&[self.heads.object(head)], most, visit) else { break };
            self.own[head.at()] = Packed::of(walked);
            if walker.met().is_empty() {
                continue;
            }
            let first = self.contained.len() as u32;
            self.contained.extend(walker.met().iter().filter_map(|&object| self.heads.of(object)));
            let count = self.contained.len() as u32 - first;
            let is_affordable = walker.looks() < most_deep;
            let deep = is_affordable.then(|| walker.contained(most_deep, &mut |_| {})).flatten();
            let deep = deep.map_or(Packed::UNKNOWN, Packed::of);
            self.containers.push(Container { head, first, count, deep });
        }
    }

    /// The structure's own size; `None` if the limit was reached before.
    pub fn own(&self, head: HeadIdx) -> Option<Measured> {
        self.own[head.at()].measured()
    }

    /// Its size with all structures that it contains, directly or not; `None` if the limit was reached before.
    pub fn deep(&self, head: HeadIdx) -> Option<Measured> {
        match self.container(head) {
            Some(container) => container.deep.measured(),
            None => self.own(head),
        }
    }

    /// Heads that are leaves of the structure, in the order of the walk.
    pub fn contained(&self, head: HeadIdx) -> &[HeadIdx] {
        let range = |container: &Container| container.first as usize..(container.first + container.count) as usize;
        self.container(head).map_or(&[], |container| &self.contained[range(container)])
    }

    /// Whether no other structure owns it (AntTracks §3.3.1).
    pub fn is_top_level(&self, head: HeadIdx) -> bool {
        self.top_of(head) == head
    }

    /// The top-level structure that owns it; itself if it is one.
    pub fn top_of(&self, head: HeadIdx) -> HeadIdx {
        self.tops[head.at()]
    }

    /// The bytes that a head retains.
    #[inline]
    pub fn retained_bytes(&self, head: HeadIdx) -> u64 {
        self.retained[head.at()]
    }

    /// Objects in structures, each once. Where the limit was reached, those of the structures that were walked.
    pub fn members(&self) -> Size {
        self.members
    }

    /// Number of structures without a size of their own, or without a deep one.
    pub fn unmeasured_count(&self) -> usize {
        self.heads.iter().filter(|&(head, _)| self.own(head).is_none() || self.deep(head).is_none()).count()
    }

    fn container(&self, head: HeadIdx) -> Option<&Container> {
        let at = self.containers.binary_search_by_key(&head, |container| container.head).ok()?;
        Some(&self.containers[at])
    }
}

/// All heads, those that retain most first: so each comes after all that dominate it.
fn by_retained_size(sizes: &[Size]) -> Vec<HeadIdx> {
    let key = |(head, &Size { objects, bytes }): (u32, &Size)| (Reverse(bytes), Reverse(objects), HeadIdx(head));
    let mut order: Vec<_> = (0..).zip(sizes).map(key).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, _, head)| head).collect()
}
