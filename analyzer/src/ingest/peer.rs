//! Who may connect: over a Unix socket the same user, over TCP whoever knows the token.

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use std::hint::black_box;
use std::os::unix::net::UnixStream;

/// Environment variable with the secret that opens TCP beyond the loopback interface.
pub(crate) const TOKEN_VARIABLE: &str = "ROOTBOUND_TOKEN";

/// Checks the credentials that the kernel vouches for.
///
/// # Errors
/// The refusal, for people to read.
pub(crate) fn check_user(stream: &UnixStream) -> Result<(), String> {
    // The user alone counts: the process id is 0 where the peer lives in another PID namespace, which rustix's function
    // for this takes for impossible.
    let credentials = getsockopt(stream, PeerCredentials)
        .map_err(|error| format!("the peer's credentials cannot be read: {error}"))?;
    judge_user(credentials.uid(), rustix::process::geteuid().as_raw())
}

/// An agent of root's would not speak to a user's analyzer, and a user's agent cannot open root's socket.
fn judge_user(theirs: u32, ours: u32) -> Result<(), String> {
    if theirs == ours {
        return Ok(());
    }
    Err(format!("the peer runs as user {theirs}; only user {ours} may connect"))
}

/// Compares in a time that tells nothing about where two secrets of one length differ.
pub(crate) fn same_secret(given: &str, expected: &str) -> bool {
    let (given, expected) = (given.as_bytes(), expected.as_bytes());
    let difference = given.iter().zip(expected).fold(0, |seen, (a, b)| black_box(seen | (a ^ b)));
    given.len() == expected.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_user_may_connect_and_nobody_else() {
        assert!(judge_user(1000, 1000).is_ok());
        for (theirs, ours) in [(1001, 1000), (0, 1000), (1000, 0)] {
            let refusal = judge_user(theirs, ours).unwrap_err();
            assert!(refusal.contains(&theirs.to_string()) && refusal.contains(&ours.to_string()), "{refusal}");
        }
    }

    #[test]
    fn the_kernel_vouches_for_a_peer_of_this_process() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        assert!(check_user(&ours).is_ok());
    }

    #[test]
    fn secrets_are_equal_only_as_a_whole() {
        assert!(same_secret("abc", "abc"));
        for other in ["", "ab", "abd", "abcd"] {
            assert!(!same_secret(other, "abc"), "{other}");
        }
    }
}
