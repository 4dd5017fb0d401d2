//! The reader thread: connects, greets, sends Hello, passes the analyzer's requests on, and connects again when the
//! connection is gone. Costs one attempt a second while there is no listener. Leaves when its patience is over.

use super::LinkEvent;
use super::destination::{Destination, Place};
use super::outbox::queue;
use super::pace::Pace;
use super::socket::Socket;
use super::writer;
use crate::guard::{log, panics};
use crossbeam_channel::Sender;
use rootbound_wire::endpoint::Endpoint;
use rootbound_wire::frame::{FrameError, FrameReader};
use rootbound_wire::greeting::{self, GreetingError};
use rootbound_wire::message::{FromAgent, Hello, ToAgent};
use rootbound_wire::secret::{Token, TokenError};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time that a listener may take to prove itself.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);

/// Connects and reads until the analyzer refuses, until the session has gone, or until there was no analyzer for longer
/// than the destination allows.
pub fn run(destination: &Destination, hello: &Hello, events: &Sender<LinkEvent>) {
    let (mut pace, mut reported_misfit) = (Pace::default(), None);
    let mut alone_since = Instant::now();
    loop {
        let Place { endpoint, patience } = destination.place();
        let misfit = match attempt(&endpoint, destination, hello, events) {
            Attempt::Over => return,
            Attempt::Lost => {
                alone_since = Instant::now();
                None
            }
            Attempt::Nobody => None,
            Attempt::Misfit(reason) => Some(reason),
        };
        if patience.is_some_and(|patience| alone_since.elapsed() >= patience) {
            return log::info(&format!("{endpoint}: there is no analyzer; the agent leaves"));
        }
        let wait = pace.after(misfit.is_some());
        if let Some(reason) = &misfit
            && reported_misfit.as_ref() != Some(&endpoint)
        {
            log::error(&format!("{endpoint}: {reason}; the agent goes on trying, less and less often"));
            reported_misfit = Some(endpoint);
        }
        destination.wait(wait);
    }
}

/// The result of one attempt.
enum Attempt {
    /// Never connect again.
    Over,
    /// There was an analyzer, and it is gone.
    Lost,
    /// There is none.
    Nobody,
    /// There is a listener that the agent must not talk to.
    Misfit(String),
}

fn attempt(endpoint: &Endpoint, destination: &Destination, hello: &Hello, events: &Sender<LinkEvent>) -> Attempt {
    let token = match token(endpoint) {
        Ok(token) => token,
        Err(error) => {
            log::error(&format!("{endpoint}: {error}"));
            return Attempt::Over;
        }
    };
    match Socket::connect(endpoint) {
        Ok(socket) => {
            destination.met(socket.peer());
            match converse(&socket, token.as_ref(), hello, events) {
                Ending::Over => Attempt::Over,
                Ending::Lost => Attempt::Lost,
                Ending::Misfit(reason) => Attempt::Misfit(reason),
            }
        }
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Attempt::Misfit(error.to_string()),
        Err(_) => Attempt::Nobody,
    }
}

/// TCP needs a secret; the peer of a Unix socket is identified by its user.
fn token(endpoint: &Endpoint) -> Result<Option<Token>, TokenError> {
    match endpoint {
        Endpoint::Unix(_) => Ok(None),
        Endpoint::Tcp { .. } => Token::from_environment().map(Some),
    }
}

enum Ending {
    /// Never connect again.
    Over,
    Lost,
    Misfit(String),
}

fn converse(socket: &Socket, token: Option<&Token>, hello: &Hello, events: &Sender<LinkEvent>) -> Ending {
    let (Ok(mut sink), Ok(source)) = (socket.try_clone(), socket.try_clone()) else { return Ending::Lost };
    let mut frames = FrameReader::new(source);
    if let Some(token) = token
        && let Err(error) = greet(socket, &mut frames, &mut sink, token)
    {
        return Ending::Misfit(error.to_string());
    }
    let (outbox, receiver, counts) = queue();
    let (pool, closed) = (outbox.pool.clone(), Arc::new(AtomicBool::new(false)));
    let writer_closed = closed.clone();
    let writer = thread::Builder::new().name("rootbound-write".to_owned()).spawn(move || {
        // The end of the analyzer shows in the reader's next step.
        drop(writer::drain(&receiver, &mut sink, &pool, &counts, &writer_closed));
        // The reader sleeps in a read; this wakes it.
        sink.shutdown();
    });
    let Ok(writer) = writer else { return Ending::Lost };
    outbox.offer(FromAgent::Hello(hello.clone()));
    let ending = if events.send(LinkEvent::Up(outbox)).is_ok() { read_commands(frames, events) } else { Ending::Over };
    closed.store(true, Ordering::Relaxed);
    if !matches!(ending, Ending::Over) {
        socket.shutdown();
        // Whether the session still listens shows at the next connection.
        drop(events.send(LinkEvent::Down));
    }
    if writer.join().is_err() {
        log::error(&format!("the writer panicked, and with it went the connection: {}", panics::taken().0));
    }
    ending
}

/// Nothing is sent before the listener has proved that it has the secret.
fn greet(
    socket: &Socket,
    frames: &mut FrameReader<Socket>,
    sink: &mut Socket,
    token: &Token,
) -> Result<(), GreetingError> {
    socket.set_read_timeout(Some(GREETING_TIMEOUT))?;
    greeting::as_agent(frames, sink, token)?;
    Ok(socket.set_read_timeout(None)?)
}

fn read_commands(mut frames: FrameReader<Socket>, events: &Sender<LinkEvent>) -> Ending {
    loop {
        match frames.next_frame().map(|frame| frame.map(|frame| frame.message::<ToAgent>())) {
            Ok(Some(Ok(Some(command)))) => {
                let is_last = matches!(command, ToAgent::Refuse { .. } | ToAgent::Detach);
                if events.send(LinkEvent::Asked(command)).is_err() {
                    return Ending::Over;
                }
                if is_last {
                    // The session sends Goodbye; the writer then ends with the outbox.
                    while matches!(frames.next_frame(), Ok(Some(_))) {}
                    return Ending::Over;
                }
            }
            Ok(Some(Ok(None))) => {}
            Ok(Some(Err(error))) => return Ending::Misfit(error.to_string()),
            Err(error @ FrameError::Version { .. }) => return Ending::Misfit(error.to_string()),
            Ok(None) | Err(_) => return Ending::Lost,
        }
    }
}
