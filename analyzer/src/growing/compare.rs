//! The growth of data structures between heaps of one program.
//!
//! Both heaps of the window are in memory at a time: only when the sizes of both are known it is known which metrics
//! are worth a pass over the whole heap.

use super::OnPhase;
use super::language::language;
use super::lines::{Described, lines, state};
use super::tree::nodes;
use crate::graph::{Dominance, Owned, RootPaths, SizedTree};
use crate::heap::{Heap, ObjectIdx, coming_loaders};
use crate::matching::{NamedPlaces, PlaceFinder, PlaceIdx};
use crate::naming::growth::Pattern;
use crate::report::growth::GrowthReport;
use crate::report::language::LanguageReport;
use crate::report::tree::TreeNode;
use crate::structures::census::{Census, Detected, Identities, Taken, take};
use crate::structures::classify::{Chain, Side, Trees};
use crate::structures::growth::{Delta, Grown, Growth};
use crate::structures::measure::LeavesOf;
use crate::structures::pattern::Thresholds;
use crate::structures::{Detection, Language, Layout, LayoutOptions, Members, Reach, Structures};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Choice and order of structures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrowthWanted {
    /// The order.
    pub sort: GrowthOrder,
    /// Most structures.
    pub limit: usize,
    /// Whether structures that another owns are listed, too.
    pub with_contained: bool,
    /// How descriptions are joined with classes.
    pub layout: LayoutOptions,
    /// The classifiers of a tree of all top-level structures, if one is wanted.
    pub by: Option<Chain>,
}

/// Orders by the growth of a metric, the largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthOrder {
    /// Retained bytes.
    Retained,
    /// Deep bytes.
    Deep,
    /// Bytes of the structure.
    Structure,
    /// Bytes of the deep structure.
    DeepStructure,
    /// Objects of the deep structure.
    Objects,
}

/// A heap and its name.
#[derive(Debug)]
pub struct NamedHeap {
    /// The dump's file, or the capture.
    pub name: String,
    /// The heap.
    pub heap: Heap,
    /// Time at which it was taken, in milliseconds since 1970.
    pub taken_ms: Option<u64>,
}

/// Most groups whose retained sizes are measured in each heap: two passes.
const MOST_GROUPS: usize = 128;
/// Most structures whose deep sizes are measured, by each of two orders: together two passes.
const MOST_DEEP: usize = 64;
/// Most structures whose leaves are measured; one pass. Each has a bit of 16.
pub(super) const MOST_WITH_LEAVES: usize = 16;
/// Classes of leaves that are measured of each.
pub(super) const LEAF_CLASSES: usize = 4;
/// A structure is also named as container of another's leaves from this share of them on.
const SHARED_LEAVES: f64 = 0.1;

/// States of one program, in the order in which they were taken.
#[derive(Debug)]
pub struct Growing<'l> {
    language: &'l Language,
    wanted: GrowthWanted,
    thresholds: Thresholds,
    places: NamedPlaces,
    coming_loaders: Vec<String>,
}

/// Result of comparing two states.
#[derive(Debug)]
pub struct Compared {
    pub(super) names: [String; 2],
    pub(super) seconds: Option<f64>,
    pub(super) before: Arc<Census>,
    pub(super) after: Census,
    pub(super) growth: Growth,
    /// Indexes into the grown structures of those that are listed.
    pub(super) listed: Vec<usize>,
    pub(super) listed_count: usize,
    pub(super) explained: Option<f64>,
    /// Ids of the largest heads of the listed ones, in the later dump.
    pub(super) ids: Vec<Option<u64>>,
    /// For each listed one the indexes of others that have its leaves.
    pub(super) sharing: Vec<Vec<usize>>,
    pub(super) language: LanguageReport,
    pub(super) tree: Vec<TreeNode>,
    /// Whether the tree lacks parts.
    pub(super) is_tree_cut: bool,
}

/// A state that is not an end of the window.
#[derive(Debug)]
pub struct Between {
    /// Its position among all states.
    pub at: usize,
    pub(super) name: String,
    pub(super) census: Census,
}

impl<'l> Growing<'l> {
    /// For heaps that these descriptions are joined with.
    pub fn new(language: &'l Language, wanted: GrowthWanted) -> Self {
        let (thresholds, places) = (Thresholds::default(), NamedPlaces::new());
        Self { language, wanted, thresholds, places, coming_loaders: Vec::new() }
    }

    /// Compares the two ends of the window; the heaps are dropped at the end.
    pub fn compare(&mut self, before: NamedHeap, after: NamedHeap, on_phase: OnPhase<'_>) -> Compared {
        self.coming_loaders = coming_loaders(&before.heap, &after.heap);
        let names = [before.name, after.name];
        let seconds = before.taken_ms.zip(after.taken_ms).map(|(from, to)| (to as f64 - from as f64) / 1000.0);
        let (before, after) = (self.rooted(before.heap), self.rooted(after.heap));
        on_phase("finding out who owns what");
        let (owned, owned_after) = (Owned::new(&before), Owned::new(&after));
        on_phase("finding data structures");
        let options = self.wanted.layout;
        let layouts = [&before, &after].map(|heap| Layout::new(self.language, heap, options));
        let trees = [SizedTree::new(&before, &owned.dominators), SizedTree::new(&after, &owned_after.dominators)];
        let found = [0, 1].map(|at| Structures::new(&trees[at], &layouts[at], Detection::default()));
        let [earlier, later] = [(0, &owned), (1, &owned_after)].map(|(at, owned)| Detected {
            dominance: &trees[at],
            entries: &owned.entries,
            referrers: &owned.referrers,
            layout: &layouts[at],
            structures: &found[at],
        });
        let ends = Ends { earlier: &earlier, later: &later };
        let mut taken = ends.take(&mut self.places, [&before, &after]);
        on_phase("measuring their growth");
        ends.measure_groups(&mut taken);
        let mut growth = self.growth(&taken);
        ends.measure_deep(&mut taken, &growth);
        growth = self.growth(&taken);
        let (listed, listed_count) = self.wanted.listed(&taken[1].census, &growth);
        ends.measure_leaves(&mut taken, &growth, &listed);
        let explained = ends.explained(&taken, &growth, &listed);
        let sharing = sharing(&later, &taken[1], &growth, &listed);
        let id = |&at: &usize| after.dump_id(taken[1].census.kept[growth.grown[at].after].largest);
        let ids = listed.iter().map(id).collect();
        let language = language(&layouts[1]);
        let (tree, is_tree_cut) = match &self.wanted.by {
            Some(chain) => ends.tree(chain, self.wanted.limit, growth.heap),
            None => (Vec::new(), false),
        };
        let [before, after] = taken.map(|taken| taken.census);
        let before = Arc::new(before);
        Compared {
            names,
            seconds,
            before,
            after,
            growth,
            listed,
            listed_count,
            explained,
            ids,
            sharing,
            language,
            tree,
            is_tree_cut,
        }
    }

    /// Takes the census of a state that is not an end of the window.
    pub fn between(&mut self, at: usize, state: NamedHeap, compared: &Compared, on_phase: OnPhase<'_>) -> Between {
        let heap = self.rooted(state.heap);
        on_phase("finding data structures");
        let owned = Owned::new(&heap);
        let paths = RootPaths::by_entries(&heap, &owned.entries);
        let tree = SizedTree::new(&heap, &owned.dominators);
        let layout = Layout::new(self.language, &heap, self.wanted.layout);
        let structures = Structures::new(&tree, &layout, Detection::default());
        let detected = Detected {
            dominance: &tree,
            entries: &owned.entries,
            referrers: &owned.referrers,
            layout: &layout,
            structures: &structures,
        };
        let places: BTreeSet<PlaceIdx> = compared.listed.iter().map(|&at| compared.growth.grown[at].place).collect();
        let mut finder = PlaceFinder::new(&heap, &paths, &mut self.places);
        let mut taken = take(&detected, &mut finder, Identities::NONE, |place| places.contains(&place));
        let kept = taken.census.kept.iter().enumerate();
        let chosen: Vec<usize> = kept.filter(|(_, kept)| places.contains(&kept.place)).map(|(at, _)| at).collect();
        taken.measure_retained(&detected, &chosen);
        Between { at, name: state.name, census: taken.census }
    }

    /// The report; `between` in the order of the states.
    pub fn report(self, compared: &Compared, between: &[Between]) -> GrowthReport {
        let mut states: Vec<(usize, &str, &Census)> =
            between.iter().map(|state| (state.at, state.name.as_str(), &state.census)).collect();
        let is_free = |at: &usize| !states.iter().any(|state| state.0 == *at);
        let ends: Vec<usize> = (0..states.len() + 2).filter(is_free).take(2).collect();
        states.push((ends[0], &compared.names[0], &compared.before));
        states.push((ends[1], &compared.names[1], &compared.after));
        states.sort_by_key(|state| state.0);
        let place = |end: usize| states.iter().position(|state| state.0 == end).unwrap_or_default();
        let (ends, steady) = ([place(ends[0]), place(ends[1])], [0, states.len() - 1]);
        let named = states.iter().map(|&(_, name, census)| state(name, census)).collect();
        let states = states.into_iter().map(|state| state.2).collect();
        lines(&Described { compared, places: &self.places, states, ends, steady }, named)
    }

    fn rooted(&self, heap: Heap) -> Heap {
        heap.with_class_roots(|loader| self.coming_loaders.iter().any(|name| name == loader))
    }

    fn growth(&self, taken: &[Taken; 2]) -> Growth {
        Growth::between(&taken[0].census, &taken[1].census, &self.thresholds)
    }
}

impl GrowthWanted {
    /// The structures that are listed, and how many would be without a limit.
    pub(super) fn listed(&self, after: &Census, growth: &Growth) -> (Vec<usize>, usize) {
        let is_shown = |&at: &usize| {
            let grown = &growth.grown[at];
            (after.kept[grown.after].is_top_level || self.with_contained) && takes_part(grown)
        };
        let mut listed: Vec<usize> = (0..growth.grown.len()).filter(is_shown).collect();
        listed.sort_by_key(|&at| (Reverse(self.sort.key(&growth.grown[at])), growth.grown[at].place));
        let count = listed.len();
        listed.truncate(self.limit);
        (listed, count)
    }
}

impl GrowthOrder {
    fn key(self, grown: &Grown) -> Option<i64> {
        let growth = &grown.growth;
        match self {
            Self::Retained => growth.retained.map(|growth| growth.bytes),
            Self::Deep => growth.deep.map(|growth| growth.bytes),
            Self::Structure => growth.structure.map(|growth| growth.bytes),
            Self::DeepStructure => growth.deep_structure.map(|growth| growth.bytes),
            Self::Objects => growth.deep_structure.map(|growth| growth.objects),
        }
    }
}

/// Least portion of a metric that is worth a line.
const LEAST_SHOWN: f64 = 1.0;

/// Whether a structure is worth a line: it grew or shrank much, or a metric of it has a portion of the growth.
fn takes_part(grown: &Grown) -> bool {
    let hgp = &grown.hgp;
    let portions = [hgp.retained, hgp.structure, hgp.deep_structure];
    let has_portion = portions.iter().flatten().any(|portion| portion.bytes.abs() >= LEAST_SHOWN);
    let has_grown = grown.growth.retained.is_some_and(|growth| growth.bytes > 0);
    grown.pattern.is_some_and(Pattern::is_growth) || has_portion || hgp.retained.is_none() && has_grown
}

/// Both ends of the window.
struct Ends<'a> {
    earlier: &'a Detected<'a, SizedTree<'a>>,
    later: &'a Detected<'a, SizedTree<'a>>,
}

impl Ends<'_> {
    /// The later heap comes first: what is kept of it is wanted from the earlier one, too.
    fn take(&self, places: &mut NamedPlaces, [before, after]: [&Heap; 2]) -> [Taken; 2] {
        let paths = RootPaths::by_entries(after, self.later.entries);
        let later = take(self.later, &mut PlaceFinder::new(after, &paths, places), Identities::NONE, |_| false);
        drop(paths);
        let wanted: HashSet<PlaceIdx> = later.census.kept.iter().map(|kept| kept.place).collect();
        let paths = RootPaths::by_entries(before, self.earlier.entries);
        let mut finder = PlaceFinder::new(before, &paths, places);
        let earlier = take(self.earlier, &mut finder, Identities::NONE, |place| wanted.contains(&place));
        [earlier, later]
    }

    /// The tree of all top-level structures.
    fn tree(&self, chain: &Chain, limit: usize, heap: Delta) -> (Vec<TreeNode>, bool) {
        let [before, after] = [self.earlier, self.later];
        let paths = [before, after].map(|of| RootPaths::by_entries(of.dominance.heap(), of.entries));
        let [mut names_before, mut names_after] = [NamedPlaces::new(), NamedPlaces::new()];
        let finder = PlaceFinder::new(before.dominance.heap(), &paths[0], &mut names_before);
        let earlier = Side::new(before, finder);
        let later = Side::new(after, PlaceFinder::new(after.dominance.heap(), &paths[1], &mut names_after));
        let tops = |of: &Detected<'_, SizedTree<'_>>| -> Vec<ObjectIdx> {
            let heads = of.structures.heads.iter().filter(|&(head, _)| of.structures.is_top_level(head));
            heads.map(|(_, object)| object).collect()
        };
        let tree = Trees::new(Some(earlier), later, limit).tree(chain, &[tops(before), tops(after)]);
        (nodes(&tree, Some(before), after, heap), tree.is_cut)
    }

    /// Retained sizes of the largest groups of the later heap, in both.
    fn measure_groups(&self, [before, after]: &mut [Taken; 2]) {
        let is_group = |&at: &usize| after.census.kept[at].sizes.retained.is_none();
        let largest: Vec<usize> = (0..after.census.kept.len()).filter(is_group).take(MOST_GROUPS).collect();
        let places: HashSet<PlaceIdx> = largest.iter().map(|&at| after.census.kept[at].place).collect();
        let earlier = positions(&before.census, &places);
        before.measure_retained(self.earlier, &earlier);
        // A place with one head before may have several now, and the other way round.
        after.measure_retained(self.later, &largest);
    }

    /// Deep sizes of those that grew most.
    fn measure_deep(&self, [before, after]: &mut [Taken; 2], growth: &Growth) {
        let mut by_structure: Vec<&Grown> = growth.grown.iter().collect();
        by_structure.sort_by_key(|grown| Reverse(grown.growth.deep_structure));
        let largest = growth.grown.iter().take(MOST_DEEP).chain(by_structure.into_iter().take(MOST_DEEP));
        let chosen: BTreeSet<(usize, usize)> = largest.map(|grown| (grown.before, grown.after)).collect();
        before.measure_deep(self.earlier, &chosen.iter().map(|pair| pair.0).collect::<Vec<_>>());
        after.measure_deep(self.later, &chosen.iter().map(|pair| pair.1).collect::<Vec<_>>());
    }

    fn measure_leaves(&self, [before, after]: &mut [Taken; 2], growth: &Growth, listed: &[usize]) {
        let chosen = || listed.iter().take(MOST_WITH_LEAVES).map(|&at| &growth.grown[at]);
        let later: Vec<usize> = chosen().map(|grown| grown.after).collect();
        let earlier: Vec<usize> = chosen().map(|grown| grown.before).collect();
        after.measure_leaves(self.later, &LeavesOf { chosen: &later, most: LEAF_CLASSES, also: &|_, _| false });
        let measured: HashSet<(usize, &str)> = chosen()
            .flat_map(|grown| {
                let leaves = after.census.kept[grown.after].leaves.iter().filter(|leaf| leaf.retained.is_some());
                leaves.map(|leaf| (grown.before, &*leaf.class))
            })
            .collect();
        let also = |at: usize, class: &str| measured.contains(&(at, class));
        before.measure_leaves(self.earlier, &LeavesOf { chosen: &earlier, most: 0, also: &also });
    }

    /// Growth of what the listed growing structures retain together, in percent of the heap's growth.
    fn explained(&self, taken: &[Taken; 2], growth: &Growth, listed: &[usize]) -> Option<f64> {
        let is_growing = |grown: &&Grown| grown.pattern.is_some_and(Pattern::is_growth);
        let growing: Vec<&Grown> = listed.iter().map(|&at| &growth.grown[at]).filter(is_growing).collect();
        if growing.is_empty() || growth.heap.bytes <= 0 {
            return None;
        }
        let earlier: Vec<usize> = growing.iter().map(|grown| grown.before).collect();
        let later: Vec<usize> = growing.iter().map(|grown| grown.after).collect();
        let before = taken[0].retained_together(self.earlier, &earlier);
        let delta = Delta::between(before, taken[1].retained_together(self.later, &later));
        Some(delta.bytes as f64 / growth.heap.bytes as f64 * 100.0)
    }
}

/// For each listed structure the other listed ones that have a share of its leaves, in the later heap.
pub(super) fn sharing<D: Dominance>(
    later: &Detected<'_, D>,
    taken: &Taken,
    growth: &Growth,
    listed: &[usize],
) -> Vec<Vec<usize>> {
    let shown = &listed[..listed.len().min(MOST_WITH_LEAVES)];
    if shown.len() < 2 {
        return vec![Vec::new(); shown.len()];
    }
    let heap = later.dominance.heap();
    let mut members = Members::new(heap, later.layout);
    let heads = |at: usize| taken.heads[growth.grown[at].after].as_slice();
    let leaves: Vec<Vec<ObjectIdx>> = shown.iter().map(|&at| members.leaves(heads(at), Reach::Deep)).collect();
    // By object: a bit for each structure that has it as a leaf.
    let mut containers = vec![0u16; heap.object_count()];
    for (bit, leaves) in leaves.iter().enumerate() {
        leaves.iter().for_each(|leaf| containers[leaf.at()] |= 1 << bit);
    }
    let others = |(at, leaves): (usize, &Vec<ObjectIdx>)| {
        let shared = |other: usize| leaves.iter().filter(|leaf| containers[leaf.at()] & 1 << other != 0).count();
        let has_leaves = |&other: &usize| other != at && shared(other) as f64 > SHARED_LEAVES * leaves.len() as f64;
        (0..shown.len()).filter(has_leaves).collect()
    };
    leaves.iter().enumerate().map(others).collect()
}

/// Entries at one of these places.
fn positions(census: &Census, places: &HashSet<PlaceIdx>) -> Vec<usize> {
    let kept = census.kept.iter().enumerate();
    kept.filter(|(_, kept)| places.contains(&kept.place)).map(|(at, _)| at).collect()
}
