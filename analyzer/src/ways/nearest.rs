//! The ways to one object from its nearest holders: a search against the references, breadth first, which ends at GC
//! roots and class mirrors. A mirror ends it because ways through one static field differ only in front of the class.

use super::{Way, Ways};
use crate::graph::{BitSet, Referrers, RootPath, RootPaths};
use crate::heap::{Heap, ObjectIdx};
use std::collections::HashSet;

/// Number of holders that are examined for each wanted way, and in addition. Garbage holds objects, too, and some ways
/// to different holders coincide.
const PER_WAY: usize = 8;
const IN_ADDITION: usize = 64;

pub(super) fn find(heap: &Heap, to: ObjectIdx, avoided: &BitSet, limit: usize) -> Ways {
    let first = RootPaths::avoiding(heap, &[to], avoided).path_to(heap, to);
    let Some(first) = first else { return Ways::default() };
    let back = Back::search(heap, to, avoided, limit.saturating_mul(PER_WAY).saturating_add(IN_ADDITION));
    // The ways to the holders may not lead through the object itself: what it alone holds does not keep it.
    let mut avoided = avoided.clone();
    avoided.insert(to.at());
    let mut holders: Vec<ObjectIdx> = back.holders.iter().map(|holder| holder.object).collect();
    holders.sort_unstable();
    holders.dedup();
    let heads = RootPaths::avoiding(heap, &holders, &avoided);
    let joined = back.holders.iter().filter_map(|&holder| {
        let head = heads.path_to(heap, holder.object)?;
        Some(back.join(heap, &head, holder))
    });
    let mut paths: Vec<RootPath> = std::iter::once(first).chain(joined).collect();
    let mut known: HashSet<Vec<ObjectIdx>> = HashSet::new();
    paths.retain(|path| known.insert(path.steps.iter().map(|&(object, _)| object).collect()));
    let bytes = heap.shallow_bytes(to);
    let way_count = paths.len() as u64;
    let way = |path| Way { path, object_count: 1, bytes };
    Ways { ways: paths.into_iter().take(limit).map(way).collect(), way_count, reached_count: 1, reached_bytes: bytes }
}

/// An end of the search. A class mirror is one for each object that its static fields refer to.
#[derive(Clone, Copy)]
struct Holder {
    object: ObjectIdx,
    /// The next object on the way.
    next: ObjectIdx,
}

/// A breadth-first tree against the references.
struct Back {
    to: ObjectIdx,
    /// By object: the next object on the way to the end, plus one; 0 where the search did not come.
    next: Vec<u32>,
    /// Class mirrors and objects of GC roots, the nearest first.
    holders: Vec<Holder>,
}

impl Back {
    fn search(heap: &Heap, to: ObjectIdx, avoided: &BitSet, limit: usize) -> Self {
        let referrers = Referrers::new(heap);
        let (mut lasting, mut passing) = (BitSet::new(heap.object_count()), BitSet::new(heap.object_count()));
        for root in heap.roots() {
            if root.kind.is_passing() { &mut passing } else { &mut lasting }.insert(root.object.at());
        }
        let mut back = Self { to, next: vec![0; heap.object_count()], holders: Vec::new() };
        let mut queue = vec![to];
        let mut at = 0;
        while let Some(&object) = queue.get(at).filter(|_| back.holders.len() < limit) {
            at += 1;
            for &referrer in referrers.of(object) {
                let is_mirror = heap.class_of_mirror(referrer).is_some();
                // Several references to one object follow one another, or the paths themselves distinguish them.
                let is_known = back.next[referrer.at()] == object.0 + 1 || !is_mirror && back.next[referrer.at()] != 0;
                if referrer == to || is_known || avoided.contains(referrer.at()) {
                    continue;
                }
                back.next[referrer.at()] = object.0 + 1;
                let ends = lasting.contains(referrer.at()) || is_mirror;
                if ends || passing.contains(referrer.at()) {
                    back.holders.push(Holder { object: referrer, next: object });
                }
                if !ends {
                    queue.push(referrer);
                }
            }
        }
        back
    }

    /// The way to a holder and on to the end, without the loop where both meet before.
    fn join(&self, heap: &Heap, head: &RootPath, holder: Holder) -> RootPath {
        let mut tail = vec![holder.object, holder.next];
        let mut at = holder.next;
        while at != self.to {
            // Every object of the tree but its end has a next one.
            let Some(next) = self.next[at.at()].checked_sub(1) else { break };
            at = ObjectIdx(next);
            tail.push(at);
        }
        let place = |object: ObjectIdx| tail.iter().position(|&each| each == object);
        let mut objects = Vec::new();
        for &(object, _) in &head.steps {
            if let Some(from) = place(object) {
                objects.extend_from_slice(&tail[from..]);
                break;
            }
            objects.push(object);
        }
        RootPath::through(heap, head.root, &objects)
    }
}
