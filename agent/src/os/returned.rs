//! The agent's allocator. A large block is a mapping of its own, so that the kernel has it back once it is freed.
//!
//! The C library keeps what is freed. When a large block is freed, it even raises the size from which it maps blocks,
//! up to 32 MB. The program would then carry the agent's past captures. That size could be set, but only for the whole
//! process, and the process is the program's.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

/// Bytes from which a block is a mapping. The C library begins with the same.
const LARGE: usize = 128 << 10;
/// The least size of a page, so that every mapping is aligned to it.
const PAGE: usize = 4096;

/// Allocates small blocks from the C library, and large ones from the kernel.
#[derive(Debug)]
pub struct Returned;

fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= PAGE
}

/// A mapping of this number of bytes, all zero. Null where the system grants none.
fn map(bytes: usize) -> *mut u8 {
    let (rights, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at a place that the kernel chooses overlaps nothing.
    granted(unsafe { libc::mmap(ptr::null_mut(), bytes, rights, kind, -1, 0) })
}

fn granted(mapping: *mut libc::c_void) -> *mut u8 {
    if mapping == libc::MAP_FAILED { ptr::null_mut() } else { mapping.cast() }
}

// SAFETY: size and alignment alone decide whether a block is a mapping, and its layout is the same when it is freed.
// Mappings are aligned to pages, readable, writable and overlap nothing. Nothing here unwinds.
unsafe impl GlobalAlloc for Returned {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of the C library.
        if is_large(layout) { map(layout.size()) } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above; the kernel's pages are zero.
        if is_large(layout) { map(layout.size()) } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_large(layout) {
            // SAFETY: such a block is a mapping of this length.
            unsafe { libc::munmap(block.cast(), layout.size()) };
        } else {
            // SAFETY: the C library has made it.
            unsafe { System.dealloc(block, layout) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size, rounded up to the alignment, does not overflow.
        let new = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (is_large(layout), is_large(new)) {
            (true, true) => {
                // SAFETY: a mapping of this length; the kernel moves its pages where it cannot grow.
                granted(unsafe { libc::mremap(block.cast(), layout.size(), new_size, libc::MREMAP_MAYMOVE) })
            }
            // SAFETY: the C library has made it, and what it returns is no mapping of ours.
            (false, false) => unsafe { System.realloc(block, layout, new_size) },
            // SAFETY: both blocks have the bytes that are copied, and a new block overlaps no other.
            _ => unsafe {
                let moved = self.alloc(new);
                if !moved.is_null() {
                    ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size));
                    self.dealloc(block, layout);
                }
                moved
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 6] = [100, LARGE - 1, LARGE, 3 << 20, 5000, 40 << 20];

    fn layout(size: usize) -> Layout {
        Layout::from_size_align(size, 16).unwrap()
    }

    #[test]
    fn blocks_keep_their_content_through_all_sizes() {
        // SAFETY: one block, resized by its own layout and freed once; bytes within it.
        unsafe {
            let mut size = 16;
            let mut block = Returned.alloc(layout(size));
            block.write_bytes(7, size);
            for new in SIZES {
                block = Returned.realloc(block, layout(size), new);
                assert!(std::slice::from_raw_parts(block, 16).iter().all(|&byte| byte == 7), "{size} to {new}");
                let common = size.min(new);
                assert_eq!(block.add(common - 1).read(), 7, "{size} to {new}");
                block.write_bytes(7, new);
                size = new;
            }
            Returned.dealloc(block, layout(size));
        }
    }

    #[test]
    fn zeroed_blocks_are_zero_and_aligned() {
        for size in SIZES {
            for align in [1, 64, PAGE, 2 * PAGE] {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: one block, read within its size, and freed by its layout.
                unsafe {
                    let block = Returned.alloc_zeroed(layout);
                    assert_eq!(block as usize % align, 0);
                    assert!(std::slice::from_raw_parts(block, size).iter().all(|&byte| byte == 0));
                    Returned.dealloc(block, layout);
                }
            }
        }
    }

    #[test]
    fn a_large_block_begins_at_a_page_as_no_block_of_the_c_library_does() {
        for size in [LARGE, LARGE + 1, 64 << 20] {
            // SAFETY: one block, freed by its layout.
            unsafe {
                let block = Returned.alloc(layout(size));
                assert_eq!(block as usize % PAGE, 0, "{size}");
                Returned.dealloc(block, layout(size));
            }
        }
    }

    #[test]
    fn more_than_there_is_gives_null() {
        // SAFETY: nothing is allocated.
        assert!(unsafe { Returned.alloc(layout(1 << 50)) }.is_null());
    }
}
