//! Co-evolving Regions (LeakBot §4): parts of a leaking structure that evolve in one coherent way.
//!
//! [`ratios`] states Definitions 3 and 4 for one leak path; [`waypoints`] finds the same owner- and change-proxies for
//! all members at once, in one pass over the dominator tree; [`collect`] groups members by region key (Definitions 5
//! and 6); [`crate::relations`] decides which are leaks of their own, [`together`] merges many small ones into one, and
//! [`rank`] orders them; [`path`] and [`route`] describe their places, and [`objects_at()`] finds what is there;
//! [`footprint()`] weighs them, [`entries()`] counts the entries of each change-proxy, [`capacity()`] the slots of arrays
//! that are never replaced, [`full_like_siblings()`] the size of others in its array, and [`clearable()`] the
//! change-proxies that the collector will let go; [`plan`] derives the traversal that will follow them. [`buffers()`] are
//! structures without new members: one array each, and [`many_buffers`] are many small ones of one kind.

mod at_place;
mod buffers;
mod capacity;
mod clearable;
mod collect;
mod entries;
mod footprint;
mod many_buffers;
pub mod path;
pub mod plan;
pub mod rank;
pub mod ratios;
mod route;
mod siblings;
mod together;
mod waypoints;

pub use at_place::objects_at;
pub use buffers::{Buffer, BufferLengths, buffers};
pub use capacity::capacity;
pub use clearable::{Backlog, Clearable, clearable, clearable_now};
pub use entries::{Entries, entries};
pub use footprint::{Footprint, MAX_MEASURED, footprint};
pub use siblings::full_like_siblings;

use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use crate::ranking::{self, Ranking};
use crate::relations::{self, Outline, Standing};
use rank::Footing;
use rustc_hash::FxHashSet;

/// One region: the members under a leak root that share an owner-proxy and the type of their change-proxy.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// L of the region key: the best-ranked candidate that owns the region.
    pub leak_root: ObjectIdx,
    /// Its leakroot rank.
    pub leak_root_rank: f64,
    /// O of the region key.
    pub owner: ObjectIdx,
    /// Type of C; of related types the most general that occurs.
    pub change_class: ClassIdx,
    /// Definition 6: distinct change-proxies.
    pub proxy_size: u64,
    /// Definition 6: members.
    pub dump_size: u64,
    /// Bytes of the members.
    pub dump_bytes: u64,
    /// Some of the change-proxies, at most [`MAX_CHANGE_SAMPLES`].
    pub changes: Vec<ObjectIdx>,
    /// A random sample of the change-proxies, at most [`MAX_MEASURED`], of which [`footprint()`] takes the bytes.
    pub measured: Vec<ObjectIdx>,
    /// Member types with number and bytes, the most bytes first, at most [`MAX_MEMBER_TYPES`].
    pub members: Vec<(ClassIdx, u64, u64)>,
    /// Relation to the other regions.
    pub standing: Standing,
    /// Region rank by the snapshots alone (LeakBot §4.2).
    pub rank: f64,
}

impl Region {
    /// Basis of its rank.
    #[must_use]
    pub fn footing(&self) -> Footing {
        Footing { leak_root_rank: self.leak_root_rank, divisor: self.standing.discount() }
    }

    /// The properties on which its relations depend.
    #[must_use]
    pub fn outline(&self) -> Outline<'_> {
        Outline {
            leak_root: self.leak_root,
            owner: self.owner,
            change_class: self.change_class,
            proxy_size: self.proxy_size,
            changes: &self.changes,
        }
    }
}

/// Change-proxies kept as examples for the probe plan.
pub const MAX_CHANGE_SAMPLES: usize = 4096;
/// Member types kept for people to read.
pub const MAX_MEMBER_TYPES: usize = 4;

/// Rank as a leak root of an object that owned nothing at T1. LeakBot gives it none.
const RANK_OF_BEGUN: f64 = 0.1;
/// Objects that an owner may own whose regions are to be planned soon: a plan searches below it.
const MOST_OF_AN_OWNER: usize = 4_000_000;
/// Objects that owned nothing at T1 below which regions are sought.
const MOST_BEGUN: usize = 16;

/// All regions below the ranked candidates, by falling rank.
///
/// One region may lie below several nested candidates: it is reported under the best-ranked of them.
pub fn find(graph: &ObjectGraph<'_>, ranking: &Ranking) -> Vec<Region> {
    below(graph, ranking.candidates.iter().map(|candidate| (candidate.object, candidate.rank)))
}

/// Regions that have begun since T1, by falling rank: their leak roots owned nothing then.
pub fn find_begun(graph: &ObjectGraph<'_>, ranking: &Ranking) -> Vec<Region> {
    below(graph, ranking.begun.iter().take(MOST_BEGUN).map(|&object| (object, RANK_OF_BEGUN)))
}

/// Regions, by falling rank, that are none of many and no part of another, and whose plans take little time.
pub fn find_alone(graph: &ObjectGraph<'_>) -> Vec<Region> {
    let is_small = |region: &Region| graph.dominators.subtree(region.owner).len() <= MOST_OF_AN_OWNER;
    let is_alone = |region: &Region| matches!(region.standing, Standing::Alone | Standing::Together(_));
    let mut regions = find(graph, &ranking::rank(graph));
    regions.retain(|region| is_alone(region) && is_small(region));
    regions
}

/// Leaves out the regions that are among others, too.
pub fn leave_out(regions: &mut Vec<Region>, others: &[Region]) {
    let known: FxHashSet<_> = others.iter().map(key).collect();
    regions.retain(|region| !known.contains(&key(region)));
}

/// The region key without its leak root.
fn key(region: &Region) -> (ObjectIdx, ClassIdx) {
    (region.owner, region.change_class)
}

/// All regions below these leak roots, whose ranks fall.
fn below(graph: &ObjectGraph<'_>, roots: impl Iterator<Item = (ObjectIdx, f64)>) -> Vec<Region> {
    let mut regions = collect::collect(graph, roots);
    let outlines: Vec<Outline<'_>> = regions.iter().map(Region::outline).collect();
    let standings = relations::standings(graph, &outlines);
    regions.iter_mut().zip(standings).for_each(|(region, standing)| region.standing = standing);
    regions.extend(together::gather(graph, &regions));
    for region in &mut regions {
        let size = region.proxy_size as f64 / region.standing.regions();
        region.rank = region.footing().rank(size, rank::Evolution::Unknown);
    }
    regions.sort_by(|a, b| b.rank.total_cmp(&a.rank).then(b.proxy_size.cmp(&a.proxy_size)).then(a.owner.cmp(&b.owner)));
    regions
}
