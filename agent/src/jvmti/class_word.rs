//! Distinguishes class mirrors from other objects without a tag, by the word of an object's header that names its
//! class.
//!
//! A walk by address recognizes the mirrors that it holds handles of. Others come up: those of primitive types, and of
//! classes that were loaded a moment ago. They are the only objects that report no class, and so must be reported as
//! mirrors.
//!
//! HotSpot keeps the word behind the mark word, or with compact headers (JEP 519) in the highest 22 bits of the mark
//! word. Neither is taken for granted: the word is learned anew in each walk from hundreds of mirrors, for which the
//! handles and the callbacks gave the same addresses. It counts only if all of them show it and arrays of another
//! class do not. Without it no mirror is reported, and a capture that needed it does not prove itself. Reads no field
//! of any object.

use super::peek::AddressedReference;
use rootbound_wire::graph::Address;

/// The half of the mark word with its highest bits, and the number of bits to skip before those 22.
const IN_MARK: (usize, u32) = (if cfg!(target_endian = "little") { 4 } else { 0 }, 10);
const BEHIND_MARK: (usize, u32) = (8, 0);

/// The word that mirrors show: the place of half a word, the number of its bits that are skipped, and the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MirrorMark {
    at: usize,
    shift: u32,
    shown: u32,
}

impl MirrorMark {
    /// Shown by no object: 22 bits never reach this value.
    pub(super) const NONE: Self = Self { at: IN_MARK.0, shift: IN_MARK.1, shown: u32::MAX };

    const fn new((at, shift): (usize, u32), shown: u32) -> Self {
        Self { at, shift, shown }
    }

    /// Whether the object here shows it.
    ///
    /// # Safety
    /// In a heap callback for the object at this address.
    #[inline]
    pub(super) unsafe fn is_shown_by(self, object: Address) -> bool {
        // SAFETY: every object has a mark word. Behind that one is read only where mirrors showed that headers are
        // longer.
        unsafe { half_word(object, (self.at, self.shift)) == self.shown }
    }
}

/// Learns the word, and then finds it.
#[derive(Debug)]
pub struct ClassWord {
    /// The words that all mirrors so far showed in both places; 0 where they differ.
    mirrors: Option<(u32, u32)>,
    /// The words that the last other object showed.
    other: Option<(u32, u32)>,
    mark: MirrorMark,
}

impl Default for ClassWord {
    fn default() -> Self {
        Self { mirrors: None, other: None, mark: MirrorMark::NONE }
    }
}

impl ClassWord {
    /// A mirror: its address is known twice.
    pub fn learn(&mut self, mirror: &AddressedReference) {
        let (mark, behind) = words(mirror);
        let common = self.mirrors.get_or_insert((mark, behind));
        let keep = |before: u32, now: u32| if before == now { now } else { 0 };
        *common = (keep(common.0, mark), keep(common.1, behind));
    }

    /// An array that we planted: its address is known twice too.
    pub fn contrast(&mut self, array: &AddressedReference) {
        self.other = Some(words(array));
    }

    /// Everything that can be learned has been.
    pub fn settle(&mut self) {
        let (Some(mirrors), Some(other)) = (self.mirrors, self.other) else { return };
        // Without compact headers those bits of the mark are 0.
        self.mark = if mirrors.0 != 0 && mirrors.0 != other.0 {
            MirrorMark::new(IN_MARK, mirrors.0)
        } else if mirrors.1 != 0 && mirrors.1 != other.1 {
            MirrorMark::new(BEHIND_MARK, mirrors.1)
        } else {
            MirrorMark::NONE
        };
    }

    /// The learned word.
    pub fn mark(&self) -> MirrorMark {
        self.mark
    }

    /// Whether the object referred to is known to be a mirror.
    #[inline]
    pub fn is_mirror(&self, reference: &AddressedReference) -> bool {
        // SAFETY: a reference is made by `peek` alone, in a callback whose other words it found right, and does not
        // outlive the walk, during which nothing moves.
        unsafe { self.mark.is_shown_by(reference.referee()) }
    }
}

fn words(reference: &AddressedReference) -> (u32, u32) {
    // SAFETY: as above. Asked of mirrors and arrays, which are longer than that.
    unsafe { (half_word(reference.referee(), IN_MARK), half_word(reference.referee(), BEHIND_MARK)) }
}

/// # Safety
/// An object lies there, and its header or fields there.
#[inline]
unsafe fn half_word(object: Address, (at, shift): (usize, u32)) -> u32 {
    // SAFETY: what the caller promises.
    (unsafe { ((object.0 as usize + at) as *const u32).read_volatile() }) >> shift
}
