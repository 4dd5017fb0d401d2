//! Walks over the heap: the callbacks as the JVM wants them, turned into calls of safe visitors.
//!
//! A visitor runs on a JVM thread with the world stopped: it must not allocate, lock, call the JVM or panic. Should it
//! panic all the same, the panic ends here, the walk is aborted and [`WalkError::Panicked`] says so.

use super::abi::{
    HeapCallbacks, IndexInfo, LocalInfo, ReferenceCallback, ReferenceInfo, ReferenceKind, VISIT_ABORT, VISIT_OBJECTS,
};
use super::env::{Env, JvmtiError};
use super::functions::jvmti;
use super::jni::Local;
use crate::guard::panics::contain_in_callback;
use jni_sys::{jint, jlong, jobject};
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::AssertUnwindSafe;

/// The next step after a visit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Continue,
    /// Go on, but not because of this reference into this object.
    Leave,
    /// End the walk now.
    Abort,
}

/// The reason why a walk did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The JVM refused.
    #[error(transparent)]
    Jvmti(#[from] JvmtiError),
    /// The visitor panicked.
    #[error("the agent's heap visitor panicked")]
    Panicked,
    /// No child could be forked.
    #[error("no child could be forked: {0}")]
    Fork(std::io::Error),
}

/// The origin of a reference: the specification's kind, with the JVM's information about it.
#[derive(Clone, Copy)]
pub struct Origin {
    /// Its kind.
    pub kind: ReferenceKind,
    /// Field or array index; 0 for kinds without one.
    pub index: u32,
    /// Thread tag, frame depth and method; only for stack locals and JNI locals.
    pub stack: Option<(i64, u32, u64)>,
}

/// One reference, as `FollowReferences` reports it.
pub struct Edge<'a> {
    /// Its origin.
    pub origin: Origin,
    /// Tag of the referee's class.
    pub class_tag: i64,
    /// Tag of the referrer's class; 0 for roots.
    pub referrer_class_tag: i64,
    /// Shallow size of the referee.
    pub size_bytes: u64,
    /// Elements of the referee, when it is an array.
    pub array_length: Option<u32>,
    /// The referee's tag.
    pub tag: &'a Cell<i64>,
    /// The referrer's tag (the same cell for a reference to itself); `None` for roots.
    pub referrer: Option<&'a Cell<i64>>,
}

/// Sees references.
pub trait EdgeVisitor {
    /// One reference.
    fn visit(&mut self, edge: &Edge<'_>) -> Next;
}

/// Sees objects.
pub trait ObjectVisitor {
    /// One object: the tag of its class, and its own.
    fn visit(&mut self, class_tag: i64, tag: &Cell<i64>) -> Next;
}

struct Guarded<'v, V> {
    visitor: &'v mut V,
    panicked: bool,
}

impl<V> Guarded<'_, V> {
    fn run(&mut self, visit: impl FnOnce(&mut V) -> Next) -> Next {
        contain_in_callback(AssertUnwindSafe(|| visit(self.visitor))).unwrap_or_else(|| {
            self.panicked = true;
            Next::Abort
        })
    }
}

impl Origin {
    /// # Safety
    /// `info` is the JVM's argument for `kind`.
    pub(super) unsafe fn read(kind: ReferenceKind, info: *const ReferenceInfo) -> Self {
        let (mut index, mut stack) = (0, None);
        match kind {
            _ if kind.has_index() && !info.is_null() => {
                // SAFETY: the variant of these kinds.
                index = unsafe { *info.cast::<IndexInfo>() }.index.max(0) as u32;
            }
            ReferenceKind::STACK_LOCAL | ReferenceKind::JNI_LOCAL if !info.is_null() => {
                // SAFETY: both variants begin with these four fields.
                let local = unsafe { *info.cast::<LocalInfo>() };
                stack = Some((local.thread_tag, local.depth.max(0) as u32, local.method as usize as u64));
            }
            _ => {}
        }
        Self { kind, index, stack }
    }
}

pub(super) fn outcome(next: Next) -> jint {
    match next {
        Next::Continue => VISIT_OBJECTS,
        Next::Leave => 0,
        Next::Abort => VISIT_ABORT,
    }
}

unsafe extern "C" fn on_reference<V: EdgeVisitor>(
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
    // SAFETY: `user` is the guard that `follow_references` lent for the walk; the tag pointers are valid during the
    // callback and may be the same, which cells allow.
    let (guard, edge) = unsafe {
        let edge = Edge {
            origin: Origin::read(kind, info),
            class_tag,
            referrer_class_tag,
            size_bytes: size.max(0) as u64,
            array_length: u32::try_from(length).ok(),
            tag: &*tag.cast::<Cell<i64>>(),
            referrer: referrer_tag.cast::<Cell<i64>>().as_ref(),
        };
        (&mut *user.cast::<Guarded<'_, V>>(), edge)
    };
    outcome(guard.run(|visitor| visitor.visit(&edge)))
}

unsafe extern "C" fn on_object<V: ObjectVisitor>(
    class_tag: jlong,
    _size: jlong,
    tag: *mut jlong,
    _length: jint,
    user: *mut c_void,
) -> jint {
    // SAFETY: as in `on_reference`.
    let (guard, tag) = unsafe { (&mut *user.cast::<Guarded<'_, V>>(), &*tag.cast::<Cell<i64>>()) };
    outcome(guard.run(|visitor| visitor.visit(class_tag, tag)))
}

impl Env {
    /// Follows every reference from the roots. One stop of the program, in one thread, until the end or an abort.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn follow_references<V: EdgeVisitor>(&self, visitor: &mut V) -> Result<(), WalkError> {
        let mut guard = Guarded { visitor, panicked: false };
        self.follow(on_reference::<V>, std::ptr::from_mut(&mut guard).cast())?;
        if guard.panicked { Err(WalkError::Panicked) } else { Ok(()) }
    }

    /// Follows every reference from one object, which is not reported itself. One stop of the program.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn follow_from<V: EdgeVisitor>(&self, start: &Local<'_>, visitor: &mut V) -> Result<(), WalkError> {
        let mut guard = Guarded { visitor, panicked: false };
        self.follow_in(start.raw(), on_reference::<V>, std::ptr::from_mut(&mut guard).cast())?;
        if guard.panicked { Err(WalkError::Panicked) } else { Ok(()) }
    }

    /// The walk itself; `user` is what `callback` takes it for.
    pub(super) fn follow(&self, callback: ReferenceCallback, user: *mut c_void) -> Result<(), WalkError> {
        self.follow_in(std::ptr::null_mut(), callback, user)
    }

    fn follow_in(&self, start: jobject, callback: ReferenceCallback, user: *mut c_void) -> Result<(), WalkError> {
        let callbacks = HeapCallbacks { reference: Some(callback), ..HeapCallbacks::default() };
        let any_class: jobject = std::ptr::null_mut();
        jvmti!(self.raw, FollowReferences(0, any_class, start, &callbacks, user))?;
        Ok(())
    }

    /// Sees every object of the heap, reachable or not. One stop of the program.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn iterate_heap<V: ObjectVisitor>(&self, visitor: &mut V) -> Result<(), WalkError> {
        self.iterate(std::ptr::null_mut(), visitor)
    }

    /// Sees every instance of a class, those of its subclasses left out, reachable or not. One stop of the program.
    ///
    /// # Errors
    /// See [`WalkError`].
    pub fn iterate_instances<V: ObjectVisitor>(&self, class: &Local<'_>, visitor: &mut V) -> Result<(), WalkError> {
        self.iterate(class.raw(), visitor)
    }

    fn iterate<V: ObjectVisitor>(&self, class: jobject, visitor: &mut V) -> Result<(), WalkError> {
        let callbacks = HeapCallbacks { iteration: Some(on_object::<V>), ..HeapCallbacks::default() };
        let mut guard = Guarded { visitor, panicked: false };
        jvmti!(self.raw, IterateThroughHeap(0, class, &callbacks, std::ptr::from_mut(&mut guard).cast()))?;
        if guard.panicked { Err(WalkError::Panicked) } else { Ok(()) }
    }
}
