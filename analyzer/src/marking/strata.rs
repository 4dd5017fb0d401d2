//! The objects that are marked by sample: objects of one class below one container, and the sample size for each such
//! stratum.

use super::paths::Paths;
use super::random::Random;
use crate::graph::{BitSet, DominatorTree, Referrers, for_each_below, takes_age_of_holders};
use crate::heap::{Heap, ObjectIdx};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::HashMap;

/// An object that is a member of no stratum.
const NO_STRATUM: u32 = u32::MAX;

/// A container before it has a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Roots,
    Object(ObjectIdx),
    /// A mirror, by the index of the class's name.
    Mirror(u32),
}

/// An unfinished stratum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) below: Name,
    /// Index of the class's name.
    pub(super) class: u32,
    pub(super) count: usize,
    /// Number of its objects that a path reaches.
    reached: usize,
}

/// All strata of a heap.
pub(super) struct Strata<'a> {
    heap: &'a Heap,
    dominators: &'a DominatorTree,
    containers: BitSet,
    pub(super) leaves_inherit: bool,
    /// Class names, sorted.
    pub(super) names: Vec<String>,
    /// Number of held classes of each name.
    pub(super) held_classes: Vec<u32>,
    /// By class: index of its name.
    name_of: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// By position in the preorder: the index of the object's stratum, or [`NO_STRATUM`].
    stratum_at: Vec<u32>,
    /// The container that each container is below.
    pub(super) below: HashMap<ObjectIdx, Name>,
}

impl<'a> Strata<'a> {
    /// Counts the members of each stratum.
    pub(super) fn new(
        (heap, referrers, dominators): (&'a Heap, &'a Referrers, &'a DominatorTree),
        paths: &Paths,
        containers: &[ObjectIdx],
        leaves_inherit: bool,
    ) -> Self {
        let mut is_container = BitSet::new(heap.object_count());
        for object in containers {
            is_container.insert(object.at());
        }
        let (names, name_of) = class_names(heap);
        let mut held_classes = vec![0; names.len()];
        let held = heap.classes().iter().zip(&name_of).filter(|((_, class), _)| heap.is_held(class));
        held.for_each(|(_, &name)| held_classes[name as usize] += 1);
        let has_age_of_its_own = |&object: &ObjectIdx| !takes_age_of_holders(heap, referrers, object, leaves_inherit);
        let counts: Vec<bool> = dominators.preorder().par_iter().map(has_age_of_its_own).collect();
        let (groups, stratum_at, below) = (Vec::new(), Vec::new(), HashMap::new());
        let containers = is_container;
        let mut strata = Self {
            heap,
            dominators,
            containers,
            leaves_inherit,
            names,
            held_classes,
            name_of,
            groups,
            stratum_at,
            below,
        };
        strata.count(paths, &counts);
        strata
    }

    /// Assigns each member its stratum. Mirrors and containers are no members; neither are objects that take the age of
    /// their holders: those for which `counts`, in preorder, is false.
    fn count(&mut self, paths: &Paths, counts: &[bool]) {
        let (mut groups, mut below) = (Vec::new(), HashMap::new());
        let mut index: FxHashMap<(Name, u32), u32> = FxHashMap::default();
        let mut stratum_at = Vec::with_capacity(counts.len());
        let container = |object: ObjectIdx| {
            let mirror = self.heap.class_of_mirror(object).map(|class| Name::Mirror(self.name_of[class.at()]));
            mirror.or_else(|| self.containers.contains(object.at()).then_some(Name::Object(object)))
        };
        for_each_below(self.dominators, Name::Roots, container, |object, above, itself| {
            if let Some(Name::Object(_)) = itself {
                below.insert(object, above);
            }
            if itself.is_some() || !counts[stratum_at.len()] {
                return stratum_at.push(NO_STRATUM);
            }
            let key = (above, self.class_name(object));
            let at = *index.entry(key).or_insert(groups.len() as u32);
            if at as usize == groups.len() {
                groups.push(Group { below: key.0, class: key.1, count: 0, reached: 0 });
            }
            let group: &mut Group = &mut groups[at as usize];
            group.count += 1;
            group.reached += usize::from(paths.reach(object));
            stratum_at.push(at);
        });
        (self.groups, self.stratum_at, self.below) = (groups, stratum_at, below);
    }

    /// Index of the name of the object's class.
    pub(super) fn class_name(&self, object: ObjectIdx) -> u32 {
        self.name_of[self.heap.class_of(object).at()]
    }

    /// At most `budget` members that paths reach, with their strata. Each member of a stratum has the same chance.
    pub(super) fn draw(&self, paths: &Paths, budget: usize, seed: u64) -> Vec<(ObjectIdx, u32)> {
        let mut left = self.allot(budget);
        let mut unseen: Vec<usize> = self.groups.iter().map(|group| group.reached).collect();
        let mut random = Random::new(seed);
        let mut drawn = Vec::new();
        for (&object, &group) in self.dominators.preorder().iter().zip(&self.stratum_at) {
            if group == NO_STRATUM || !paths.reach(object) {
                continue;
            }
            let (left, unseen) = (&mut left[group as usize], &mut unseen[group as usize]);
            // Knuth's algorithm S: sampling without replacement from a sequence of known length.
            if random.chance(*left as u64, *unseen as u64) {
                *left -= 1;
                drawn.push((object, group));
            }
            *unseen -= 1;
        }
        drawn
    }

    /// The sample size of each stratum: in proportion to the root of its size, and at most all of it. Marks in
    /// proportion to sizes would leave none for the many small strata, and equal numbers too few for a large one (M. D.
    /// Bankier, *Power allocations*, The American Statistician 42, 1988).
    fn allot(&self, budget: usize) -> Vec<usize> {
        let mut allotted = vec![0; self.groups.len()];
        let mut open: Vec<usize> = (0..self.groups.len()).collect();
        let mut left = budget as f64;
        let share = loop {
            let share = left.max(0.0) / open.iter().map(|&at| self.root(at)).sum::<f64>();
            let (all, some): (Vec<usize>, Vec<usize>) = open.iter().partition(|&&at| self.root(at) <= share);
            for &at in &all {
                allotted[at] = self.groups[at].reached;
                left -= allotted[at] as f64;
            }
            open = some;
            if all.is_empty() || open.is_empty() {
                break share;
            }
        };
        let mut carried = 0.5;
        for at in open {
            carried += share * self.root(at);
            allotted[at] = carried as usize;
            carried -= allotted[at] as f64;
        }
        allotted
    }

    fn root(&self, at: usize) -> f64 {
        (self.groups[at].reached as f64).sqrt()
    }
}

/// All names of classes, sorted, and for each class the index of its name.
fn class_names(heap: &Heap) -> (Vec<String>, Vec<u32>) {
    let mut names: Vec<String> = heap.classes().iter().map(|(_, class)| class.name.clone()).collect();
    names.sort_unstable();
    names.dedup();
    let index = |name: &String| names.binary_search(name).unwrap_or(0) as u32;
    let name_of = heap.classes().iter().map(|(_, class)| index(&class.name)).collect();
    (names, name_of)
}
