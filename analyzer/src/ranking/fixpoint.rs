//! Ranking step 3 (LeakBot §3.5): a candidate's rank depends on the ranks of the candidates within and around it.
//!
//! For the paper's objects that a candidate *immediately dominates*, we take the nearest candidates below it in the
//! dominator tree. Between a structure's head and its parts lie collections and arrays, which the binary metrics have
//! removed. Each reason discounts a candidate at most once, so the iteration ends.

use super::Candidate;
use crate::graph::ObjectGraph;
use crate::heap::ClassIdx;
use std::collections::BTreeMap;

/// Reasons of step 3 to halve a candidate's rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discount {
    /// F1 ≈ own rank: one good candidate within explains this one.
    SingleSubstructure,
    /// F1 = F2 above own rank: independent problems within.
    IndependentSubstructures,
    /// F1 ≠ F2: one of many candidates of the same type within a common one (Observation 4).
    OneOfMany,
    /// F3 far above own rank: an enclosing structure is the better candidate.
    EnclosingStructure,
}

impl Discount {
    /// The reason as text.
    pub fn reason(self) -> &'static str {
        match self {
            Self::SingleSubstructure => "F1: one structure within it is as good a candidate",
            Self::IndependentSubstructures => "F1 = F2: independent candidates within it",
            Self::OneOfMany => "F1 > F2: one of many candidates of its type in one structure",
            Self::EnclosingStructure => "F3: an enclosing structure is a much better candidate",
        }
    }
}

/// Ranks are reals: these are the limits for equal, "much greater", and zero.
const EQUAL_WITHIN: f64 = 0.15;
const MUCH_GREATER: f64 = 2.0;
const NOTHING: f64 = 0.05;

/// Each reason applies once, so four rounds always suffice; the paper had at most three.
const MAX_ROUNDS: usize = 4;

/// Nearest candidate above and candidates directly below, by index into the candidates.
struct Nesting {
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    class: Vec<ClassIdx>,
}

/// Discounts until no rank changes. `candidates` are in dominator-tree preorder.
pub(super) fn settle(graph: &ObjectGraph<'_>, candidates: &mut [Candidate]) {
    let nesting = Nesting::new(graph, candidates);
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for at in 0..candidates.len() {
            changed |= judge_by_substructures(at, &nesting, candidates);
            changed |= judge_by_enclosing(at, &nesting, candidates);
        }
        if !changed {
            break;
        }
    }
}

impl Nesting {
    fn new(graph: &ObjectGraph<'_>, candidates: &[Candidate]) -> Self {
        let mut parent = vec![None; candidates.len()];
        let mut children = vec![Vec::new(); candidates.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, candidate) in candidates.iter().enumerate() {
            while open
                .last()
                .is_some_and(|&above| !graph.dominators.dominates(candidates[above].object, candidate.object))
            {
                open.pop();
            }
            if let Some(&above) = open.last() {
                parent[at] = Some(above);
                children[above].push(at);
            }
            open.push(at);
        }
        let class = candidates.iter().map(|candidate| graph.heap.class_of(candidate.object)).collect();
        Self { parent, children, class }
    }

    /// F1 and F2 of a candidate, and the number of candidates of each type directly below.
    fn residues(&self, at: usize, candidates: &[Candidate]) -> (f64, f64, BTreeMap<ClassIdx, (usize, f64)>) {
        let mut by_type: BTreeMap<ClassIdx, (usize, f64)> = BTreeMap::new();
        let mut sum = 0.0;
        for &child in self.children[at].iter().filter(|&&child| candidates[child].rank > NOTHING) {
            sum += candidates[child].rank;
            let entry = by_type.entry(self.class[child]).or_default();
            *entry = (entry.0 + 1, entry.1.max(candidates[child].rank));
        }
        let by_type_sum = by_type.values().map(|entry| entry.1).sum();
        (sum, by_type_sum, by_type)
    }
}

fn judge_by_substructures(at: usize, nesting: &Nesting, candidates: &mut [Candidate]) -> bool {
    let rank = candidates[at].rank;
    let (sum, by_type_sum, by_type) = nesting.residues(at, candidates);
    if sum <= NOTHING || sum < rank * (1.0 - EQUAL_WITHIN) {
        return false;
    }
    if by_type.values().all(|entry| entry.0 == 1) {
        let reason = if by_type.len() == 1 { Discount::SingleSubstructure } else { Discount::IndependentSubstructures };
        return discount(&mut candidates[at], reason);
    }
    debug_assert!(by_type_sum < sum);
    let mut changed = false;
    for &child in &nesting.children[at] {
        if by_type.get(&nesting.class[child]).is_some_and(|entry| entry.0 > 1) {
            changed |= discount(&mut candidates[child], Discount::OneOfMany);
        }
    }
    changed
}

fn judge_by_enclosing(at: usize, nesting: &Nesting, candidates: &mut [Candidate]) -> bool {
    let enclosing = std::iter::successors(nesting.parent[at], |&above| nesting.parent[above]);
    let best = enclosing.map(|above| candidates[above].rank).fold(0.0, f64::max);
    best > candidates[at].rank * MUCH_GREATER && discount(&mut candidates[at], Discount::EnclosingStructure)
}

/// Halves the rank, unless the same reason already did.
fn discount(candidate: &mut Candidate, reason: Discount) -> bool {
    if candidate.discounts.contains(&reason) {
        return false;
    }
    candidate.discounts.push(reason);
    candidate.rank *= 0.5;
    true
}
