//! The walk over the members of data structures (AntTracks §3.2.3), with marks that are never cleared: a mark bears the
//! number of its walk.
//!
//! The paper follows an object or not by the reference that meets it first. Here an object is followed if any member
//! follows it, so that the members do not depend on the order of references.

use super::{Branch, Layout};
use crate::graph::Size;
use crate::heap::{Heap, ObjectIdx};

/// The structures whose members are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Those that begin at the starts: heads within them are leaves.
    Own,
    /// These, and all structures that they contain, directly or not.
    Deep,
}

/// Result of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Walked {
    /// Members, the heads included.
    pub(super) members: Size,
    /// Members that were followed; all others are leaves.
    pub(super) followed: u64,
}

impl Walked {
    /// Number of leaves.
    pub(super) fn leaves(self) -> u64 {
        self.members.objects - self.followed
    }
}

/// Walks over structures of one heap; 4 bytes an object.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    heap: &'a Heap,
    layout: &'a Layout,
    /// By object: the number of the walk that met it last, and in the lowest bit whether that followed it.
    marks: Vec<u32>,
    walk: u32,
    open: Vec<ObjectIdx>,
    walked: Walked,
    /// Heads that this walk met within structures, each once.
    met: Vec<ObjectIdx>,
    /// References that were followed so far, by all walks.
    looks: u64,
}

/// Numbers of walks are smaller: one bit of a mark is taken.
const MOST_WALKS: u32 = u32::MAX >> 1;

impl<'a> Walker<'a> {
    /// A walker that has met nothing.
    pub(super) fn new(heap: &'a Heap, layout: &'a Layout) -> Self {
        let marks = vec![0; heap.object_count()];
        Self { heap, layout, marks, walk: 0, open: Vec::new(), walked: Walked::default(), met: Vec::new(), looks: 0 }
    }

    /// The heap.
    pub(super) fn heap(&self) -> &'a Heap {
        self.heap
    }

    /// Number of references that were followed so far.
    pub(super) fn looks(&self) -> u64 {
        self.looks
    }

    /// Heads that the walk has met within the structures of its starts, in the order of the walk.
    pub(super) fn met(&self) -> &[ObjectIdx] {
        &self.met
    }

    /// Whether the walk followed the object: an object that it met and did not follow is a leaf.
    pub(super) fn has_followed(&self, object: ObjectIdx) -> bool {
        self.marks[object.at()] == self.walk << 1 | 1
    }

    /// Begins a walk at heads, and visits their own structures. `None` once `most_looks` references were followed.
    pub(super) fn own(
        &mut self,
        starts: &[ObjectIdx],
        most_looks: u64,
        visit: &mut impl FnMut(ObjectIdx),
    ) -> Option<Walked> {
        self.begin();
        starts.iter().for_each(|&start| self.follow(start, visit));
        self.exhaust(most_looks, visit)
    }

    /// Goes on with the structures of the heads that were met, and with those within these.
    pub(super) fn contained(&mut self, most_looks: u64, visit: &mut impl FnMut(ObjectIdx)) -> Option<Walked> {
        let mut next = 0;
        while let Some(&head) = self.met.get(next) {
            next += 1;
            self.follow(head, visit);
            self.exhaust(most_looks, visit)?;
        }
        Some(self.walked)
    }

    /// A whole walk without a limit.
    pub(super) fn all(&mut self, starts: &[ObjectIdx], reach: Reach, visit: &mut impl FnMut(ObjectIdx)) -> Walked {
        let own = self.own(starts, u64::MAX, visit);
        let whole = if reach == Reach::Deep { self.contained(u64::MAX, visit) } else { own };
        whole.unwrap_or_default()
    }

    fn begin(&mut self) {
        if self.walk + 1 == MOST_WALKS {
            self.marks.fill(0);
            self.walk = 0;
        }
        self.walk += 1;
        self.walked = Walked::default();
        self.open.clear();
        self.met.clear();
    }

    fn exhaust(&mut self, most_looks: u64, visit: &mut impl FnMut(ObjectIdx)) -> Option<Walked> {
        while let Some(object) = self.open.pop() {
            self.look(object, visit);
            if self.looks > most_looks {
                return None;
            }
        }
        Some(self.walked)
    }

    /// Looks at the pointers of a followed object.
    fn look(&mut self, object: ObjectIdx, visit: &mut impl FnMut(ObjectIdx)) {
        let (heap, layout) = (self.heap, self.layout);
        let from = layout.type_of(heap, object);
        let references = heap.references().labelled(object);
        self.looks += references.len() as u64;
        for (referee, label) in references {
            let to = layout.type_of(heap, referee);
            let branch = layout.branch(from, to);
            if branch == Branch::Outside || !layout.is_pointer(heap, object, label) {
                continue;
            }
            match branch {
                Branch::Follow if layout.has_pointed_to(to) => self.follow(referee, visit),
                Branch::Head => {
                    if self.meet(referee, visit) {
                        self.met.push(referee);
                    }
                }
                Branch::Outside | Branch::Follow | Branch::Leaf => {
                    self.meet(referee, visit);
                }
            }
        }
    }

    fn follow(&mut self, object: ObjectIdx, visit: &mut impl FnMut(ObjectIdx)) {
        self.meet(object, visit);
        let mark = &mut self.marks[object.at()];
        if *mark & 1 == 0 {
            *mark |= 1;
            self.walked.followed += 1;
            self.open.push(object);
        }
    }

    /// Makes the object a member; returns whether it was none.
    #[inline]
    fn meet(&mut self, object: ObjectIdx, visit: &mut impl FnMut(ObjectIdx)) -> bool {
        let mark = &mut self.marks[object.at()];
        let is_new = *mark >> 1 != self.walk;
        if is_new {
            *mark = self.walk << 1;
            self.walked.members.add_object(self.heap.shallow_bytes(object));
            visit(object);
        }
        is_new
    }
}
