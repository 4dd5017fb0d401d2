//! Access control of a Unix socket: only one user may connect, usually our own.

use nix::errno::Errno;
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use std::os::unix::net::UnixStream;

/// The reason why a peer may not connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PeerError {
    /// The kernel does not report its user.
    #[error("the peer's credentials cannot be read: {0}")]
    Unreported(Errno),
    /// It belongs to another user.
    #[error("the peer runs as user {theirs}; only user {allowed} may connect")]
    Foreign {
        /// The peer's user.
        theirs: u32,
        /// The user who may connect.
        allowed: u32,
    },
}

/// Checks the credentials that the kernel reports.
///
/// # Errors
/// The reason for a refusal.
pub(crate) fn check_user(stream: &UnixStream, allowed: u32) -> Result<(), PeerError> {
    // Only the user counts. The process id is 0 if the peer lives in another PID namespace, and rustix's function for
    // this treats 0 as impossible.
    let credentials = getsockopt(stream, PeerCredentials).map_err(PeerError::Unreported)?;
    judge_user(credentials.uid(), allowed)
}

/// Checks who sends a request: the user of this process, or root.
///
/// # Errors
/// The reason for a refusal.
pub(crate) fn check_control_user(stream: &UnixStream) -> Result<(), PeerError> {
    check_user(stream, rustix::process::geteuid().as_raw()).or_else(|refusal| match refusal {
        PeerError::Foreign { theirs: 0, .. } => Ok(()),
        other => Err(other),
    })
}

/// Compares the users. An agent of root's would reject a user's analyzer, and a user's agent cannot open root's socket.
fn judge_user(theirs: u32, allowed: u32) -> Result<(), PeerError> {
    if theirs == allowed {
        return Ok(());
    }
    Err(PeerError::Foreign { theirs, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_user_may_connect_and_nobody_else() {
        assert!(judge_user(1000, 1000).is_ok());
        for (theirs, ours) in [(1001, 1000), (0, 1000), (1000, 0)] {
            let refusal = judge_user(theirs, ours).unwrap_err().to_string();
            assert!(refusal.contains(&theirs.to_string()) && refusal.contains(&ours.to_string()), "{refusal}");
        }
    }

    #[test]
    fn the_kernel_vouches_for_a_peer_of_this_process() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let user = rustix::process::geteuid().as_raw();
        assert!(check_user(&ours, user).is_ok());
        assert!(check_user(&ours, user + 1).is_err());
    }
}
