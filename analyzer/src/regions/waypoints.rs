//! Owner-proxy and change-proxy of every member of one leak root, in one pass over its dominator subtree.
//!
//! The best candidates are carried down the tree, never looked for again along each path, so that a list of a million
//! nodes costs a million steps. A *run* is a stretch of a leak path on one side of the fringe. Within a run only its
//! ends can hold the best object: the first and the last that is no array, and the first and the last of another type
//! than those (for owners, which must not be of the change-proxy's type).

use super::ratios::{NEW_LIFETIME, OLD_LIFETIME};
use crate::graph::ObjectGraph;
use crate::heap::{ClassIdx, ObjectIdx};

/// An index into the subtree's slice of the preorder.
type Local = u32;
const NONE: Local = u32::MAX;

/// State for each object on the path.
#[derive(Clone, Copy)]
struct State {
    /// Index of the summary above the run to which it belongs.
    run: u32,
    /// First object of the run.
    top: Local,
    /// First object of the run, on the path to here, that is no array; and the first of another type.
    high: [Local; 2],
    /// Last such objects.
    low: [Local; 2],
    /// Index of the summary above the runs that begin immediately below this object, on the other side, once one did.
    below: u32,
}

/// Summary of the path above a run. A million new members immediately below one old array begin a million runs, which
/// share it.
#[derive(Clone)]
struct Run {
    /// Fringe crossings from the leak root.
    crossings: u32,
    /// Change-proxies in closed runs: object, 1/|d|, crossings at its run; the ratio falls from entry to entry, since
    /// a later entry is nearer and an earlier one is kept only for a higher ratio.
    changes: Vec<(Local, f64, u32)>,
    /// The best owners of two different types in closed runs.
    owners: [Option<(Local, f64)>; 2],
    /// Last old object before the first crossing: the owner when no better one exists.
    fallback: Local,
}

/// The change-proxy and the owner-proxy of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waypoints {
    pub(super) member: ObjectIdx,
    pub(super) change: ObjectIdx,
    pub(super) owner: ObjectIdx,
}

struct Pass<'a, 'h> {
    graph: &'a ObjectGraph<'h>,
    subtree: &'a [ObjectIdx],
    start: u32,
    /// States of the objects on the path from the leak root to the current one; in preorder a dominator is always among
    /// them.
    states: Vec<State>,
    runs: Vec<Run>,
}

/// Calls `found` for each new member below `leak_root` whose leak path crosses the fringe, in preorder.
pub(super) fn for_each_member(graph: &ObjectGraph<'_>, leak_root: ObjectIdx, mut found: impl FnMut(Waypoints)) {
    let subtree = graph.dominators.subtree(leak_root);
    let mut pass =
        Pass { graph, subtree, start: graph.dominators.position(leak_root), states: Vec::new(), runs: Vec::new() };
    for local in 0..subtree.len() as Local {
        pass.enter(local);
        if let Some(waypoints) = pass.waypoints(local) {
            found(waypoints);
        }
    }
}

impl Pass<'_, '_> {
    fn object(&self, local: Local) -> ObjectIdx {
        self.subtree[local as usize]
    }

    fn depth(&self, local: Local) -> u32 {
        self.graph.dominators.depth(self.object(local))
    }

    fn class(&self, local: Local) -> ClassIdx {
        self.graph.heap.class_of(self.object(local))
    }

    fn is_new(&self, local: Local) -> bool {
        self.graph.ages.is_new(self.object(local))
    }

    /// Computes the state of the next object of the preorder from its dominator's.
    fn enter(&mut self, local: Local) {
        let parent = if local == 0 { None } else { self.graph.dominators.immediate_dominator(self.object(local)) };
        let state = match parent.map(|parent| self.graph.dominators.position(parent) - self.start) {
            None => {
                self.runs.push(Run::first());
                State::beginning(0, local)
            }
            Some(parent) if self.is_new(parent) == self.is_new(local) => State { below: NONE, ..*self.state(parent) },
            Some(parent) => State::beginning(self.run_below(parent), local),
        };
        let state = self.with_itself(state, local);
        self.states.truncate(self.level(local));
        self.states.push(state);
    }

    /// Steps from the leak root down the dominator tree.
    fn level(&self, local: Local) -> usize {
        (self.depth(local) - self.depth(0)) as usize
    }

    /// State of the current object, or of one that dominates it.
    fn state(&self, local: Local) -> &State {
        &self.states[self.level(local)]
    }

    fn with_itself(&self, mut state: State, local: Local) -> State {
        if self.graph.ages.is_transient(self.graph.heap, self.object(local)) {
            return state;
        }
        let differs = |other: Local| other != NONE && self.class(other) != self.class(local);
        if state.high[0] == NONE {
            state.high[0] = local;
        } else if state.high[1] == NONE && differs(state.high[0]) {
            state.high[1] = local;
        }
        if differs(state.low[0]) {
            state.low[1] = state.low[0];
        }
        state.low[0] = local;
        state
    }

    /// Index of the summary above the runs that begin immediately below `parent`.
    fn run_below(&mut self, parent: Local) -> u32 {
        let level = self.level(parent);
        if self.states[level].below == NONE {
            self.states[level].below = self.runs.len() as u32;
            self.runs.push(self.close_run_at(parent));
        }
        self.states[level].below
    }

    /// Summary above a run whose path leaves the run of `bottom` immediately below `bottom`.
    fn close_run_at(&self, bottom: Local) -> Run {
        let state = *self.state(bottom);
        let closed = &self.runs[state.run as usize];
        let mut run = closed.clone();
        run.crossings += 1;
        let ends = [state.low[0], state.low[1], state.high[0], state.high[1]];
        for end in ends.into_iter().filter(|&end| end != NONE) {
            let distance = self.distance_in_closed_run(end, state.top, bottom);
            if self.is_new(bottom) {
                run.offer_change(end, NEW_LIFETIME / distance, closed.crossings);
            } else {
                let value = OLD_LIFETIME / distance / (1.0 + f64::from(closed.crossings));
                self.offer_owner(&mut run, end, value);
            }
        }
        if run.fallback == NONE && !self.is_new(bottom) {
            run.fallback = bottom;
        }
        run
    }

    /// |d| of an object in a run from `top` to `bottom`. Nothing lies above the leak root, the top of the first run.
    fn distance_in_closed_run(&self, local: Local, top: Local, bottom: Local) -> f64 {
        let depth = self.depth(local);
        let down = self.depth(bottom) - depth + 1;
        let up = if top == 0 { u32::MAX } else { depth - self.depth(top) + 1 };
        f64::from(down.min(up))
    }

    fn offer_owner(&self, run: &mut Run, local: Local, value: f64) {
        let class = self.class(local);
        let same_type = |held: Option<(Local, f64)>| held.is_some_and(|(held, _)| self.class(held) == class);
        let better = |held: Option<(Local, f64)>| held.is_none_or(|(_, best)| value > best);
        let [first, second] = run.owners;
        if better(first) {
            run.owners = [Some((local, value)), if same_type(first) { second } else { first }];
        } else if !same_type(first) && better(second) {
            run.owners[1] = Some((local, value));
        }
    }

    fn waypoints(&self, local: Local) -> Option<Waypoints> {
        let state = self.state(local);
        let run = &self.runs[state.run as usize];
        if run.crossings == 0 || !self.is_new(local) {
            return None;
        }
        let change = self.change_proxy(state, run);
        let owner = self.owner_proxy(run, self.class(change));
        Some(Waypoints { member: self.object(local), change: self.object(change), owner: self.object(owner) })
    }

    /// Definition 4: the best of the current run (nothing lies below it yet) against the best of closed ones. When all
    /// are arrays, whose ratio is 0, it is the first of the run: the largest.
    fn change_proxy(&self, state: &State, run: &Run) -> Local {
        let (mut best, mut ratio) = (state.top, 0.0);
        for &(local, inverse, crossings) in &run.changes {
            let value = inverse / (1.0 + f64::from(run.crossings - crossings));
            if value > ratio {
                (best, ratio) = (local, value);
            }
        }
        let high = state.high[0];
        if high != NONE && NEW_LIFETIME / f64::from(self.depth(high) - self.depth(state.top) + 1) > ratio {
            best = high;
        }
        best
    }

    fn owner_proxy(&self, run: &Run, change_class: ClassIdx) -> Local {
        let fits = |held: &&Option<(Local, f64)>| held.is_some_and(|(local, _)| self.class(local) != change_class);
        let best = run.owners.iter().find(fits).copied().flatten().map(|(local, _)| local);
        best.unwrap_or(if run.fallback == NONE { 0 } else { run.fallback })
    }
}

impl State {
    /// State before the first object of a run has been entered.
    fn beginning(run: u32, top: Local) -> Self {
        Self { run, top, high: [NONE; 2], low: [NONE; 2], below: NONE }
    }
}

impl Run {
    fn first() -> Self {
        Self { crossings: 0, changes: Vec::new(), owners: [None; 2], fallback: NONE }
    }

    /// Keeps earlier entries only while they have the higher ratio: with more crossings to come, a later entry with
    /// at least the same ratio always stays ahead.
    fn offer_change(&mut self, local: Local, inverse: f64, crossings: u32) {
        if self.changes.last().is_some_and(|last| last.2 == crossings && last.1 >= inverse) {
            return;
        }
        while self.changes.last().is_some_and(|last| last.1 <= inverse) {
            self.changes.pop();
        }
        self.changes.push((local, inverse, crossings));
    }
}

#[cfg(test)]
#[path = "waypoints_tests.rs"]
mod tests;
