//! The forked child of a capture: made on the VM thread with the world stopped, it holds a frozen image of the heap and
//! walks it alone. What runs here in the child calls the system and nothing else: it neither allocates nor locks, for the
//! threads that hold locks do not exist there; it never returns to Java.
//!
//! `fork` is libc's, not the bare system call: it leaves malloc's locks open in the child, and the JVM's walk allocates.

use super::maps;
use std::ffi::CStr;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the child says that it gave the walk up; the reason stands in the ring.
pub const EXIT_GAVE_UP: i32 = 70;
/// How the child says that the agent panicked in it.
pub const EXIT_PANICKED: i32 = 71;
/// How the child says that it could not settle.
pub const EXIT_UNSETTLED: i32 = 72;

/// Shared mappings up to this size are made the child's own: the JVM's performance counters, which the VM thread goes on
/// to write. Larger ones are the program's, and no VM thread writes them.
const COUNTERS_MOST_BYTES: usize = 4 << 20;

static IN_CHILD: AtomicBool = AtomicBool::new(false);

/// Whether this is the child.
pub fn is_child() -> bool {
    IN_CHILD.load(Ordering::Relaxed)
}

/// Ends the child at once, with nothing run at its exit.
pub fn leave(code: i32) -> ! {
    // SAFETY: ends the process; the caller is the child.
    unsafe { libc::_exit(code) }
}

/// Which side of the fork this is.
pub(super) enum Side {
    Parent(i32),
    Child,
}

/// Forks. `keep` is the memory that both sides share on purpose: its first byte and length.
pub(super) fn fork(keep: (usize, usize)) -> io::Result<Side> {
    // SAFETY: the child goes on with this thread alone and keeps to what this module promises.
    let (parent, forked) = unsafe { (libc::getpid(), libc::fork()) };
    match forked {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            IN_CHILD.store(true, Ordering::Relaxed);
            // SAFETY: this is the child.
            unsafe { settle(parent, keep) };
            Ok(Side::Child)
        }
        child => Ok(Side::Parent(child)),
    }
}

/// Makes the child harmless, whatever becomes of it or of its parent.
///
/// # Safety
/// Only in the child.
unsafe fn settle(parent: libc::pid_t, keep: (usize, usize)) {
    // SAFETY: system calls on the child's own state. The thread that forked lives as long as the JVM does, so its end is
    // the parent's end.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != parent {
            leave(EXIT_UNSETTLED);
        }
        for signal in 1..=64 {
            // The JVM's handlers would look for threads; libc refuses a few numbers, which is as well.
            libc::signal(signal, libc::SIG_DFL);
        }
        // 1, not 0: the kernel hands a dump to a program (`|` in core_pattern) whatever the limit, but for 1.
        let no_dump = libc::rlimit { rlim_cur: 1, rlim_max: 1 };
        libc::setrlimit(libc::RLIMIT_CORE, &no_dump);
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_NAME, c"rootbound-child".as_ptr());
        close_inherited();
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup(null);
        libc::dup(null);
        offer_to_the_oom_killer();
        if !own_the_counters(keep) {
            leave(EXIT_UNSETTLED);
        }
    }
}

/// # Safety
/// Only in the child.
unsafe fn close_inherited() {
    const ALL: libc::c_long = libc::c_uint::MAX as libc::c_long;
    const MOST: libc::rlim_t = 1 << 20;
    // SAFETY: nobody in the child uses any of them: the JVM's streams and the agent's socket are the parent's.
    unsafe {
        if libc::syscall(libc::SYS_close_range, 0 as libc::c_long, ALL, 0 as libc::c_long) == 0 {
            return;
        }
        let mut limit = libc::rlimit { rlim_cur: 1024, rlim_max: 1024 };
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit);
        for descriptor in 0..limit.rlim_cur.min(MOST) {
            libc::close(descriptor as i32);
        }
    }
}

/// If memory runs out, the child shall go and not the program.
///
/// # Safety
/// Only in the child.
unsafe fn offer_to_the_oom_killer() {
    // SAFETY: system calls on a file of the child's own.
    unsafe {
        let file = libc::open(c"/proc/self/oom_score_adj".as_ptr(), libc::O_WRONLY);
        libc::write(file, c"1000".as_ptr().cast(), 4);
        libc::close(file);
    }
}

/// Replaces small writable shared mappings by copies. `false` when one could not be replaced.
///
/// # Safety
/// Only in the child.
unsafe fn own_the_counters(keep: (usize, usize)) -> bool {
    let kept = keep.0..keep.0 + keep.1;
    let mut owned = true;
    // SAFETY: as the caller's.
    unsafe {
        each_line(c"/proc/self/maps", |line| {
            if let Some(mapping) = maps::mapping(line)
                && mapping.is_shared
                && mapping.is_writable
                && !kept.contains(&mapping.start)
                && mapping.end - mapping.start <= COUNTERS_MOST_BYTES
            {
                owned &= replace_by_copy(mapping.start, mapping.end - mapping.start);
            }
        });
    }
    owned
}

/// # Safety
/// The range is one mapping of the child that may be read and written.
unsafe fn replace_by_copy(start: usize, length: usize) -> bool {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: the copy is a mapping of its own until it takes the place of the shared one, with the same bytes.
    unsafe {
        let copy = libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0);
        if copy == libc::MAP_FAILED {
            return false;
        }
        std::ptr::copy_nonoverlapping(start as *const u8, copy.cast::<u8>(), length);
        let place = start as *mut libc::c_void;
        libc::mremap(copy, length, length, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, place) == place
    }
}

/// Hands on the lines of a file, as far as they fit a buffer on the stack.
///
/// # Safety
/// Only in the child.
unsafe fn each_line(file: &CStr, mut line: impl FnMut(&[u8])) {
    let mut buffer = [0_u8; 8192];
    let mut filled = 0;
    // SAFETY: reads into the rest of the buffer.
    unsafe {
        let file = libc::open(file.as_ptr(), libc::O_RDONLY);
        loop {
            let read = libc::read(file, buffer[filled..].as_mut_ptr().cast(), buffer.len() - filled);
            if read <= 0 {
                break;
            }
            filled += read as usize;
            let mut begin = 0;
            while let Some(length) = buffer[begin..filled].iter().position(|&byte| byte == b'\n') {
                line(&buffer[begin..begin + length]);
                begin += length + 1;
            }
            buffer.copy_within(begin..filled, 0);
            filled -= begin;
        }
        libc::close(file);
    }
}
