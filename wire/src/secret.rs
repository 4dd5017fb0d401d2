//! The proof over TCP that both ends know a shared secret, before any other message. The secret itself never crosses
//! the wire. Opens no socket.
//!
//! The agent sends a nonce; the analyzer answers with its own nonce and a proof; the agent checks it and sends its
//! proof. A proof is the HMAC-SHA256, with the secret as key, of the proving side and both nonces. So an impostor that
//! only listens on the port learns a nonce. No proof can be sent back to its sender, or be used a second time.

use crate::PROTOCOL_VERSION;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;
use std::io;

/// Environment variable that holds the secret on both sides.
pub const TOKEN_VARIABLE: &str = "ROOTBOUND_TOKEN";

/// Least length of a secret in bytes. A peer that connects to an analyzer gets a proof, and may try secrets on it
/// offline: a short one would be found.
pub const LEAST_TOKEN_BYTES: usize = 16;

/// A random number that is used once.
pub type Nonce = [u8; 32];

/// A value that only an end that knows the secret can compute.
pub type Proof = [u8; 32];

/// The messages over TCP before the first regular message. Never recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Greeting {
    /// Agent → analyzer: a nonce, with the request to prove knowledge of the secret.
    Challenge(Nonce),
    /// Analyzer → agent: its nonce and its proof, with the same request.
    Answer(Nonce, Proof),
    /// Agent → analyzer: its proof.
    Proven(Proof),
}

/// The side that proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The end that connects.
    Agent,
    /// The end that listens.
    Analyzer,
}

/// The nonces of one connection.
#[derive(Clone, Copy, Debug)]
pub struct Nonces {
    /// The agent's.
    pub agent: Nonce,
    /// The analyzer's.
    pub analyzer: Nonce,
}

/// A secret that both sides have.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Reasons why there is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// None is set.
    #[error("TCP needs a secret that both sides know: set {TOKEN_VARIABLE} to at least {LEAST_TOKEN_BYTES} characters")]
    Missing,
    /// It is short enough to be guessed.
    #[error("{TOKEN_VARIABLE} has less than {LEAST_TOKEN_BYTES} characters, too few for a secret over TCP")]
    Short,
}

impl Token {
    /// Makes a secret of sufficient length.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn new(text: &str) -> Result<Self, TokenError> {
        match text.len() {
            0 => Err(TokenError::Missing),
            1..LEAST_TOKEN_BYTES => Err(TokenError::Short),
            _ => Ok(Self(text.to_owned())),
        }
    }

    /// Reads the secret from the environment.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn from_environment() -> Result<Self, TokenError> {
        Self::new(&std::env::var(TOKEN_VARIABLE).unwrap_or_default())
    }

    /// The proof of `side` that it knows the secret.
    #[must_use]
    pub fn prove(&self, side: Side, nonces: &Nonces) -> Proof {
        self.hash(side, nonces).finalize().into_bytes().into()
    }

    /// Whether `proof` is `side`'s; the duration does not reveal the position of an error.
    #[must_use]
    pub fn is_proven(&self, side: Side, nonces: &Nonces, proof: &Proof) -> bool {
        self.hash(side, nonces).verify(proof.into()).is_ok()
    }

    fn hash(&self, side: Side, nonces: &Nonces) -> Hmac<Sha256> {
        let name: &[u8] = match side {
            Side::Agent => b"rootbound agent",
            Side::Analyzer => b"rootbound analyzer",
        };
        // Keys of any length are valid: the error is for other algorithms.
        let mut hash = <Hmac<Sha256> as KeyInit>::new_from_slice(self.0.as_bytes()).unwrap_or_else(|_| unreachable!());
        hash.update(name);
        hash.update(&[0]);
        hash.update(&PROTOCOL_VERSION.to_le_bytes());
        hash.update(&nonces.agent);
        hash.update(&nonces.analyzer);
        hash
    }
}

/// Never prints the secret.
impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token(…)")
    }
}

/// Makes a new nonce, from the system.
///
/// # Errors
/// If the system has no randomness.
pub fn nonce() -> io::Result<Nonce> {
    let mut nonce = Nonce::default();
    getrandom::fill(&mut nonce).map_err(io::Error::other)?;
    Ok(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Token {
        Token::new(text).unwrap()
    }

    #[test]
    fn only_the_same_secret_side_and_nonces_make_the_same_proof() {
        let (ours, nonces) = (token("a secret of some length"), Nonces { agent: [1; 32], analyzer: [2; 32] });
        let proof = ours.prove(Side::Agent, &nonces);
        assert!(ours.is_proven(Side::Agent, &nonces, &proof));
        // Sent back to its sender …
        assert!(!ours.is_proven(Side::Analyzer, &nonces, &proof));
        // … on another connection, with another secret, or damaged, it proves nothing.
        assert!(!ours.is_proven(Side::Agent, &Nonces { agent: [3; 32], ..nonces }, &proof));
        assert!(!ours.is_proven(Side::Agent, &Nonces { agent: nonces.analyzer, analyzer: nonces.agent }, &proof));
        assert!(!token("a secret of same length").is_proven(Side::Agent, &nonces, &proof));
        let mut damaged = proof;
        damaged[31] ^= 1;
        assert!(!ours.is_proven(Side::Agent, &nonces, &damaged));
    }

    #[test]
    fn a_secret_that_can_be_guessed_is_none() {
        assert_eq!(Token::new(""), Err(TokenError::Missing));
        assert_eq!(Token::new("hunter2"), Err(TokenError::Short));
        assert!(Token::new(&"x".repeat(LEAST_TOKEN_BYTES)).is_ok());
        assert!(!format!("{:?}", token("a secret of some length")).contains("secret"));
    }

    #[test]
    fn nonces_differ() {
        assert_ne!(nonce().unwrap(), nonce().unwrap());
    }
}
