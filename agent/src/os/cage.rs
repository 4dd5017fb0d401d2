//! Limits on a forked child that hold in every case: it may not open or write a file, start a process or a thread, or
//! outlive its bounds. Should its memory run out, HotSpot's own error handler runs in it. Here that handler writes no
//! report, runs none of the operator's commands (`-XX:OnError`), and the child ends immediately.
//!
//! System calls on the child's own state, and nothing else.

use libc::{BPF_ABS, BPF_JEQ, BPF_JMP, BPF_K, BPF_LD, BPF_RET, BPF_W, c_long, rlim_t, sock_filter, sock_fprog};

/// Bounds on a child's running time and work, and on its additional address space.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Seconds to its end by the clock and by its processor time.
    pub seconds: u32,
    /// Its address space when it is forked, and the additional space that it may take.
    pub address_bytes: u64,
}

/// System calls of which one ends the child.
#[cfg(target_arch = "x86_64")]
const ENDING: [c_long; 8] = [
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_clone,
    libc::SYS_clone3,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_socket,
    libc::SYS_connect,
];
#[cfg(not(target_arch = "x86_64"))]
const ENDING: [c_long; 6] =
    [libc::SYS_execve, libc::SYS_execveat, libc::SYS_clone, libc::SYS_clone3, libc::SYS_socket, libc::SYS_connect];

/// Bounds the child.
///
/// # Safety
/// Only in the child, when it has opened its last file.
pub(crate) unsafe fn close(bounds: Bounds) {
    let seconds = rlim_t::from(bounds.seconds);
    // The soft limit's signal ends the child; one second later the hard limit's cannot be blocked.
    let limits = [
        (libc::RLIMIT_NOFILE, 0, 0),
        (libc::RLIMIT_FSIZE, 0, 0),
        (libc::RLIMIT_NPROC, 0, 0),
        (libc::RLIMIT_CPU, seconds, seconds + 1),
        (libc::RLIMIT_AS, bounds.address_bytes, bounds.address_bytes),
    ];
    // SAFETY: limits of the child alone; an alarm without a handler ends it, even when its parent is stopped.
    unsafe {
        for (limit, rlim_cur, rlim_max) in limits {
            lower(limit, libc::rlimit { rlim_cur, rlim_max });
        }
        libc::alarm(bounds.seconds);
        forbid();
    }
}

/// The name of a limit, whose type the C libraries disagree on.
#[cfg(target_env = "musl")]
type Resource = libc::c_int;
#[cfg(not(target_env = "musl"))]
type Resource = libc::__rlimit_resource_t;

/// A limit never rises: the program may be under a lower one.
///
/// # Safety
/// Only in the child.
unsafe fn lower(limit: Resource, wanted: libc::rlimit) {
    let mut old = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the child's own limits.
    unsafe {
        libc::getrlimit(limit, &mut old);
        let new =
            libc::rlimit { rlim_cur: wanted.rlim_cur.min(old.rlim_cur), rlim_max: wanted.rlim_max.min(old.rlim_max) };
        libc::setrlimit(limit, &new);
    }
}

/// A filter of system calls: `RLIMIT_NPROC` does not bind the superuser. Where the kernel takes none, the limits
/// remain.
///
/// # Safety
/// Only in the child.
unsafe fn forbid() {
    const CALLS: usize = ENDING.len();
    const LENGTH: usize = CALLS + 3;
    let load = (BPF_LD | BPF_W | BPF_ABS) as u16;
    let (equal, answer) = ((BPF_JMP | BPF_JEQ | BPF_K) as u16, (BPF_RET | BPF_K) as u16);
    let nothing = sock_filter { code: 0, jt: 0, jf: 0, k: 0 };
    let mut filter = [nothing; LENGTH];
    // The number of the call is the first word that the kernel passes.
    filter[0] = sock_filter { code: load, jt: 0, jf: 0, k: 0 };
    for (at, call) in ENDING.into_iter().enumerate() {
        // To the last line when it is that call, else on.
        let jt = (CALLS - at) as u8;
        filter[1 + at] = sock_filter { code: equal, jt, jf: 0, k: call as u32 };
    }
    filter[LENGTH - 2] = sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW };
    filter[LENGTH - 1] = sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_KILL_PROCESS };
    let program = sock_fprog { len: LENGTH as u16, filter: filter.as_mut_ptr() };
    // SAFETY: the program outlives the call, which copies it. The child never makes the forbidden calls by itself.
    unsafe {
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 {
            libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &program);
        }
    }
}
