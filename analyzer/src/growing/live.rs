//! Growth in a running program: one heap is in memory at a time, and a census of each is kept. The first state is the
//! beginning of the window, the latest its end; states between them show whether the growth went on.
//!
//! A metric that takes a pass over the heap is measured of the largest structures of the first state, and of the same
//! ones later. What came later among the largest has no such metric, for nothing is there to compare it with.
//! [`window`] compares two other states.

use super::compare::{Compared, GrowthWanted, LEAF_CLASSES, MOST_WITH_LEAVES, sharing};
use super::language::language;
use super::lines::{Described, lines, state};
use crate::graph::{Owned, RootPaths, SizedTree};
use crate::heap::{Heap, ObjectIdx};
use crate::matching::{NamedPlaces, PlaceFinder, PlaceIdx};
use crate::report::growth::GrowthReport;
use crate::structures::census::{Census, Detected, HeadHandle, Identities, Kept, Taken, take};
use crate::structures::growth::{Grown, Growth};
use crate::structures::measure::LeavesOf;
use crate::structures::pattern::Thresholds;
use crate::structures::{Detection, Language, Layout, Members, Structures};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

mod window;

pub use window::WindowRefusal;

/// Most heads that handles hold at a time: as many as the agent holds.
pub const MOST_HEADS: usize = 1024;

/// Most structures whose deep sizes are measured: one pass, for a program waits for the analysis of its capture.
const MOST_DEEP: usize = 64;
/// Most groups whose retained sizes are measured. Leaves have the rest of one pass of 64.
const MOST_GROUPS: usize = 40;
/// Of the heads that handles hold, most that are chosen because they grew.
const GROWN_HEADS: usize = 256;
/// Most states that are kept; with more every second one between the first and the latest is dropped.
const MOST_STATES: usize = 16;
/// Structures that are kept of a state between the first and the latest, the largest first, …
const KEPT_BETWEEN: usize = 4_096;
/// … and those of them whose leaves are kept.
const LEAVES_BETWEEN: usize = 128;

/// A state of the heap while it is there.
pub struct StateOf<'a> {
    /// Name of the capture, for people.
    pub name: String,
    /// Seconds since the agent's start.
    pub at_s: f64,
    /// The heap.
    pub heap: &'a Heap,
    /// Its ownership.
    pub owned: &'a Owned,
    /// How objects are known in several states.
    pub known: Identities<'a>,
    /// Handles whose heads are dead.
    pub dead: HashSet<HeadHandle>,
}

/// A state of which only a census is left.
#[derive(Debug)]
struct Earlier {
    name: String,
    at_s: f64,
    census: Arc<Census>,
}

/// The states of one program so far.
#[derive(Debug)]
pub struct LiveGrowth {
    language: Arc<Language>,
    wanted: GrowthWanted,
    places: NamedPlaces,
    states: Vec<Earlier>,
    report: Option<GrowthReport>,
    /// Heads that handles are to hold from the latest state on.
    wanted_heads: Vec<WantedHead>,
    /// Another window than that from the first state to the latest.
    chosen: Option<Chosen>,
}

/// A window that somebody chose: the times of its ends, which name the states, and its report.
#[derive(Debug)]
struct Chosen {
    ends_s: [f64; 2],
    report: GrowthReport,
}

/// The listed structures, while their heap is there.
#[derive(Debug)]
pub struct Owners {
    layout: Layout,
    items: Vec<Listed>,
}

#[derive(Debug)]
struct Listed {
    class: String,
    place: String,
    heads: Vec<ObjectIdx>,
}

impl Owners {
    /// For each object the class and place of the listed structure that it is a head or an inner object of, or else of
    /// one that contains such a structure.
    pub fn structures_of(&self, heap: &Heap, objects: &[Option<ObjectIdx>]) -> Vec<Option<(String, String)>> {
        let asked: Vec<ObjectIdx> = objects.iter().flatten().copied().collect();
        if asked.is_empty() {
            return vec![None; objects.len()];
        }
        let mut members = Members::new(heap, &self.layout);
        // By object: the first structure that it is in, and the first that contains such a one.
        let mut found: HashMap<ObjectIdx, [Option<&Listed>; 2]> = HashMap::new();
        for item in &self.items {
            for (object, is_inner) in asked.iter().zip(members.inner(&item.heads, &asked)) {
                let first = found.entry(*object).or_default();
                for (first, is_inner) in first.iter_mut().zip(is_inner) {
                    *first = first.or(is_inner.then_some(item));
                }
            }
        }
        let structure = |object: &ObjectIdx| found.get(object).and_then(|[own, deep]| own.or(*deep));
        let named = |item: &Listed| (item.class.clone(), item.place.clone());
        objects.iter().map(|object| object.as_ref().and_then(structure).map(named)).collect()
    }
}

impl LiveGrowth {
    /// Before the first state.
    pub fn new(language: Arc<Language>, wanted: GrowthWanted) -> Self {
        Self {
            language,
            wanted,
            places: NamedPlaces::new(),
            states: Vec::new(),
            report: None,
            wanted_heads: Vec::new(),
            chosen: None,
        }
    }

    /// The growth in the chosen window, or else from the first state to the latest; `None` before there are two.
    pub fn report(&self) -> Option<&GrowthReport> {
        self.chosen.as_ref().map(|chosen| &chosen.report).or(self.report.as_ref())
    }

    /// Number of states so far.
    pub fn state_count(&self) -> usize {
        self.states.len()
    }

    /// The heads that handles are to hold from the latest state on, while its heap is there.
    pub fn take_wanted_heads(&mut self) -> Vec<WantedHead> {
        std::mem::take(&mut self.wanted_heads)
    }

    /// Handles hold these entries of the latest state now.
    pub fn set_handles(&mut self, handles: &[(HeadHandle, usize)]) {
        let Some(last) = self.states.last_mut() else { return };
        let census = Arc::make_mut(&mut last.census);
        for &(handle, at) in handles {
            if let Some(kept) = census.kept.get_mut(at) {
                kept.handle = Some(handle);
            }
        }
    }

    /// Takes in a state. Returns the structures that grew, or nothing of the first state.
    pub fn take(&mut self, state: StateOf<'_>) -> Option<Owners> {
        let layout = Layout::new(&self.language, state.heap, self.wanted.layout);
        let tree = SizedTree::new(state.heap, &state.owned.dominators);
        let structures = Structures::new(&tree, &layout, Detection::default());
        let detected = Detected {
            dominance: &tree,
            entries: &state.owned.entries,
            referrers: &state.owned.referrers,
            layout: &layout,
            structures: &structures,
        };
        let mut taken = self.census(&state, &detected);
        taken.census.dead = state.dead.clone();
        let Some(first) = self.states.first() else {
            measure_first(&mut taken, &detected);
            self.wanted_heads = wanted_heads(&taken, None);
            self.keep(state, Arc::new(taken.census));
            return None;
        };
        let (first_census, names) = (Arc::clone(&first.census), [first.name.clone(), state.name.clone()]);
        measure_again(&mut taken, &first_census, &detected);
        let growth = Growth::between(&first_census, &taken.census, &Thresholds::default());
        self.wanted_heads = wanted_heads(&taken, Some(&growth));
        let (listed, listed_count) = self.wanted.listed(&taken.census, &growth);
        let sharing = sharing(&detected, &taken, &growth, &listed);
        let ids = listed.iter().map(|&at| state.heap.dump_id(taken.census.kept[growth.grown[at].after].largest));
        let mut compared = Compared {
            names,
            seconds: Some(state.at_s - first.at_s),
            before: first_census,
            after: Census::default(),
            ids: ids.collect(),
            language: language(&layout),
            explained: None,
            growth,
            listed,
            listed_count,
            sharing,
            tree: Vec::new(),
            is_tree_cut: false,
        };
        let heads = |&at: &usize| std::mem::take(&mut taken.heads[compared.growth.grown[at].after]);
        let heads: Vec<Vec<ObjectIdx>> = compared.listed.iter().map(heads).collect();
        compared.after = taken.census;
        let report = self.lines(&compared);
        let items = report.items.iter().zip(heads);
        let items = items.map(|(item, heads)| Listed { class: item.class.clone(), place: item.place.clone(), heads });
        let items = items.collect();
        self.report = Some(report);
        self.keep(state, Arc::new(compared.after));
        self.renew_chosen();
        Some(Owners { layout, items })
    }

    fn census(&mut self, state: &StateOf<'_>, detected: &Detected<'_, SizedTree<'_>>) -> Taken {
        let first: HashSet<PlaceIdx> = self.states.first().map(|first| places(&first.census)).unwrap_or_default();
        let heads = detected.structures.heads.iter().map(|(_, head)| head);
        let paths = RootPaths::by_entries_to(state.heap, &state.owned.entries, heads);
        let mut finder = PlaceFinder::new(state.heap, &paths, &mut self.places);
        take(detected, &mut finder, state.known, |place| first.contains(&place))
    }

    /// The report of the first state and one that is not kept yet.
    fn lines(&self, compared: &Compared) -> GrowthReport {
        let kept = self.states.iter().map(|state| (state.name.as_str(), &*state.census));
        let all: Vec<(&str, &Census)> = kept.chain([(compared.names[1].as_str(), &compared.after)]).collect();
        let ends = [0, all.len() - 1];
        self.report_on(compared, &all, ends)
    }

    /// The report; `ends` are the places of the window's ends among all states.
    fn report_on(&self, compared: &Compared, all: &[(&str, &Census)], ends: [usize; 2]) -> GrowthReport {
        let named = all.iter().map(|&(name, census)| state(name, census)).collect();
        let states = all.iter().map(|(_, census)| *census).collect();
        lines(&Described { compared, places: &self.places, states, ends, steady: ends }, named)
    }

    fn keep(&mut self, state: StateOf<'_>, census: Arc<Census>) {
        // The state that was the latest is one between from now on.
        if let [_, .., last] = &mut self.states[..] {
            last.census = Arc::new(thinned(&last.census));
        }
        self.states.push(Earlier { name: state.name, at_s: state.at_s, census });
        if self.states.len() > MOST_STATES {
            let last = self.states.len() - 1;
            let mut at = 0;
            let chosen = self.chosen.as_ref().map(|chosen| chosen.ends_s).unwrap_or_default();
            self.states.retain(|state| {
                at += 1;
                at == 1 || at - 1 == last || at % 2 == 1 || chosen.contains(&state.at_s)
            });
        }
    }
}

/// A head that a handle is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedHead {
    /// Index into [`Census::kept`] of the state.
    pub at: usize,
    /// The head; an index of the heap alone.
    pub object: ObjectIdx,
    /// Its handle, if it has one already.
    pub handle: Option<HeadHandle>,
}

/// The single structures that grew most, and then those that are largest.
fn wanted_heads(taken: &Taken, growth: Option<&Growth>) -> Vec<WantedHead> {
    let kept = &taken.census.kept;
    let grew = |grown: &&Grown| grown.growth.retained.is_some_and(|growth| growth.bytes > 0);
    let grown = growth.into_iter().flat_map(|growth| growth.grown.iter().filter(grew)).map(|grown| grown.after);
    let is_single = |&at: &usize| kept[at].is_single();
    let mut chosen: HashSet<usize> = HashSet::new();
    let order = grown.filter(is_single).take(GROWN_HEADS).chain((0..kept.len()).filter(is_single));
    let first = order.filter(|&at| chosen.insert(at)).take(MOST_HEADS);
    first.map(|at| WantedHead { at, object: taken.heads[at][0], handle: kept[at].handle }).collect()
}

fn places(census: &Census) -> HashSet<PlaceIdx> {
    census.kept.iter().map(|kept| kept.place).collect()
}

/// The largest structures of a state: enough to say whether they grew in every step, and to be an end of a window.
fn thinned(census: &Census) -> Census {
    let with_leaves = |at: usize, kept: &Kept| match at < LEAVES_BETWEEN {
        true => kept.clone(),
        false => Kept { leaves: Vec::new(), ..kept.clone() },
    };
    let kept = census.kept.iter().take(KEPT_BETWEEN).enumerate();
    Census {
        heap: census.heap,
        counts: census.counts,
        kept: kept.map(|(at, kept)| with_leaves(at, kept)).collect(),
        places: census.places.clone(),
        dead: census.dead.clone(),
    }
}

/// The costly metrics of the largest structures.
fn measure_first(taken: &mut Taken, of: &Detected<'_, SizedTree<'_>>) {
    let count = taken.census.kept.len();
    let is_group = |&at: &usize| taken.census.kept[at].sizes.retained.is_none();
    let groups: Vec<usize> = (0..count).filter(is_group).take(MOST_GROUPS).collect();
    let chosen: Vec<usize> = (0..count.min(MOST_WITH_LEAVES)).collect();
    let leaves = LeavesOf { chosen: &chosen, most: LEAF_CLASSES, also: &|_, _| false };
    taken.measure_retained_once(of, &groups, &leaves);
    taken.measure_deep(of, &(0..count.min(MOST_DEEP)).collect::<Vec<_>>());
}

/// The same metrics of the same structures in a later state.
fn measure_again(taken: &mut Taken, first: &Census, of: &Detected<'_, SizedTree<'_>>) {
    let with = |is_measured: &dyn Fn(&Kept) -> bool, after: &Census| {
        let measured: Vec<&Kept> = first.kept.iter().filter(|kept| is_measured(kept)).collect();
        let places: HashSet<PlaceIdx> = measured.iter().map(|kept| kept.place).collect();
        let handles: HashSet<HeadHandle> = measured.iter().filter_map(|kept| kept.handle).collect();
        let is_known =
            |kept: &Kept| places.contains(&kept.place) || kept.handle.is_some_and(|handle| handles.contains(&handle));
        (0..after.kept.len()).filter(|&at| is_known(&after.kept[at])).collect::<Vec<usize>>()
    };
    let grouped = with(&|kept| kept.sizes.retained.is_some(), &taken.census);
    let is_group = |&at: &usize| taken.census.kept[at].sizes.retained.is_none();
    let groups: Vec<usize> = grouped.into_iter().filter(is_group).take(MOST_GROUPS).collect();
    let deep = with(&|kept| kept.sizes.deep.is_some(), &taken.census);
    taken.measure_deep(of, &deep);
    let measured = |kept: &Kept| kept.leaves.iter().any(|leaf| leaf.retained.is_some());
    let chosen = with(&measured, &taken.census);
    let by_place: HashMap<PlaceIdx, &Kept> = first.kept.iter().map(|kept| (kept.place, kept)).collect();
    let known: HashMap<usize, &Kept> =
        chosen.iter().filter_map(|&at| Some((at, *by_place.get(&taken.census.kept[at].place)?))).collect();
    let was_measured = |at: usize, class: &str| {
        let leaves = known.get(&at).into_iter().flat_map(|kept| &kept.leaves);
        leaves.into_iter().any(|leaf| &*leaf.class == class && leaf.retained.is_some())
    };
    let leaves = LeavesOf { chosen: &chosen, most: 0, also: &was_measured };
    taken.measure_retained_once(of, &groups, &leaves);
}

#[cfg(test)]
mod tests;
