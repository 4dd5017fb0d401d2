//! Paths to objects by JNI reads: a spanning tree over static fields, instance fields and array elements. It begins at
//! the mirrors of classes and at threads. Other structures depend only on local variables or JNI references. For these
//! it begins at objects of local variables, if few of them refer to objects of that class, and at the only instances of
//! classes. 8 bytes an object.

use crate::graph::BitSet;
use crate::heap::{ClassIdx, Field, Heap, Label, ObjectIdx, Root, RootKind};
use rootbound_wire::message::MOST_ALIKE_LOCALS;
use std::collections::{HashMap, HashSet, VecDeque};

/// Objects whose references are followed between two questions whether the search may end.
const EXPANDED_A_LOOK: u64 = 1 << 14;
const UNREACHED: u32 = u32::MAX;
const BEGINNING: u32 = u32::MAX - 1;

/// A path to every object that JNI reads can reach.
#[derive(Debug)]
pub(super) struct Paths {
    /// By object: the referrer on its path, and the position of the reference in it.
    through: Vec<(u32, Label)>,
    /// Beginnings that the agent finds among local variables.
    locals: HashMap<ObjectIdx, Among>,
    /// Objects whose paths begin where the agent must pause the program; `None` if there are none.
    by_pause: Option<BitSet>,
}

/// The index of an object among those of its class that local variables refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Among {
    /// From 0, in the order of the roots.
    pub(super) nth: u32,
    /// Number of these objects.
    pub(super) of: u32,
}

/// Most beginnings that the agent searches for: each takes an iteration over the heap, 20 ms for a million objects.
const MAX_SOLES: usize = 4;
/// Most objects of a heap that is iterated over for marks, which are optional. The next constant is the limit for
/// owners.
const MOST_OBJECTS_FOR_MARKS: usize = 1_000_000;
const MOST_OBJECTS_FOR_OWNERS: usize = 5_000_000;
/// Least number of objects that a beginning must lead to, to justify a pause; or least number of bytes, which may be
/// one growing array.
const LEAST_HELD: usize = 64;
const LEAST_HELD_BYTES: u64 = 64 << 10;
/// The same limits for local variables, whose search needs no walk over the heap. The next constant is the limit of
/// such beginnings.
const LEAST_HELD_BY_LOCALS: (usize, u64) = (16, 4 << 10);
const MAX_LOCALS: usize = 16;

/// GC roots as beginnings of paths, where JNI reads cannot begin.
#[derive(Debug, Default)]
struct Soles {
    /// Number of instances of each class; counted on first use.
    instances: Option<Vec<u32>>,
    /// Number of the heap's roots examined so far.
    looked_at: usize,
    /// Number of beginnings that may still be added.
    left: usize,
    /// Number of bytes that justifies a pause as much as [`LEAST_HELD`] objects.
    least_bytes: u64,
}

impl Soles {
    fn new(allowed: bool, least_bytes: u64) -> Self {
        Self { left: if allowed { MAX_SOLES } else { 0 }, least_bytes, ..Self::default() }
    }

    fn next(&mut self, heap: &Heap, reached: impl Fn(ObjectIdx) -> bool) -> Option<ObjectIdx> {
        if self.left == 0 {
            return None;
        }
        let instances = self.instances.get_or_insert_with(|| {
            let mut instances = vec![0u32; heap.classes().iter().count()];
            heap.objects().for_each(|object| instances[heap.class_of(object).at()] += 1);
            instances
        });
        let (roots, least_bytes) = (&heap.roots()[self.looked_at..], self.least_bytes);
        let is_sole = |object: ObjectIdx| {
            let class = heap.class_of(object);
            instances[class.at()] == 1
                && heap.classes().get(class).mirror.is_some()
                && !reached(object)
                && holds_many(heap, object, (LEAST_HELD, least_bytes), &reached)
        };
        let found = roots.iter().position(|root| is_sole(root.object));
        self.looked_at += found.map_or(roots.len(), |at| at + 1);
        self.left -= usize::from(found.is_some());
        found.map(|at| roots[at].object)
    }
}

/// Whether the object leads to at least `least` otherwise unreached objects, or, within that number, to `least_bytes`
/// bytes.
fn holds_many(
    heap: &Heap,
    object: ObjectIdx,
    (least, least_bytes): (usize, u64),
    reached: impl Fn(ObjectIdx) -> bool,
) -> bool {
    let mut held = vec![object];
    let (mut at, mut bytes) = (0, 0);
    while at < held.len() && held.len() < least && bytes < least_bytes {
        bytes += heap.shallow_bytes(held[at]);
        for &referee in heap.references().of(held[at]) {
            if held.len() < least && !reached(referee) && !held.contains(&referee) {
                held.push(referee);
            }
        }
        at += 1;
    }
    held.len() >= least || bytes >= least_bytes
}

/// The objects of local variables, in the order of the roots, if few of them refer to objects of that class. Empty if
/// the program may not be paused for a walk over its stacks.
fn locals(heap: &Heap, may_stop: bool) -> VecDeque<(ObjectIdx, Among)> {
    let mut of_class: HashMap<ClassIdx, Vec<ObjectIdx>> = HashMap::new();
    // JNI references on stacks have no method, and are ignored.
    let is_local = |root: &&Root| may_stop && root.kind == RootKind::OnStack && root.method.is_some();
    for root in heap.roots().iter().filter(is_local) {
        let alike = of_class.entry(heap.class_of(root.object)).or_default();
        if alike.len() <= MOST_ALIKE_LOCALS as usize && !alike.contains(&root.object) {
            alike.push(root.object);
        }
    }
    let mut seen = HashSet::new();
    let among = |root: &Root| {
        let alike = of_class.get(&heap.class_of(root.object)).filter(|_| seen.insert(root.object))?;
        let nth = alike.iter().position(|&object| object == root.object)? as u32;
        Some((root.object, Among { nth, of: alike.len() as u32 }))
    };
    let all = heap.roots().iter().filter(is_local).filter_map(among);
    let is_known = |object: ObjectIdx| heap.classes().get(heap.class_of(object)).mirror.is_some();
    all.filter(|&(object, among)| among.of <= MOST_ALIKE_LOCALS && is_known(object)).collect()
}

/// The field of `java.lang.Class` in which HotSpot keeps the reference that the walk reports as
/// [`Label::CLASS_LOADER`].
const LOADER_FIELD: &str = "classLoader";

/// The field that a label names, if JNI can read it.
pub(super) fn field(heap: &Heap, referrer: ObjectIdx, label: Label) -> Option<&Field> {
    let class = heap.class_of(referrer);
    let field = match heap.class_of_mirror(referrer) {
        Some(mirrored) if label.is_static_field() => heap.classes().field(mirrored, label),
        Some(_) if label == Label::CLASS_LOADER => {
            (0..).map_while(|index| heap.classes().get(class).field(index)).find(|field| field.name == LOADER_FIELD)
        }
        _ => heap.classes().field(class, label),
    };
    field.filter(|field| heap.classes().get(field.declaring).mirror.is_some())
}

/// Whether JNI can read the reference, and the agent can recognize the referee.
fn is_readable(heap: &Heap, referrer: ObjectIdx, label: Label, referee: ObjectIdx) -> bool {
    let is_known = heap.classes().get(heap.class_of(referee)).mirror.is_some();
    is_known && (label.is_element() || field(heap, referrer, label).is_some())
}

impl Paths {
    /// Paths with as few reads as possible; those from classes and threads are the ones that [`Paths::to`] finds.
    /// Without `may_iterate`, they begin only at classes and threads.
    pub(super) fn shortest(heap: &Heap, may_iterate: bool) -> Self {
        let soles = Soles::new(may_iterate && heap.object_count() <= MOST_OBJECTS_FOR_MARKS, u64::MAX);
        Self::search(heap, |_| false, locals(heap, may_iterate), soles, |_| false)
    }

    /// The shortest paths from classes and threads, as far as they are needed to reach these objects.
    pub(super) fn to(heap: &Heap, wanted: &[ObjectIdx]) -> Self {
        let is_enough = |paths: &Self| wanted.iter().all(|&object| paths.reach(object));
        Self::search(heap, |_| false, VecDeque::new(), Soles::new(false, u64::MAX), is_enough)
    }

    /// Paths with as few elements of arrays as possible, for these move; then with nearly as few reads as possible.
    pub(super) fn lasting(heap: &Heap, may_iterate: bool) -> Self {
        let least_bytes = if heap.object_count() <= MOST_OBJECTS_FOR_MARKS { LEAST_HELD_BYTES } else { u64::MAX };
        let soles = Soles::new(may_iterate && heap.object_count() <= MOST_OBJECTS_FOR_OWNERS, least_bytes);
        Self::search(heap, Label::is_element, locals(heap, may_iterate), soles, |_| false)
    }

    /// Searches breadth-first; references that are `costly` wait until no others are left. Ends early when it
    /// `is_enough`, which is asked now and then.
    fn search(
        heap: &Heap,
        costly: impl Fn(Label) -> bool,
        mut locals: VecDeque<(ObjectIdx, Among)>,
        mut soles: Soles,
        is_enough: impl Fn(&Self) -> bool,
    ) -> Self {
        let through = vec![(UNREACHED, Label::OTHER); heap.object_count()];
        let mut paths = Self { through, locals: HashMap::new(), by_pause: None };
        let mirrors = heap.classes().iter().filter_map(|(_, class)| class.mirror);
        let mut queue: VecDeque<ObjectIdx> = VecDeque::new();
        for object in mirrors.chain(heap.threads().iter().map(|thread| thread.object)) {
            if !paths.reach(object) {
                paths.through[object.at()].0 = BEGINNING;
                queue.push_back(object);
            }
        }
        let mut waiting: VecDeque<ObjectIdx> = VecDeque::new();
        let mut expanded = 0_u64;
        loop {
            while let Some(object) = queue.pop_front() {
                expanded += 1;
                if expanded.is_multiple_of(EXPANDED_A_LOOK) && is_enough(&paths) {
                    return paths;
                }
                if paths.expand(heap, object, |label| !costly(label), &mut queue) {
                    waiting.push_back(object);
                }
            }
            if let Some(object) = waiting.pop_front() {
                paths.expand(heap, object, &costly, &mut queue);
            } else if !paths.begin_at_local(heap, &mut locals, &mut queue)
                && !paths.begin_at_sole(heap, &mut soles, &mut queue)
            {
                return paths;
            }
        }
    }

    /// Begins at the next unreached object of a local variable.
    fn begin_at_local(
        &mut self,
        heap: &Heap,
        locals: &mut VecDeque<(ObjectIdx, Among)>,
        queue: &mut VecDeque<ObjectIdx>,
    ) -> bool {
        while let Some((object, among)) = locals.pop_front().filter(|_| self.locals.len() < MAX_LOCALS) {
            let reached = |object| self.reach(object);
            if !reached(object) && holds_many(heap, object, LEAST_HELD_BY_LOCALS, reached) {
                self.begin_by_pause(object, queue);
                self.locals.insert(object, among);
                return true;
            }
        }
        false
    }

    /// Begins at the next unreached GC root that is the only instance of its class.
    fn begin_at_sole(&mut self, heap: &Heap, soles: &mut Soles, queue: &mut VecDeque<ObjectIdx>) -> bool {
        let next = soles.next(heap, |object| self.reach(object));
        if let Some(object) = next {
            self.begin_by_pause(object, queue);
        }
        next.is_some()
    }

    /// Begins at an object that the agent finds in a pause. What is reached from here on has paths from there.
    fn begin_by_pause(&mut self, object: ObjectIdx, queue: &mut VecDeque<ObjectIdx>) {
        let object_count = self.through.len();
        self.by_pause.get_or_insert_with(|| BitSet::new(object_count)).insert(object.at());
        self.through[object.at()].0 = BEGINNING;
        queue.push_back(object);
    }

    /// Reaches the referees of an object by references that are `wanted`; returns whether there were others.
    fn expand(
        &mut self,
        heap: &Heap,
        object: ObjectIdx,
        wanted: impl Fn(Label) -> bool,
        queue: &mut VecDeque<ObjectIdx>,
    ) -> bool {
        let mut has_others = false;
        for (referee, label) in heap.references().labelled(object) {
            if !wanted(label) {
                has_others = true;
            } else if !self.reach(referee) && is_readable(heap, object, label, referee) {
                self.through[referee.at()] = (object.0, label);
                self.by_pause.as_mut().map(|by_pause| by_pause.insert(referee.at()));
                queue.push_back(referee);
            }
        }
        has_others
    }

    /// Whether a path leads to the object.
    pub(super) fn reach(&self, object: ObjectIdx) -> bool {
        self.through[object.at()].0 != UNREACHED
    }

    /// Whether a path from a class or a thread leads to the object.
    pub(super) fn reach_without_pause(&self, object: ObjectIdx) -> bool {
        self.reach(object) && self.by_pause.as_ref().is_none_or(|by_pause| !by_pause.contains(object.at()))
    }

    /// The index by which the agent finds an object at which paths begin because local variables refer to it.
    pub(super) fn among_locals(&self, object: ObjectIdx) -> Option<Among> {
        self.locals.get(&object).copied()
    }

    /// The last reference of the path to the object; `None` for beginnings of paths and for unreached objects.
    pub(super) fn last_step(&self, object: ObjectIdx) -> Option<(ObjectIdx, Label)> {
        let (through, label) = self.through[object.at()];
        (through < BEGINNING).then_some((ObjectIdx(through), label))
    }
}
