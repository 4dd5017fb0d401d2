//! HeapRoots: filtered, sorted, and with their trees on request.

use super::OnPhase;
use super::words::Words;
use crate::heap::{Heap, ObjectIdx, Root};
use crate::heap_roots::{HeapRoot, HeapRoots, OutlineLimits, OutlineLine, Softness};
use crate::report::dump::{DumpFile, RootLine, RootsReport, SCHEMA, TreeLine};
use crate::structure_size::Pattern;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Choice and order of roots.
#[derive(Clone, Debug)]
pub struct RootsWanted {
    /// Pure ones, artificial ones, or both.
    pub kinds: Kinds,
    /// Only roots of classes that fit.
    pub class: Option<Pattern>,
    /// Only roots whose subtree has at least this many bytes.
    pub least_bytes: u64,
    /// The order.
    pub sort: SortBy,
    /// Most roots.
    pub limit: usize,
    /// Limits of their trees, if wanted.
    pub tree: Option<TreeWanted>,
    /// Whether the heap was read with soft references.
    pub follows_soft: bool,
}

/// Kinds of root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// Both.
    All,
    /// Those that nothing refers to.
    Pure,
    /// The others.
    Artificial,
}

/// Orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortBy {
    /// The largest subtree first.
    Size,
    /// Most descendants first.
    Descendants,
    /// The deepest first.
    Depth,
    /// By address.
    Address,
    /// By the names of classes.
    Class,
}

/// Limits of a tree.
pub type TreeWanted = OutlineLimits;

/// Searches and selects the roots.
pub fn roots(heap: &Heap, dump: DumpFile, wanted: &RootsWanted, on_phase: OnPhase<'_>) -> RootsReport {
    on_phase("searching from the roots");
    let found = HeapRoots::new(heap);
    let softness = Softness::new(heap);
    let words = Words::new(heap);
    let counts = softness.counts();
    let artificial_count = found.roots().iter().filter(|root| root.is_artificial).count() as u64;
    let mut chosen: Vec<&HeapRoot> = found.roots().iter().filter(|root| wanted.chooses(&words, root)).collect();
    wanted.sort.sort(&words, &mut chosen);
    let mut report = RootsReport {
        schema: SCHEMA,
        report: "roots",
        dump,
        object_count: heap.object_count() as u64,
        total_bytes: heap.total_bytes(),
        strong_count: counts.strong,
        soft_count: counts.soft,
        follows_soft: wanted.follows_soft,
        pure_count: found.roots().len() as u64 - artificial_count,
        artificial_count,
        chosen_count: chosen.len() as u64,
        roots: Vec::new(),
    };
    let mut gc_roots: HashMap<ObjectIdx, &Root> = HashMap::new();
    for root in heap.roots() {
        gc_roots.entry(root.object).or_insert(root);
    }
    for root in chosen.into_iter().take(wanted.limit) {
        let gc_root = gc_roots.get(&root.object).map(|root| words.root(root));
        let mut line = RootLine { gc_root, ..line(&words, root) };
        if let Some(limits) = wanted.tree {
            let outline = found.outline(heap, &softness, root, limits);
            line.is_cut = outline.is_cut;
            line.tree = Some(tree(&words, &outline.lines));
        }
        report.roots.push(line);
    }
    report
}

impl RootsWanted {
    fn chooses(&self, words: &Words<'_>, root: &HeapRoot) -> bool {
        let is_kind = match self.kinds {
            Kinds::All => true,
            Kinds::Pure => !root.is_artificial,
            Kinds::Artificial => root.is_artificial,
        };
        let fits = |pattern: &Pattern| pattern.fits(&words.class_name(root.object));
        is_kind && root.subtree_bytes >= self.least_bytes && self.class.as_ref().is_none_or(fits)
    }
}

impl SortBy {
    fn sort(self, words: &Words<'_>, roots: &mut [&HeapRoot]) {
        match self {
            Self::Size => roots.sort_by_key(|root| (Reverse(root.subtree_bytes), root.object)),
            Self::Descendants => roots.sort_by_key(|root| (Reverse(root.descendant_count), root.object)),
            Self::Depth => roots.sort_by_key(|root| (Reverse(root.maximum_depth), root.object)),
            Self::Address => roots.sort_by_key(|root| root.object),
            Self::Class => roots.sort_by_cached_key(|root| (words.class_name(root.object), root.object)),
        }
    }
}

fn line(words: &Words<'_>, root: &HeapRoot) -> RootLine {
    RootLine {
        id: words.id(root.object),
        class: words.name(root.object),
        kind: if root.is_artificial { "artificial" } else { "pure" },
        descendant_count: u64::from(root.descendant_count),
        shallow_bytes: words.heap.shallow_bytes(root.object),
        subtree_bytes: root.subtree_bytes,
        maximum_depth: u64::from(root.maximum_depth),
        ..RootLine::default()
    }
}

fn tree(words: &Words<'_>, lines: &[OutlineLine]) -> Vec<TreeLine> {
    // The latest object at each level: the parent of the next objects one level below.
    let mut open: Vec<ObjectIdx> = Vec::new();
    let mut tree = Vec::with_capacity(lines.len());
    for line in lines {
        match *line {
            OutlineLine::Object { depth, object, label, is_soft, descendant_count, subtree_bytes } => {
                open.truncate(depth as usize);
                let named = open.last().zip(label).map(|(&parent, label)| words.reference(parent, label).0);
                open.push(object);
                let (class, id) = (words.name(object), words.id(object));
                let (reference, count) = (named, u64::from(descendant_count));
                tree.push(TreeLine { depth, reference, is_soft, class, id, count, subtree_bytes });
            }
            OutlineLine::Omitted { depth, child_count, subtree_bytes } => {
                tree.push(TreeLine { depth, count: child_count, subtree_bytes, ..TreeLine::default() });
            }
        }
    }
    tree
}
