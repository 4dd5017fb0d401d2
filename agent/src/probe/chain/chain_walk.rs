//! One visit's walk along a chain: from node to node, counting, within the visit's budget. Remembers nothing.

use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::probe::route::shape::Link;

/// A chain as one visit sees it.
pub struct ChainWalk<'v, R: HeapReader> {
    pub(in crate::probe) reader: &'v R,
    route: &'v Route,
    link: Link,
    /// Place of the nodes.
    place: usize,
    /// The first node: a circle comes back to it.
    pub(in crate::probe) first: R::Ref,
    /// Objects read so far.
    pub(in crate::probe) reads: u32,
    budget: u32,
}

/// The result of a walk.
pub struct Leg<O> {
    /// The last node reached; the start when nothing followed it.
    pub last: O,
    /// The node before the last, and the members that the last counts as; only when both were met after the start.
    pub before_last: Option<(O, f64)>,
    /// Members met after the start.
    pub counted: f64,
    /// Nodes met after the start.
    pub hops: u32,
    /// The reason for the walk's end.
    pub end: End,
}

/// The reason for a walk's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// No node follows, or the circle is closed.
    Last,
    /// The node looked for was met; it is not counted.
    Met,
    /// The budget is used up.
    Budget,
}

impl<'v, R: HeapReader> ChainWalk<'v, R> {
    /// Goes to the first node. `None` when there is none.
    pub fn begin(reader: &'v R, (route, link): (&'v Route, Link), owner: &R::Ref, budget: u32) -> Option<Self> {
        let (first, stem) = (route.follow(reader, owner)?, &route.shape.stem);
        Some(Self { reader, route, link, place: stem.place, first, reads: stem.prefix.len() as u32, budget })
    }

    /// Reads left in `share` of the visit's budget, at most what is left of the whole.
    pub fn left(&self, share: u32) -> u32 {
        share.min(self.budget.saturating_sub(self.reads))
    }

    /// The whole budget.
    pub fn budget(&self) -> u32 {
        self.budget
    }

    /// The members that the first node counts as.
    pub fn worth_of_first(&mut self) -> f64 {
        let first = self.reader.duplicate(&self.first);
        first.map_or(0.0, |first| self.worth(&first))
    }

    /// Follows the links after `start`, counting each node met, with Brent's check for cycles (1980).
    pub fn follow(&mut self, start: R::Ref, until: Option<&R::Ref>, budget: u32) -> Leg<R::Ref> {
        let reader = self.reader;
        let limit = self.reads.saturating_add(self.left(budget));
        let (mut node, mut before_last, mut counted, mut hops) = (start, None, 0.0, 0);
        let (mut tortoise, mut power, mut lap) = (reader.duplicate(&node), 1_u64, 0_u64);
        let end = loop {
            if self.reads >= limit {
                break End::Budget;
            }
            let Some(next) = self.next(&node) else { break End::Last };
            if until.is_some_and(|until| reader.same(until, &next)) {
                break End::Met;
            }
            let is_met = |before: &R::Ref| reader.same(before, &next);
            if is_met(&self.first) || tortoise.as_ref().is_some_and(is_met) {
                break End::Last;
            }
            let before = std::mem::replace(&mut node, next);
            let worth = self.worth(&node);
            before_last = (hops > 0).then_some((before, worth));
            (counted, hops, lap) = (counted + worth, hops + 1, lap + 1);
            if lap == power {
                (tortoise, power, lap) = (reader.duplicate(&node), power * 2, 0);
            }
        };
        Leg { last: node, before_last, counted, hops, end }
    }

    /// The node behind this one.
    fn next(&mut self, node: &R::Ref) -> Option<R::Ref> {
        let (reader, route) = (self.reader, self.route);
        self.reads += 1;
        let mut next = route.read(reader, self.place, self.link.next, node)?;
        if let Some(between) = self.link.between {
            self.reads += 1;
            next = route.read(reader, between, 0, &reader.admits(between, &next).then_some(next)?)?;
        }
        reader.admits(self.place, &next).then_some(next)
    }

    /// The members that one node counts as: itself, and the leaves next to its link.
    fn worth(&mut self, node: &R::Ref) -> f64 {
        let (reader, route) = (self.reader, self.route);
        let place = &route.places[self.place];
        let mut count = f64::from(u8::from(place.counts));
        for (index, step) in place.steps.iter().enumerate().filter(|&(index, _)| index != self.link.next) {
            if !step.to.iter().any(|&to| route.places[to].counts) {
                continue;
            }
            self.reads += 1;
            let leaf = route.read(reader, self.place, index, node).and_then(|leaf| route.admit(reader, step, &leaf));
            count += f64::from(u8::from(leaf.is_some_and(|to| route.places[to].counts)));
        }
        count
    }
}
