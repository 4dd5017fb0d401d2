//! How objects are reached with JNI reads: a spanning tree over static fields, instance fields and array elements, from the
//! mirrors of classes, from threads, and from what nothing lasting leads to, for it hangs from local variables or JNI references
//! alone: what local variables refer to, where few of them refer to objects of its class, and the only instances of classes.
//! 8 bytes an object.

use crate::heap::{ClassIdx, Field, Heap, Label, ObjectIdx, Root, RootKind};
use rootbound_wire::message::MOST_ALIKE_LOCALS;
use std::collections::{HashMap, HashSet, VecDeque};

const UNREACHED: u32 = u32::MAX;
const BEGINNING: u32 = u32::MAX - 1;

/// A way to every object that can be reached so.
#[derive(Debug)]
pub(super) struct Paths {
    /// By object: the referrer that it is reached through, and where in that it stands.
    through: Vec<(u32, Label)>,
    /// Beginnings that the agent finds among local variables.
    locals: HashMap<ObjectIdx, Among>,
}

/// The place of an object among those of its class that local variables refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Among {
    /// From 0, in the order of the roots.
    pub(super) nth: u32,
    /// How many there are.
    pub(super) of: u32,
}

/// Beginnings that the agent looks for at most: each takes an iteration over the heap, 20 ms for a million objects.
const MAX_SOLES: usize = 4;
/// A heap of more objects is not iterated over for marks, which do without; of so many more, not for owners either.
const MOST_OBJECTS_FOR_MARKS: usize = 1_000_000;
const MOST_OBJECTS_FOR_OWNERS: usize = 5_000_000;
/// What leads to fewer objects is worth no stop; nor to so many bytes, which may be one array that grows.
const LEAST_HELD: usize = 64;
const LEAST_HELD_BYTES: u64 = 64 << 10;
/// Local variables are looked through without a walk over the heap, so less is worth it; and so many beginnings.
const LEAST_HELD_BY_LOCALS: (usize, u64) = (16, 4 << 10);
const MAX_LOCALS: usize = 16;

/// GC roots as beginnings of paths, where JNI reads cannot begin.
#[derive(Debug, Default)]
struct Soles {
    /// Instances of each class; counted when it is first asked for.
    instances: Option<Vec<u32>>,
    /// Of the heap's roots, so many have been looked at.
    looked_at: usize,
    /// How many more there may be.
    left: usize,
    /// Bytes that are worth as much as [`LEAST_HELD`] objects.
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

/// Whether the object leads to so many objects that nothing else has reached, or, as far as these, to so many bytes.
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

/// What local variables refer to, in the order of the roots, where few of them refer to objects of its class; nothing where the
/// program may not be stopped for a look at its stacks.
fn locals(heap: &Heap, may_stop: bool) -> VecDeque<(ObjectIdx, Among)> {
    let mut of_class: HashMap<ClassIdx, Vec<ObjectIdx>> = HashMap::new();
    // JNI references on stacks have no method, and are not looked at.
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

/// The field of `java.lang.Class` in which HotSpot keeps what the walk reports as [`Label::CLASS_LOADER`].
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

/// Whether JNI can read the reference, and the agent tell what it arrived at.
fn is_readable(heap: &Heap, referrer: ObjectIdx, label: Label, referee: ObjectIdx) -> bool {
    let is_known = heap.classes().get(heap.class_of(referee)).mirror.is_some();
    is_known && (label.is_element() || field(heap, referrer, label).is_some())
}

impl Paths {
    /// As few reads as possible. Without `may_iterate`, paths begin at classes and threads alone.
    pub(super) fn shortest(heap: &Heap, may_iterate: bool) -> Self {
        let soles = Soles::new(may_iterate && heap.object_count() <= MOST_OBJECTS_FOR_MARKS, u64::MAX);
        Self::search(heap, |_| false, locals(heap, may_iterate), soles)
    }

    /// As few elements of arrays as possible, for these move; then as few reads as possible, nearly.
    pub(super) fn lasting(heap: &Heap, may_iterate: bool) -> Self {
        let least_bytes = if heap.object_count() <= MOST_OBJECTS_FOR_MARKS { LEAST_HELD_BYTES } else { u64::MAX };
        let soles = Soles::new(may_iterate && heap.object_count() <= MOST_OBJECTS_FOR_OWNERS, least_bytes);
        Self::search(heap, Label::is_element, locals(heap, may_iterate), soles)
    }

    /// Breadth-first; references that are `dear` wait until nothing else is left.
    fn search(
        heap: &Heap,
        dear: impl Fn(Label) -> bool,
        mut locals: VecDeque<(ObjectIdx, Among)>,
        mut soles: Soles,
    ) -> Self {
        let through = vec![(UNREACHED, Label::OTHER); heap.object_count()];
        let mut paths = Self { through, locals: HashMap::new() };
        let mirrors = heap.classes().iter().filter_map(|(_, class)| class.mirror);
        let mut queue: VecDeque<ObjectIdx> = VecDeque::new();
        for object in mirrors.chain(heap.threads().iter().map(|thread| thread.object)) {
            if !paths.reach(object) {
                paths.through[object.at()].0 = BEGINNING;
                queue.push_back(object);
            }
        }
        let mut waiting: VecDeque<ObjectIdx> = VecDeque::new();
        loop {
            while let Some(object) = queue.pop_front() {
                if paths.expand(heap, object, |label| !dear(label), &mut queue) {
                    waiting.push_back(object);
                }
            }
            if let Some(object) = waiting.pop_front() {
                paths.expand(heap, object, &dear, &mut queue);
            } else if !paths.begin_at_local(heap, &mut locals, &mut queue)
                && !paths.begin_at_sole(heap, &mut soles, &mut queue)
            {
                return paths;
            }
        }
    }

    /// Begins at the next local variable's object that nothing has reached.
    fn begin_at_local(
        &mut self,
        heap: &Heap,
        locals: &mut VecDeque<(ObjectIdx, Among)>,
        queue: &mut VecDeque<ObjectIdx>,
    ) -> bool {
        while let Some((object, among)) = locals.pop_front().filter(|_| self.locals.len() < MAX_LOCALS) {
            let reached = |object| self.reach(object);
            if !reached(object) && holds_many(heap, object, LEAST_HELD_BY_LOCALS, reached) {
                self.through[object.at()].0 = BEGINNING;
                self.locals.insert(object, among);
                queue.push_back(object);
                return true;
            }
        }
        false
    }

    /// Begins at the next GC root that nothing has reached and that is the only instance of its class.
    fn begin_at_sole(&mut self, heap: &Heap, soles: &mut Soles, queue: &mut VecDeque<ObjectIdx>) -> bool {
        let next = soles.next(heap, |object| self.reach(object));
        if let Some(object) = next {
            self.through[object.at()].0 = BEGINNING;
            queue.push_back(object);
        }
        next.is_some()
    }

    /// Reaches the referees of an object by references that are `wanted`; tells whether there were others.
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
                queue.push_back(referee);
            }
        }
        has_others
    }

    /// Whether a path leads to the object.
    pub(super) fn reach(&self, object: ObjectIdx) -> bool {
        self.through[object.at()].0 != UNREACHED
    }

    /// How the agent finds an object at which paths begin because local variables refer to it.
    pub(super) fn among_locals(&self, object: ObjectIdx) -> Option<Among> {
        self.locals.get(&object).copied()
    }

    /// The last reference of the path to the object; `None` where paths begin, and for objects not reached.
    pub(super) fn last_step(&self, object: ObjectIdx) -> Option<(ObjectIdx, Label)> {
        let (through, label) = self.through[object.at()];
        (through < BEGINNING).then_some((ObjectIdx(through), label))
    }
}
