//! The first messages over TCP, from both ends: before both have proved that they know the secret, no other message is
//! sent. See [`crate::secret`] for the proofs.

use crate::frame::{self, FrameError, FrameReader};
use crate::secret::{Greeting, Nonces, Side, TOKEN_VARIABLE, Token, nonce};
use std::io::{self, Read, Write};

/// Reasons to reject the other end.
#[derive(Debug, thiserror::Error)]
pub enum GreetingError {
    /// Its proof is wrong, or it sent another message.
    #[error("the other side does not know the secret in {TOKEN_VARIABLE}")]
    Unproven,
    /// It closed the connection.
    #[error("the other side closed the connection before it had proved that it knows the secret in {TOKEN_VARIABLE}")]
    Closed,
    /// It sent no message in time.
    #[error("the other side stayed silent instead of proving that it knows the secret in {TOKEN_VARIABLE}")]
    Silent,
    /// The received bytes are no frame, or one of another version.
    #[error("the other side did not prove that it knows the secret in {TOKEN_VARIABLE}: {0}")]
    Frame(FrameError),
}

impl From<FrameError> for GreetingError {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Io(error) => error.into(),
            error => Self::Frame(error),
        }
    }
}

impl From<io::Error> for GreetingError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Silent,
            _ => Self::Frame(error.into()),
        }
    }
}

/// Greets as the end that connected. It sends no proof before the other end has.
///
/// # Errors
/// [`GreetingError`]; the other end has learned a nonce then, and no more.
pub fn as_agent<R: Read>(
    frames: &mut FrameReader<R>,
    out: &mut impl Write,
    token: &Token,
) -> Result<(), GreetingError> {
    let agent = nonce()?;
    frame::write(&Greeting::Challenge(agent), out)?;
    let Greeting::Answer(analyzer, proof) = hear(frames)? else { return Err(GreetingError::Unproven) };
    let nonces = Nonces { agent, analyzer };
    if !token.is_proven(Side::Analyzer, &nonces, &proof) {
        return Err(GreetingError::Unproven);
    }
    Ok(frame::write(&Greeting::Proven(token.prove(Side::Agent, &nonces)), out)?)
}

/// Greets as the end that was connected to.
///
/// # Errors
/// [`GreetingError`]; the other end has learned a nonce and a proof that is valid only for this connection.
pub fn as_analyzer<R: Read>(
    frames: &mut FrameReader<R>,
    out: &mut impl Write,
    token: &Token,
) -> Result<(), GreetingError> {
    let Greeting::Challenge(agent) = hear(frames)? else { return Err(GreetingError::Unproven) };
    let nonces = Nonces { agent, analyzer: nonce()? };
    frame::write(&Greeting::Answer(nonces.analyzer, token.prove(Side::Analyzer, &nonces)), out)?;
    match hear(frames)? {
        Greeting::Proven(proof) if token.is_proven(Side::Agent, &nonces, &proof) => Ok(()),
        _ => Err(GreetingError::Unproven),
    }
}

fn hear<R: Read>(frames: &mut FrameReader<R>) -> Result<Greeting, GreetingError> {
    let frame = frames.next_frame()?.ok_or(GreetingError::Closed)?;
    frame.message().map_err(FrameError::from)?.ok_or(GreetingError::Unproven)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{FromAgent, GoodbyeReason, ToAgent};
    use crate::secret::Proof;
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    use std::thread::{self, JoinHandle};

    const SECRET: &str = "s3cret-of-production";

    fn token(text: &str) -> Token {
        Token::new(text).unwrap()
    }

    /// An agent that greets at the other end of the stream.
    fn agent(text: &'static str) -> (UnixStream, JoinHandle<Result<(), GreetingError>>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let greeting = move || {
            let greeted = as_agent(&mut FrameReader::new(&theirs), &mut &theirs, &token(text));
            theirs.shutdown(Shutdown::Both).unwrap();
            greeted
        };
        (ours, thread::spawn(greeting))
    }

    #[test]
    fn two_ends_with_one_secret_greet_each_other() {
        let (stream, agent) = agent(SECRET);
        assert!(as_analyzer(&mut FrameReader::new(&stream), &mut &stream, &token(SECRET)).is_ok());
        assert!(agent.join().unwrap().is_ok());
    }

    #[test]
    fn an_analyzer_with_another_secret_gets_no_proof() {
        let (stream, agent) = agent(SECRET);
        let greeted = as_analyzer(&mut FrameReader::new(&stream), &mut &stream, &token("another one, as long"));
        assert!(matches!(greeted, Err(GreetingError::Closed)));
        assert!(matches!(agent.join().unwrap(), Err(GreetingError::Unproven)));
    }

    /// An unknown process takes the port, receives the challenge, and sends an arbitrary answer.
    #[test]
    fn a_stranger_on_the_port_learns_a_nonce_and_nothing_else() {
        let answers: [fn(&mut UnixStream); 3] = [
            |stream| frame::write(&Greeting::Answer([7; 32], [8; 32]), stream).unwrap(),
            |stream| frame::write(&ToAgent::Welcome, stream).unwrap(),
            |stream| stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap(),
        ];
        for answer in answers {
            let (mut stream, agent) = agent(SECRET);
            let mut frames = FrameReader::new(stream.try_clone().unwrap());
            let heard = frames.next_frame().unwrap().unwrap().message().unwrap();
            assert!(matches!(heard, Some(Greeting::Challenge(_))), "{heard:?}");
            answer(&mut stream);
            stream.shutdown(Shutdown::Write).unwrap();
            assert!(frames.next_frame().unwrap().is_none(), "nothing follows");
            assert!(agent.join().unwrap().is_err());
        }
    }

    #[test]
    fn a_proof_sent_back_proves_nothing() {
        let (mut stream, theirs) = UnixStream::pair().unwrap();
        let analyzer = thread::spawn(move || {
            let greeted = as_analyzer(&mut FrameReader::new(&theirs), &mut &theirs, &token(SECRET));
            drop(theirs);
            greeted
        });
        frame::write(&Greeting::Challenge([1; 32]), &mut stream).unwrap();
        let mut frames = FrameReader::new(stream.try_clone().unwrap());
        let answer: Option<Greeting> = frames.next_frame().unwrap().unwrap().message().unwrap();
        let proof: Proof = match answer {
            Some(Greeting::Answer(_, proof)) => proof,
            other => panic!("{other:?}"),
        };
        frame::write(&Greeting::Proven(proof), &mut stream).unwrap();
        assert!(matches!(analyzer.join().unwrap(), Err(GreetingError::Unproven)));
        assert!(frames.next_frame().unwrap().is_none(), "nothing follows");
    }

    #[test]
    fn silence_is_called_silence() {
        let (stream, _theirs) = UnixStream::pair().unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_millis(20))).unwrap();
        let greeted = as_agent(&mut FrameReader::new(&stream), &mut &stream, &token(SECRET));
        assert!(matches!(greeted, Err(GreetingError::Silent)), "{greeted:?}");
    }

    #[test]
    fn an_agent_that_begins_with_something_else_is_not_answered() {
        let (mut stream, theirs) = UnixStream::pair().unwrap();
        frame::write(&FromAgent::Goodbye { at_ms: 0, reason: GoodbyeReason::VmDeath }, &mut stream).unwrap();
        let greeted = as_analyzer(&mut FrameReader::new(&theirs), &mut &theirs, &token(SECRET));
        assert!(matches!(greeted, Err(GreetingError::Unproven)));
        drop(theirs);
        assert!(FrameReader::new(&stream).next_frame().unwrap().is_none());
    }
}
