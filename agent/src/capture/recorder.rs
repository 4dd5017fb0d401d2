//! The walk by address: turns first the roots and then the references into records of the graph's stream. It runs
//! inside heap callbacks and in a forked child, so it neither allocates nor locks nor calls the JVM.

use super::bounds::Bounds;
use super::coder::Coder;
use super::failure::Failure;
use super::methods::MethodSet;
use super::roots::{Held, Roots};
use crate::faults::{Corruption, Panic};
use crate::jvmti::class_word::MirrorMark;
use crate::jvmti::heap::Next;
use crate::jvmti::notes::PendingReference;
use crate::jvmti::peek::{AddressedReference, AddressedVisitor};
use crate::os::ring::{RingCounters, RingWriter};

/// Writes the roots and references of one capture.
pub struct Recorder<'m> {
    roots: Roots<'m>,
    coder: Coder<'m>,
    panic: Panic,
}

impl<'m> Recorder<'m> {
    /// A recorder for a capture.
    pub fn new(
        held: Held<'m>,
        writer: RingWriter<'m>,
        bounds: Bounds,
        (corruption, panic): (Corruption, Panic),
    ) -> Self {
        let roots = Roots::new(held, MethodSet::new(writer.methods()));
        Self { roots, coder: Coder::new(held.held_objects.count(), writer, bounds, corruption), panic }
    }

    /// See [`Roots::know_only`].
    pub fn know_only(&mut self, methods: &[u64]) {
        self.roots.know_only(methods);
    }

    /// Memory that it holds, in addition to the ring.
    pub fn bytes(&self) -> u64 {
        self.coder.bytes() + Roots::bytes()
    }

    /// Hands over the rest; the walk has ended, here or in the child.
    pub fn finish(self) {
        self.coder.finish();
    }

    fn root(&mut self, reference: &AddressedReference) -> Next {
        let Self { roots, coder, .. } = self;
        coder.record(|coder| {
            coder.make_room()?;
            let next = roots.record(coder, reference);
            coder.commit(0);
            Ok(next)
        })
    }

    fn end_roots(&mut self) -> Next {
        let Self { roots, coder, .. } = self;
        coder.record(|coder| roots.end(coder).map(|()| Next::Continue))
    }
}

impl AddressedVisitor for Recorder<'_> {
    fn begin(&mut self) {
        self.panic.go_off();
    }

    fn walk_started(&mut self) {
        self.coder.begin(self.roots.held());
        self.roots.begin();
    }

    #[inline]
    fn visit(&mut self, reference: &AddressedReference) -> Next {
        let Some(referrer) = reference.referrer else { return self.root(reference) };
        if !self.roots.are_over() && self.end_roots() == Next::Abort {
            return Next::Abort;
        }
        let is_mirror = self.roots.class_word().is_mirror(reference);
        self.coder.code(&[reference.pending(referrer, is_mirror)])
    }

    fn may_batch(&self) -> Option<MirrorMark> {
        self.roots.are_over().then(|| self.roots.class_word().mark())
    }

    fn visit_pending(&mut self, pending: &[PendingReference]) -> Next {
        self.coder.code(pending)
    }

    fn misread(&mut self) {
        self.coder.give_up(Failure::Layout);
    }
}

/// The reason why the walk failed, from its shared memory.
pub fn failure(counters: RingCounters<'_>) -> Option<Failure> {
    Failure::of(counters.failure())
}
