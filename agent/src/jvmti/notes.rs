//! References of a walk in process, stored in the heap callback and visited later, a hundred at a time. The JVM's own
//! loop and the loop that codes are both quicker when they are not interleaved. A callback with anything unusual
//! stores nothing and is left to [`super::peek`].
//!
//! Not for a walk in a child: it is not notified of the walk's end, so its last references would stay pending.

use super::abi::{IndexInfo, ReferenceInfo, ReferenceKind};
use super::class_word::MirrorMark;
use jni_sys::{jint, jlong};
use rootbound_wire::graph::{Address, Shape};

/// References that are stored before they are visited; they fit the nearest cache with room to spare.
const MOST_PENDING: usize = 128;
/// All sizes of objects are multiples of this.
pub(super) const WORD_BYTES: u64 = 8;
/// Not to be written on.
const CLOSED: usize = usize::MAX;

/// Kinds that fit a pending reference, and those for which the JVM passes an index.
const KINDS: jint = 32;
const INDEXED: u32 =
    1 << ReferenceKind::FIELD.0 | 1 << ReferenceKind::ARRAY_ELEMENT.0 | 1 << ReferenceKind::STATIC_FIELD.0;

/// One reference between objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingReference {
    /// The object that refers.
    pub referrer: Address,
    /// The object referred to.
    pub referee: Address,
    /// The tag of the object referred to.
    pub tag: i64,
    pub(super) size_words: u32,
    pub(super) length: jint,
    /// Field or array index; 0 for kinds without one.
    pub index: u32,
    pub(super) kind: u16,
    /// Whether the object referred to shows the mirrors' word.
    pub is_mirror: bool,
}

impl PendingReference {
    const NOTHING: Self = Self {
        referrer: Address(0),
        referee: Address(0),
        tag: 0,
        size_words: 0,
        length: 0,
        index: 0,
        kind: 0,
        is_mirror: false,
    };

    /// Its kind.
    #[inline]
    pub fn kind(&self) -> ReferenceKind {
        ReferenceKind(jint::from(self.kind))
    }

    /// The size of the object referred to.
    #[inline(always)]
    pub fn shape(&self) -> Shape {
        let bytes = u64::from(self.size_words) * WORD_BYTES;
        u32::try_from(self.length).map_or(Shape::Bytes(bytes), |length| Shape::Array { bytes, length })
    }
}

/// The JVM's arguments to a heap callback.
#[derive(Clone, Copy)]
pub(super) struct CallbackArgs {
    pub kind: ReferenceKind,
    pub info: *const ReferenceInfo,
    pub class_tag: jlong,
    pub referrer_class_tag: jlong,
    pub size: jlong,
    pub tag: *const jlong,
    pub referrer_tag: *const jlong,
    pub length: jint,
}

/// The result of adding a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Stored,
    /// Noted, and no more has room.
    Full,
    /// Not stored: something is out of the ordinary, or wrong.
    NeedsSlowPath,
}

/// The references that wait to be visited.
pub(super) struct ReferenceBatch {
    len: usize,
    mirrors: MirrorMark,
    pending: [PendingReference; MOST_PENDING],
}

impl ReferenceBatch {
    /// A batch in which nothing is stored yet.
    pub(super) const fn closed() -> Self {
        Self { len: CLOSED, mirrors: MirrorMark::NONE, pending: [PendingReference::NOTHING; MOST_PENDING] }
    }

    /// From now on references are stored; `mirrors` is the word that mirrors show.
    pub(super) fn open(&mut self, mirrors: MirrorMark) {
        (self.len, self.mirrors) = (0, mirrors);
    }

    pub(super) fn is_open(&self) -> bool {
        self.len != CLOSED
    }

    /// From now on nothing is stored, and the stored references are forgotten.
    pub(super) fn close(&mut self) {
        self.len = CLOSED;
    }

    /// The stored references; there is room again.
    pub(super) fn take(&mut self) -> &[PendingReference] {
        let len = if self.is_open() { std::mem::take(&mut self.len) } else { 0 };
        self.pending.get(..len).unwrap_or_default()
    }

    /// Notes a reference, if every word around the tags is as it should be. One branch for all of them: they never
    /// differ in a walk that is worth anything.
    ///
    /// # Safety
    /// The arguments are those of a heap callback; `referrer_tag` may be null.
    #[inline(always)]
    pub(super) unsafe fn add(&mut self, args: CallbackArgs) -> Outcome {
        let Some(place) = self.pending.get_mut(self.len) else { return Outcome::NeedsSlowPath };
        if args.referrer_tag.is_null() {
            return Outcome::NeedsSlowPath;
        }
        // SAFETY: words of the JVM's stack next to live objects on it, as in `peek`.
        let (referee, referrer, differs) = unsafe {
            let referee = *args.tag.sub(2);
            let is_self = std::ptr::eq(args.tag, args.referrer_tag);
            let referrer = if is_self { referee } else { *args.referrer_tag.sub(1) };
            let differs = *args.tag.sub(1) ^ args.size
                | *args.tag.add(1) ^ args.class_tag
                | *args.referrer_tag.add(1) ^ args.referrer_class_tag;
            (referee, referrer, differs)
        };
        let no_room = args.size >> 35 | args.size & 7 | jlong::from(args.kind.0 & !(KINDS - 1));
        // Zero less one has the highest bit, which no address of a process has.
        let unsound = (referee | referrer) & 7 | (referee.wrapping_sub(1) | referrer.wrapping_sub(1)) >> 63;
        if differs | no_room | unsound != 0 {
            return Outcome::NeedsSlowPath;
        }
        let (referee, referrer) = (Address(referee as u64), Address(referrer as u64));
        let has_index = INDEXED >> args.kind.0 & 1 != 0 && !args.info.is_null();
        *place = PendingReference {
            referrer,
            referee,
            // SAFETY: the tag of the referee is never null.
            tag: unsafe { *args.tag },
            size_words: (args.size as u64 / WORD_BYTES) as u32,
            length: args.length,
            // SAFETY: of these kinds the information begins with the index.
            index: if has_index { unsafe { *args.info.cast::<IndexInfo>() }.index.max(0) as u32 } else { 0 },
            kind: args.kind.0 as u16,
            // SAFETY: this is a callback, and its arguments describe the referee.
            is_mirror: unsafe { self.mirrors.is_shown_by(referee) },
        };
        self.len += 1;
        if self.len == MOST_PENDING { Outcome::Full } else { Outcome::Stored }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An object with a header, and the JVM's stack: `[referrer][tag][class tag] [referee][size][tag][class tag]`.
    struct Stack {
        object: Box<[u64; 2]>,
        words: [jlong; 7],
        index: jint,
    }

    impl Stack {
        fn new() -> Self {
            let object = Box::new([0, 5]);
            let address = object.as_ptr() as jlong;
            Self { object, words: [8, 0, 70, address, 24, 9, 60], index: 3 }
        }

        fn args(&self) -> CallbackArgs {
            let (tag, referrer_tag) = (&raw const self.words[5], &raw const self.words[1]);
            let info = (&raw const self.index).cast();
            let (class_tag, referrer_class_tag) = (60, 70);
            CallbackArgs {
                kind: ReferenceKind::FIELD,
                info,
                class_tag,
                referrer_class_tag,
                size: 24,
                tag,
                referrer_tag,
                length: -1,
            }
        }
    }

    fn open() -> ReferenceBatch {
        let mut batch = ReferenceBatch::closed();
        batch.open(MirrorMark::NONE);
        batch
    }

    fn add(batch: &mut ReferenceBatch, args: CallbackArgs) -> Outcome {
        // SAFETY: the words around the tags are those of a `Stack`.
        unsafe { batch.add(args) }
    }

    #[test]
    fn a_reference_is_stored_as_the_arguments_describe_it() {
        let (mut batch, stack) = (open(), Stack::new());
        assert_eq!(add(&mut batch, stack.args()), Outcome::Stored);
        assert_eq!(
            add(&mut batch, CallbackArgs { kind: ReferenceKind::ARRAY_ELEMENT, length: 4, ..stack.args() }),
            Outcome::Stored
        );
        let referee = Address(stack.object.as_ptr() as u64);
        let field = PendingReference {
            referrer: Address(8),
            referee,
            tag: 9,
            size_words: 3,
            length: -1,
            index: 3,
            ..PendingReference::NOTHING
        };
        assert_eq!(
            batch.take(),
            [PendingReference { kind: 2, ..field }, PendingReference { kind: 3, length: 4, ..field }]
        );
        assert_eq!(batch.take(), []);
    }

    #[test]
    fn a_reference_to_itself_has_one_tag() {
        let (mut batch, stack) = (open(), Stack::new());
        let args = CallbackArgs { referrer_tag: stack.args().tag, referrer_class_tag: 60, ..stack.args() };
        assert_eq!(add(&mut batch, args), Outcome::Stored);
        assert!(batch.take().iter().all(|reference| reference.referrer == reference.referee));
    }

    #[test]
    fn unusual_references_are_not_stored() {
        let (mut batch, stack) = (open(), Stack::new());
        let args = stack.args();
        let null = std::ptr::null();
        let size = 24 + (1 << 35);
        for odd in [
            CallbackArgs { class_tag: 61, ..args },
            CallbackArgs { referrer_class_tag: 71, ..args },
            CallbackArgs { size: 32, ..args },
            CallbackArgs { size, ..args },
            CallbackArgs { kind: ReferenceKind(KINDS), ..args },
            CallbackArgs { kind: ReferenceKind(-1), ..args },
            CallbackArgs { referrer_tag: null, ..args },
        ] {
            assert_eq!(add(&mut batch, odd), Outcome::NeedsSlowPath);
        }
        for (at, word) in [(0, 0), (0, 12), (2, 0), (3, 0), (3, 12), (4, 16), (6, 0)] {
            let mut stack = Stack::new();
            stack.words[at] = word;
            assert_eq!(add(&mut batch, stack.args()), Outcome::NeedsSlowPath, "word {at}: {word}");
        }
        assert_eq!(batch.take(), []);
    }

    #[test]
    fn a_full_batch_takes_no_more_and_a_closed_one_nothing() {
        let (mut batch, stack) = (open(), Stack::new());
        for _ in 1..MOST_PENDING {
            assert_eq!(add(&mut batch, stack.args()), Outcome::Stored);
        }
        assert_eq!(add(&mut batch, stack.args()), Outcome::Full);
        assert_eq!(add(&mut batch, stack.args()), Outcome::NeedsSlowPath);
        assert_eq!(batch.take().len(), MOST_PENDING);
        batch.close();
        assert_eq!((add(&mut batch, stack.args()), batch.take().len()), (Outcome::NeedsSlowPath, 0));
    }
}
