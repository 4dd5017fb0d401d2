//! The growth of structures between two states of a heap (AntTracks §3.4.1, §3.4.2): which of them are in both, how
//! much each metric grew, and the portion of the heap's growth.

use super::census::{Census, HeadHandle, Kept, LeafClass, Metrics};
use super::pattern::{High, Thresholds};
use crate::graph::Size;
use crate::matching::PlaceIdx;
use crate::naming::growth::{Identity, Pattern};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A difference of two sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delta {
    /// Objects.
    pub objects: i64,
    /// Bytes.
    pub bytes: i64,
}

impl Delta {
    /// The growth from one size to another.
    pub fn between(before: Size, after: Size) -> Self {
        Self { objects: after.objects as i64 - before.objects as i64, bytes: after.bytes as i64 - before.bytes as i64 }
    }
}

/// Heap growth portion in percent (AntTracks, Equation 1). It may exceed 100 and be negative, and portions of several
/// structures are never added up: nested and sharing ones have the same bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Portion {
    /// Of the growth in objects.
    pub objects: f64,
    /// Of the growth in bytes.
    pub bytes: f64,
}

impl Portion {
    /// The portion of the heap's growth; `None` where the heap has not grown in bytes.
    pub fn of(growth: Delta, heap: Delta) -> Option<Self> {
        let percent = |part: i64, whole: i64| if whole > 0 { part as f64 / whole as f64 * 100.0 } else { 0.0 };
        let portion =
            || Self { objects: percent(growth.objects, heap.objects), bytes: percent(growth.bytes, heap.bytes) };
        (heap.bytes > 0).then(portion)
    }
}

/// A structure or group that is in both states.
#[derive(Clone, Debug, PartialEq)]
pub struct Grown {
    /// Its place.
    pub place: PlaceIdx,
    /// Kind of its identity.
    pub identity: Identity,
    /// Index into [`Census::kept`] of the earlier state.
    pub before: usize,
    /// Index into that of the later state.
    pub after: usize,
    /// The growth of each metric that both states know.
    pub growth: Metrics<Option<Delta>>,
    /// The same as a portion of the heap's growth; `None` also where the heap has not grown.
    pub hgp: Metrics<Option<Portion>>,
    /// The metrics that grew much; `None` where the window is too short, or a metric is not known.
    pub high: Option<High>,
    /// Its pattern, where `high` is known.
    pub pattern: Option<Pattern>,
}

impl Grown {
    fn retained_bytes(&self) -> i64 {
        self.growth.retained.map_or(i64::MIN, |growth| growth.bytes)
    }
}

/// Structures at a place where the earlier state had none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Born {
    /// Index into [`Census::kept`] of the later state.
    pub after: usize,
    /// Number of structures.
    pub count: u64,
}

/// Structures by their identity in both states, and those in one alone. Contained structures below the census's least
/// share do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survival {
    /// Known by handles.
    pub by_handle: u64,
    /// Known by marks.
    pub by_mark: u64,
    /// Known by their paths.
    pub by_path: u64,
    /// Groups at a place.
    pub groups: u64,
    /// Structures of the earlier state whose place is empty now.
    pub died: u64,
    /// Structures of the later state whose place was empty.
    pub born: u64,
}

/// The growth in one window.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The heap in the earlier state.
    pub heap_before: Size,
    /// The heap in the later state.
    pub heap_after: Size,
    /// Its growth.
    pub heap: Delta,
    /// Whether the heap grew enough for patterns.
    pub is_long_enough: bool,
    /// Structures in both states, by growth of the retained size in bytes, the largest first.
    pub grown: Vec<Grown>,
    /// Structures that are new at their places, those that retain most first.
    pub born: Vec<Born>,
    /// Numbers of structures.
    pub survival: Survival,
}

impl Growth {
    /// Compares two states.
    pub fn between(before: &Census, after: &Census, thresholds: &Thresholds) -> Self {
        let heap = Delta::between(before.heap, after.heap);
        let is_long_enough = thresholds.is_enough(before.heap, heap);
        let earlier = Earlier::new(before, after);
        let (mut grown, mut born, mut survival) = (Vec::new(), Vec::new(), Survival::default());
        for (kept, after_at) in after.kept.iter().zip(0..) {
            let Some(at) = earlier.same(kept) else {
                if earlier.is_new(kept, before) {
                    born.push(Born { after: after_at, count: u64::from(kept.heads) });
                    survival.born += u64::from(kept.heads);
                }
                continue;
            };
            let identity = identity(&before.kept[at], kept);
            survival.add(identity);
            let mut each = Grown {
                place: kept.place,
                identity,
                before: at,
                after: after_at,
                growth: Metrics::default(),
                hgp: Metrics::default(),
                high: None,
                pattern: None,
            };
            each.measure(&before.kept[at], kept, heap);
            if is_long_enough {
                each.judge(&before.kept[at], thresholds);
            }
            grown.push(each);
        }
        let is_gone = |kept: &&Kept| match kept.handle {
            Some(handle) if after.dead.contains(&handle) => kept.is_top_level,
            Some(handle) => is_new_place(kept, after) && !earlier.accounted.contains(&handle),
            None => is_new_place(kept, after),
        };
        let gone = before.kept.iter().filter(is_gone);
        survival.died = gone.map(|kept| u64::from(kept.heads)).sum();
        grown.sort_by_key(|each| (Reverse(each.retained_bytes()), each.place));
        born.sort_by_key(|each| Reverse(after.kept[each.after].sizes.retained));
        Self { heap_before: before.heap, heap_after: after.heap, heap, is_long_enough, grown, born, survival }
    }
}

impl Survival {
    fn add(&mut self, identity: Identity) {
        *match identity {
            Identity::Handle => &mut self.by_handle,
            Identity::Mark => &mut self.by_mark,
            Identity::Path => &mut self.by_path,
            Identity::Place => &mut self.groups,
        } += 1;
    }
}

impl Grown {
    fn measure(&mut self, before: &Kept, after: &Kept, heap: Delta) {
        let delta = |before: Option<Size>, after: Option<Size>| Some(Delta::between(before?, after?));
        self.growth = before.sizes.with(&after.sizes, delta);
        self.hgp = self.growth.map(|growth| growth.and_then(|growth| Portion::of(growth, heap)));
    }

    fn judge(&mut self, before: &Kept, thresholds: &Thresholds) {
        self.high = thresholds.high(&before.sizes, &self.growth, &self.hgp);
        self.pattern = self.high.map(|high| thresholds.pattern(high, &self.hgp));
    }
}

/// Whether a top-level structure has a place where another state has none.
fn is_new_place(kept: &Kept, other: &Census) -> bool {
    kept.is_top_level && !other.places.contains(&kept.place)
}

/// The structures of an earlier state by their identities.
struct Earlier<'c> {
    kept: &'c [Kept],
    by_handle: HashMap<HeadHandle, usize>,
    /// At one place the group, and otherwise a structure whose head is held.
    by_place: HashMap<PlaceIdx, usize>,
    /// Handles of which the later state knows what became of their heads.
    accounted: HashSet<HeadHandle>,
}

impl<'c> Earlier<'c> {
    fn new(census: &'c Census, after: &Census) -> Self {
        let all = || census.kept.iter().zip(0..);
        let by_handle = all().filter_map(|(kept, at)| Some((kept.handle?, at))).collect();
        let (held, others): (Vec<_>, Vec<_>) = all().partition(|(kept, _)| kept.handle.is_some());
        let by_place = held.into_iter().chain(others).map(|(kept, at)| (kept.place, at)).collect();
        let accounted = after.kept.iter().filter_map(|kept| kept.handle).chain(after.dead.iter().copied()).collect();
        Self { kept: &census.kept, by_handle, by_place, accounted }
    }

    /// The structure that the one of a later state was: by its handle, wherever it was; otherwise by its place. A
    /// head that is dead, or that is elsewhere now, is no other one.
    fn same(&self, kept: &Kept) -> Option<usize> {
        let held = kept.handle.and_then(|handle| self.by_handle.get(&handle));
        held.copied().or_else(|| {
            let at = *self.by_place.get(&kept.place)?;
            let is_other = self.kept[at].handle.is_some_and(|handle| self.accounted.contains(&handle));
            (!is_other).then_some(at)
        })
    }

    /// Whether a later structure is where none was, or where another one was that is accounted for.
    fn is_new(&self, kept: &Kept, before: &Census) -> bool {
        let was = self.by_place.get(&kept.place).and_then(|&at| self.kept[at].handle);
        is_new_place(kept, before) || kept.is_top_level && was.is_some_and(|handle| self.accounted.contains(&handle))
    }
}

fn identity(before: &Kept, after: &Kept) -> Identity {
    match before.is_alone() && after.is_alone() {
        _ if before.handle.is_some() && before.handle == after.handle => Identity::Handle,
        true if before.marked.is_some() && before.marked == after.marked => Identity::Mark,
        true => Identity::Path,
        false => Identity::Place,
    }
}

/// Whether the retained size of a structure grew in every step of three states or more; `None` with fewer states, or
/// where one does not know it. `latest` is the structure in the last of them.
pub fn grew_steadily(states: &[&Census], latest: &Kept) -> Option<bool> {
    let retained = |census: &&Census| {
        let held = latest.handle.and_then(|_| census.kept.iter().find(|kept| kept.handle == latest.handle));
        held.or_else(|| census.kept.iter().find(|kept| kept.place == latest.place))?.sizes.retained
    };
    let sizes: Vec<Size> = states.iter().map(retained).collect::<Option<_>>()?;
    (sizes.len() >= 3).then(|| sizes.windows(2).all(|pair| pair[1].bytes > pair[0].bytes))
}

/// The growth of the leaves of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafGrowth {
    /// The class.
    pub class: Arc<str>,
    /// Before.
    pub before: Size,
    /// After.
    pub after: Size,
    /// Growth of what they retain together, where both states measured it. A state without such leaves has 0.
    pub retained: Option<Delta>,
}

/// The growth of the leaves by class, the largest first: by what they retain, then by their number.
pub fn leaf_growth(before: &Kept, after: &Kept) -> Vec<LeafGrowth> {
    let size = |leaf: Option<&LeafClass>| leaf.map_or(Size::default(), |leaf| leaf.size);
    let retained = |leaf: Option<&LeafClass>| leaf.map_or(Some(Size::default()), |leaf| leaf.retained);
    let gone = before.leaves.iter().filter(|leaf| !after.leaves.iter().any(|other| other.class == leaf.class));
    let mut grown: Vec<LeafGrowth> = after
        .leaves
        .iter()
        .chain(gone)
        .map(|leaf| {
            let find = |kept: &'_ Kept| kept.leaves.iter().find(|other| other.class == leaf.class).cloned();
            let (before, after) = (find(before), find(after));
            let both = retained(before.as_ref()).zip(retained(after.as_ref()));
            LeafGrowth {
                class: leaf.class.clone(),
                before: size(before.as_ref()),
                after: size(after.as_ref()),
                retained: both.map(|(before, after)| Delta::between(before, after)),
            }
        })
        .collect();
    let key = |leaf: &LeafGrowth| (leaf.retained.map(|growth| growth.bytes), Delta::between(leaf.before, leaf.after));
    grown.sort_by(|a, b| (key(b), &a.class).cmp(&(key(a), &b.class)));
    grown
}
