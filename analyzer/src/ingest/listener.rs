//! The listener: opens the socket, accepts agents, and removes its socket file at the end.
//!
//! Each peer has a thread of its own, so that a silent one does not delay the others.

pub use crate::ingest::door::{FolderFault, ListenError};
use crate::ingest::door::{open_tcp, open_unix};
use crate::ingest::handshake::{Candidate, HELLO_TIMEOUT, HandshakeError};
use crate::ingest::peer;
use crate::ingest::stream::Stream;
use crossbeam_channel::{Receiver, Sender, unbounded};
use rootbound_wire::endpoint::Endpoint;
use rootbound_wire::secret::Token;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt;
use std::fs;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// An agent that connected, or the reason why a peer was rejected.
pub type Knock = Result<Candidate, HandshakeError>;

/// Waits for agents from [`Listener::open`] until it is dropped; the socket file goes with it.
pub struct Listener {
    endpoint: Endpoint,
    knocks: Receiver<Knock>,
    leaving: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
    socket_file: Option<PathBuf>,
}

impl Listener {
    /// Opens `endpoint`. `token` is the secret that agents must know over TCP; a Unix socket does not need it.
    ///
    /// # Errors
    /// [`ListenError`]; no file is left behind then.
    pub fn open(endpoint: &Endpoint, token: Option<Token>) -> Result<Self, ListenError> {
        Self::open_for(endpoint, token, rustix::process::geteuid().as_raw())
    }

    /// The same for agents of another user's JVMs; over a Unix socket that user alone may connect.
    ///
    /// # Errors
    /// [`ListenError`]; no file is left behind then.
    pub fn open_for(endpoint: &Endpoint, token: Option<Token>, user: u32) -> Result<Self, ListenError> {
        let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
        let (socket, endpoint, socket_file) = match endpoint {
            Endpoint::Unix(path) => {
                (Door::Unix(open_unix(path, endpoint)?, user), endpoint.clone(), Some(path.clone()))
            }
            Endpoint::Tcp { host, port } => {
                let token = token.ok_or_else(|| ListenError::NoSecret(endpoint.clone()))?;
                let (listener, bound) = open_tcp(host, *port, endpoint)?;
                let port = bound.port();
                (Door::Tcp(listener, token), Endpoint::Tcp { host: host.clone(), port }, None)
            }
        };
        let (sender, knocks) = unbounded();
        let leaving = Arc::new(AtomicBool::new(false));
        let mut listener = Self { endpoint, knocks, leaving: Arc::clone(&leaving), acceptor: None, socket_file };
        socket.set_nonblocking().map_err(fail)?;
        let acceptor = thread::Builder::new().name("rootbound-acceptor".to_owned());
        listener.acceptor = Some(acceptor.spawn(move || accept_until(&leaving, &socket, &sender)).map_err(fail)?);
        Ok(listener)
    }

    /// The end point of this listener; a port that was left to the system is filled in.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Agents that wait for an answer, and peers that were rejected.
    #[must_use]
    pub fn knocks(&self) -> &Receiver<Knock> {
        &self.knocks
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        if let Some(acceptor) = self.acceptor.take() {
            // An acceptor that panicked has reported it already.
            drop(acceptor.join());
        }
        if let Some(path) = &self.socket_file
            && let Err(error) = fs::remove_file(path)
        {
            tracing::debug!("{} was gone already: {error}", path.display());
        }
    }
}

/// The listening socket with its demands on peers.
enum Door {
    /// With the user who may connect.
    Unix(UnixListener, u32),
    Tcp(TcpListener, Token),
}

impl Door {
    fn set_nonblocking(&self) -> io::Result<()> {
        match self {
            Self::Unix(listener, _) => listener.set_nonblocking(true),
            Self::Tcp(listener, _) => listener.set_nonblocking(true),
        }
    }

    fn accept(&self) -> io::Result<Guest> {
        match self {
            Self::Unix(listener, user) => listener.accept().map(|(stream, _)| Guest::Unix(stream, *user)),
            Self::Tcp(listener, token) => {
                let (stream, _) = listener.accept()?;
                stream.set_nodelay(true)?;
                stay_in_touch(&stream)?;
                Ok(Guest::Tcp(stream.into(), token.clone()))
            }
        }
    }
}

impl AsFd for Door {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Unix(listener, _) => listener.as_fd(),
            Self::Tcp(listener, _) => listener.as_fd(),
        }
    }
}

/// Enables keep-alive: a host that vanishes sends no goodbye. It is probed regularly, and given up after a minute of
/// silence.
fn stay_in_touch(stream: &TcpStream) -> io::Result<()> {
    sockopt::set_tcp_keepidle(stream, Duration::from_secs(30))?;
    sockopt::set_tcp_keepintvl(stream, Duration::from_secs(10))?;
    sockopt::set_tcp_keepcnt(stream, 3)?;
    Ok(sockopt::set_socket_keepalive(stream, true)?)
}

/// A new connection, before its handshake.
enum Guest {
    /// With the user who may connect.
    Unix(UnixStream, u32),
    Tcp(Stream, Token),
}

impl Guest {
    fn meet(self) -> Knock {
        match self {
            Self::Unix(stream, user) => {
                if let Err(reason) = peer::check_user(&stream, user) {
                    return Err(Candidate::turn_away(stream.into(), reason));
                }
                Candidate::meet(stream.into(), None, HELLO_TIMEOUT)
            }
            Self::Tcp(stream, token) => Candidate::meet(stream, Some(&token), HELLO_TIMEOUT),
        }
    }
}

/// Most handshakes at the same time; each has a thread until its peer has sent the Hello. Others wait in the socket's
/// queue.
const MOST_MEETINGS: usize = 16;
/// Time between two checks for a finished handshake while the limit is reached.
const SHUT: Duration = Duration::from_millis(50);

fn accept_until(leaving: &AtomicBool, door: &Door, knocks: &Sender<Knock>) {
    // Each handshake holds a clone.
    let meetings = Arc::new(());
    while !leaving.load(Ordering::Relaxed) {
        if Arc::strong_count(&meetings) > MOST_MEETINGS {
            thread::sleep(SHUT);
            continue;
        }
        if !someone_knocks(door) {
            continue;
        }
        match door.accept() {
            Ok(guest) => meet_aside(guest, knocks, &meetings),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => drop(knocks.send(Err(error.into()))),
        }
    }
}

fn someone_knocks(door: &Door) -> bool {
    const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    let mut watched = [PollFd::new(door, PollFlags::IN)];
    poll(&mut watched, Some(&PATIENCE)).is_ok_and(|ready| ready > 0)
}

/// Runs a handshake on its own thread. If the listener is gone by its end, the result is dropped, and with it the
/// connection.
fn meet_aside(guest: Guest, knocks: &Sender<Knock>, meetings: &Arc<()>) {
    let spawned = thread::Builder::new().name("rootbound-handshake".to_owned()).spawn({
        let (knocks, meeting) = (knocks.clone(), Arc::clone(meetings));
        move || {
            drop(knocks.send(guest.meet()));
            drop(meeting);
        }
    });
    if let Err(error) = spawned {
        drop(knocks.send(Err(error.into())));
    }
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
