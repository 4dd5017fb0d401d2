//! Long chains: walk on from the last node known, a bounded way each visit, and look for new nodes at the head.

use super::reader::HeapReader;
use super::route::{Chain, Route};

/// What is remembered of a chain between two visits.
pub struct Frontier<H> {
    first: H,
    last: H,
    size: f64,
    ended: bool,
}

/// What one visit of a chain came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Counted so far.
    pub size: f64,
    /// Whether the end has been reached; otherwise `size` is a lower bound.
    pub ended: bool,
    /// Objects read.
    pub reads: u32,
}

struct Leg<O> {
    last: O,
    counted: f64,
    reads: u32,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Null,
    Met,
    Budget,
}

/// Visits the chain once more. `None` when it is empty or cannot be remembered; `memory` is then empty too.
pub fn visit<R: HeapReader>(
    reader: &R,
    route: &Route,
    chain: Chain,
    owner: &R::Ref,
    memory: &mut Option<Frontier<R::Held>>,
    budget: u32,
) -> Option<Progress> {
    let before = memory.take();
    let first = reader.field(0, chain.entry, owner).filter(|node| reader.admits(chain.place, node))?;
    let mut reads = 1;
    let known = before.and_then(|known| Some((reader.recall(&known.first)?, reader.recall(&known.last)?, known)));
    let (start, mut size) = match known {
        Some((known_first, known_last, known)) => {
            let head = head_growth(reader, route, chain, &first, &known_first, budget / 2);
            reads += head.reads;
            if head.end == End::Met { (Some(known_last), known.size + head.counted) } else { (None, 0.0) }
        }
        None => (None, 0.0),
    };
    let start = match start {
        Some(last) => last,
        None => {
            size = node_count(reader, route, chain, &first, &mut reads);
            reader.duplicate(&first)?
        }
    };
    let leg = walk(reader, route, chain, start, None, budget.saturating_sub(reads));
    reads += leg.reads;
    let size = size + leg.counted;
    let ended = leg.end != End::Budget;
    *memory = Some(Frontier { first: reader.hold(&first)?, last: reader.hold(&leg.last)?, size, ended });
    memory.as_ref().map(|known| Progress { size: known.size, ended: known.ended, reads })
}

/// Nodes inserted before the first node known.
fn head_growth<R: HeapReader>(
    reader: &R,
    route: &Route,
    chain: Chain,
    first: &R::Ref,
    known: &R::Ref,
    budget: u32,
) -> Leg<()> {
    let nothing = |end| Leg { last: (), counted: 0.0, reads: 0, end };
    if reader.same(first, known) {
        return nothing(End::Met);
    }
    let Some(start) = reader.duplicate(first) else { return nothing(End::Null) };
    let mut reads = 0;
    let own = node_count(reader, route, chain, first, &mut reads);
    let leg = walk(reader, route, chain, start, Some(known), budget);
    Leg { last: (), counted: leg.counted + own, reads: leg.reads + reads, end: leg.end }
}

/// Follows the links after `start`, counting each node met, with Brent's check for cycles.
fn walk<R: HeapReader>(
    reader: &R,
    route: &Route,
    chain: Chain,
    start: R::Ref,
    until: Option<&R::Ref>,
    budget: u32,
) -> Leg<R::Ref> {
    let (mut node, mut counted, mut reads) = (start, 0.0, 0);
    let (mut tortoise, mut power, mut lap) = (reader.duplicate(&node), 1_u64, 0_u64);
    let end = loop {
        if reads >= budget {
            break End::Budget;
        }
        reads += 1;
        let next = reader.field(chain.place, chain.next, &node).filter(|next| reader.admits(chain.place, next));
        let Some(next) = next else { break End::Null };
        if until.is_some_and(|until| reader.same(until, &next)) {
            break End::Met;
        }
        if tortoise.as_ref().is_some_and(|tortoise| reader.same(tortoise, &next)) {
            break End::Null;
        }
        node = next;
        counted += node_count(reader, route, chain, &node, &mut reads);
        lap += 1;
        if lap == power {
            (tortoise, power, lap) = (reader.duplicate(&node), power * 2, 0);
        }
    };
    Leg { last: node, counted, reads, end }
}

/// What one node is worth: itself, and the leaves beside its link.
fn node_count<R: HeapReader>(reader: &R, route: &Route, chain: Chain, node: &R::Ref, reads: &mut u32) -> f64 {
    let place = &route.places[chain.place];
    let mut count = f64::from(u8::from(place.counts));
    for (index, step) in place.steps.iter().enumerate().filter(|&(index, _)| index != chain.next) {
        if !step.to.iter().any(|&to| route.places[to].counts) {
            continue;
        }
        *reads += 1;
        let leaf = reader.field(chain.place, index, node).and_then(|leaf| route.admit(reader, step, &leaf));
        count += f64::from(u8::from(leaf.is_some_and(|to| route.places[to].counts)));
    }
    count
}
