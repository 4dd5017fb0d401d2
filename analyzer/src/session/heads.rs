//! Heads of data structures that the agent holds by handles: the orders, and what each capture says about them.
//!
//! Numbers of handles are never used twice in a session. A replay may choose other heads than the recorded analyzer,
//! for it may have other descriptions. So it takes numbers from an order only if the recorded one was equal.

use crate::growing::WantedHead;
use crate::heap::{Heap, ObjectIdx};
use crate::marking::{self, Selecting};
use crate::structures::census::HeadHandle;
use rootbound_wire::ids::SnapshotId;
use rootbound_wire::message::{HeadsHeld, HeadsRead, ToAgent};
use std::collections::{HashMap, HashSet};

/// The handles of one session.
#[derive(Debug)]
pub(super) struct HeldHeads {
    /// The next number, from 1 on.
    next: u32,
    pending: Option<Pending>,
    /// Whether the agent holds any, and whether the latest capture read them.
    holds: bool,
    was_read: bool,
    /// The latest reading of handles.
    pub(super) read: Option<HeadsRead>,
}

/// An order without an answer.
#[derive(Debug)]
struct Pending {
    snapshot: SnapshotId,
    order: ToAgent,
    /// Each new handle, and its entry of the census.
    handles: Vec<(HeadHandle, usize)>,
    /// In a replay: whether the recorded order was this one.
    is_recorded: bool,
}

impl Default for HeldHeads {
    fn default() -> Self {
        Self { next: 1, pending: None, holds: false, was_read: false, read: None }
    }
}

impl HeldHeads {
    /// Whether the agent holds heads that the latest capture did not read. They stay as they are: it is not known which
    /// objects they are.
    pub(super) fn are_unread(&self) -> bool {
        self.holds && !self.was_read
    }

    /// The order to hold these heads and no others. The paths of marks lead to them, if they are there.
    pub(super) fn order(
        &mut self,
        heap: &Heap,
        snapshot: SnapshotId,
        wanted: &[WantedHead],
        paths: Option<&Selecting<'_>>,
    ) -> ToAgent {
        let keep = wanted.iter().filter_map(|head| Some(head.handle?.0)).collect();
        let entries: HashMap<ObjectIdx, usize> =
            wanted.iter().filter(|head| head.handle.is_none()).map(|head| (head.object, head.at)).collect();
        let fresh: Vec<ObjectIdx> =
            wanted.iter().map(|head| head.object).filter(|object| entries.contains_key(object)).collect();
        let (plan, reached) = match paths {
            Some(paths) => paths.heads(&fresh, self.next),
            None => marking::heads(heap, &fresh, self.next),
        };
        let numbered = (self.next..).map(HeadHandle).zip(&reached);
        let handles = numbered.map(|(handle, object)| (handle, entries[object])).collect();
        self.next += reached.len() as u32;
        let order = ToAgent::HoldHeads { snapshot, keep, plan };
        self.pending = Some(Pending { snapshot, order: order.clone(), handles, is_recorded: false });
        order
    }

    /// In a replay: the order that the recorded analyzer gave.
    pub(super) fn recorded(&mut self, order: &ToAgent) {
        if let Some(pending) = &mut self.pending {
            pending.is_recorded = pending.order == *order;
        }
    }

    /// The new handles that the agent holds, each with its entry of the census of the latest state.
    pub(super) fn held(&mut self, held: &HeadsHeld, is_replay: bool) -> Vec<(HeadHandle, usize)> {
        self.holds = held.held > 0;
        let answered = self.pending.take().filter(|pending| pending.snapshot == held.snapshot);
        let valid = answered.filter(|pending| held.failure.is_none() && (pending.is_recorded || !is_replay));
        let missed: HashSet<u32> = held.missed.iter().copied().collect();
        let handles = valid.into_iter().flat_map(|pending| pending.handles);
        handles.filter(|(handle, _)| !missed.contains(&handle.0)).collect()
    }

    /// The handles whose heads are dead in this capture: collected, or not reached by any GC root.
    pub(super) fn dead(&mut self, snapshot: SnapshotId, heap: &Heap) -> HashSet<HeadHandle> {
        let read = self.read.take().filter(|read| read.snapshot == snapshot);
        self.was_read = read.is_some();
        let Some(read) = read else { return HashSet::new() };
        let reached: HashSet<u32> = heap.heads().collect();
        let unreached = read.live.iter().copied().filter(|number| !reached.contains(number));
        read.dead.iter().copied().chain(unreached).map(HeadHandle).collect()
    }
}
