//! GC roots and threads (LeakBot §3.2, *GC roots*).

use super::ObjectIdx;

/// A thread by its place in [`super::Heap::threads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadIdx(pub u32);

/// A live thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its `java.lang.Thread` object.
    pub object: ObjectIdx,
    /// Its name.
    pub name: String,
}

/// One GC root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The object that it refers to.
    pub object: ObjectIdx,
    /// Its kind.
    pub kind: RootKind,
    /// The thread, for roots of a stack.
    pub thread: Option<ThreadIdx>,
    /// The frame's method, for instance `com.example.Shop.main`, for local variables.
    pub method: Option<std::sync::Arc<str>>,
    /// Frames from the top of the stack, for roots of a stack.
    pub depth: u32,
}

impl Root {
    /// The root for the mirror of a class that exists as long as the program runs.
    pub(super) fn class(mirror: ObjectIdx) -> Self {
        Self { object: mirror, kind: RootKind::Class, thread: None, method: None, depth: 0 }
    }
}

/// Kinds of GC root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// The mirror of a class that exists as long as the program runs, as far as can be known. LeakBot, appendix A,
    /// starts from *class objects* first. See [`super::HeapBuilder::finish`].
    Class,
    /// A JNI global reference.
    JniGlobal,
    /// A live thread's object.
    Thread,
    /// A local variable of a Java frame, or a JNI local reference: LeakBot's *on-stack* roots.
    OnStack,
    /// A held monitor.
    Monitor,
    /// Anything else.
    Other,
}

impl RootKind {
    /// Whether such roots come and go with the program's current activity.
    pub fn is_passing(self) -> bool {
        matches!(self, Self::OnStack | Self::Monitor)
    }
}

/// A set of root kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RootKinds(pub u8);

impl RootKinds {
    /// Adds a kind.
    pub fn insert(&mut self, kind: RootKind) {
        self.0 |= 1 << kind as u8;
    }

    /// Whether the kind is in the set.
    pub fn contains(self, kind: RootKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }
}
