//! Bytes of one change-proxy, by a random sample of a region's change-proxies.

use super::Region;
use super::plan::Hop;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use crate::relations::chain::predecessor;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::{BTreeSet, HashSet};

/// Change-proxies that are measured: the mean is then known to a sixteenth of their standard deviation.
pub const MAX_MEASURED: usize = 256;
/// Objects that the measuring of one region may examine. A larger change-proxy is counted up to this limit.
const MAX_STEPS: usize = 1_000_000;
/// Maximum of examined objects that the route counts with one change-proxy.
const MAX_BELOW: usize = 64;

/// Bytes that belong to one change-proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Footprint {
    /// Mean of the sample.
    pub bytes: f64,
    /// Its standard error; 0 where every change-proxy was measured.
    pub error: f64,
}

/// A random sample of a stream whose length is not known before its end (Vitter's algorithm R, 1985). The same stream
/// gives the same sample.
#[derive(Debug)]
pub(super) struct Reservoir {
    drawn: Vec<ObjectIdx>,
    seen: u64,
    random: SplitMix64,
}

impl Default for Reservoir {
    fn default() -> Self {
        Self { drawn: Vec::new(), seen: 0, random: SplitMix64::seed_from_u64(1) }
    }
}

impl Reservoir {
    /// The sample of a stream of at most [`MAX_MEASURED`] objects: all of them.
    pub(super) fn holding(objects: &[ObjectIdx]) -> Self {
        Self { drawn: objects.to_vec(), seen: objects.len() as u64, ..Self::default() }
    }

    /// Offers one more object of the stream.
    pub(super) fn offer(&mut self, object: ObjectIdx) {
        self.seen += 1;
        if self.drawn.len() < MAX_MEASURED {
            self.drawn.push(object);
            return;
        }
        let place = self.random.next_u64() % self.seen;
        if place < MAX_MEASURED as u64 {
            self.drawn[place as usize] = object;
        }
    }

    /// Merges the samples of both streams: from each as many as its share.
    pub(super) fn absorb(&mut self, mut other: Self) {
        let all = self.seen + other.seen;
        if self.drawn.len() + other.drawn.len() > MAX_MEASURED {
            let share = (MAX_MEASURED as u64 * self.seen).div_ceil(all) as usize;
            self.draw(share);
            other.draw(MAX_MEASURED - self.drawn.len());
        }
        self.drawn.append(&mut other.drawn);
        self.seen = all;
    }

    /// Keeps `count` objects, chosen at random.
    fn draw(&mut self, count: usize) {
        while self.drawn.len() > count {
            let place = self.random.next_u64() as usize % self.drawn.len();
            self.drawn.swap_remove(place);
        }
    }

    /// Removes the objects for which `stays` does not hold.
    pub(super) fn retain(&mut self, stays: impl Fn(ObjectIdx) -> bool) {
        self.drawn.retain(|&object| stays(object));
    }

    /// The objects that were drawn.
    pub(super) fn into_sample(self) -> Vec<ObjectIdx> {
        self.drawn
    }
}

/// Measures a region's change-proxies. `hops` are those of the route that counts them, if there is one.
pub fn footprint(graph: &ObjectGraph<'_>, region: &Region, hops: &[Hop]) -> Footprint {
    let mut scale = Scale { graph, change_class: region.change_class, hops, steps: MAX_STEPS };
    let mean = ratio_of_measured(graph, region, |change| scale.weigh(change));
    mean.map_or_else(Footprint::default, |(bytes, error)| Footprint { bytes, error })
}

/// Mean and standard error of a measure over a region's change-proxies, each weighted by its newness. The error is 0
/// where every change-proxy was measured; `None` where none is new.
pub(super) fn mean_of_measured(
    graph: &ObjectGraph<'_>,
    region: &Region,
    mut measure: impl FnMut(ObjectIdx) -> f64,
) -> Option<(f64, f64)> {
    ratio_of_measured(graph, region, |change| (measure(change), 1.0))
}

/// Mean and standard error of the ratio of the first number to the second.
fn ratio_of_measured(
    graph: &ObjectGraph<'_>,
    region: &Region,
    mut measure: impl FnMut(ObjectIdx) -> (f64, f64),
) -> Option<(f64, f64)> {
    let measured: Vec<(f64, (f64, f64))> =
        region.measured.iter().map(|&change| (graph.ages.newness(change), measure(change))).collect();
    let weight: f64 = measured.iter().map(|(weight, _)| weight).sum();
    let parts: f64 = measured.iter().map(|(weight, (_, parts))| weight * parts).sum();
    if parts <= 0.0 {
        return None;
    }
    let mean = measured.iter().map(|(weight, (all, _))| weight * all).sum::<f64>() / parts;
    let residual = |all: f64, of: f64| (all - mean * of) * weight / parts;
    let squares: f64 = measured.iter().map(|&(weight, (all, of))| weight * residual(all, of).powi(2)).sum();
    let count = measured.len() as f64;
    let is_sample = measured.len() == MAX_MEASURED && region.proxy_size > MAX_MEASURED as u64;
    let error = if is_sample { (squares / weight / (count - 1.0)).sqrt() } else { 0.0 };
    Some((mean, error))
}

struct Scale<'a, 'h> {
    graph: &'a ObjectGraph<'h>,
    change_class: ClassIdx,
    hops: &'a [Hop],
    steps: usize,
}

impl Scale<'_, '_> {
    /// Bytes of a change-proxy, and the number that the route counts for it: itself, and objects below it like the
    /// pages below a page of a B-tree. An object that is chained to it is a change-proxy by itself.
    fn weigh(&mut self, change: ObjectIdx) -> (f64, f64) {
        let (mut bytes, mut counted, mut left) = (0, 0, vec![change]);
        while let Some(part) = left.pop() {
            let further = self.counted_below(part);
            bytes += self.own_bytes(part, &further);
            counted += 1;
            let by_itself = |&&object: &&ObjectIdx| !self.is_chained_to(object, part);
            let room = MAX_BELOW.saturating_sub(counted + left.len());
            left.extend(further.iter().filter(by_itself).take(room));
        }
        (bytes as f64, counted as f64)
    }

    /// Bytes that a change-proxy dominates, without those that further ones dominate.
    fn own_bytes(&mut self, change: ObjectIdx, further: &BTreeSet<ObjectIdx>) -> u64 {
        let dominated = self.graph.dominators.subtree(change);
        let (mut bytes, mut at) = (0, 0);
        while at < dominated.len() && self.steps > 0 {
            self.steps -= 1;
            let object = dominated[at];
            if at > 0 && (further.contains(&object) || self.is_chained_to(object, change)) {
                at += self.graph.dominators.subtree(object).len();
                continue;
            }
            bytes += self.graph.heap.shallow_bytes(object);
            at += 1;
        }
        bytes
    }

    /// The next change-proxies to which the route goes on from this one.
    fn counted_below(&mut self, change: ObjectIdx) -> BTreeSet<ObjectIdx> {
        let (heap, dominators) = (self.graph.heap, &self.graph.dominators);
        let (mut counted, mut passed) = (BTreeSet::new(), HashSet::from([change]));
        let mut stack = vec![change];
        while let Some(object) = stack.pop() {
            let from = heap.class_of(object);
            let follows =
                |class, label| self.hops.iter().any(|hop| (hop.from, hop.label, hop.to) == (from, label, class));
            for (referee, label) in heap.references().labelled(object) {
                let class = heap.class_of(referee);
                if self.steps == 0 || !follows(class, label.kind()) || !dominators.dominates(change, referee) {
                    continue;
                }
                self.steps -= 1;
                if !passed.insert(referee) {
                    continue;
                }
                if heap.classes().is_subclass(class, self.change_class) {
                    counted.insert(referee);
                } else {
                    stack.push(referee);
                }
            }
        }
        counted
    }

    /// Whether an object of the same class hangs from the change-proxy: directly, by an array, or by one object between.
    fn is_chained_to(&self, object: ObjectIdx, change: ObjectIdx) -> bool {
        let class = self.graph.heap.class_of(change);
        let above = |object| self.graph.dominators.immediate_dominator(object);
        let by_one = || above(object).filter(|&link| !self.graph.heap.is_array(link)).and_then(above) == Some(change);
        predecessor(self.graph.owned(), object, class) == Some(change)
            || self.graph.heap.class_of(object) == class && by_one()
    }
}
