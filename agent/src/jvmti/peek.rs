//! Walks by address: reads the addresses that `FollowReferences` does not pass, next to its arguments.
//!
//! HotSpot hands a heap callback pointers into a small object on the stack, which also holds the object that the tag
//! belongs to: `[object][size][tag][class tag]` for the referee, `[object][tag][class tag]` for the referrer, in words.
//! (Read in 11, 17, 21 and 25.) The layout is no contract: in every callback the neighbours are compared with the
//! JVM's arguments, and planted objects prove the addresses.

use super::abi::{ReferenceInfo, ReferenceKind, VISIT_OBJECTS};
use super::class_word::MirrorMark;
use super::env::Env;
use super::heap::{Next, Origin, WalkError, outcome};
use super::notes::{CallbackArgs, Outcome, PendingReference, ReferenceBatch, WORD_BYTES};
use crate::guard::panics::claim_thread;
use crate::os::fork::{self, ForkOrder, Forked, Side};
use jni_sys::{jint, jlong};
use rootbound_wire::graph::Address;
use std::ffi::c_void;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// One reference or root, with addresses.
#[derive(Clone, Copy)]
pub struct AddressedReference {
    /// Its origin.
    pub origin: Origin,
    referee: Address,
    /// The tag of the object referred to.
    pub tag: i64,
    /// Its shallow size.
    pub size_bytes: u64,
    /// Its elements, when it is an array.
    pub array_length: Option<u32>,
    /// The object that refers; `None` for roots.
    pub referrer: Option<Address>,
}

impl AddressedReference {
    /// The object referred to.
    #[inline]
    pub fn referee(&self) -> Address {
        self.referee
    }

    /// A reference from this object, as a pending reference. `is_mirror`: whether the object referred to shows the
    /// mirrors' word.
    #[inline]
    pub fn pending(&self, referrer: Address, is_mirror: bool) -> PendingReference {
        PendingReference {
            referrer,
            referee: self.referee,
            tag: self.tag,
            size_words: (self.size_bytes / WORD_BYTES) as u32,
            length: self.array_length.map_or(-1, |length| length as jint),
            index: self.origin.index,
            kind: self.origin.kind.0 as u16,
            is_mirror,
        }
    }
}

/// Receives references by address. Runs as described in [`super::heap`], and in a forked child too.
pub trait AddressedVisitor {
    /// Before the first reference, with the world stopped; in the parent of a fork.
    fn begin(&mut self) {}
    /// The walk starts: before the first reference, with the world stopped, on the side that walks.
    fn walk_started(&mut self);
    /// One reference or root.
    fn visit(&mut self, reference: &AddressedReference) -> Next;
    /// Whether references may be stored from now on and visited in batches; if so, the word that mirrors show.
    fn may_batch(&self) -> Option<MirrorMark>;
    /// References that were stored, in their order among all references. The last ones come after the walk, when
    /// objects may lie elsewhere.
    fn visit_pending(&mut self, pending: &[PendingReference]) -> Next;
    /// The stack is not as it should be; the walk ends.
    fn misread(&mut self);
}

/// The side on which the walk goes on.
#[derive(Debug)]
pub enum Walked {
    /// It has ended, here.
    Here,
    /// In a child, which must be watched and ended.
    InChild(Forked),
}

/// The batch comes first: most callbacks need nothing else.
#[repr(C)]
struct Walk<'v, 'f, V> {
    batch: ReferenceBatch,
    visitor: &'v mut V,
    /// Fork before the first reference.
    fork: Option<ForkOrder<'f>>,
    has_begun: bool,
    forked: Option<io::Result<Forked>>,
    panicked: bool,
}

impl<V: AddressedVisitor> Walk<'_, '_, V> {
    /// Millions of times a second in a child: the thread was claimed once, at the beginning.
    #[inline]
    fn run(&mut self, visit: impl FnOnce(&mut V, &mut ReferenceBatch) -> Next) -> Next {
        catch_unwind(AssertUnwindSafe(|| visit(self.visitor, &mut self.batch))).unwrap_or_else(|_| {
            self.panicked = true;
            Next::Abort
        })
    }

    /// Visits the stored references.
    #[inline]
    fn visit_batch(&mut self) -> Next {
        if self.batch.is_open() { self.visit_taken() } else { Next::Continue }
    }

    #[inline(never)]
    fn visit_taken(&mut self) -> Next {
        let next = self.run(|visitor, batch| match batch.take() {
            [] => Next::Continue,
            pending => visitor.visit_pending(pending),
        });
        if next == Next::Abort {
            self.batch.close();
        }
        next
    }

    /// Visits one reference by itself; later ones may come in batches.
    #[inline]
    fn see(&mut self, reference: &AddressedReference) -> Next {
        let next = self.run(|visitor, _| visitor.visit(reference));
        if next != Next::Abort
            && self.fork.is_none()
            && !self.batch.is_open()
            && let Some(mirrors) = self.visitor.may_batch()
        {
            self.batch.open(mirrors);
        }
        next
    }

    /// Once, at the first callback.
    fn begin(&mut self) -> Next {
        self.has_begun = true;
        claim_thread();
        let ready = self.run(|visitor, _| {
            visitor.begin();
            Next::Continue
        });
        if ready == Next::Abort {
            return Next::Abort;
        }
        match self.fork.as_mut().map(fork::fork) {
            Some(Ok(Side::Parent(child))) => {
                self.forked = Some(Ok(child));
                return Next::Abort;
            }
            Some(Err(error)) => {
                self.forked = Some(Err(error));
                return Next::Abort;
            }
            Some(Ok(Side::Child)) | None => {}
        }
        self.run(|visitor, _| {
            visitor.walk_started();
            Next::Continue
        })
    }
}

/// Words on the stack around the tags: the object referred to, and the one that refers.
///
/// # Safety
/// The arguments are those of a heap callback; `referrer_tag` may be null.
#[inline]
unsafe fn peek(
    args: (jlong, jlong, jlong),
    tag: *const jlong,
    referrer_tag: *const jlong,
) -> Option<(Address, Option<Address>)> {
    let (class_tag, referrer_class_tag, size) = args;
    // SAFETY: words of the JVM's stack next to a live object on it; wherever they belong to, they can be read.
    let (object, size_beside, class_beside) = unsafe { (*tag.sub(2), *tag.sub(1), *tag.add(1)) };
    if size_beside != size || class_beside != class_tag {
        return None;
    }
    let referee = sound(object)?;
    if referrer_tag.is_null() {
        return Some((referee, None));
    }
    if std::ptr::eq(referrer_tag, tag) {
        return (class_tag == referrer_class_tag).then_some((referee, Some(referee)));
    }
    // SAFETY: as above.
    let (object, class_beside) = unsafe { (*referrer_tag.sub(1), *referrer_tag.add(1)) };
    let referrer = sound(object)?;
    (class_beside == referrer_class_tag).then_some((referee, Some(referrer)))
}

#[inline]
fn sound(word: jlong) -> Option<Address> {
    (word != 0 && word & 7 == 0).then_some(Address(word as u64))
}

unsafe extern "C" fn on_reference<V: AddressedVisitor>(
    kind: ReferenceKind,
    info: *const ReferenceInfo,
    class_tag: jlong,
    referrer_class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    length: jint,
    user: *mut c_void,
) -> jint {
    // SAFETY: `user` is the walk that `follow_by_address` passed (the child has a copy); the batch is its beginning.
    // The arguments are the callback's.
    unsafe {
        let args = CallbackArgs { kind, info, class_tag, referrer_class_tag, size, tag, referrer_tag, length };
        match (*user.cast::<ReferenceBatch>()).add(args) {
            Outcome::Stored => VISIT_OBJECTS,
            Outcome::Full => outcome((*user.cast::<Walk<'_, '_, V>>()).visit_taken()),
            // With the same arguments: so nothing needs to be kept for it.
            Outcome::NeedsSlowPath => on_reference_slowly::<V>(
                kind,
                info,
                class_tag,
                referrer_class_tag,
                size,
                tag,
                referrer_tag,
                length,
                user,
            ),
        }
    }
}

/// Handles all references that are not stored: roots, every reference in a child, and inconsistent ones.
#[inline(never)]
unsafe extern "C" fn on_reference_slowly<V: AddressedVisitor>(
    kind: ReferenceKind,
    info: *const ReferenceInfo,
    class_tag: jlong,
    referrer_class_tag: jlong,
    size: jlong,
    tag: *mut jlong,
    referrer_tag: *mut jlong,
    length: jint,
    user: *mut c_void,
) -> jint {
    // SAFETY: as in `on_reference`.
    let walk = unsafe { &mut *user.cast::<Walk<'_, '_, V>>() };
    let mut next = if walk.has_begun { walk.visit_batch() } else { walk.begin() };
    if next == Next::Continue {
        // SAFETY: the arguments are the callback's; the tag of the referee is never null.
        next = unsafe {
            match peek((class_tag, referrer_class_tag, size), tag, referrer_tag) {
                Some((referee, referrer)) => {
                    let origin = Origin::read(kind, info);
                    let (size_bytes, array_length) = (size.max(0) as u64, u32::try_from(length).ok());
                    walk.see(&AddressedReference { origin, referee, tag: *tag, size_bytes, array_length, referrer })
                }
                None => {
                    walk.visitor.misread();
                    Next::Abort
                }
            }
        };
    }
    if next == Next::Abort && fork::is_child() {
        fork::leave(fork::EXIT_GAVE_UP);
    }
    outcome(next)
}

unsafe extern "C" fn on_nothing(
    _kind: ReferenceKind,
    _info: *const ReferenceInfo,
    _class_tag: jlong,
    _referrer_class_tag: jlong,
    _size: jlong,
    _tag: *mut jlong,
    _referrer_tag: *mut jlong,
    _length: jint,
    user: *mut c_void,
) -> jint {
    // SAFETY: `user` is the counter that `follow_and_count` passed.
    unsafe { *user.cast::<u64>() += 1 };
    VISIT_OBJECTS
}

impl Env {
    /// Follows every reference from the roots, by address. Without `fork` this is one pause of the program until the
    /// end or an abort. With it the program is paused for the fork alone, and the visitor's copy in the child receives
    /// the rest.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn follow_by_address<V: AddressedVisitor>(
        &self,
        visitor: &mut V,
        fork: Option<ForkOrder<'_>>,
    ) -> Result<Walked, WalkError> {
        let batch = ReferenceBatch::closed();
        let mut walk = Walk { batch, visitor, fork, has_begun: false, forked: None, panicked: false };
        let followed = self.follow(on_reference::<V>, std::ptr::from_mut(&mut walk).cast());
        match walk.forked {
            // There is a child now, even if the JVM reports an error.
            Some(Ok(child)) => return Ok(Walked::InChild(child)),
            Some(Err(error)) => return Err(WalkError::Fork(error)),
            None => followed?,
        }
        walk.visit_batch();
        if walk.panicked { Err(WalkError::Panicked) } else { Ok(Walked::Here) }
    }

    /// Follows every reference and only counts: the JVM's part of the time of a walk.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn follow_and_count(&self) -> Result<u64, WalkError> {
        let mut count = 0_u64;
        self.follow(on_nothing, std::ptr::from_mut(&mut count).cast())?;
        Ok(count)
    }
}
