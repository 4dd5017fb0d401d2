//! Reasons to refuse before anything is touched.

use super::error::AttachError;
use super::flags::forbids_agents;
use super::jvm::{Jvm, Machine, foreign};
use crate::agents::fit;
use crate::agents::source::Source;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// A library that is loaded earlier may meet a JVM that is not live yet; releases before this one then crash
/// (JDK-8359472).
const LEAST_AGE: Duration = Duration::from_secs(10);
const LIVE_IS_CHECKED: u32 = 26;
/// More of a C library is not read; those of today have 2 MB.
const LARGEST_LIBC: u64 = 64 << 20;
/// Longest wait for a JVM to catch SIGQUIT.
const STARTING: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);

/// The reason why this JVM cannot be attached to now, as far as can be seen from outside.
#[must_use]
pub fn obstacle(jvm: &Jvm) -> Option<AttachError> {
    let ours = rustix::process::geteuid().as_raw();
    if jvm.machine == Machine::OpenJ9 {
        return Some(AttachError::OpenJ9(jvm.pid));
    }
    if ours != 0 && ours != jvm.user {
        return Some(foreign(jvm.pid, jvm.user));
    }
    if let Some(flag) = forbids_agents(jvm) {
        return Some(AttachError::Forbidden { pid: jvm.pid, flag });
    }
    if matches!(jvm.state, 'T' | 't') {
        return Some(AttachError::Stopped(jvm.pid, jvm.state));
    }
    (!jvm.catches_quit).then_some(AttachError::QuitEnds(jvm.pid))
}

/// The agent's library for this JVM: the one that is asked for, or the one for its C library.
///
/// # Errors
/// When there is none, or the JVM cannot load it.
pub fn library(jvm: &Jvm, asked: Option<&Path>) -> Result<Source, AttachError> {
    let failed = |source| AttachError::NoAgent { pid: jvm.pid, source };
    let found = Source::find(jvm.c_library(), asked).map_err(failed)?;
    // An agent that is there already needs no library of ours.
    if jvm.agent_to_wake().is_none()
        && let Some((libc, theirs)) = &jvm.libc
        && let Some(theirs) = jvm.files().ok().and_then(|files| files.bytes(theirs, LARGEST_LIBC))
    {
        let path = asked.unwrap_or(Path::new(libc.library()));
        if let Some(obstacle) = fit::obstacle(&found.bytes().map_err(failed)?, path, *libc, &theirs) {
            return Err(failed(obstacle));
        }
    }
    Ok(found)
}

/// Waits until a JVM that has just started may be attached to; returns it as it then is.
///
/// # Errors
/// The obstacle, where waiting does not remove it.
pub fn ready(jvm: Jvm) -> Result<Jvm, AttachError> {
    let mut jvm = jvm;
    let mut waited = Duration::ZERO;
    loop {
        match obstacle(&jvm) {
            Some(AttachError::QuitEnds(_)) if waited < STARTING => {}
            Some(obstacle) => return Err(obstacle),
            None if is_young(&jvm) => {}
            None => return Ok(jvm),
        }
        thread::sleep(POLL);
        waited += POLL;
        jvm = jvm.again()?;
    }
}

/// Whether a library must not be loaded yet.
#[must_use]
pub fn is_young(jvm: &Jvm) -> bool {
    let is_checked = matches!(jvm.machine, Machine::HotSpot(Some(release)) if release >= LIVE_IS_CHECKED);
    jvm.age < LEAST_AGE && !is_checked
}
