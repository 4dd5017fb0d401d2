//! From addresses to dense indexes, in the order of the addresses, without a table of the addresses. One bit stands for
//! every word of eight bytes at which an object may begin. Only blocks of the address space that have objects are held.
//!
//! Two levels of [`RankedBits`]: the bits of the blocks of all areas give the position of a block's own bits. Those
//! give the index of the object that begins at an address. This takes about a thirtieth of the heap that has objects.

use super::ranked_bits::RankedBits;
use super::spread::{AREA_SHIFT, BLOCK_SHIFT, BLOCK_WORDS, BLOCKS_IN_AREA, Spread, WORD_SHIFT, WORDS_IN_BLOCK};
use crate::heap::ObjectIdx;
use rootbound_wire::graph::Address;

/// The index of every object by its address.
#[derive(Debug)]
pub(super) struct Places {
    first_area: u64,
    /// By area from the first on: its index among those that have objects, plus one; 0 for the others.
    areas: Vec<u32>,
    /// Blocks that have objects.
    blocks: RankedBits,
    objects: RankedBits,
}

impl Places {
    /// Builds the index from the addresses. `None` if there are more objects than a heap can index.
    pub(super) fn new(spread: &Spread) -> Option<Self> {
        let (numbers, mut words) = (spread.area_numbers(), Vec::new());
        let first_area = numbers.first().map_or(0, |area| area.0);
        let mut areas = vec![0; numbers.last().map_or(0, |area| (area.0 - first_area) as usize + 1)];
        let mut blocks = Vec::with_capacity(numbers.len() * BLOCKS_IN_AREA / 64);
        for (&(number, at), place) in numbers.iter().zip(1..) {
            areas[(number - first_area) as usize] = place;
            let mut bits = [0; BLOCKS_IN_AREA / 64];
            for (block, marked) in spread.blocks_of(at) {
                bits[block / 64] |= 1 << (block % 64);
                words.extend_from_slice(marked);
            }
            blocks.extend_from_slice(&bits);
        }
        Some(Self { first_area, areas, blocks: RankedBits::new(&blocks)?, objects: RankedBits::new(&words)? })
    }

    pub(super) fn object_count(&self) -> usize {
        self.objects.count() as usize
    }

    /// The object at an address; `None` if there is none.
    #[inline]
    pub(super) fn index(&self, address: Address) -> Option<ObjectIdx> {
        let area = (address.0 >> AREA_SHIFT).wrapping_sub(self.first_area);
        let area = self.areas.get(usize::try_from(area).ok()?)?.checked_sub(1)? as usize;
        let block = (address.0 >> BLOCK_SHIFT) as usize % BLOCKS_IN_AREA;
        let block = self.blocks.place(area * BLOCKS_IN_AREA + block)? as usize;
        let word = (address.0 >> WORD_SHIFT) as usize % WORDS_IN_BLOCK;
        self.objects.place(block * BLOCK_WORDS * 64 + word).map(ObjectIdx)
    }

    /// The object with an id that becomes an address when shifted by `shift` bits.
    #[inline]
    pub(super) fn index_shifted(&self, id: u64, shift: u32) -> Option<ObjectIdx> {
        let is_whole = id.leading_zeros() >= shift;
        if is_whole { self.index(Address(id << shift)) } else { None }
    }

    /// The address of an object.
    pub(super) fn address(&self, object: ObjectIdx) -> Option<Address> {
        let bit = self.objects.number(object.0)?;
        let (block, word) = (bit / WORDS_IN_BLOCK, bit % WORDS_IN_BLOCK);
        let block = self.blocks.number(block as u32)?;
        let (area, block) = (block / BLOCKS_IN_AREA, block % BLOCKS_IN_AREA);
        let area = self.areas.iter().position(|&place| place as usize == area + 1)? as u64 + self.first_area;
        Some(Address(area << AREA_SHIFT | (block as u64) << BLOCK_SHIFT | (word as u64) << WORD_SHIFT))
    }
}
