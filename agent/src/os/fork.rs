//! The forked child of a capture: made on the VM thread with the world stopped, it holds a frozen image of the heap
//! and walks it alone. The code that runs here in the child calls the system and nothing else. It neither allocates
//! nor locks, for the threads that hold locks do not exist there; it never returns to Java.
//!
//! `fork` is libc's, not the bare system call: it leaves malloc's locks open in the child, and the JVM's walk
//! allocates.

use super::cage::{self, Bounds};
use super::locks::KnownLocks;
use super::maps;
use std::ffi::CStr;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The child's exit code when it gave the walk up; the reason is in the ring.
pub const EXIT_GAVE_UP: i32 = 70;
/// The child's exit code when the agent panicked in it.
pub const EXIT_PANICKED: i32 = 71;
/// The child's exit code when it could not settle.
pub const EXIT_UNSETTLED: i32 = 72;

static IN_CHILD: AtomicBool = AtomicBool::new(false);
/// The advice on a range that was left out of a fork could not be undone: any later fork of the process lacks that
/// range.
static IS_MAIMED: AtomicBool = AtomicBool::new(false);

/// Whether this is the child.
pub fn is_child() -> bool {
    IN_CHILD.load(Ordering::Relaxed)
}

/// Ends the child immediately, with nothing run at its exit.
pub fn leave(code: i32) -> ! {
    // SAFETY: ends the process; the caller is the child.
    unsafe { libc::_exit(code) }
}

/// The reason why nothing may be forked any more in this process; for people.
pub fn obstacle() -> Option<String> {
    IS_MAIMED.load(Ordering::Relaxed).then(|| {
        "the kernel did not take back what an earlier fork had left out, so that later children would lack it"
            .to_owned()
    })
}

/// Finds, with the world stopped, the ranges that a fork may leave out. Neither allocates nor locks nor calls the JVM.
pub trait Spare {
    /// Ranges of pages in which the child reads nothing, and the range of addresses that holds them all.
    fn ranges(&mut self) -> (&[Range<u64>], Range<u64>);
    /// Whether the child may write there: it then finds zeros instead of nothing.
    fn may_be_written(&self) -> bool;
}

/// The parameters of a fork.
pub struct ForkOrder<'a> {
    /// The memory that both sides share on purpose: its first byte and length.
    pub keep: (usize, usize),
    /// An address in the table of the JVM's performance counters, which the VM thread goes on to write; 0 where it has
    /// none.
    pub counters: u64,
    /// The range of the process's arguments, as programs like `ps` read them; empty when that is not known.
    pub arguments: Range<u64>,
    /// Bounds on the child.
    pub bounds: Bounds,
    /// Locks that another thread may hold.
    pub locks: KnownLocks,
    /// The ranges to leave out.
    pub spare: Option<&'a mut (dyn Spare + 'a)>,
}

/// The ranges that were left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeftOut {
    /// Bytes of addresses.
    pub bytes: u64,
    /// Number of ranges.
    pub ranges: u32,
    /// Its part of the pause.
    pub took: Duration,
}

/// A running child.
#[derive(Clone, Copy, Debug)]
pub struct Forked {
    /// Its number.
    pub pid: i32,
    /// The ranges that it lacks.
    pub left_out: LeftOut,
}

/// The side of the fork on which this runs.
pub(crate) enum Side {
    Parent(Forked),
    Child,
}

/// Forks.
pub(crate) fn fork(order: &mut ForkOrder<'_>) -> io::Result<Side> {
    let mut left_out = LeftOut::default();
    // SAFETY: the child goes on with this thread alone and keeps to what this module promises. Signals wait until the
    // program goes on: before Linux 4.19 each one that is pending makes `fork` begin anew.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let held = order.locks.take();
        let spared = order.spare.as_mut().map(|spare| leave_out(&mut **spare, &mut left_out));
        let (parent, forked) = (libc::getpid(), libc::fork());
        let error = io::Error::last_os_error();
        if forked == 0 {
            IN_CHILD.store(true, Ordering::Relaxed);
            settle(parent, order);
            held.give_back();
            return Ok(Side::Child);
        }
        if let Some(spared) = spared {
            take_back(spared, &mut left_out);
        }
        held.give_back();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        if forked < 0 { Err(error) } else { Ok(Side::Parent(Forked { pid: forked, left_out })) }
    }
}

/// A range of addresses and the advice that restores it.
type Spared = (Range<u64>, libc::c_int);

/// Advises the kernel not to hand the ranges to children. Ranges that it refuses are copied as usual.
fn leave_out(spare: &mut dyn Spare, left_out: &mut LeftOut) -> Spared {
    let begun = Instant::now();
    let (advice, back) = if spare.may_be_written() {
        (libc::MADV_WIPEONFORK, libc::MADV_KEEPONFORK)
    } else {
        (libc::MADV_DONTFORK, libc::MADV_DOFORK)
    };
    let (ranges, whole) = spare.ranges();
    for range in ranges {
        if advise(range, advice) {
            left_out.bytes += range.end - range.start;
            left_out.ranges += 1;
        }
    }
    left_out.took = begun.elapsed();
    (whole, back)
}

/// One advice for all: it splits no mapping, so it needs no new one, and all become one again.
fn take_back((whole, back): Spared, left_out: &mut LeftOut) {
    let begun = Instant::now();
    if left_out.ranges > 0 && !advise(&whole, back) {
        IS_MAIMED.store(true, Ordering::Relaxed);
    }
    left_out.took += begun.elapsed();
}

fn advise(range: &Range<u64>, advice: libc::c_int) -> bool {
    let length = (range.end - range.start) as usize;
    // SAFETY: the advice is about children, and changes nothing for this process.
    unsafe { libc::madvise(range.start as usize as *mut libc::c_void, length, advice) == 0 }
}

/// Makes the child harmless, in every case of its own or its parent's end.
///
/// # Safety
/// Only in the child.
unsafe fn settle(parent: libc::pid_t, order: &ForkOrder<'_>) {
    // SAFETY: system calls on the child's own state. The thread that forked lives as long as the JVM does, so its end
    // is the parent's end.
    unsafe {
        offer_to_the_oom_killer();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != parent {
            leave(EXIT_UNSETTLED);
        }
        for signal in 1..=64 {
            // The JVM's handlers would look for threads; libc refuses a few numbers, which does no harm.
            libc::signal(signal, libc::SIG_DFL);
        }
        unblock_alarms();
        // 1, not 0: the kernel hands a dump to a program (`|` in core_pattern) at any limit except 1.
        let no_dump = libc::rlimit { rlim_cur: 1, rlim_max: 1 };
        libc::setrlimit(libc::RLIMIT_CORE, &no_dump);
        libc::setpgid(0, 0);
        be_named(&order.arguments);
        close_inherited();
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup(null);
        libc::dup(null);
        if !own_shared_mappings(order.keep, order.counters as usize) {
            leave(EXIT_UNSETTLED);
        }
        cage::close(order.bounds);
    }
}

/// All other signals stay blocked; those that end the child cannot be.
///
/// # Safety
/// Only in the child.
unsafe fn unblock_alarms() {
    // SAFETY: the child's own mask.
    unsafe {
        let mut alarms = std::mem::zeroed();
        libc::sigemptyset(&mut alarms);
        libc::sigaddset(&mut alarms, libc::SIGALRM);
        libc::sigaddset(&mut alarms, libc::SIGXCPU);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &alarms, std::ptr::null_mut());
    }
}

/// Shows the child under a name of its own: scripts that look for the program by its command line find it once.
///
/// # Safety
/// Only in the child.
unsafe fn be_named(arguments: &Range<u64>) {
    const NAME: &CStr = c"rootbound-child";
    // SAFETY: the name is text; the arguments are the child's copy of the beginning of its parent's stack.
    unsafe {
        libc::prctl(libc::PR_SET_NAME, NAME.as_ptr());
        let (length, name) = ((arguments.end - arguments.start) as usize, NAME.to_bytes_with_nul());
        if length >= name.len() {
            let place = arguments.start as usize as *mut u8;
            place.write_bytes(0, length);
            place.copy_from_nonoverlapping(name.as_ptr(), name.len());
        }
    }
}

/// # Safety
/// Only in the child.
unsafe fn close_inherited() {
    const ALL: libc::c_long = libc::c_uint::MAX as libc::c_long;
    const MOST: libc::rlim_t = 1 << 20;
    // SAFETY: the child uses none of them: the JVM's streams and the agent's socket are the parent's.
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

/// The JVM's counters become the child's own. The program's other shared mappings are neither read nor copied; the
/// child may not write them. `false` when the mappings cannot be read, or the counters not be replaced.
///
/// # Safety
/// Only in the child.
unsafe fn own_shared_mappings(keep: (usize, usize), counters: usize) -> bool {
    let kept = keep.0..keep.0 + keep.1;
    let mut owned = true;
    // SAFETY: as the caller's.
    let listed = unsafe {
        each_line(c"/proc/self/maps", |line| {
            let Some(mapping) = maps::mapping(line) else { return };
            if !mapping.is_shared || !mapping.is_writable || kept.contains(&mapping.start) {
                return;
            }
            let length = mapping.end - mapping.start;
            if (mapping.start..mapping.end).contains(&counters) {
                owned &= replace_by_copy(mapping.start, length);
            } else {
                libc::mprotect(mapping.start as *mut libc::c_void, length, libc::PROT_READ);
            }
        })
    };
    listed && owned
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

/// Hands on the lines of a file, as far as they fit a buffer on the stack: of a longer one its beginning. `false` when
/// the file cannot be read to its end.
///
/// # Safety
/// Only in the child.
unsafe fn each_line(file: &CStr, mut line: impl FnMut(&[u8])) -> bool {
    let mut buffer = [0_u8; 8192];
    let (mut filled, mut is_rest) = (0, false);
    // SAFETY: reads into the rest of the buffer.
    unsafe {
        let file = libc::open(file.as_ptr(), libc::O_RDONLY);
        if file < 0 {
            return false;
        }
        let is_whole = loop {
            let read = libc::read(file, buffer[filled..].as_mut_ptr().cast(), buffer.len() - filled);
            if read <= 0 {
                break read == 0;
            }
            filled += read as usize;
            let mut begin = 0;
            while let Some(length) = buffer[begin..filled].iter().position(|&byte| byte == b'\n') {
                // The text behind the beginning of a long line is no line.
                if !std::mem::take(&mut is_rest) {
                    line(&buffer[begin..begin + length]);
                }
                begin += length + 1;
            }
            if begin == 0 && filled == buffer.len() {
                if !std::mem::replace(&mut is_rest, true) {
                    line(&buffer);
                }
                begin = filled;
            }
            buffer.copy_within(begin..filled, 0);
            filled -= begin;
        };
        libc::close(file);
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn long_lines_are_cut_and_a_missing_file_is_reported() {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        let long = "x".repeat(20_000);
        write!(file, "short\n{long}\n{}\nlast\n", &long[..8000]).expect("written");
        let path = std::ffi::CString::new(file.path().to_str().expect("text")).expect("no zero");
        let mut lengths = Vec::new();
        // SAFETY: reads a file.
        assert!(unsafe { each_line(&path, |line| lengths.push(line.len())) });
        assert_eq!(lengths, [5, 8192, 8000, 4]);
        // SAFETY: as above.
        assert!(!unsafe { each_line(c"/nowhere/at/all", |_| ()) });
    }
}
