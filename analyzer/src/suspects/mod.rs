//! Leak suspects of one heap: the four phases of HeapLens (*Leak Detection Algorithm*), and in addition the largest
//! retainers.
//!
//! Reading order: [`Thresholds`] (every number of the algorithm), [`Forest`] (the input of the phases), [`Structure`]
//! (an object, or a chain of equal nodes taken as one). Then the phases [`loaders`] (1), [`accumulation`] (2),
//! [`individuals`] (3) and [`aggregates`] (4), [`Contents`] (the entries of an object), [`Census`] (all classes),
//! [`verdict`] and [`independence`].

mod accumulation;
mod aggregates;
mod census;
mod contents;
mod forest;
mod independence;
mod individuals;
mod loaders;
mod structures;
mod thresholds;
mod verdict;

pub use census::{Census, ClassRow};
pub use contents::Contents;
pub use forest::Forest;
pub use independence::{Relation, relations};
pub use structures::Structure;
pub use thresholds::{Severity, Thresholds};
pub use verdict::verdict;

use crate::heap::{ClassIdx, ObjectIdx};

/// Findings of the phases, and the largest retainers.
#[derive(Debug)]
pub struct Suspects {
    /// Suspects in the order of the phases, each by retained size.
    pub suspects: Vec<Suspect>,
    /// Structures that retain most, unless a single dominated object accounts for it; the largest first.
    pub retainers: Vec<Structure>,
    /// Structures where memory fans out, by the difference to the largest dominated object. The biggest drop first.
    pub drops: Vec<Structure>,
    /// All classes.
    pub census: Census,
}

/// One suspect.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspect {
    /// The suspected object, structure or class.
    pub subject: Subject,
    /// Its retained size in bytes.
    pub retained_bytes: u64,
    /// The same as a share of the reachable heap, in [0, 1].
    pub share: f64,
    /// Its severity.
    pub severity: Severity,
}

/// Kinds of suspects.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// Phases 1 and 2: a class loader, and its accumulation point.
    Loader {
        /// The loader.
        loader: ObjectIdx,
        /// Whether every program has it. Then it naturally keeps most of the heap, and the objects below it are
        /// examined as if it were not suspected.
        is_built_in: bool,
        /// The accumulation point, where the walk down ended.
        accumulation: ObjectIdx,
    },
    /// Phase 3: one instance or array.
    Object(Structure),
    /// In addition to phase 3: a class mirror, with all that the static fields of the class keep.
    Statics(Structure),
    /// Phase 4: all instances of a class together.
    Class {
        /// The class.
        class: ClassIdx,
        /// Number of reachable instances.
        instance_count: u64,
        /// Bytes that they retain and that no other suspect retains.
        beyond_bytes: u64,
        /// The instance that retains most among those that no other suspect retains.
        example: Option<ObjectIdx>,
    },
}

/// Runs the phases.
pub fn find(forest: &Forest<'_>, thresholds: &Thresholds) -> Suspects {
    let least_bytes = thresholds.least_shown_bytes(forest.reachable_bytes());
    let structures = structures::above(forest, least_bytes);
    let mut suspects = loaders::suspects(forest, thresholds);
    suspects.extend(individuals::suspects(forest, &structures, &suspects, thresholds));
    suspects.extend(individuals::statics(forest, &structures, &suspects, thresholds));
    let covering = aggregates::covering(&suspects);
    let census = census::take(forest, &covering);
    suspects.extend(aggregates::suspects(forest, &census, thresholds));
    let retainers = structures.iter().filter(|each| !thresholds.is_pass_through(each)).copied().collect();
    let is_big = |each: &Structure| each.fans_out() && each.drop_bytes() >= least_bytes;
    let mut drops: Vec<Structure> = structures.into_iter().filter(is_big).collect();
    drops.sort_by_key(|each| (std::cmp::Reverse(each.drop_bytes()), each.head));
    Suspects { suspects, retainers, drops, census }
}

/// The contents of the object; `None` if it dominates nothing.
pub fn contents(forest: &Forest<'_>, object: ObjectIdx) -> Option<Contents> {
    contents::of(forest, object)
}

/// The object, or the chain that begins with it.
pub fn structure(forest: &Forest<'_>, object: ObjectIdx) -> Structure {
    structures::of(forest, object)
}

#[cfg(test)]
mod tests;
