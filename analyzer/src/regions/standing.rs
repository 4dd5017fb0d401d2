//! Relation of a region to the others: LeakBot's Observation 4, applied to regions.
//!
//! "Objects of type B leak under an object A, and each B is populated during a transaction": then the growth of A is
//! the leak, and the growth of each B is a captured part of an operation in progress. The same occurs among regions:
//! many of a kind that gained a few members each, or one that lies inside a member of another.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, Heap, ObjectIdx};
use std::collections::{HashMap, HashSet};

/// Whether a region is a leak of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is one of its own.
    Alone,
    /// One of this number of regions of the same leak root, type of owner and type of change-proxy, with few members
    /// each.
    OneOf(usize),
    /// This number of such regions, merged into one.
    Together(usize),
    /// Its owner is itself a member of a larger region whose members are of its members' type: a stretch of a chain or
    /// a branch of a tree.
    Part,
    /// Its members lie inside a member of another, much larger region.
    InsideMember,
}

impl Standing {
    /// Divisor of the rank: 2 for regions that are falsely identified ("discount each … by 50 %", F2 of §3.5).
    pub fn divisor(self) -> f64 {
        if matches!(self, Self::Alone | Self::Together(_)) { 1.0 } else { 2.0 }
    }

    /// Divisor of the proxy-size for the rank: merged regions rank as one of them until they are observed to grow.
    pub fn regions(self) -> f64 {
        if let Self::Together(count) = self { count as f64 } else { 1.0 }
    }
}

/// Number from which on regions of one kind may be a population.
const MANY: usize = 8;
/// A member of a population with this many times the mean is an exception, and stands alone.
const EXCEPTIONAL: f64 = 4.0;
/// A region inside a member of another stands alone unless the other has this many times its proxy-size.
const MUCH_LARGER: u64 = 4;
/// Where the newness of change-proxies is estimated, parts of new members seem to have come to old ones by chance. Then
/// a region stands inside another unless the other is this many times smaller.
const MUCH_SMALLER: u64 = 4;
/// Steps up the dominator tree, over all regions, that the search for an enclosing region may take.
const MAX_STEPS: usize = 20_000_000;
/// Change-proxies of a region whose dominators are examined.
const DOOR_SAMPLES: usize = 64;

/// Fills in [`Region::standing`].
pub(super) fn judge(graph: &ObjectGraph<'_>, regions: &mut [Region]) {
    let populations = populations(graph, regions);
    let mut above = Above { graph, by_owner: by_owner(regions), doors: HashMap::new(), steps: MAX_STEPS };
    let standings = regions.iter().map(|region| {
        let (count, members) = populations.get(&kind(graph, region)).copied().unwrap_or((1, region.proxy_size));
        if is_one_of_population(region.proxy_size, count, members) {
            Standing::OneOf(count)
        } else if above.have_as_part(region) {
            Standing::Part
        } else if above.have_inside_member(region) {
            Standing::InsideMember
        } else {
            Standing::Alone
        }
    });
    let standings: Vec<Standing> = standings.collect();
    for (region, standing) in regions.iter_mut().zip(standings) {
        region.standing = standing;
    }
}

type Kind = (ObjectIdx, ClassIdx, ClassIdx);

fn kind(graph: &ObjectGraph<'_>, region: &Region) -> Kind {
    (region.leak_root, graph.heap.class_of(region.owner), region.change_class)
}

/// Number of regions of each kind, and the sum of their proxy-sizes.
fn populations(graph: &ObjectGraph<'_>, regions: &[Region]) -> HashMap<Kind, (usize, u64)> {
    let mut populations: HashMap<Kind, (usize, u64)> = HashMap::new();
    for region in regions {
        let population = populations.entry(kind(graph, region)).or_default();
        *population = (population.0 + 1, population.1 + region.proxy_size);
    }
    populations
}

/// Many of a kind, more of them than members in each, and no exception among them. A dozen caches of a thousand are no
/// population; six thousand customers with a few history lines each are.
fn is_one_of_population(proxy_size: u64, count: usize, members: u64) -> bool {
    let mean = members as f64 / count as f64;
    count >= MANY && proxy_size < count as u64 && (proxy_size as f64) < EXCEPTIONAL * mean.max(EXCEPTIONAL)
}

/// Regions by owner.
fn by_owner(regions: &[Region]) -> HashMap<ObjectIdx, Vec<&Region>> {
    let mut by_owner: HashMap<ObjectIdx, Vec<&Region>> = HashMap::new();
    for region in regions {
        by_owner.entry(region.owner).or_default().push(region);
    }
    by_owner
}

/// The regions that may enclose another region.
struct Above<'r> {
    graph: &'r ObjectGraph<'r>,
    by_owner: HashMap<ObjectIdx, Vec<&'r Region>>,
    /// Entry points by owner and type of change-proxy, for pairs that were looked up.
    doors: HashMap<(ObjectIdx, ClassIdx), Doors>,
    steps: usize,
}

impl<'r> Above<'r> {
    fn step_up(&mut self, object: ObjectIdx) -> Option<ObjectIdx> {
        self.steps = self.steps.checked_sub(1)?;
        self.graph.dominators.immediate_dominator(object)
    }

    /// Whether the owner, or the owner of its array, is a node of a larger structure of such nodes. Skip lists and
    /// trees have nodes with many nodes below them, and none of these is a structure of its own.
    fn have_as_part(&mut self, region: &Region) -> bool {
        let heap = self.graph.heap;
        let mut node = Some(region.owner);
        while let Some(array) = node.filter(|&object| heap.is_object_array(object)) {
            node = self.graph.dominators.immediate_dominator(array);
        }
        let related = |a, b| heap.classes().is_subclass(a, b) || heap.classes().is_subclass(b, a);
        let Some(node) = node.filter(|&node| related(heap.class_of(node), region.change_class)) else { return false };
        let mut at = self.step_up(node);
        while let Some(object) = at {
            let is_whole = |other: &&Region| {
                related(other.change_class, region.change_class) && other.proxy_size >= region.proxy_size
            };
            if self.by_owner.get(&object).is_some_and(|others| others.iter().any(is_whole)) {
                return true;
            }
            at = self.step_up(object);
        }
        false
    }

    /// Whether the region lies inside a member of a much larger region. The dominators of a change-proxy must first
    /// include an object of some type, and then the owner of that larger region, whose change-proxies have this type.
    /// The one object from which all of them hang is no such member: the first index of a skip list holds the other
    /// indexes and the nodes.
    fn have_inside_member(&mut self, region: &Region) -> bool {
        let heap = self.graph.heap;
        let mut met: Vec<ClassIdx> = Vec::new();
        let Some(&first) = region.changes.first() else { return false };
        let is_certainly_new = self.graph.ages.newness(first) >= 1.0;
        let mut at = self.step_up(first);
        while let Some(object) = at.filter(|&object| object != region.leak_root) {
            let (class, below) = (heap.class_of(object), met.len());
            if !met.contains(&class) {
                met.push(class);
            }
            at = self.step_up(object);
            let meets = |other: &Region, met: &[ClassIdx]| {
                met.iter().any(|&class| heap.classes().is_subclass(class, other.change_class))
            };
            let has_member = |other: &&&'r Region| {
                let is_itself = other.owner == region.owner && other.change_class == region.change_class;
                let is_larger = if is_certainly_new {
                    other.proxy_size >= MUCH_LARGER * region.proxy_size
                } else {
                    MUCH_SMALLER * other.proxy_size >= region.proxy_size
                };
                !is_itself && is_larger && meets(other, &met)
            };
            let Some(others) = at.and_then(|above| self.by_owner.get(&above)) else { continue };
            let candidates: Vec<&Region> = others.iter().filter(has_member).copied().collect();
            let is_inside = |other: &Region| match self.doors(other).lead_to(heap, object) {
                Way::None => false,
                Way::Only => meets(other, &met[..below]),
                Way::OneOfMany => true,
            };
            if candidates.into_iter().any(is_inside) {
                return true;
            }
        }
        false
    }

    fn doors(&mut self, region: &Region) -> &Doors {
        let key = (region.owner, region.change_class);
        if !self.doors.contains_key(&key) {
            let doors = self.find_doors(region);
            self.doors.insert(key, doors);
        }
        &self.doors[&key]
    }

    fn find_doors(&mut self, region: &Region) -> Doors {
        let mut doors = Doors::default();
        let mut passed: HashSet<ObjectIdx> = HashSet::new();
        let every = region.changes.len().div_ceil(DOOR_SAMPLES).max(1);
        for &change in region.changes.iter().step_by(every) {
            let mut at = change;
            while passed.insert(at) {
                let Some(above) = self.step_up(at) else { break };
                if above == region.owner {
                    doors.objects.push(at);
                    doors.classes.insert(self.graph.heap.class_of(at));
                    break;
                }
                at = above;
            }
        }
        doors
    }
}

/// Entry points of a region: the objects that its owner dominates immediately and from which its change-proxies hang. A
/// class may hold several structures, each behind a field of its own.
#[derive(Default)]
struct Doors {
    objects: Vec<ObjectIdx>,
    classes: HashSet<ClassIdx>,
}

/// Whether objects of a region lie behind an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    None,
    /// All known ones do.
    Only,
    OneOfMany,
}

impl Doors {
    /// Whether objects of the region may lie behind this entry point: it is the only one, or has the type of one of
    /// many, of which not all are known.
    fn lead_to(&self, heap: &Heap, door: ObjectIdx) -> Way {
        match self.objects[..] {
            [only] if only == door => Way::Only,
            [_] => Way::None,
            _ if self.classes.contains(&heap.class_of(door)) => Way::OneOfMany,
            _ => Way::None,
        }
    }
}
