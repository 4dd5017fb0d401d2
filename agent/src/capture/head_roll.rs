//! Heads of data structures for the time of a walk by address: weak handles, resolved as late as possible. A handle
//! that is resolved keeps its object alive, so none is while the collector marks. In a forked child they last no longer
//! in the program than the fork takes.

use crate::identity::heads::{HeldHeads, Resolved};
use crate::jvmti::jni::Jni;
use rootbound_wire::graph::Address;
use std::cell::RefCell;

/// Heads that a walk finds again. It gives them no name, and is not led to any object by them.
pub trait HeadRoll {
    /// Holds them, for the walk begins now.
    fn hold(&self);
    /// Lets them go: the walk has begun in a child, which has handles of its own.
    fn release(&self);
    /// Visits the number and the address of each that is held. Runs inside heap callbacks.
    fn each(&self, visit: &mut dyn FnMut(u32, Address));
}

/// The heads of one connection at one capture.
pub struct HeadsAtWalk<'a> {
    jni: &'a Jni,
    heads: &'a HeldHeads,
    /// Whether handles may be resolved at this moment.
    may_resolve: &'a dyn Fn() -> bool,
    resolved: RefCell<Option<Resolved<'a>>>,
}

impl<'a> HeadsAtWalk<'a> {
    /// Before the walk; none is held yet.
    pub fn new(jni: &'a Jni, heads: &'a HeldHeads, may_resolve: &'a dyn Fn() -> bool) -> Self {
        Self { jni, heads, may_resolve, resolved: RefCell::default() }
    }

    /// Lets them go, for the walk is over. Returns the numbers of the heads that lived, and of those that did not;
    /// `None` if they were not resolved.
    pub fn read(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        self.resolved.take().map(|Resolved { live, dead, .. }| (live, dead))
    }
}

impl HeadRoll for HeadsAtWalk<'_> {
    fn hold(&self) {
        let may = !self.heads.is_empty() && (self.may_resolve)();
        *self.resolved.borrow_mut() = may.then(|| self.heads.resolve(self.jni));
    }

    fn release(&self) {
        self.resolved.borrow_mut().iter_mut().for_each(|resolved| resolved.objects.clear());
    }

    fn each(&self, visit: &mut dyn FnMut(u32, Address)) {
        let resolved = self.resolved.borrow();
        let live = resolved.iter().flat_map(|resolved| resolved.live.iter().zip(&resolved.objects));
        // Valid while they are held and the world is stopped, as in `Local::address`.
        live.for_each(|(number, object)| visit(*number, object.address()));
    }
}
