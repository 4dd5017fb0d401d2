//! A heap from a heap dump of any format. A [`DumpSource`] reports its objects three times: first their addresses, then
//! their classes and numbers of references, at last the references. So memory holds only the columns and rows of the
//! finished heap (4 bytes an object, 5 a reference), 4 bytes an object more until the references are read, and a
//! thirtieth of the addresses.
//!
//! Several threads read parts at once; the heap is the same whatever their number. Objects stand in the order of their
//! addresses. Roots are exactly those of the dump.
//!
//! Reading order: [`source`], [`survey`], [`columns`], [`rows`] with [`gaps`].

mod columns;
mod gaps;
mod rows;
mod source;
mod survey;

pub use source::{DumpSink, DumpSource, DumpedClass, DumpedObject, DumpedRoot, DumpedThread, Outline};
pub use survey::Addresses;

use super::class::Classes;
use super::edges::Cut;
use super::kinds::Kinds;
use super::object_ids::ObjectIds;
use super::places::Places;
use super::referents::Referents;
use super::roots::{Root, Thread, ThreadIdx};
use super::seen::Marks;
use super::spread::Scattered;
use super::{ClassIdx, Heap, ObjectIdx, RootKind};
use columns::Columns;
use rayon::prelude::*;
use std::collections::HashMap;

/// Reasons why a dump is no heap.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DumpError<E> {
    /// More objects or references than a heap can index.
    #[error("the dump has {} objects or more, or {} references", super::MAX_OBJECTS, u32::MAX)]
    TooLarge,
    /// Addresses farther apart than any heap spreads.
    #[error("the addresses of the objects lie too far apart for one heap")]
    Scattered,
    /// The dump cannot be read any more.
    #[error("{0}")]
    Source(E),
}

impl<E> From<Scattered> for DumpError<E> {
    fn from(_: Scattered) -> Self {
        Self::Scattered
    }
}

/// A heap from a dump, with counts of the records that did not fit.
#[derive(Debug)]
pub struct Dumped {
    /// The heap.
    pub heap: Heap,
    /// Number of references to objects that the dump does not have; they are left out.
    pub dangling_count: u64,
    /// Number of objects whose id was seen before; they are left out.
    pub repeated_count: u64,
}

/// Rules for the references of a heap from a dump.
#[derive(Clone, Copy, Debug, Default)]
pub struct DumpRules {
    /// Soft references keep their referents, as the JVM lets them until memory is short.
    pub keeps_soft: bool,
    /// Final references keep their referents: the objects that wait to be finalized.
    pub keeps_final: bool,
    /// Weak, soft, phantom and final references keep their referents, too.
    pub keeps_all: bool,
}

impl DumpRules {
    /// Every reference keeps its referee.
    pub const ALL: Self = Self { keeps_soft: true, keeps_final: true, keeps_all: true };
}

/// Builds the heap of the dump.
///
/// The `referent`, `next` and `discovered` fields of `java.lang.ref.Reference` are cut, except where `rules` keep them.
/// An object keeps the mirror of its class, and with it the loader, unless the mirror is a root.
///
/// # Errors
/// [`DumpError`]
pub fn build<S: DumpSource>(source: &S, rules: DumpRules) -> Result<Dumped, DumpError<S::Error>> {
    let survey = survey::survey(source)?;
    let places = Places::new(&survey.spread).ok_or(DumpError::TooLarge)?;
    let find = Finder { places: &places, shift: survey.shift };
    let repeated_count = survey.described - places.object_count() as u64;
    drop(survey.spread);
    let outline = source.outline();
    let classes = classes(outline, find);
    let (threads, thread_places) = threads(outline, find);
    let roots = roots(outline, find, &thread_places);
    let is_class_root = |mirror: &ObjectIdx| classes.of_mirror(*mirror).is_some();
    let of_classes = roots.iter().filter(|root| root.kind == RootKind::Class);
    let class_roots: Vec<ObjectIdx> = of_classes.map(|root| root.object).filter(is_class_root).collect();
    let cut = Cut::new(&classes, &class_roots, places.object_count(), rules);
    let class_edges: Vec<Option<ObjectIdx>> =
        classes.all.iter().map(|class| class.mirror.filter(|&mirror| cut.keeps_class(mirror))).collect();
    let edges = Edges { find, cut: &cut, class_edges: &class_edges, is_repeating: repeated_count > 0 };
    let Columns { class_of, shallow_bytes, degrees } = columns::read(source, edges)?;
    let kinds = Kinds::new(&class_of, &shallow_bytes);
    drop((class_of, shallow_bytes));
    let (references, dangling_count) = rows::read(source, edges, degrees)?;
    let marks = Marks::default();
    let ids = ObjectIds::Addresses { places, shift: survey.shift };
    // The JVM collects garbage before it writes a dump.
    let referents = Referents::default();
    let heads = HashMap::new();
    let heap = Heap { kinds, marks, classes, references, referents, roots, threads, ids, heads };
    Ok(Dumped { heap, dangling_count, repeated_count })
}

/// Finds the index of an object by its id.
#[derive(Clone, Copy)]
struct Finder<'a> {
    places: &'a Places,
    /// Number of bits by which ids that are no multiples of eight are shifted, so that no two of them coincide.
    shift: u32,
}

impl Finder<'_> {
    #[inline]
    fn index(self, id: u64) -> Option<ObjectIdx> {
        self.places.index_shifted(id, self.shift)
    }
}

/// The choice of edges among references, on which the last two passes must agree.
#[derive(Clone, Copy)]
struct Edges<'a> {
    find: Finder<'a>,
    cut: &'a Cut<'a>,
    /// By class: its mirror, where an object's reference to it is an edge.
    class_edges: &'a [Option<ObjectIdx>],
    /// Whether some id appears twice. Then the parts are read one after another, and the first object counts.
    is_repeating: bool,
}

impl Edges<'_> {
    /// The index of a class of the outline; otherwise the unknown class.
    fn class(self, class: ClassIdx) -> ClassIdx {
        if class.at() < self.class_edges.len() { class } else { ClassIdx(0) }
    }
}

fn classes(outline: &Outline, find: Finder<'_>) -> Classes {
    let index = |id: Option<u64>| id.and_then(|id| find.index(id));
    let known = |class: &ClassIdx| class.at() < outline.classes.len();
    let mut all: Vec<_> = outline.classes.iter().map(|dumped| dumped.class.clone()).collect();
    let mut by_mirror = HashMap::with_capacity(all.len());
    for ((class, dumped), at) in all.iter_mut().zip(&outline.classes).zip(0..) {
        // If two classes have one mirror, the first gets it.
        class.mirror =
            index(dumped.mirror).filter(|&mirror| *by_mirror.entry(mirror).or_insert(ClassIdx(at)) == ClassIdx(at));
        class.loader = index(dumped.loader);
        class.superclass = class.superclass.filter(known);
        let unknown = class.fields.iter_mut().filter(|field| !known(&field.declaring));
        unknown.for_each(|field| field.declaring = ClassIdx(0));
    }
    Classes { all, by_mirror }
}

/// The threads whose objects the dump has, and for each thread of the outline its index among them.
fn threads(outline: &Outline, find: Finder<'_>) -> (Vec<Thread>, Vec<Option<ThreadIdx>>) {
    let mut known = Vec::new();
    let mut place = |thread: &DumpedThread| {
        let object = find.index(thread.id)?;
        known.push(Thread { object, name: thread.name.clone() });
        Some(ThreadIdx(known.len() as u32 - 1))
    };
    let places = outline.threads.iter().map(&mut place).collect();
    (known, places)
}

fn roots(outline: &Outline, find: Finder<'_>, threads: &[Option<ThreadIdx>]) -> Vec<Root> {
    let root = |root: &DumpedRoot| {
        let object = find.index(root.id)?;
        let thread = root.thread.and_then(|thread| threads.get(thread as usize).copied().flatten());
        Some(Root { object, kind: root.kind, thread, method: root.method.clone(), depth: root.depth })
    };
    outline.roots.iter().filter_map(root).collect()
}

/// Reads every part by `read`, in parallel where that makes no difference.
fn each_part<S: DumpSource, T: Send>(
    source: &S,
    edges: Edges<'_>,
    read: impl Fn(usize) -> Result<T, S::Error> + Sync + Send,
) -> Result<Vec<T>, DumpError<S::Error>> {
    let parts = 0..source.part_count();
    let read: Result<_, _> =
        if edges.is_repeating { parts.map(read).collect() } else { parts.into_par_iter().map(read).collect() };
    read.map_err(DumpError::Source)
}
