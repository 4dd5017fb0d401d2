//! How two ends that share a secret prove it to each other over TCP, before anything else is said. The secret itself never
//! crosses the wire. Opens no socket.
//!
//! The agent sends a nonce; the analyzer answers with its own nonce and a proof; the agent checks it and sends its
//! proof. A proof is the HMAC-SHA256, with the secret as key, of who proves and both nonces. So whoever only listens on
//! the port learns a nonce, and no proof can be sent back to where it came from, or be used a second time.

use crate::PROTOCOL_VERSION;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use std::fmt;
use std::io;

/// Environment variable that holds the secret on both sides.
pub const TOKEN_VARIABLE: &str = "ROOTBOUND_TOKEN";

/// Shortest secret. Whoever connects to an analyzer gets a proof, and may try secrets on it at leisure: a short one
/// would be found.
pub const LEAST_TOKEN_BYTES: usize = 16;

/// A random number that is used once.
pub type Nonce = [u8; 32];

/// What only somebody who knows the secret can compute.
pub type Proof = [u8; 32];

/// What is said over TCP before the first message. Never recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Greeting {
    /// Agent → analyzer: prove that you know the secret.
    Challenge(Nonce),
    /// Analyzer → agent: here is the proof; now prove it yourself.
    Answer(Nonce, Proof),
    /// Agent → analyzer: here is mine.
    Proven(Proof),
}

/// Who proves.
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

/// A secret that both sides were given.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why there is no secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// None was given.
    #[error("TCP needs a secret that both sides know: set {TOKEN_VARIABLE} to at least {LEAST_TOKEN_BYTES} characters")]
    Missing,
    /// It can be guessed.
    #[error("{TOKEN_VARIABLE} has less than {LEAST_TOKEN_BYTES} characters, too few for a secret over TCP")]
    Short,
}

impl Token {
    /// A secret that is long enough.
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

    /// The secret in the environment.
    ///
    /// # Errors
    /// [`TokenError`].
    pub fn from_environment() -> Result<Self, TokenError> {
        Self::new(&std::env::var(TOKEN_VARIABLE).unwrap_or_default())
    }

    /// Proves to the other end that `side` knows the secret.
    #[must_use]
    pub fn prove(&self, side: Side, nonces: &Nonces) -> Proof {
        self.hash(side, nonces).finalize().into_bytes().into()
    }

    /// Whether `proof` is `side`'s; takes a time that tells nothing about where it is wrong.
    #[must_use]
    pub fn is_proven(&self, side: Side, nonces: &Nonces, proof: &Proof) -> bool {
        self.hash(side, nonces).verify(proof.into()).is_ok()
    }

    fn hash(&self, side: Side, nonces: &Nonces) -> Hmac<Sha256> {
        let name: &[u8] = match side {
            Side::Agent => b"rootbound agent",
            Side::Analyzer => b"rootbound analyzer",
        };
        // Keys of any length are lawful: the error is for other algorithms.
        let mut hash = <Hmac<Sha256> as KeyInit>::new_from_slice(self.0.as_bytes()).unwrap_or_else(|_| unreachable!());
        hash.update(name);
        hash.update(&[0]);
        hash.update(&PROTOCOL_VERSION.to_le_bytes());
        hash.update(&nonces.agent);
        hash.update(&nonces.analyzer);
        hash
    }
}

/// The secret is never shown.
impl fmt::Debug for Token {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Token(…)")
    }
}

/// A new nonce, from the system.
///
/// # Errors
/// When the system has no randomness to give.
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
        // Sent back to where it came from …
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
