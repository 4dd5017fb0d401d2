//! The start of a connection: greets over TCP, reads the agent's Hello, and lets the caller answer with Welcome or
//! Refuse.

use crate::ingest::live::{IntakeMemory, Link};
pub use crate::ingest::peer::PeerError;
use crate::ingest::stream::Stream;
use rootbound_wire::PROTOCOL_VERSION;
use rootbound_wire::frame::{self, FrameError, FrameReader};
use rootbound_wire::greeting::{self, GreetingError};
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use rootbound_wire::secret::Token;
use std::io;
use std::time::{Duration, Instant};

/// Time limit for a peer's Hello.
pub(crate) const HELLO_TIMEOUT: Duration = Duration::from_secs(10);

/// Time limit for a write. An agent stops reading only when it is broken; a later attempt would fail as well.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// A peer that did not become a watched JVM.
#[derive(Debug, thiserror::Error)]
pub enum HandshakeError {
    /// The peer's build speaks another version of the protocol.
    #[error("a JVM's agent speaks protocol version {theirs}; this rootbound speaks version {}", PROTOCOL_VERSION)]
    Version {
        /// The version in its frame.
        theirs: u16,
    },
    /// The first message was no Hello.
    #[error("a peer connected that did not say who it is: {0}")]
    NoHello(String),
    /// It did not prove over TCP that it knows the secret.
    #[error("a peer that connected over TCP was turned away: {0}")]
    Secret(GreetingError),
    /// The peer belongs to another user.
    #[error("a connection was refused: {0}")]
    User(PeerError),
    /// The agent does not trust this analyzer; holds its reason.
    #[error("{0}")]
    Declined(String),
    /// The socket failed.
    #[error("a connection failed before it began: {0}")]
    Io(#[from] io::Error),
}

/// An agent that sent its Hello and waits for the answer.
pub struct Candidate {
    hello: Hello,
    reader: FrameReader<Stream>,
    writer: Stream,
}

impl Candidate {
    /// Reads the Hello of a new peer, after both have proved that they know the token, if there is one. A peer that may
    /// not stay receives the reason; one that does not know the token receives nothing.
    ///
    /// # Errors
    /// [`HandshakeError`]; the connection is closed then.
    pub(crate) fn meet(stream: Stream, token: Option<&Token>, timeout: Duration) -> Result<Self, HandshakeError> {
        let mut writer = stream.handle()?;
        writer.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let mut reader = FrameReader::new(stream.read_until(Instant::now() + timeout));
        let greeted = token.map_or(Ok(()), |token| greet(&mut reader, &mut writer, token));
        match greeted.and_then(|()| read_hello(&mut reader)) {
            Ok(hello) => Ok(Self { hello, reader, writer }),
            Err(error @ HandshakeError::Secret(_)) => {
                writer.shut_down();
                Err(error)
            }
            Err(error) => {
                emit_refusal(&mut writer, error.to_string());
                Err(error)
            }
        }
    }

    /// Rejects a peer that, according to the system, belongs to another user.
    pub(crate) fn turn_away(mut stream: Stream, reason: PeerError) -> HandshakeError {
        if let Err(error) = stream.set_write_timeout(Some(WRITE_TIMEOUT)) {
            return error.into();
        }
        let error = HandshakeError::User(reason);
        emit_refusal(&mut stream, error.to_string());
        error
    }

    /// The agent's Hello.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Accepts the agent: sends Welcome and begins to read; frames that wait take their room from `memory`.
    ///
    /// # Errors
    /// If the connection is gone already.
    pub fn welcome(mut self, memory: &IntakeMemory) -> Result<Link, HandshakeError> {
        frame::write(&ToAgent::Welcome, &mut self.writer).map_err(io::Error::other)?;
        Ok(Link::start(self.hello, self.reader, self.writer, memory)?)
    }

    /// Rejects the agent; it goes dormant.
    pub fn refuse(mut self, reason: &str) {
        emit_refusal(&mut self.writer, reason.to_owned());
    }
}

/// Greets a peer over TCP. An agent of another version still receives our version, which stands in every frame.
fn greet(reader: &mut FrameReader<Stream>, writer: &mut Stream, token: &Token) -> Result<(), HandshakeError> {
    greeting::as_analyzer(reader, writer, token).map_err(|error| match error {
        GreetingError::Frame(FrameError::Version { theirs }) => HandshakeError::Version { theirs },
        error => HandshakeError::Secret(error),
    })
}

fn read_hello(reader: &mut FrameReader<Stream>) -> Result<Hello, HandshakeError> {
    let no_hello = |reason: String| HandshakeError::NoHello(reason);
    let frame = match reader.next_frame() {
        Ok(Some(frame)) => frame,
        Ok(None) => return Err(no_hello("it closed the connection".to_owned())),
        Err(FrameError::Version { theirs }) => return Err(HandshakeError::Version { theirs }),
        Err(FrameError::Io(error)) if is_timeout(&error) => return Err(no_hello("it stayed silent".to_owned())),
        Err(error) => return Err(no_hello(error.to_string())),
    };
    match frame.message() {
        Ok(Some(FromAgent::Hello(hello))) => Ok(hello),
        Ok(Some(FromAgent::Problem { text, .. })) => Err(HandshakeError::Declined(text)),
        Ok(_) => Err(no_hello("its first message is another one".to_owned())),
        Err(error) => Err(no_hello(error.to_string())),
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock)
}

/// Sends the refusal. The peer may be gone already, and then the error does not matter.
fn emit_refusal(writer: &mut Stream, reason: String) {
    if let Err(error) = frame::write(&ToAgent::Refuse { reason }, writer) {
        tracing::debug!("a refusal could not be delivered: {error}");
    }
    writer.shut_down();
}
