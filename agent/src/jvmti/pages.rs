//! Advice on pages of this process that changes nothing in them.

/// Since Linux 6.1; older kernels refuse it.
const MADV_COLLAPSE: libc::c_int = 25;

/// Asks the kernel to put one huge page together. Whether it did, or it was one already.
pub fn collapse(start: u64, length: u64) -> bool {
    // SAFETY: the advice changes where pages lie in memory, and nothing that is in them.
    unsafe { libc::madvise(start as usize as *mut libc::c_void, length as usize, MADV_COLLAPSE) == 0 }
}
