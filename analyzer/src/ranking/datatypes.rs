//! Types of the objects that candidates own: T4, and the values of G7 and G8 (LeakBot §3.3, §3.4).
//!
//! Candidates nest like their subtrees. Each object is counted once, for the innermost candidate above it; a
//! candidate's counts then flow into the candidate that encloses it, the smaller table into the larger.

use super::attributes::Attributes;
use super::binary::NOTHING;
use super::turnover::Turnover;
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};
use rustc_hash::FxHashMap;

/// Types of owned objects, compared over age.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Datatypes {
    /// Share of the new objects owned whose type occurs among the old ones, in [0, 1]. Arrays of references, which are
    /// parts of structures, are left out.
    pub intersection: f64,
    /// Share of the most frequent type on the fringe, in [0, 1].
    pub fringe_uniformity: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct TypeCount {
    old: f64,
    new: f64,
    fringe: f64,
    /// Number of old ones that are gone, according to the marks.
    gone: f64,
}

#[derive(Debug, Default)]
struct TypeTable {
    counts: FxHashMap<ClassIdx, TypeCount>,
}

impl TypeTable {
    fn count(&mut self, graph: &ObjectGraph<'_>, object: ObjectIdx) {
        let count = self.counts.entry(graph.heap.class_of(object)).or_default();
        let newness = graph.ages.newness(object);
        count.new += newness;
        count.old += 1.0 - newness;
        count.fringe += graph.fringe.weight(&graph.ages, object);
    }

    /// Adds the objects that the object held at T1, whether they still exist or not.
    fn remember(&mut self, turnover: &Turnover<'_>, object: ObjectIdx) {
        for &(class, count) in turnover.held(object) {
            self.counts.entry(class).or_default().gone += f64::from(count);
        }
    }

    fn absorb(&mut self, mut other: Self) {
        if other.counts.len() > self.counts.len() {
            std::mem::swap(&mut self.counts, &mut other.counts);
        }
        for (class, more) in other.counts {
            let count = self.counts.entry(class).or_default();
            count.old += more.old;
            count.new += more.new;
            count.fringe += more.fringe;
            count.gone += more.gone;
        }
    }

    /// Compares old and new types. `None` if T4 rules the object out: no type is common to both. Contents that were
    /// replaced as a whole since T1, as in a queue, are no initialisation, and pass.
    fn compare(&self, graph: &ObjectGraph<'_>) -> Option<Datatypes> {
        // Sums of weights depend on their order, and a hash map has none.
        let mut counts: Vec<(ClassIdx, TypeCount)> =
            self.counts.iter().map(|(&class, &count)| (class, count)).collect();
        counts.sort_unstable_by_key(|&(class, _)| class);
        let objects = counts.iter().filter(|(class, _)| !graph.heap.classes().get(*class).is_object_array());
        let (mut common, mut new, mut replaced) = (0.0, 0.0, 0.0);
        for (_, count) in objects {
            new += count.new;
            common += if count.old < NOTHING { 0.0 } else { count.new };
            replaced += if count.gone < NOTHING { 0.0 } else { count.new };
        }
        let fringe: f64 = counts.iter().map(|(_, count)| count.fringe).sum();
        let most = counts.iter().map(|(_, count)| count.fringe).fold(0.0, f64::max);
        (common.max(replaced) >= NOTHING)
            .then(|| Datatypes { intersection: ratio(common, new), fringe_uniformity: ratio(most, fringe) })
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole < NOTHING { 0.0 } else { part / whole }
}

/// Compares the types of the objects that each candidate owns, and drops candidates that T4 rules out. `candidates` are
/// in dominator-tree preorder, and so is the result.
pub(super) fn describe(
    graph: &ObjectGraph<'_>,
    candidates: Vec<(ObjectIdx, Attributes)>,
) -> Vec<(ObjectIdx, Attributes, Datatypes)> {
    let turnover = Turnover::new(graph.heap);
    let mut compared: Vec<Option<Datatypes>> = vec![None; candidates.len()];
    let mut open: Vec<(usize, usize, TypeTable)> = Vec::new();
    let mut next = 0;
    for (position, &object) in graph.dominators.preorder().iter().enumerate() {
        close_until(graph, position, &mut open, &mut compared);
        if let Some((_, _, table)) = open.last_mut() {
            table.count(graph, object);
        }
        if candidates.get(next).is_some_and(|candidate| candidate.0 == object) {
            let end = position + graph.dominators.subtree(object).len();
            open.push((next, end, TypeTable::default()));
            next += 1;
        }
        if let Some((_, _, table)) = open.last_mut() {
            table.remember(&turnover, object);
        }
    }
    close_until(graph, usize::MAX, &mut open, &mut compared);
    let kept = candidates.into_iter().zip(compared);
    kept.filter_map(|((object, attributes), types)| Some((object, attributes, types?))).collect()
}

/// Closes every candidate whose subtree ends at or before `position`.
fn close_until(
    graph: &ObjectGraph<'_>,
    position: usize,
    open: &mut Vec<(usize, usize, TypeTable)>,
    compared: &mut [Option<Datatypes>],
) {
    while open.last().is_some_and(|(_, end, _)| *end <= position) {
        let Some((candidate, _, table)) = open.pop() else { return };
        compared[candidate] = table.compare(graph);
        if let Some((_, _, outer)) = open.last_mut() {
            outer.absorb(table);
        }
    }
}
