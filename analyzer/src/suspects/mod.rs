//! Leak suspects of one heap: the four phases of HeapLens (*Leak Detection Algorithm*), and beside them what keeps most.
//!
//! Reading order: [`Thresholds`] (every number of the algorithm), [`Forest`] (what the phases look at), [`Structure`] (an
//! object, or a chain of equal nodes taken as one), the phases [`loaders`] (1), [`accumulation`] (2), [`individuals`] (3)
//! and [`aggregates`] (4), then [`Contents`] (what an object is full of), [`Census`] (all classes) and [`verdict`].

mod accumulation;
mod aggregates;
mod census;
mod contents;
mod forest;
mod individuals;
mod loaders;
mod structures;
mod thresholds;
mod verdict;

pub use census::{Census, ClassRow};
pub use contents::Contents;
pub use forest::Forest;
pub use structures::Structure;
pub use thresholds::{Severity, Thresholds};
pub use verdict::verdict;

use crate::heap::{ClassIdx, ObjectIdx};

/// What the phases found, and what keeps most.
#[derive(Debug)]
pub struct Suspects {
    /// In the order of the phases, each by retained size.
    pub suspects: Vec<Suspect>,
    /// What retains most and does not owe it to one thing that it dominates; the largest first.
    pub retainers: Vec<Structure>,
    /// Where memory fans out: what loses most from itself to the largest thing that it dominates. The biggest drop first.
    pub drops: Vec<Structure>,
    /// All classes.
    pub census: Census,
}

/// One suspect.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// Who.
    pub subject: Subject,
    /// What it retains.
    pub retained_bytes: u64,
    /// The same as a share of the reachable heap, in [0, 1].
    pub share: f64,
    /// How bad that is.
    pub severity: Severity,
}

/// Who is suspected.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Phases 1 and 2: a class loader, and where below it memory fans out.
    Loader {
        /// The loader.
        loader: ObjectIdx,
        /// Whether every program has it: then it is no news that it keeps most of the heap, and what lies below it is
        /// looked at as if it were not suspected.
        is_built_in: bool,
        /// Where the walk down ended.
        accumulation: ObjectIdx,
    },
    /// Phase 3: one object.
    Object(Structure),
    /// Phase 4: all instances of a class together.
    Class {
        /// The class.
        class: ClassIdx,
        /// How many instances are reachable.
        instance_count: u64,
        /// What they retain that no other suspect does.
        beyond_bytes: u64,
    },
}

/// Runs the phases.
pub fn find(forest: &Forest<'_>, thresholds: &Thresholds) -> Suspects {
    let least_bytes = thresholds.least_shown_bytes(forest.reachable_bytes());
    let structures = structures::above(forest, least_bytes);
    let mut suspects = loaders::suspects(forest, thresholds);
    suspects.extend(individuals::suspects(forest, &structures, &suspects, thresholds));
    let covering = aggregates::covering(&suspects);
    let census = census::take(forest, &covering);
    suspects.extend(aggregates::suspects(forest, &census, thresholds));
    let retainers = structures.iter().filter(|each| !thresholds.is_pass_through(each)).copied().collect();
    let is_big = |each: &Structure| each.fans_out() && each.drop_bytes() >= least_bytes;
    let mut drops: Vec<Structure> = structures.into_iter().filter(is_big).collect();
    drops.sort_by_key(|each| (std::cmp::Reverse(each.drop_bytes()), each.head));
    Suspects { suspects, retainers, drops, census }
}

/// What the object is full of; `None` where it dominates nothing.
pub fn contents(forest: &Forest<'_>, object: ObjectIdx) -> Option<Contents> {
    contents::of(forest, object)
}

/// The object, or the chain that begins with it.
pub fn structure(forest: &Forest<'_>, object: ObjectIdx) -> Structure {
    structures::of(forest, object)
}

#[cfg(test)]
mod tests;
