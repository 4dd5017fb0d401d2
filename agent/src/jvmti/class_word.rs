//! What tells class mirrors from other objects when no tag does: the word of an object's header that names its class.
//!
//! A walk by address knows the mirrors that it holds handles of. Others turn up: those of primitive types, and of classes
//! that were loaded a moment ago. They are the only objects that report no class, and so must be told.
//!
//! HotSpot keeps the word behind the mark word, or with compact headers (JEP 519) in the highest 22 bits of the mark word.
//! Neither is trusted: the word is learned anew in each walk from hundreds of mirrors, whose addresses the handles and the
//! callbacks told alike, and it counts only if all show it and arrays of another class do not. Without it no mirror is told,
//! and a capture that needed it does not prove itself. Reads no field of any object.

use super::peek::Sight;

const IN_MARK_SHIFT: u32 = 42;
const BEHIND_MARK: u64 = 8;

/// A word, by where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Word {
    #[default]
    Unknown,
    InMark(u32),
    BehindMark(u32),
}

/// Learns the word, and then finds it.
#[derive(Debug, Default)]
pub struct ClassWord {
    /// What all mirrors so far showed in both places; 0 where they differ.
    mirrors: Option<(u32, u32)>,
    /// What the last other object showed.
    other: Option<(u32, u32)>,
    word: Word,
}

impl ClassWord {
    /// A mirror: its address is known twice.
    pub fn learn(&mut self, mirror: &Sight) {
        let (mark, behind) = words(mirror);
        let common = self.mirrors.get_or_insert((mark, behind));
        let keep = |before: u32, now: u32| if before == now { now } else { 0 };
        *common = (keep(common.0, mark), keep(common.1, behind));
    }

    /// An array that we planted: its address is known twice too.
    pub fn contrast(&mut self, array: &Sight) {
        self.other = Some(words(array));
    }

    /// Everything that can be learned has been.
    pub fn settle(&mut self) {
        let (Some(mirrors), Some(other)) = (self.mirrors, self.other) else { return };
        // Without compact headers those bits of the mark are 0.
        self.word = if mirrors.0 != 0 && mirrors.0 != other.0 {
            Word::InMark(mirrors.0)
        } else if mirrors.1 != 0 && mirrors.1 != other.1 {
            Word::BehindMark(mirrors.1)
        } else {
            Word::Unknown
        };
    }

    /// Whether the object referred to is known to be a mirror.
    #[inline]
    pub fn is_mirror(&self, sight: &Sight) -> bool {
        match self.word {
            Word::BehindMark(word) => behind_mark(sight) == word,
            Word::InMark(word) => in_mark(sight) == word,
            Word::Unknown => false,
        }
    }
}

fn words(sight: &Sight) -> (u32, u32) {
    (in_mark(sight), behind_mark(sight))
}

#[inline]
fn in_mark(sight: &Sight) -> u32 {
    // SAFETY: a sight is made by `peek` alone, in a callback whose other words it found right, and does not outlive the
    // walk, during which nothing moves; so an object lies there, and every object has a mark word.
    (unsafe { (sight.referee().0 as *const u64).read_volatile() } >> IN_MARK_SHIFT) as u32
}

#[inline]
fn behind_mark(sight: &Sight) -> u32 {
    // SAFETY: as above. Asked of mirrors and arrays, which are longer than that, and of others only where mirrors showed
    // that headers are.
    unsafe { ((sight.referee().0 + BEHIND_MARK) as *const u32).read_volatile() }
}
