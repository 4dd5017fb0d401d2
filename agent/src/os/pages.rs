//! Pages of this process: changes the place of pages in memory, and no content.

use std::sync::atomic::{AtomicU8, Ordering};

/// Since Linux 6.1; older kernels refuse it.
const MADV_COLLAPSE: libc::c_int = 25;

/// Asks the kernel to put one huge page together. Returns whether it did, or it was one already.
pub fn collapse(start: u64, length: u64) -> bool {
    // SAFETY: the advice changes the place of pages in memory, and no content.
    unsafe { libc::madvise(start as usize as *mut libc::c_void, length as usize, MADV_COLLAPSE) == 0 }
}

/// Makes pages that are shared with another process this one's own, by copies. Returns whether they are. Neither
/// allocates nor locks.
///
/// Linux before 5.14 cannot do it for many pages in one call; there each is written to.
///
/// # Safety
/// The range is memory that may be written, and no other thread of this process runs.
pub unsafe fn unshare(start: u64, length: u64) -> bool {
    // SAFETY: it changes no byte.
    let result =
        unsafe { libc::madvise(start as usize as *mut libc::c_void, length as usize, libc::MADV_POPULATE_WRITE) };
    // SAFETY: errno is this thread's; the rest is the caller's.
    unsafe { result == 0 || *libc::__errno_location() == libc::EINVAL && write_to_each(start, length) }
}

/// # Safety
/// As for [`unshare`].
unsafe fn write_to_each(start: u64, length: u64) -> bool {
    for page in (start..start + length).step_by(rustix::param::page_size()) {
        // SAFETY: the caller promises that it may be written; the byte written is the byte that is there.
        unsafe { AtomicU8::from_ptr(page as usize as *mut u8) }.fetch_or(0, Ordering::Relaxed);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_unshared_by_both_methods_and_keep_their_content() {
        let mut memory = vec![7_u8; 1 << 20];
        let page = rustix::param::page_size() as u64;
        let start = (memory.as_mut_ptr() as u64).next_multiple_of(page);
        // SAFETY: the pages lie within the vector, which has no other user.
        unsafe {
            assert!(unshare(start, 16 * page));
            assert!(write_to_each(start, 16 * page));
        }
        assert!(memory.iter().all(|&byte| byte == 7));
    }
}
