//! The roots of a walk by address, which come before all references. They are recorded, and used to learn two things
//! that the rest of the walk builds on: that handles hold the right addresses, and how mirrors are recognized. Inside
//! heap callbacks and in a forked child: no allocation, no lock, no call to the JVM.

use super::coder::Coder;
use super::failure::Failure;
use super::methods::MethodSet;
use super::roll::HeldObjects;
use super::seen::{RecentAddresses, SeenIds};
use crate::jvmti::abi::ReferenceKind;
use crate::jvmti::class_word::ClassWord;
use crate::jvmti::heap::{Next, Origin};
use crate::jvmti::peek::AddressedReference;
use crate::jvmti::sentinels::Sentinels;
use rootbound_wire::graph::{Address, Shape, StreamRoot};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::MOST_HEADS;

/// Roots that are remembered until it is known how mirrors are recognized. Where there are more, a mirror without a
/// name may go unreported, and the capture does not prove itself.
const EARLY: usize = 4 << 10;

/// The objects that the agent holds while it captures.
#[derive(Clone, Copy)]
pub struct Held<'m> {
    /// Classes and threads.
    pub held_objects: &'m HeldObjects<'m>,
    /// The planted objects.
    pub planted: &'m Sentinels<'m>,
    /// Frames at the top of the stack of the thread that captures whose local variables are no roots of the program:
    /// the calls that led to this capture. 0 in a thread of the agent.
    pub own_frames: u32,
}

/// The knowledge from the roots seen so far.
pub struct Roots<'m> {
    held: Held<'m>,
    methods: MethodSet<'m>,
    /// Named objects that the walk has shown to be where their handles say, and their number.
    met: SeenIds,
    met_count: u64,
    /// Where the heads are that the agent holds, ascending once the walk has begun.
    heads: Vec<Address>,
    class_word: ClassWord,
    /// Roots that may be mirrors without a name.
    early: Vec<AddressedReference>,
    early_noted: RecentAddresses,
    are_over: bool,
    /// The thread whose stack is under way, if it has a name; and whether it is the agent's own.
    stack_of: Option<ObjectId>,
    is_own_stack: bool,
}

impl<'m> Roots<'m> {
    /// The state before the first root.
    pub fn new(held: Held<'m>, methods: MethodSet<'m>) -> Self {
        Self {
            held,
            methods,
            met: SeenIds::new(held.held_objects.count()),
            met_count: 0,
            heads: Vec::with_capacity(MOST_HEADS),
            class_word: ClassWord::default(),
            early: Vec::with_capacity(EARLY),
            early_noted: RecentAddresses::new(EARLY),
            are_over: false,
            stack_of: None,
            is_own_stack: false,
        }
    }

    /// The walk begins: handles hold their addresses now. Takes no memory.
    pub fn begin(&mut self) {
        let heads = &mut self.heads;
        let mut remember = |_, address| {
            if heads.len() < MOST_HEADS {
                heads.push(address);
            }
        };
        self.held.held_objects.heads().into_iter().for_each(|roll| roll.each(&mut remember));
        heads.sort_unstable();
    }

    /// Names only these methods from now on: their names are valid in the child, too.
    pub fn know_only(&mut self, methods: &[u64]) {
        for &method in methods {
            self.methods.insert(method);
        }
        self.methods.close();
    }

    /// Memory that they hold.
    pub const fn bytes() -> u64 {
        (EARLY * (8 + size_of::<AddressedReference>()) + MOST_HEADS * size_of::<Address>()) as u64
    }

    /// The objects that the agent holds.
    pub fn held(&self) -> Held<'m> {
        self.held
    }

    /// Whether references have begun.
    #[inline]
    pub fn are_over(&self) -> bool {
        self.are_over
    }

    /// The difference between mirrors and other objects, as far as it has been learned.
    #[inline]
    pub fn class_word(&self) -> &ClassWord {
        &self.class_word
    }

    /// Records one root.
    pub fn record(&mut self, coder: &mut Coder<'_>, reference: &AddressedReference) -> Next {
        match reference.origin.kind {
            // The stack of a thread follows the root that is the thread itself; that of a mounted virtual one, another.
            ReferenceKind::THREAD | ReferenceKind::OTHER => {
                self.stack_of = coder.named(reference.referee()).filter(|&id| !self.held.held_objects.is_class(id));
                self.is_own_stack = reference.referee() == self.held.held_objects.this_thread();
            }
            ReferenceKind::JNI_LOCAL if self.is_own_stack && depth(reference) == 0 => {
                return self.own(coder, reference);
            }
            ReferenceKind::STACK_LOCAL if self.is_own_stack && depth(reference) < self.held.own_frames => {
                self.describe(coder, reference);
                coder.write(|chunk| chunk.held(reference.referee(), shape(reference)));
                return Next::Continue;
            }
            _ => {}
        }
        self.describe(coder, reference);
        self.remember(coder, reference);
        let kind = self.kind(reference.origin);
        coder.write(|chunk| chunk.root(kind, reference.referee(), shape(reference)));
        Next::Continue
    }

    fn describe(&self, coder: &mut Coder<'_>, reference: &AddressedReference) {
        coder.describe(reference.referee(), reference.size_bytes, reference.tag, self.class_word.is_mirror(reference));
    }

    /// Remembers a root that may be a mirror without a name; this is decided when all roots have been seen.
    fn remember(&mut self, coder: &Coder<'_>, reference: &AddressedReference) {
        let may_be = reference.array_length.is_none() && coder.named(reference.referee()).is_none();
        if may_be && self.early.len() < EARLY && self.early_noted.insert(reference.referee()) {
            self.early.push(*reference);
        }
    }

    /// Reports the mirrors among the roots; perhaps no other object refers to them.
    fn emit_early(&self, coder: &mut Coder<'_>) -> Result<(), Failure> {
        for reference in self.early.iter().filter(|reference| self.class_word.is_mirror(reference)) {
            coder.make_room()?;
            coder.nameless(reference.referee(), reference.size_bytes, reference.tag);
        }
        Ok(())
    }

    /// An object that the agent holds is no root of the program, but shows where the named objects are. The walk
    /// enters mirrors because of other references or not at all, so dead classes stay dead.
    fn own(&mut self, coder: &mut Coder<'_>, reference: &AddressedReference) -> Next {
        let Some(id) = coder.named(reference.referee()) else {
            if self.heads.binary_search(&reference.referee()).is_ok() {
                // The walk meets it on the program's own way, or it is garbage that a weak handle still leads to.
                return Next::Leave;
            }
            let is_planted = || self.held.planted.addresses().any(|(_, address)| address == reference.referee());
            match reference.array_length {
                // Planted so that arrays of primitive values are recognized: it is none of the program's, and it leads
                // nowhere.
                Some(0) => return Next::Leave,
                Some(_) if is_planted() => self.class_word.contrast(reference),
                _ => {}
            }
            self.describe(coder, reference);
            coder.write(|chunk| chunk.held(reference.referee(), shape(reference)));
            return Next::Continue;
        };
        if self.met.insert(id) {
            self.met_count += 1;
            let mark = self.held.held_objects.mark(id);
            coder.write(|chunk| chunk.named(Some(id), reference.referee(), reference.size_bytes, mark));
        }
        if !self.held.held_objects.is_class(id) {
            return Next::Continue;
        }
        self.class_word.learn(reference);
        Next::Leave
    }

    /// The roots have ended.
    ///
    /// # Errors
    /// When a held object has not been met, for the JVM reports all that this thread holds; when there is no room.
    #[cold]
    pub fn end(&mut self, coder: &mut Coder<'_>) -> Result<(), Failure> {
        self.are_over = true;
        self.class_word.settle();
        self.emit_early(coder)?;
        if self.met_count == self.held.held_objects.count() { Ok(()) } else { Err(Failure::Handles) }
    }

    fn kind(&mut self, origin: Origin) -> StreamRoot {
        let (_, depth, method) = origin.stack.unwrap_or_default();
        let thread = self.stack_of;
        match origin.kind {
            ReferenceKind::JNI_GLOBAL => StreamRoot::JniGlobal,
            ReferenceKind::SYSTEM_CLASS => StreamRoot::SystemClass,
            ReferenceKind::MONITOR => StreamRoot::Monitor,
            ReferenceKind::STACK_LOCAL => {
                StreamRoot::StackLocal { thread, depth, method: if self.methods.insert(method) { method } else { 0 } }
            }
            ReferenceKind::JNI_LOCAL => StreamRoot::JniLocal { thread, depth },
            ReferenceKind::THREAD => StreamRoot::Thread,
            _ => StreamRoot::Other,
        }
    }
}

/// Frames above the one that holds the reference.
fn depth(reference: &AddressedReference) -> u32 {
    reference.origin.stack.map_or(0, |(_, depth, _)| depth)
}

fn shape(reference: &AddressedReference) -> Shape {
    let bytes = reference.size_bytes;
    reference.array_length.map_or(Shape::Bytes(bytes), |length| Shape::Array { bytes, length })
}
