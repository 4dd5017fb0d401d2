//! The data kept of one state of a heap when the heap is dropped: its structures by place, with their sizes and the
//! classes of their leaves. Two of them make a window of growth (AntTracks §3.4.1).
//!
//! An object has no identity across heaps of their own. A structure alone at a place without a wildcard is *the
//! structure at this place*; all structures at one other place are one group. Where the caller knows objects again (by
//! marks in a live capture), such a structure is known to be the same object, or to be another one.

use super::members::{Members, Whole};
use super::{Layout, Structures};
use crate::graph::{Dominance, Entries, Referrers, Size};
use crate::heap::ObjectIdx;
use crate::matching::{PlaceFinder, PlaceIdx};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Most structures and groups that are kept.
pub const MOST_KEPT: usize = 65_536;
/// A contained structure is kept if it retains this share of the heap.
pub const LEAST_SHARE: f64 = 0.0002;
/// Entries whose leaves are remembered while their heap is there, for their retained sizes are likely to be measured.
const LEAVES_REMEMBERED: usize = 16;
/// Most classes of leaves that are kept of a structure.
pub const MOST_LEAF_CLASSES: usize = 64;

/// Number of a mark that a head bears in the first state and in a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MarkedHead(pub u32);

/// Number of the handle by which the agent holds a head over any number of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeadHandle(pub u32);

/// How the caller knows objects in several heaps.
#[derive(Clone, Copy)]
pub struct Identities<'a> {
    /// By marks.
    pub marked: &'a dyn Fn(ObjectIdx) -> Option<MarkedHead>,
    /// By handles.
    pub handle: &'a dyn Fn(ObjectIdx) -> Option<HeadHandle>,
}

impl Identities<'_> {
    /// It knows none.
    pub const NONE: Self = Self { marked: &|_| None, handle: &|_| None };
}

/// The sizes of a structure, or of a group together (AntTracks §2.2.3, §3.4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics<T> {
    /// The heads alone.
    pub shallow: T,
    /// All that is reached from the heads.
    pub deep: T,
    /// All that no root reaches without the heads.
    pub retained: T,
    /// Members of the structures.
    pub structure: T,
    /// The same with all structures within.
    pub deep_structure: T,
}

impl<T: Copy> Metrics<T> {
    /// A function of each metric.
    pub fn map<U>(&self, of: impl Fn(T) -> U) -> Metrics<U> {
        self.with(self, |metric, _| of(metric))
    }

    /// A function of each metric of two.
    pub fn with<U, V: Copy>(&self, other: &Metrics<V>, of: impl Fn(T, V) -> U) -> Metrics<U> {
        Metrics {
            shallow: of(self.shallow, other.shallow),
            deep: of(self.deep, other.deep),
            retained: of(self.retained, other.retained),
            structure: of(self.structure, other.structure),
            deep_structure: of(self.deep_structure, other.deep_structure),
        }
    }
}

/// Leaves of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafClass {
    /// The class.
    pub class: Arc<str>,
    /// Number and shallow sizes of the leaves.
    pub size: Size,
    /// Objects that they retain together; `None` where it was not measured.
    pub retained: Option<Size>,
}

/// A structure, or a group of structures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Class of the heads.
    pub class: Arc<str>,
    /// Place of the heads: their identity in several heaps.
    pub place: PlaceIdx,
    /// Mark of the only head.
    pub marked: Option<MarkedHead>,
    /// Handle of the only head. Such a head is in no group, wherever it is.
    pub handle: Option<HeadHandle>,
    /// Whether the place has no wildcard.
    pub is_exact: bool,
    /// Number of heads.
    pub heads: u32,
    /// Whether one of them is top level.
    pub is_top_level: bool,
    /// The head that retains most; an index of its heap alone.
    pub largest: ObjectIdx,
    /// Sizes; `None` where one was not measured.
    pub sizes: Metrics<Option<Size>>,
    /// Deep leaves by class, most bytes first.
    pub leaves: Vec<LeafClass>,
    /// Deep leaves of further classes.
    pub other_leaves: u64,
}

impl Kept {
    /// Whether it is one structure, whose head a handle may hold.
    pub fn is_single(&self) -> bool {
        self.heads == 1
    }

    /// Whether it is one structure, known again by its place.
    pub fn is_alone(&self) -> bool {
        self.is_exact && self.heads == 1
    }
}

/// Numbers of structures of one state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Heads.
    pub structures: u64,
    /// Those that no other structure owns.
    pub top_level: u64,
    /// Objects in structures, each once.
    pub members: Size,
    /// Structures without sizes, because the limit of the detection was reached.
    pub not_measured: u64,
    /// Structures and groups beyond [`MOST_KEPT`].
    pub dropped: u64,
}

/// The data kept of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// All reachable objects.
    pub heap: Size,
    /// Numbers of structures.
    pub counts: Counts,
    /// Structures and groups, the largest first.
    pub kept: Vec<Kept>,
    /// Places of all heads, those that are not kept included.
    pub places: HashSet<PlaceIdx>,
    /// Handles whose heads are dead in this state, as far as that is known.
    pub dead: HashSet<HeadHandle>,
}

/// One heap with its structures.
#[derive(Debug)]
pub struct Detected<'a, D> {
    /// Ownership over the entries.
    pub dominance: &'a D,
    /// The objects through which the graph is entered.
    pub entries: &'a Entries,
    /// The referrers of each object.
    pub referrers: &'a Referrers,
    /// The descriptions.
    pub layout: &'a Layout,
    /// The structures.
    pub structures: &'a Structures,
}

/// A census with the heads of its entries, while their heap is there.
#[derive(Debug, Default)]
pub struct Taken {
    /// The census.
    pub census: Census,
    /// By entry of [`Census::kept`]: its heads.
    pub heads: Vec<Vec<ObjectIdx>>,
    /// Deep leaves of the first entries.
    pub(super) leaves: Vec<Vec<ObjectIdx>>,
}

/// Takes the census. Top-level structures are kept, those with a share of the heap, and all at places that are
/// `wanted`. Retained sizes of groups, deep sizes and those of leaves are measured on demand ([`super::measure`]).
pub fn take<D: Dominance>(
    of: &Detected<'_, D>,
    finder: &mut PlaceFinder<'_>,
    known: Identities<'_>,
    wanted: impl Fn(PlaceIdx) -> bool,
) -> Taken {
    let (mut groups, places) = groups(of, finder, known.handle, wanted);
    let counts = Counts { dropped: groups.len().saturating_sub(MOST_KEPT) as u64, ..counts(of) };
    groups.sort_by_cached_key(|(key, heads)| (Reverse(rank(of, heads)), *key));
    groups.truncate(MOST_KEPT);
    let mut taker = Taker::new(of);
    let census = Census { heap: of.dominance.reachable(), counts, kept: Vec::new(), places, dead: HashSet::new() };
    let mut taken = Taken { census, ..Taken::default() };
    for ((place, handle), heads) in groups {
        let marked = if let [head] = heads[..] { (known.marked)(head) } else { None };
        let (kept, leaves) = taker.kept(&heads, place, finder.places().is_exact(place));
        if taken.leaves.len() < LEAVES_REMEMBERED {
            taken.leaves.push(leaves);
        }
        taken.census.kept.push(Kept { marked, handle, ..kept });
        taken.heads.push(heads);
    }
    taken
}

/// A place, and the handle of the only head that counts there, if it has one.
type GroupKey = (PlaceIdx, Option<HeadHandle>);

/// The heads that are kept, by place, and the places of all.
fn groups<D: Dominance>(
    of: &Detected<'_, D>,
    finder: &mut PlaceFinder<'_>,
    handle: impl Fn(ObjectIdx) -> Option<HeadHandle>,
    wanted: impl Fn(PlaceIdx) -> bool,
) -> (Vec<(GroupKey, Vec<ObjectIdx>)>, HashSet<PlaceIdx>) {
    let least_bytes = (of.dominance.reachable().bytes as f64 * LEAST_SHARE) as u64;
    let mut groups: FxHashMap<GroupKey, Vec<ObjectIdx>> = FxHashMap::default();
    let mut places = FxHashSet::default();
    for (head, object) in of.structures.heads.iter() {
        let place = finder.place_of(object);
        places.insert(place);
        let (handle, is_large) = (handle(object), || of.structures.retained_bytes(head) >= least_bytes);
        if handle.is_some() || of.structures.is_top_level(head) || is_large() || wanted(place) {
            groups.entry((place, handle)).or_default().push(object);
        }
    }
    (groups.into_iter().collect(), places.into_iter().collect())
}

fn counts<D: Dominance>(of: &Detected<'_, D>) -> Counts {
    let is_top_level = |&(head, _): &(super::HeadIdx, ObjectIdx)| of.structures.is_top_level(head);
    Counts {
        structures: of.structures.heads.len() as u64,
        top_level: of.structures.heads.iter().filter(is_top_level).count() as u64,
        members: of.structures.members(),
        not_measured: of.structures.unmeasured_count() as u64,
        dropped: 0,
    }
}

/// Groups are kept by the larger of the retained and the deep structure sizes of their heads, added up.
fn rank<D: Dominance>(of: &Detected<'_, D>, heads: &[ObjectIdx]) -> u64 {
    let bytes = |head: super::HeadIdx| {
        let deep = of.structures.deep(head).map_or(0, |deep| deep.size.bytes);
        of.structures.retained_bytes(head).max(deep)
    };
    heads.iter().filter_map(|&object| of.structures.heads.of(object)).map(bytes).sum()
}

struct Taker<'a, D> {
    of: &'a Detected<'a, D>,
    names: Vec<Arc<str>>,
    members: Members<'a>,
    /// By class: the leaves of the present structure.
    leaves: Vec<Size>,
}

impl<'a, D: Dominance> Taker<'a, D> {
    fn new(of: &'a Detected<'a, D>) -> Self {
        let heap = of.dominance.heap();
        let names: Vec<Arc<str>> = heap.classes().iter().map(|(_, class)| Arc::from(class.name.as_str())).collect();
        let leaves = vec![Size::default(); names.len()];
        Self { of, names, members: Members::new(heap, of.layout), leaves }
    }

    /// The entry, and its deep leaves.
    fn kept(&mut self, heads: &[ObjectIdx], place: PlaceIdx, is_exact: bool) -> (Kept, Vec<ObjectIdx>) {
        let (of, heap) = (self.of, self.of.dominance.heap());
        let bytes = |object: ObjectIdx| of.structures.heads.of(object).map(|head| of.structures.retained_bytes(head));
        let retained = |object: &ObjectIdx| (bytes(*object), Reverse(*object));
        let largest = heads.iter().copied().max_by_key(retained).unwrap_or(ObjectIdx(0));
        let is_top_level =
            |&object: &ObjectIdx| of.structures.heads.of(object).is_some_and(|head| of.structures.is_top_level(head));
        let whole = self.members.whole(heads);
        let (leaves, other_leaves) = self.leaves(&whole.leaves);
        let kept = Kept {
            marked: None,
            handle: None,
            class: self.names[heap.class_shown_by(largest).at()].clone(),
            place,
            is_exact,
            heads: heads.len() as u32,
            is_top_level: heads.iter().any(is_top_level),
            largest,
            sizes: self.sizes(heads, &whole),
            leaves,
            other_leaves,
        };
        (kept, whole.leaves)
    }

    fn sizes(&self, heads: &[ObjectIdx], whole: &Whole) -> Metrics<Option<Size>> {
        let (of, heap) = (self.of, self.of.dominance.heap());
        let mut shallow = Size::default();
        heads.iter().for_each(|&head| shallow.add_object(heap.shallow_bytes(head)));
        let measured = heads
            .iter()
            .all(|&object| of.structures.heads.of(object).is_some_and(|head| of.structures.deep(head).is_some()));
        let (structure, deep_structure) = (measured.then_some(whole.own.size), measured.then_some(whole.deep.size));
        let retained = if let [head] = heads { Some(of.dominance.retained(*head)) } else { None };
        Metrics { shallow: Some(shallow), deep: None, retained, structure, deep_structure }
    }

    /// Leaves by class, most bytes first, and the number of those of further classes.
    fn leaves(&mut self, leaves: &[ObjectIdx]) -> (Vec<LeafClass>, u64) {
        let heap = self.of.dominance.heap();
        let mut met = Vec::new();
        for &leaf in leaves {
            let class = heap.class_of(leaf);
            let size = &mut self.leaves[class.at()];
            if size.objects == 0 {
                met.push(class);
            }
            size.add_object(heap.shallow_bytes(leaf));
        }
        // Classes of one name and several loaders are one: it is the name that other heaps have, too.
        let mut by_name: HashMap<&Arc<str>, Size> = HashMap::new();
        for class in met {
            *by_name.entry(&self.names[class.at()]).or_default() += std::mem::take(&mut self.leaves[class.at()]);
        }
        let leaf = |(class, size): (&Arc<str>, Size)| LeafClass { class: class.clone(), size, retained: None };
        let mut classes: Vec<LeafClass> = by_name.into_iter().map(leaf).collect();
        classes.sort_by(|a, b| (b.size.bytes, &a.class).cmp(&(a.size.bytes, &b.class)));
        let others = classes.split_off(classes.len().min(MOST_LEAF_CLASSES));
        (classes, others.iter().map(|class| class.size.objects).sum())
    }
}
