//! Arrays of primitive values, recognized by the header's word that names the class. One empty array of each kind is
//! planted, and an object that begins like one of them is one. Only while the world is stopped.

use super::jni::{Jni, Local, jni};
use crate::os::own::read_places;

/// A header with its length.
const HEADER: usize = 16;
/// Offset of the class behind the mark word, and of the length behind it where class words are compressed.
const CLASS: usize = 8;
const LENGTH: usize = 12;
/// The length behind a class word that is not compressed, and the one behind a compact header.
const LENGTH_BEHIND_CLASS: u64 = 16;
const LENGTH_BEHIND_COMPACT: u64 = 8;
/// With compact headers (JEP 519) the class has the highest 22 bits of the mark word.
const CLASS_SHIFT: u32 = 42;
const KINDS: usize = 8;
/// Bytes of an element, in the order in which the arrays are planted.
const ELEMENT_BYTES: [u64; KINDS] = [1, 1, 2, 2, 4, 8, 4, 8];
/// Fewest bytes before the first element.
const LEAST_HEADER: u64 = 12;

/// The planted arrays. They go with the local frame that they were made in.
pub struct PrimitiveArrays<'j> {
    planted: Vec<Local<'j>>,
}

/// The words that distinguish them, as of one pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArrayWords {
    words: [u64; KINDS],
    is_compact: bool,
}

impl<'j> PrimitiveArrays<'j> {
    /// Plants one of each kind. `None` when the program has no memory left.
    pub fn plant(jni: &'j Jni) -> Option<Self> {
        let env = jni.env;
        let made = [
            jni!(env, v1_1.NewBooleanArray, 0),
            jni!(env, v1_1.NewByteArray, 0),
            jni!(env, v1_1.NewCharArray, 0),
            jni!(env, v1_1.NewShortArray, 0),
            jni!(env, v1_1.NewIntArray, 0),
            jni!(env, v1_1.NewLongArray, 0),
            jni!(env, v1_1.NewFloatArray, 0),
            jni!(env, v1_1.NewDoubleArray, 0),
        ];
        jni.clear();
        let planted = made.into_iter().map(|array| jni.adopt(array)).collect::<Option<_>>()?;
        Some(Self { planted })
    }

    /// Reads these words; `None` when they do not distinguish the arrays from other objects.
    pub fn words(&self) -> Option<ArrayWords> {
        let mut headers = [0; KINDS * HEADER];
        let places = self.planted.iter().map(|array| array.address().0);
        read_places(places, HEADER, &mut headers).then(|| ArrayWords::of(headers.as_chunks().0))?
    }
}

impl ArrayWords {
    fn of(headers: &[[u8; HEADER]]) -> Option<Self> {
        [true, false].into_iter().find_map(|is_compact| {
            let mut words = [0; KINDS];
            for (word, header) in words.iter_mut().zip(headers) {
                *word = class_word(header, is_compact);
            }
            let are_distinct = |at: usize| words[at] != 0 && !words[..at].contains(&words[at]);
            (headers.len() == KINDS && (0..KINDS).all(are_distinct)).then_some(Self { words, is_compact })
        })
    }

    /// Bytes of the array of primitive values that begins here, a few less where its header is longer than the
    /// shortest. `None` for another object, and when nothing can be read there.
    pub fn bytes_at(&self, address: u64) -> Option<u64> {
        let mut header = [0; HEADER];
        let kind = read_places([address], HEADER, &mut header).then(|| self.kind(&header))??;
        let mut length = [0; 4];
        let is_read = read_places([address + self.length_at(kind)], length.len(), &mut length);
        let elements = u64::from(u32::from_ne_bytes(length));
        is_read.then_some(LEAST_HEADER + elements * ELEMENT_BYTES[kind])
    }

    fn length_at(&self, kind: usize) -> u64 {
        match self.words[kind] >> 32 {
            _ if self.is_compact => LENGTH_BEHIND_COMPACT,
            0 => LENGTH as u64,
            _ => LENGTH_BEHIND_CLASS,
        }
    }

    /// The kind of the array that begins with this header, if it is one.
    fn kind(&self, header: &[u8; HEADER]) -> Option<usize> {
        let word = class_word(header, self.is_compact);
        // Where class words are not compressed, their second half lies where others have the length.
        let same = |planted: &u64| *planted == word || *planted >> 32 == 0 && *planted == word & u64::from(u32::MAX);
        self.words.iter().position(same)
    }
}

fn class_word(header: &[u8; HEADER], is_compact: bool) -> u64 {
    let word = |at: usize| header[at..at + 8].try_into().map_or(0, u64::from_ne_bytes);
    if is_compact {
        word(0) >> CLASS_SHIFT
    } else {
        let half = |at: usize| header[at..at + 4].try_into().map_or(0, u32::from_ne_bytes);
        u64::from(half(LENGTH)) << 32 | u64::from(half(CLASS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(of: impl Fn(u64) -> (u64, u64)) -> Vec<[u8; HEADER]> {
        let header = |kind| {
            let (mark, behind) = of(kind);
            let mut bytes = [0; HEADER];
            bytes[..8].copy_from_slice(&u64::to_ne_bytes(mark));
            bytes[8..].copy_from_slice(&u64::to_ne_bytes(behind));
            bytes
        };
        (1..=KINDS as u64).map(header).collect()
    }

    #[test]
    fn compressed_full_and_compact_class_words_distinguish_arrays() {
        let compressed = ArrayWords::of(&headers(|kind| (1, 0x1000 + kind))).expect("distinct");
        assert!(compressed.kind(&headers(|_| (1, 77 << 32 | 0x1003))[0]) == Some(2), "a char[77]");
        assert!(compressed.kind(&headers(|_| (1, 77 << 32 | 0x2000))[0]).is_none());
        let full = ArrayWords::of(&headers(|kind| (1, 0x7f_0000_1000 + kind))).expect("distinct");
        assert!(full.kind(&headers(|_| (1, 0x7f_0000_1003))[0]) == Some(2));
        assert!(full.kind(&headers(|_| (1, 0x6f_0000_1003))[0]).is_none());
        let compact = ArrayWords::of(&headers(|kind| (kind << CLASS_SHIFT | 1, 0))).expect("distinct");
        assert!(compact.kind(&headers(|_| (3 << CLASS_SHIFT | 0x123 << 11, 99))[0]) == Some(2));
        assert!(compact.kind(&headers(|_| (9 << CLASS_SHIFT, 3))[0]).is_none());
    }

    #[test]
    fn the_length_stands_behind_the_class_word() {
        let mut array = [0_u64; 4];
        let words = |class: u64| ArrayWords::of(&headers(|kind| (1, class + kind))).expect("distinct");
        let address = |array: &[u64; 4]| array.as_ptr() as u64;
        (array[0], array[1]) = (1, 77 << 32 | 0x1003);
        assert_eq!(words(0x1000).bytes_at(address(&array)), Some(12 + 154), "a char[77]");
        (array[1], array[2]) = (0x7f_0000_1006, 5);
        assert_eq!(words(0x7f_0000_1000).bytes_at(address(&array)), Some(12 + 40), "a long[5]");
        let compact = ArrayWords::of(&headers(|kind| (kind << CLASS_SHIFT | 1, 0))).expect("distinct");
        (array[0], array[1]) = (2 << CLASS_SHIFT | 1, 9);
        assert_eq!(compact.bytes_at(address(&array)), Some(12 + 9), "a byte[9]");
        assert_eq!(compact.bytes_at(8), None, "nothing is there");
    }

    #[test]
    fn without_different_words_nothing_is_reported() {
        assert_eq!(ArrayWords::of(&headers(|_| (1, 0x1000))), None);
        assert_eq!(ArrayWords::of(&headers(|kind| (1, if kind == 8 { 0 } else { kind }))), None);
    }
}
