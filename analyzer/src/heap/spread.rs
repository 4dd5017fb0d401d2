//! The addresses at which objects begin: one bit for every word of eight bytes, in blocks that are created with their
//! first object. The memory of a stream's blocks is bounded by its length.

use rootbound_wire::graph::Address;
use std::collections::HashMap;

/// Number of bits of an address in user space on the machines that JVMs run on.
const ADDRESS_BITS: u32 = 48;
/// An area is 256 MiB of addresses.
pub(super) const AREA_SHIFT: u32 = 28;
/// A block is 16 KiB of addresses.
pub(super) const BLOCK_SHIFT: u32 = 14;
pub(super) const WORD_SHIFT: u32 = 3;
pub(super) const BLOCKS_IN_AREA: usize = 1 << (AREA_SHIFT - BLOCK_SHIFT);
pub(super) const WORDS_IN_BLOCK: usize = 1 << (BLOCK_SHIFT - WORD_SHIFT);
pub(super) const BLOCK_WORDS: usize = WORDS_IN_BLOCK / 64;

/// Number of bytes that any stream may have here; each byte of it adds more. An object alone in its block takes a dozen
/// bytes of the stream (its own, and a reference to it) and 256 here.
const FREE_BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 40;

/// Addresses that no heap spreads over: beyond user space, or too far apart. Their bits would take more memory than the
/// bytes of the stream justify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scattered;

type Block = [u64; BLOCK_WORDS];

/// Bits at addresses.
#[derive(Debug, Default)]
pub(super) struct Spread {
    /// By area: its number, and for each of its blocks the index in `blocks` plus one.
    areas: Vec<(u64, Vec<u32>)>,
    by_number: HashMap<u64, usize>,
    latest: Option<(u64, usize)>,
    blocks: Vec<Block>,
    bytes: usize,
    stream_bytes: usize,
}

impl Spread {
    /// Announces `stream_bytes` more bytes, of a stream or a dump, which justify memory.
    pub(super) fn justify(&mut self, stream_bytes: usize) {
        self.stream_bytes += stream_bytes;
    }

    /// Adds an object's address.
    #[inline]
    pub(super) fn add(&mut self, address: Address) -> Result<(), Scattered> {
        let number = address.0 >> AREA_SHIFT;
        let area = match self.latest {
            Some((latest, area)) if latest == number => area,
            _ => self.area(number)?,
        };
        let block = self.block(area, (address.0 >> BLOCK_SHIFT) as usize % BLOCKS_IN_AREA)?;
        let word = (address.0 >> WORD_SHIFT) as usize % WORDS_IN_BLOCK;
        block[word / 64] |= 1 << (word % 64);
        Ok(())
    }

    /// Adds the addresses of another. The bytes that justified it count once.
    pub(super) fn merge(&mut self, other: &Self) -> Result<(), Scattered> {
        for (number, at) in other.area_numbers() {
            let area = self.area(number)?;
            for (block, theirs) in other.blocks_of(at) {
                let ours = self.block(area, block)?;
                ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| *ours |= theirs);
            }
        }
        Ok(())
    }

    /// Numbers of the areas that have objects, ascending, each with its index here.
    pub(super) fn area_numbers(&self) -> Vec<(u64, usize)> {
        let mut numbers: Vec<(u64, usize)> = self.areas.iter().zip(0..).map(|(area, at)| (area.0, at)).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The blocks of an area that have objects, ascending, with their bits.
    pub(super) fn blocks_of(&self, area: usize) -> impl Iterator<Item = (usize, &Block)> {
        let blocks = self.areas[area].1.iter().enumerate();
        blocks.filter(|(_, at)| **at != 0).map(|(block, at)| (block, &self.blocks[*at as usize - 1]))
    }

    fn area(&mut self, number: u64) -> Result<usize, Scattered> {
        if number >> (ADDRESS_BITS - AREA_SHIFT) != 0 {
            return Err(Scattered);
        }
        let area = match self.by_number.get(&number) {
            Some(&area) => area,
            None => {
                self.pay(BLOCKS_IN_AREA * size_of::<u32>())?;
                self.by_number.insert(number, self.areas.len());
                self.areas.push((number, vec![0; BLOCKS_IN_AREA]));
                self.areas.len() - 1
            }
        };
        self.latest = Some((number, area));
        Ok(area)
    }

    #[inline]
    fn block(&mut self, area: usize, block: usize) -> Result<&mut Block, Scattered> {
        let mut at = self.areas[area].1[block];
        if at == 0 {
            self.pay(size_of::<Block>())?;
            self.blocks.push([0; BLOCK_WORDS]);
            at = self.blocks.len() as u32;
            self.areas[area].1[block] = at;
        }
        Ok(&mut self.blocks[at as usize - 1])
    }

    fn pay(&mut self, bytes: usize) -> Result<(), Scattered> {
        self.bytes += bytes;
        let justified = FREE_BYTES.saturating_add(self.stream_bytes.saturating_mul(BYTES_PER_BYTE));
        if self.bytes > justified { Err(Scattered) } else { Ok(()) }
    }
}
