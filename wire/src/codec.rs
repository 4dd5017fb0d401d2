//! Messages to bytes and back. The only file that depends on the serializer, so that it can be replaced.

use crate::message::{FromAgent, ToAgent};
use crate::secret::Greeting;
use serde::{Serialize, de::DeserializeOwned};
use serde_bytes::Bytes;

/// Reasons why a message cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The bytes do not decode, or decode only in part.
    #[error("a payload of {length} bytes is not a message: {reason}")]
    Malformed {
        /// Length of the payload in bytes.
        length: usize,
        /// The serializer's error text.
        reason: String,
    },
    /// A message that cannot be written.
    #[error("a message cannot be encoded: {0}")]
    Unencodable(String),
}

/// Most bytes that decoding one message may request; a frame is never longer, so no valid message needs more.
pub(crate) const DECODE_LIMIT_BYTES: usize = 64 << 20;

/// First byte of a coded [`FromAgent::Classes`]: its number in docs/wire-protocol.md.
const CLASSES: u8 = 8;
/// Likewise of a [`FromAgent::Graph`].
const GRAPH: u8 = 4;

/// Appends the coded message to `out`.
///
/// # Errors
/// [`CodecError::Unencodable`] when the serializer refuses; `out` may then hold a part.
pub fn encode<M: Message>(message: &M, out: &mut Vec<u8>) -> Result<(), CodecError> {
    encode_into(message, out)
}

/// Bytes of what files hold in addition to messages.
pub(crate) fn encode_value<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut out = Vec::new();
    encode_into(value, &mut out).map(|()| out)
}

fn encode_into<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), CodecError> {
    bincode::serde::encode_into_std_write(value, out, bincode::config::standard())
        .map(drop)
        .map_err(|error| CodecError::Unencodable(error.to_string()))
}

/// Length of a coded part of a message, in bytes.
///
/// # Errors
/// [`CodecError::Unencodable`] when the serializer refuses.
pub fn length<P: Serialize>(part: &P) -> Result<usize, CodecError> {
    bincode::serde::encode_into_std_write(part, &mut std::io::sink(), bincode::config::standard())
        .map_err(|error| CodecError::Unencodable(error.to_string()))
}

/// Decodes one whole payload.
///
/// # Errors
/// [`CodecError::Malformed`] unless the payload is exactly one message. Never panics, and never allocates more than a
/// fixed limit, whatever lengths the bytes claim.
pub fn decode<M: Message>(payload: &[u8]) -> Result<M, CodecError> {
    decode_value(payload)
}

/// Whether a payload of the agent is a message on classes.
pub(crate) fn is_classes(payload: &[u8]) -> bool {
    payload.first() == Some(&CLASSES)
}

/// The chunk of a payload of the agent, if it is that of a [`FromAgent::Graph`].
pub(crate) fn chunk(payload: &[u8]) -> Option<&[u8]> {
    let coded = payload.strip_prefix(&[GRAPH])?;
    let decoded = bincode::serde::borrow_decode_from_slice::<&Bytes, _>(coded, bincode::config::standard());
    decoded.ok().filter(|&(_, read)| read == coded.len()).map(|(chunk, _)| &**chunk)
}

/// As [`decode`], for what files hold in addition to messages.
pub(crate) fn decode_value<T: DeserializeOwned>(payload: &[u8]) -> Result<T, CodecError> {
    let malformed = |reason: String| CodecError::Malformed { length: payload.len(), reason };
    let config = bincode::config::standard().with_limit::<DECODE_LIMIT_BYTES>();
    let (message, read) =
        bincode::serde::decode_from_slice(payload, config).map_err(|error| malformed(error.to_string()))?;
    if read != payload.len() {
        return Err(malformed(format!("{} bytes follow it", payload.len() - read)));
    }
    Ok(message)
}

/// A message of one direction, with the frame kind that carries it.
pub trait Message: Serialize + DeserializeOwned {
    /// The frame kind that carries this direction.
    const KIND: u8;
}

impl Message for FromAgent {
    const KIND: u8 = 1;
}

impl Message for ToAgent {
    const KIND: u8 = 2;
}

impl Message for Greeting {
    const KIND: u8 = 3;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Chunk;

    #[test]
    fn chunks_are_found_in_their_messages_alone() {
        for length in [0, 1, 250, 251, 70_000] {
            let (bytes, mut coded) = (vec![4; length], Vec::new());
            encode(&FromAgent::Graph(Chunk(bytes.clone())), &mut coded).unwrap();
            assert_eq!(chunk(&coded), Some(&bytes[..]));
            coded.push(0);
            assert_eq!(chunk(&coded), None);
        }
        assert_eq!(chunk(&[]), None);
        let mut coded = Vec::new();
        encode(&FromAgent::Classes(Vec::new()), &mut coded).unwrap();
        assert_eq!(chunk(&coded), None);
    }

    #[test]
    fn messages_on_classes_are_known_by_their_first_byte() {
        let is = |message: &FromAgent| {
            let mut coded = Vec::new();
            encode(message, &mut coded).unwrap();
            is_classes(&coded)
        };
        assert!(is(&FromAgent::Classes(Vec::new())));
        assert!(!is(&FromAgent::Threads(Vec::new())) && !is(&FromAgent::Roots(Vec::new())));
    }
}
