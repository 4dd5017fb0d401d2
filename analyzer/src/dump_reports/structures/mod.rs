//! The data structure view of one dump: heads by type and place, with sizes and leaves (AntTracks §3.3.1).
//!
//! Reading order: [`groups`] (heads of one type, of one place), [`measure`] (their sizes), [`rows`] (types), [`items`]
//! (places), [`tree`] (any classification), [`notes`] (remarks on descriptions).

mod groups;
mod items;
mod measure;
mod notes;
mod rows;
mod tree;

use super::OnPhase;
use super::words::Words;
use crate::graph::{Dominance, Entries, Intervals, Ownership, Referrers, RootPaths};
use crate::growing::language;
use crate::heap::Heap;
use crate::naming::Pattern;
use crate::report::dump::{DumpFile, SCHEMA};
use crate::report::structures::{StructureCounts, StructuresReport};
use crate::structures::census::Detected;
use crate::structures::classify::Chain;
use crate::structures::{Detection, Language, Layout, LayoutOptions, Members, Reach, Structures};
use measure::{Measurer, size};
use rows::Found;

/// The structures that are wanted.
#[derive(Clone, Debug)]
pub struct StructuresWanted {
    /// The descriptions.
    pub language: Language,
    /// How they are joined with classes.
    pub options: LayoutOptions,
    /// Whether structures are wanted that another one owns.
    pub all: bool,
    /// Only heads of these classes.
    pub of: Option<Pattern>,
    /// Order of the types and places.
    pub sort: StructureOrder,
    /// Most types that are reported.
    pub limit: usize,
    /// The classifiers of a tree of these structures.
    pub by: Option<Chain>,
    /// Objects of these classes, whose containing structures are wanted as a tree.
    pub containing: Option<Pattern>,
}

/// Orders of structures; the largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StructureOrder {
    /// By retained size.
    #[default]
    Retained,
    /// By the size of all that they reach.
    Deep,
    /// By their own members.
    Structure,
    /// By their members with structures within.
    DeepStructure,
    /// By their number.
    Objects,
}

/// Finds the structures of a heap.
pub fn structures(heap: &Heap, dump: DumpFile, wanted: &StructuresWanted, on_phase: OnPhase<'_>) -> StructuresReport {
    on_phase("finding out who owns what");
    let entries = Entries::new(heap);
    let ownership = Ownership::of(heap, &entries);
    let tree = Intervals::new(&ownership);
    on_phase("looking for structures");
    let layout = Layout::new(&wanted.language, heap, wanted.options);
    let structures = Structures::new(&tree, &layout, Detection::default());
    let words = Words::new(heap);
    let found = Found { heap, words: &words, layout: &layout, structures: &structures, tree: &tree };
    on_phase("measuring structures");
    let mut measurer = Measurer::new(&tree, &entries, &layout);
    let groups = found.by_type(wanted);
    let type_count = groups.len();
    let (mut types, chosen) = found.types(groups, &mut measurer, wanted);
    on_phase("finding the ways from the GC roots");
    let paths = RootPaths::by_entries(heap, &entries);
    let items = found.items(&mut types, &chosen, &mut measurer, (&paths, wanted.sort));
    let counts = counts(&structures, &mut measurer.members);
    drop(measurer);
    let mut report = StructuresReport {
        schema: SCHEMA,
        report: "structures",
        dump,
        heap: size(tree.reachable()),
        language: language(&layout),
        counts,
        types,
        type_count,
        items,
        notes: notes::notes(&layout),
        ..StructuresReport::default()
    };
    if wanted.by.is_some() || wanted.containing.is_some() {
        on_phase("classifying");
        let referrers = Referrers::new(heap);
        let detected = Detected {
            dominance: &tree,
            entries: &entries,
            referrers: &referrers,
            layout: &layout,
            structures: &structures,
        };
        let (nodes, note) = tree::tree(&detected, &words, wanted, &paths);
        report.tree = nodes;
        report.notes.extend(note);
    }
    report.verdict = rows::sentence(&report);
    report
}

fn counts(structures: &Structures, members: &mut Members<'_>) -> StructureCounts {
    let heads: Vec<_> = structures.heads.iter().map(|(_, object)| object).collect();
    let inside = members.measure(&heads, Reach::Own).size;
    StructureCounts {
        structures: heads.len() as u64,
        top_level: structures.heads.iter().filter(|&(head, _)| structures.is_top_level(head)).count() as u64,
        member_objects: inside.objects,
        member_bytes: inside.bytes,
        not_measured: structures.unmeasured_count() as u64,
    }
}
