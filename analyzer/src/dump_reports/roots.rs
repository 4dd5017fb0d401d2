//! HeapRoots: filtered, sorted, and with their trees on request.

use super::OnPhase;
use super::tree;
use super::words::Words;
use crate::heap::{Heap, ObjectIdx, Root};
use crate::heap_roots::{HeapRoot, HeapRoots, OutlineLimits, Outlines, Positions, Softness};
use crate::naming::Pattern;
use crate::report::dump::{DumpFile, RootLine, RootsReport, SCHEMA};
use crate::structure_size::{TargetError, object_with_id};
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
    /// The id of one object whose tree is wanted instead of those of roots.
    pub from: Option<String>,
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

/// Searches and selects the roots, or one object.
///
/// # Errors
/// [`TargetError`]: `from` is the id of no object.
pub fn roots(
    heap: &Heap,
    dump: DumpFile,
    wanted: &RootsWanted,
    on_phase: OnPhase<'_>,
) -> Result<RootsReport, TargetError> {
    let from = wanted.from.as_ref().map(|id| object_with_id(heap, id)).transpose()?;
    on_phase("searching from the roots");
    let found = HeapRoots::new(heap);
    let softness = Softness::new(heap);
    let words = Words::new(heap);
    let counts = softness.counts();
    let artificial_count = found.roots().iter().filter(|root| root.is_artificial).count() as u64;
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
        from: wanted.from.clone(),
        chosen_count: 0,
        roots: Vec::new(),
    };
    let gc_roots = gc_roots(heap);
    let gc_root = |object: ObjectIdx| gc_roots.get(&object).map(|root| words.root(root));
    let positions = (wanted.tree.is_some() || from.is_some()).then(|| Positions::new(heap, &found));
    let chosen = match (from, &positions) {
        (Some(object), Some(positions)) => vec![(object, one(&words, positions, object))],
        _ => {
            let roots = chosen(&words, found.roots(), wanted);
            report.chosen_count = roots.len() as u64;
            roots.into_iter().take(wanted.limit).map(|root| (root.object, line(&words, root))).collect()
        }
    };
    for (object, line) in chosen {
        let mut line = RootLine { gc_root: gc_root(object), ..line };
        if let (Some(limits), Some(positions)) = (wanted.tree, &positions) {
            let outline = Outlines { heap, positions, softness: &softness }.below(object, limits);
            line.is_cut = outline.is_cut;
            line.tree = Some(tree::lines(&words, &outline.lines));
        }
        report.roots.push(line);
    }
    Ok(report)
}

/// By object: the first GC root that refers to it directly.
fn gc_roots(heap: &Heap) -> HashMap<ObjectIdx, &Root> {
    let mut gc_roots = HashMap::new();
    for root in heap.roots() {
        gc_roots.entry(root.object).or_insert(root);
    }
    gc_roots
}

fn chosen<'r>(words: &Words<'_>, roots: &'r [HeapRoot], wanted: &RootsWanted) -> Vec<&'r HeapRoot> {
    let mut chosen: Vec<&HeapRoot> = roots.iter().filter(|root| wanted.chooses(words, root)).collect();
    wanted.sort.sort(words, &mut chosen);
    chosen
}

/// One object of the user's choice, which may be a root.
fn one(words: &Words<'_>, positions: &Positions<'_>, object: ObjectIdx) -> RootLine {
    let owner = positions.owner(object);
    if owner.object == object {
        return line(words, owner);
    }
    RootLine {
        id: words.id(object),
        class: words.name(object),
        kind: "inner",
        owner: words.id(owner.object),
        descendant_count: u64::from(positions.descendant_count(object)),
        shallow_bytes: words.heap.shallow_bytes(object),
        subtree_bytes: positions.subtree_bytes(object),
        maximum_depth: u64::from(positions.maximum_depths()[object.at()]),
        ..RootLine::default()
    }
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
        owner: words.id(root.object),
        descendant_count: u64::from(root.descendant_count),
        shallow_bytes: words.heap.shallow_bytes(root.object),
        subtree_bytes: root.subtree_bytes,
        maximum_depth: u64::from(root.maximum_depth),
        ..RootLine::default()
    }
}
