//! What one change-proxy costs: the bytes that go with it, by a random sample of a region's change-proxies.

use super::Region;
use crate::graph::ObjectGraph;
use crate::heap::ObjectIdx;

/// Change-proxies that are measured: the mean is then known to a sixteenth of their standard deviation.
pub const MAX_MEASURED: usize = 256;
/// Objects that the measuring of one region may look at. A change-proxy that is larger is counted as far as this.
const MAX_STEPS: usize = 1_000_000;

/// Bytes that go with one change-proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Footprint {
    /// Mean of the sample.
    pub bytes: f64,
    /// Its standard error; 0 where every change-proxy was measured.
    pub error: f64,
}

/// A random sample of a stream whose length nobody knows before its end (Vitter's algorithm R, 1985). The same stream
/// gives the same sample.
#[derive(Debug)]
pub(super) struct Reservoir {
    drawn: Vec<ObjectIdx>,
    seen: u64,
    state: u64,
}

impl Default for Reservoir {
    fn default() -> Self {
        Self { drawn: Vec::new(), seen: 0, state: 1 }
    }
}

impl Reservoir {
    /// One more of the stream.
    pub(super) fn offer(&mut self, object: ObjectIdx) {
        self.seen += 1;
        if self.drawn.len() < MAX_MEASURED {
            self.drawn.push(object);
            return;
        }
        let place = self.random() % self.seen;
        if place < MAX_MEASURED as u64 {
            self.drawn[place as usize] = object;
        }
    }

    /// The sample of both streams: of each as many as its share.
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

    /// Keeps so many, chosen at random.
    fn draw(&mut self, count: usize) {
        while self.drawn.len() > count {
            let place = self.random() as usize % self.drawn.len();
            self.drawn.swap_remove(place);
        }
    }

    /// What was drawn.
    pub(super) fn into_sample(self) -> Vec<ObjectIdx> {
        self.drawn
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

/// Measures a region's change-proxies.
pub fn footprint(graph: &ObjectGraph<'_>, region: &Region) -> Footprint {
    let mut steps = MAX_STEPS;
    let mean = mean_of_measured(graph, region, |change| bytes_of(graph, change, &mut steps) as f64);
    mean.map_or_else(Footprint::default, |(bytes, error)| Footprint { bytes, error })
}

/// Mean and standard error of what is measured of a region's change-proxies, each weighing as much as it is new. The error
/// is 0 where every change-proxy was measured; `None` where none is new.
pub(super) fn mean_of_measured(
    graph: &ObjectGraph<'_>,
    region: &Region,
    mut measure: impl FnMut(ObjectIdx) -> f64,
) -> Option<(f64, f64)> {
    let measured: Vec<(f64, f64)> =
        region.measured.iter().map(|&change| (graph.ages.newness(change), measure(change))).collect();
    let weight: f64 = measured.iter().map(|(weight, _)| weight).sum();
    if weight <= 0.0 {
        return None;
    }
    let mean = measured.iter().map(|(weight, each)| weight * each).sum::<f64>() / weight;
    let squares: f64 = measured.iter().map(|(weight, each)| weight * (each - mean).powi(2)).sum();
    let count = measured.len() as f64;
    let is_sample = measured.len() == MAX_MEASURED && region.proxy_size > MAX_MEASURED as u64;
    let error = if is_sample { (squares / weight / (count - 1.0)).sqrt() } else { 0.0 };
    Some((mean, error))
}

/// Bytes of what a change-proxy dominates, without what further nodes chained to it do: the rest of a list is no part of
/// its first node.
fn bytes_of(graph: &ObjectGraph<'_>, change: ObjectIdx, steps: &mut usize) -> u64 {
    let dominated = graph.dominators.subtree(change);
    let (mut bytes, mut at) = (0, 0);
    while at < dominated.len() && *steps > 0 {
        *steps -= 1;
        let object = dominated[at];
        if at > 0 && is_chained_to(graph, object, change) {
            at += graph.dominators.subtree(object).len();
            continue;
        }
        bytes += graph.heap.shallow_bytes(object);
        at += 1;
    }
    bytes
}

/// Whether an object of the same class hangs from the change-proxy, directly or by an array.
fn is_chained_to(graph: &ObjectGraph<'_>, object: ObjectIdx, change: ObjectIdx) -> bool {
    super::collect::follows(graph, object, graph.heap.class_of(change)) == Some(change)
}
