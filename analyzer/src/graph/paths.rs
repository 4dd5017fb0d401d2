//! Paths through the graph for people: from a GC root to an object, and inside the subtree that an object dominates.

use super::{BitSet, DominatorTree, Entries};
use crate::heap::{ClassIdx, Heap, Label, ObjectIdx, RootKind, ThreadIdx};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Short paths from the GC roots to every object, as breadth-first trees. 4 bytes an object, of which the search
/// touches only those that it visits.
#[derive(Debug)]
pub struct RootPaths {
    /// By object: the referrer that it was found through, plus one; 0 for roots and unreachable objects.
    found_through: Vec<u32>,
    /// Objects that roots refer to directly, by the index of the root.
    root: HashMap<ObjectIdx, u32>,
}

/// One path from a GC root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootPath {
    /// Index into [`Heap::roots`].
    pub root: usize,
    /// Objects from the root's object to the target, each with the label that led to it (`None` for the first).
    pub steps: Vec<(ObjectIdx, Option<Label>)>,
}

/// Whether all of these objects are found; to be called once for each found object.
fn all_of(heap: &Heap, wanted: impl Iterator<Item = ObjectIdx>) -> impl FnMut(ObjectIdx) -> bool {
    let mut missing = BitSet::new(heap.object_count());
    let mut count = wanted.filter(|object| missing.insert(object.at())).count();
    move |found| {
        count -= usize::from(missing.contains(found.at()));
        count == 0
    }
}

/// Order of the kinds of roots: the most informative ones for people come first, above all class objects (LeakBot,
/// appendix A).
fn preference(kind: RootKind) -> u8 {
    match kind {
        RootKind::Class => 0,
        RootKind::Thread => 1,
        RootKind::JniGlobal => 2,
        RootKind::Other => 3,
        RootKind::OnStack => 4,
        RootKind::Monitor => 5,
    }
}

/// The step before an object on its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The root of this index refers to it.
    Root(usize),
    /// This object refers to it.
    Through(ObjectIdx),
}

impl RootPath {
    /// The path along these objects, each of which refers to the next; the root of this index refers to the first.
    pub fn through(heap: &Heap, root: usize, objects: &[ObjectIdx]) -> Self {
        let labels = objects.windows(2).map(|pair| label_between(heap, pair[0], pair[1]));
        let steps = objects.iter().copied().zip(std::iter::once(None).chain(labels)).collect();
        Self { root, steps }
    }
}

impl RootPaths {
    /// Searches the whole heap once: first from lasting roots, then, for the rest, from stacks and monitors, the
    /// outermost frames first. A local variable that points into a static structure does not explain what holds the
    /// structure, and neither does one of a method that `main` has just called.
    pub fn new(heap: &Heap) -> Self {
        Self::until(heap, BitSet::new(heap.object_count()), |_| false)
    }

    /// The same, and equal paths in every heap of one program: roots of one kind begin in the order of their names.
    pub fn by_name(heap: &Heap) -> Self {
        Self::from(heap, (order_by_name(heap), &|_| true), BitSet::new(heap.object_count()), |_| false)
    }

    /// The same, and paths from stacks begin at entries wherever one leads there. A loop's variable, which points into
    /// a structure at one moment and is gone at the next, begins none then.
    pub fn by_entries(heap: &Heap, entries: &Entries) -> Self {
        Self::by_entries_until(heap, entries, |_| false)
    }

    /// Those of them that lead to some objects: the search ends when all of them are found.
    pub fn by_entries_to(heap: &Heap, entries: &Entries, wanted: impl Iterator<Item = ObjectIdx>) -> Self {
        Self::by_entries_until(heap, entries, all_of(heap, wanted))
    }

    fn by_entries_until(heap: &Heap, entries: &Entries, is_enough: impl FnMut(ObjectIdx) -> bool) -> Self {
        let entered: HashSet<ObjectIdx> = entries.objects().iter().copied().collect();
        let is_entry = |at: usize| entered.contains(&heap.roots()[at].object);
        Self::from(heap, (order_by_name(heap), &is_entry), BitSet::new(heap.object_count()), is_enough)
    }

    /// The same for some objects: the search ends when all of them are found.
    pub fn to(heap: &Heap, wanted: &[ObjectIdx]) -> Self {
        Self::avoiding(heap, wanted, &BitSet::new(heap.object_count()))
    }

    /// The same without the `avoided` objects, as if they did not exist.
    pub fn avoiding(heap: &Heap, wanted: &[ObjectIdx], avoided: &BitSet) -> Self {
        Self::until(heap, avoided.clone(), all_of(heap, wanted.iter().copied()))
    }

    /// Searches until `is_enough` is true for a found object; it is called once for each that is not `seen` before.
    fn until(heap: &Heap, seen: BitSet, is_enough: impl FnMut(ObjectIdx) -> bool) -> Self {
        Self::from(heap, ((0..heap.roots().len()).collect(), &|_| true), seen, is_enough)
    }

    /// The same with the roots of each kind in this order. Of the roots on stacks those come first that `begin` paths.
    fn from(
        heap: &Heap,
        (mut roots, begin): (Vec<usize>, &dyn Fn(usize) -> bool),
        mut seen: BitSet,
        mut is_enough: impl FnMut(ObjectIdx) -> bool,
    ) -> Self {
        let mut paths = Self { found_through: vec![0; heap.object_count()], root: HashMap::new() };
        roots.sort_by_key(|&at| preference(heap.roots()[at].kind));
        let (passing, lasting): (Vec<usize>, Vec<usize>) =
            roots.into_iter().partition(|&at| heap.roots()[at].kind.is_passing());
        let (first, rest): (Vec<usize>, Vec<usize>) = passing.into_iter().partition(|&at| begin(at));
        for group in std::iter::once(lasting).chain(by_frame(heap, first)).chain(by_frame(heap, rest)) {
            if paths.search(heap, &group, &mut seen, &mut is_enough) {
                break;
            }
        }
        paths
    }

    /// Returns whether `is_enough` ended it.
    fn search(
        &mut self,
        heap: &Heap,
        roots: &[usize],
        seen: &mut BitSet,
        is_enough: &mut impl FnMut(ObjectIdx) -> bool,
    ) -> bool {
        let mut queue = VecDeque::new();
        for &at in roots {
            let object = heap.roots()[at].object;
            if seen.insert(object.at()) {
                self.root.insert(object, at as u32);
                if is_enough(object) {
                    return true;
                }
                queue.push_back(object);
            }
        }
        while let Some(object) = queue.pop_front() {
            for &referee in heap.references().of(object) {
                if seen.insert(referee.at()) {
                    self.found_through[referee.at()] = object.0 + 1;
                    if is_enough(referee) {
                        return true;
                    }
                    queue.push_back(referee);
                }
            }
        }
        false
    }

    /// The referrer through which the object was found; `None` for objects that roots refer to, and for unreached ones.
    pub fn found_through(&self, object: ObjectIdx) -> Option<ObjectIdx> {
        self.found_through[object.at()].checked_sub(1).map(ObjectIdx)
    }

    /// Index into [`Heap::roots`] of the root with which a path begins at the object.
    pub fn root_of(&self, object: ObjectIdx) -> Option<usize> {
        self.root.get(&object).map(|&root| root as usize)
    }

    /// The step before the object; `None` if no root reaches it.
    pub fn found(&self, object: ObjectIdx) -> Option<Found> {
        if let Some(&root) = self.root.get(&object) {
            return Some(Found::Root(root as usize));
        }
        self.found_through[object.at()].checked_sub(1).map(|referrer| Found::Through(ObjectIdx(referrer)))
    }

    /// A shortest path to the object; `None` if no root reaches it.
    pub fn path_to(&self, heap: &Heap, object: ObjectIdx) -> Option<RootPath> {
        let mut objects = vec![object];
        let root = loop {
            match self.found(objects[objects.len() - 1])? {
                Found::Root(root) => break root,
                Found::Through(referrer) => objects.push(referrer),
            }
        };
        objects.reverse();
        Some(RootPath::through(heap, root, &objects))
    }
}

/// The roots by the names of the classes of their objects.
fn order_by_name(heap: &Heap) -> Vec<usize> {
    let mut order: Vec<usize> = (0..heap.roots().len()).collect();
    let name = |at: usize| &heap.classes().get(heap.class_shown_by(heap.roots()[at].object)).name;
    order.sort_by(|&a, &b| name(a).cmp(name(b)));
    order
}

/// Roots of stacks in groups: those of the outermost frames that hold any, then those of the frames within.
fn by_frame(heap: &Heap, passing: Vec<usize>) -> Vec<Vec<usize>> {
    let mut outermost: HashMap<Option<ThreadIdx>, u32> = HashMap::new();
    for root in passing.iter().map(|&at| &heap.roots()[at]) {
        let depth = outermost.entry(root.thread).or_default();
        *depth = root.depth.max(*depth);
    }
    let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for at in passing {
        let root = &heap.roots()[at];
        groups.entry(outermost[&root.thread] - root.depth).or_default().push(at);
    }
    groups.into_values().collect()
}

fn label_between(heap: &Heap, referrer: ObjectIdx, referee: ObjectIdx) -> Option<Label> {
    // Arrays have millions of references; their labels are found by place.
    let at = heap.references().of(referrer).iter().position(|&to| to == referee)?;
    heap.references().labelled(referrer).nth(at).map(|(_, label)| label)
}

/// A shortest path from `from` to `to` through objects that `from` dominates; empty if they are the same, `None` if
/// `from` does not dominate `to`. Memory is touched only as far as the search goes before it finds `to`.
pub fn shortest_path_within(
    heap: &Heap,
    dominators: &DominatorTree,
    from: ObjectIdx,
    to: ObjectIdx,
) -> Option<Vec<(Label, ObjectIdx)>> {
    usual_path_within(heap, dominators, from, &[to], &|_| false)
}

/// Longest path that is compared; longer ones run along the nodes of a list.
const MAX_COMPARED: usize = 256;

/// One path of the most common kind of path from `from` to the objects of `to` that it dominates. Of two equally common
/// kinds, that of the nearest object counts. Some members of a structure lie in others, too, and by chance those are
/// nearer. Objects that are `passing` lie on a path only where no other leads to an object, whatever its length.
/// `None` if `from` dominates none of them.
pub fn usual_path_within(
    heap: &Heap,
    dominators: &DominatorTree,
    from: ObjectIdx,
    to: &[ObjectIdx],
    is_passing: &dyn Fn(ObjectIdx) -> bool,
) -> Option<Vec<(Label, ObjectIdx)>> {
    let mut within = Within { heap, dominators, from, is_passing, searches: HashMap::new() };
    let mut ways: Vec<Vec<(Label, ObjectIdx)>> =
        within.nearest(to).into_iter().filter_map(|object| within.path_to(object)).collect();
    ways.sort_by_key(Vec::len);
    let first = ways.first()?;
    if first.len() > MAX_COMPARED {
        return ways.into_iter().next();
    }
    // A much longer path is of another kind anyway.
    ways.retain(|way| way.len() <= 2 * MAX_COMPARED);
    let kinds: Vec<_> = ways.iter().map(|way| kind_of_way(heap, way)).collect();
    let mut counts: HashMap<&[(Label, ClassIdx)], usize> = HashMap::new();
    kinds.iter().for_each(|kind| *counts.entry(kind).or_default() += 1);
    let usual = kinds.iter().zip(ways).rev().max_by_key(|(kind, _)| counts[kind.as_slice()]);
    usual.map(|(_, way)| way)
}

/// Shortest paths from one object to others that it dominates. Every path to an object leads through all of its
/// dominators, so a shortest one consists of shortest paths from each dominator to the next. Most of those are one
/// reference; only where several references lead to the next is there anything to search.
struct Within<'a> {
    heap: &'a Heap,
    dominators: &'a DominatorTree,
    from: ObjectIdx,
    is_passing: &'a dyn Fn(ObjectIdx) -> bool,
    /// The searches so far, by the dominators at which they began.
    searches: HashMap<ObjectIdx, SearchWithin<'a>>,
}

impl<'a> Within<'a> {
    /// Those of some objects that `from` dominates, without any that lie much deeper than the first.
    fn nearest(&self, to: &[ObjectIdx]) -> Vec<ObjectIdx> {
        let mut known = HashSet::new();
        let wanted = to.iter().filter(|&&object| self.dominators.dominates(self.from, object) && known.insert(object));
        // All climb at the same time, so that the first that arrives is the nearest.
        let mut climbing: Vec<(ObjectIdx, ObjectIdx)> = wanted.map(|&object| (object, object)).collect();
        let mut arrived = Vec::new();
        for depth in 0.. {
            climbing.retain_mut(|(object, at)| {
                let has_arrived = *at == self.from;
                arrived.extend(has_arrived.then_some(*object));
                let above = if has_arrived { None } else { self.dominators.immediate_dominator(*at) };
                *at = above.unwrap_or(*at);
                above.is_some()
            });
            if climbing.is_empty() || depth >= MAX_COMPARED && !arrived.is_empty() {
                break;
            }
        }
        arrived
    }

    fn path_to(&mut self, object: ObjectIdx) -> Option<Vec<(Label, ObjectIdx)>> {
        let mut below: Vec<ObjectIdx> = Vec::new();
        let mut at = object;
        while at != self.from {
            below.push(at);
            at = self.dominators.immediate_dominator(at)?;
        }
        let mut path = Vec::new();
        for next in below.into_iter().rev() {
            match label_between(self.heap, at, next) {
                Some(label) => path.push((label, next)),
                None => path.extend(self.searched(at, next)?),
            }
            at = next;
        }
        Some(path)
    }

    fn searched(&mut self, above: ObjectIdx, next: ObjectIdx) -> Option<Vec<(Label, ObjectIdx)>> {
        let dominators: &'a DominatorTree = self.dominators;
        let search = self.searches.entry(above).or_insert_with(|| SearchWithin::new(dominators, above));
        search.reach(self.heap, self.is_passing, next);
        search.path_to(self.heap, next)
    }
}

/// References by kind and class; a chain of similar nodes counts as one.
fn kind_of_way(heap: &Heap, way: &[(Label, ObjectIdx)]) -> Vec<(Label, ClassIdx)> {
    let mut kind: Vec<(Label, ClassIdx)> =
        way.iter().map(|&(label, object)| (label.kind(), heap.class_of(object))).collect();
    kind.dedup();
    kind
}

/// Objects that a search follows before it takes passing ones.
const MOST_PAST: usize = 1 << 20;

/// A tree inside the subtree of its start: breadth first, and passing objects last.
struct SearchWithin<'a> {
    dominators: &'a DominatorTree,
    start: ObjectIdx,
    /// By index in the subtree: index of the referrer through which it was found, plus one; 0 if not found yet.
    found_through: Vec<u32>,
    /// Objects that were found, and whose references were not followed yet.
    queue: VecDeque<ObjectIdx>,
    /// Those among them that are followed when nothing else is left.
    passing: VecDeque<ObjectIdx>,
    /// Number of objects whose references were followed.
    followed: usize,
}

impl<'a> SearchWithin<'a> {
    fn new(dominators: &'a DominatorTree, start: ObjectIdx) -> Self {
        let found_through = vec![0; dominators.subtree(start).len()];
        Self { dominators, start, found_through, queue: VecDeque::from([start]), passing: VecDeque::new(), followed: 0 }
    }

    /// Index of an object of the subtree.
    fn place(&self, object: ObjectIdx) -> u32 {
        self.dominators.position(object) - self.dominators.position(self.start)
    }

    fn has_found(&self, object: ObjectIdx) -> bool {
        object == self.start || self.found_through[self.place(object) as usize] != 0
    }

    /// Notes how an object was found; returns whether it is in the subtree and was not found before.
    fn find(&mut self, object: ObjectIdx, through: ObjectIdx) -> bool {
        let is_first = self.dominators.dominates(self.start, object) && !self.has_found(object);
        if is_first {
            let place = self.place(object) as usize;
            self.found_through[place] = self.place(through) + 1;
        }
        is_first
    }

    /// Goes on until an object that the start dominates is found.
    fn reach(&mut self, heap: &Heap, is_passing: &dyn Fn(ObjectIdx) -> bool, wanted: ObjectIdx) {
        while !self.has_found(wanted) {
            let Some(object) = self.next() else { return };
            for &referee in heap.references().of(object) {
                if self.find(referee, object) {
                    let queue = if is_passing(referee) { &mut self.passing } else { &mut self.queue };
                    queue.push_back(referee);
                }
            }
        }
    }

    /// The next object whose references are followed. After a long search for a path past the passing objects, theirs are.
    fn next(&mut self) -> Option<ObjectIdx> {
        self.followed += 1;
        if self.followed < MOST_PAST {
            self.queue.pop_front().or_else(|| self.passing.pop_front())
        } else {
            self.passing.pop_front().or_else(|| self.queue.pop_front())
        }
    }

    /// The path to an object that was found.
    fn path_to(&self, heap: &Heap, to: ObjectIdx) -> Option<Vec<(Label, ObjectIdx)>> {
        let subtree = self.dominators.subtree(self.start);
        let mut path = Vec::new();
        let mut at = to;
        while at != self.start {
            let through = subtree[(self.found_through[self.place(at) as usize] as usize).checked_sub(1)?];
            path.push((label_between(heap, through, at)?, at));
            at = through;
        }
        path.reverse();
        Some(path)
    }
}

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests {
    use super::*;
    use crate::heap::dsl::HeapSketch;

    #[test]
    fn a_variable_of_a_loop_begins_no_path_where_its_frame_holds_the_whole() {
        let mut sketch = HeapSketch::new();
        let (company, districts) = (sketch.old("Company"), sketch.old("District[]"));
        let (district, order) = (sketch.old("District"), sketch.old("Order"));
        sketch.refer(company, "districts", districts);
        sketch.element(districts, district);
        sketch.refer(district, "order", order);
        sketch.local_at(district, 0);
        sketch.local_at(company, 0);
        let heap = sketch.build();
        let steps = |paths: &RootPaths| paths.path_to(&heap, district).expect("a path").steps.len();
        assert_eq!(steps(&RootPaths::new(&heap)), 1);
        let (entries, path) = (Entries::new(&heap), |paths: &RootPaths, to| paths.path_to(&heap, to));
        let all = RootPaths::by_entries(&heap, &entries);
        assert_eq!(steps(&all), 3);
        let few = RootPaths::by_entries_to(&heap, &entries, [district, company].into_iter());
        assert_eq!(path(&few, district), path(&all, district));
        assert_eq!((path(&few, order), path(&all, order).is_some()), (None, true), "the search ends before");
    }

    #[test]
    fn a_frame_explains_what_the_frames_within_it_hold() {
        let mut sketch = HeapSketch::new();
        let (chart, series) = (sketch.old("Chart"), sketch.old("Series"));
        sketch.refer(chart, "series", series);
        sketch.local_at(series, 0);
        sketch.local_at(chart, 3);
        let heap = sketch.build();
        let path = RootPaths::new(&heap).path_to(&heap, series).expect("a path");
        assert_eq!(heap.roots()[path.root].depth, 3);
        assert_eq!(path.steps.iter().map(|step| step.0).collect::<Vec<_>>(), [chart, series]);
    }
}
