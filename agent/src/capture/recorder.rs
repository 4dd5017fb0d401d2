//! The walk by address: what is seen becomes records of the graph's stream, first the roots, then the references. It runs
//! inside heap callbacks and in a forked child, so it neither allocates nor locks nor calls the JVM.

use super::bounds::Bounds;
use super::coder::Coder;
use super::failure::Failure;
use super::methods::MethodSet;
use super::roots::{Held, Roots};
use crate::faults::{Corruption, Panic};
use crate::jvmti::class_word::MirrorMark;
use crate::jvmti::heap::Next;
use crate::jvmti::notes::Note;
use crate::jvmti::peek::{Sight, SightVisitor};
use crate::os::ring::{Gauge, Pen};

/// Writes what one capture sees.
pub struct Recorder<'m> {
    roots: Roots<'m>,
    coder: Coder<'m>,
    panic: Panic,
}

impl<'m> Recorder<'m> {
    /// A recorder for a capture.
    pub fn new(held: Held<'m>, pen: Pen<'m>, bounds: Bounds, (corruption, panic): (Corruption, Panic)) -> Self {
        let roots = Roots::new(held, MethodSet::new(pen.methods()));
        Self { roots, coder: Coder::new(held.roll.count(), pen, bounds, corruption), panic }
    }

    /// See [`Roots::know_only`].
    pub fn know_only(&mut self, methods: &[u64]) {
        self.roots.know_only(methods);
    }

    /// Memory that it holds, besides the ring.
    pub fn bytes(&self) -> u64 {
        self.coder.bytes() + Roots::bytes()
    }

    /// Hands over what is left; the walk has ended, here or in the child.
    pub fn finish(self) {
        self.coder.finish();
    }

    fn root(&mut self, sight: &Sight) -> Next {
        let Self { roots, coder, .. } = self;
        coder.record(|coder| {
            coder.make_room()?;
            let next = roots.record(coder, sight);
            coder.commit(0);
            Ok(next)
        })
    }

    fn end_roots(&mut self) -> Next {
        let Self { roots, coder, .. } = self;
        coder.record(|coder| roots.end(coder).map(|()| Next::Continue))
    }
}

impl SightVisitor for Recorder<'_> {
    fn begin(&mut self) {
        self.panic.go_off();
    }

    fn set_out(&mut self) {
        self.coder.begin(self.roots.held());
    }

    #[inline]
    fn visit(&mut self, sight: &Sight) -> Next {
        let Some(referrer) = sight.referrer else { return self.root(sight) };
        if !self.roots.are_over() && self.end_roots() == Next::Abort {
            return Next::Abort;
        }
        let is_mirror = self.roots.class_word().is_mirror(sight);
        self.coder.tell(&[sight.noted(referrer, is_mirror)])
    }

    fn may_note(&self) -> Option<MirrorMark> {
        self.roots.are_over().then(|| self.roots.class_word().mark())
    }

    fn visit_noted(&mut self, notes: &[Note]) -> Next {
        self.coder.tell(notes)
    }

    fn misread(&mut self) {
        self.coder.give_up(Failure::Layout);
    }
}

/// Why the walk failed, as its shared memory says.
pub fn failure(gauge: Gauge<'_>) -> Option<Failure> {
    Failure::of(gauge.failure())
}
