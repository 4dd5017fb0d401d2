//! One socket to the analyzer, Unix or TCP. The peer of a Unix socket is checked before anything is sent.

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use rootbound_wire::endpoint::Endpoint;
use rootbound_wire::frame;
use rootbound_wire::message::FromAgent;
use rustix::net::sockopt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Longest time that one write may wait. A peer that reads nothing counts as dead after five seconds at most: Linux
/// ends the first write that met a full buffer with the part that went through, and only the second with an error.
const WRITE_TIMEOUT: Duration = Duration::from_millis(2500);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// A connected socket.
pub enum Socket {
    /// Local.
    Unix(UnixStream),
    /// Over TCP.
    Tcp(TcpStream),
}

impl Socket {
    /// Connects, checks the peer and sets the write timeout.
    ///
    /// # Errors
    /// When there is no listener, or one that the agent must not talk to ([`io::ErrorKind::PermissionDenied`]).
    pub fn connect(endpoint: &Endpoint) -> io::Result<Self> {
        match endpoint {
            Endpoint::Unix(path) => {
                let stream = UnixStream::connect(path)?;
                stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
                check_listener(&stream).inspect_err(|reason| decline(&stream, reason))?;
                Ok(Self::Unix(stream))
            }
            Endpoint::Tcp { host, port } => {
                let address = (host.as_str(), *port).to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
                let stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
                stream.set_nodelay(true)?;
                stay_in_touch(&stream)?;
                stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
                Ok(Self::Tcp(stream))
            }
        }
    }

    /// Process id of the listener; 0 where it is on another machine or in another PID namespace.
    pub fn peer(&self) -> u32 {
        match self {
            Self::Unix(stream) => getsockopt(stream, PeerCredentials).map_or(0, |peer| peer.pid().unsigned_abs()),
            Self::Tcp(_) => 0,
        }
    }

    /// A second handle on the same socket.
    ///
    /// # Errors
    /// When the system is out of descriptors.
    pub fn try_clone(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Unix(stream) => Self::Unix(stream.try_clone()?),
            Self::Tcp(stream) => Self::Tcp(stream.try_clone()?),
        })
    }

    /// Bounds every single read; `None` waits for ever. The bound holds for all handles of the socket.
    ///
    /// # Errors
    /// When the socket is gone.
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        match self {
            Self::Unix(stream) => stream.set_read_timeout(timeout),
            Self::Tcp(stream) => stream.set_read_timeout(timeout),
        }
    }

    /// Ends both directions, so that waiting readers and writers wake up.
    pub fn shutdown(&self) {
        // A peer that is gone already needs no message.
        drop(match self {
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
        });
    }
}

/// A host that vanishes sends no end: it is probed now and then, and given up after a minute of silence.
fn stay_in_touch(stream: &TcpStream) -> io::Result<()> {
    sockopt::set_tcp_keepidle(stream, Duration::from_secs(30))?;
    sockopt::set_tcp_keepintvl(stream, Duration::from_secs(10))?;
    sockopt::set_tcp_keepcnt(stream, 3)?;
    Ok(sockopt::set_socket_keepalive(stream, true)?)
}

/// Sends a listener the reason why it receives nothing of this JVM, and nothing else. Errors are ignored.
fn decline(mut stream: &UnixStream, reason: &io::Error) {
    let text = format!("the agent of process {} turned away: {reason}", std::process::id());
    drop(frame::write(&FromAgent::Problem { at_ms: 0, text }, &mut stream));
}

/// The reason why a listener receives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum ListenerError {
    #[error("the system does not report who listens there: {0}")]
    Unreported(nix::errno::Errno),
    #[error("user {theirs} listens there, who is neither root nor the JVM's user {ours}")]
    Foreign { theirs: u32, ours: u32 },
}

/// Whether the user of the listener may receive the names of the program's classes.
fn check_listener(stream: &UnixStream) -> io::Result<()> {
    // The user alone counts: the process id is 0 where the listener runs in another PID namespace, which rustix's
    // function for this takes for impossible.
    let listener = getsockopt(stream, PeerCredentials).map_err(|error| denied(ListenerError::Unreported(error)))?;
    judge_listener(listener.uid(), rustix::process::geteuid().as_raw()).map_err(denied)
}

/// The own user; and root, who can read the whole memory of the program anyway.
fn judge_listener(theirs: u32, ours: u32) -> Result<(), ListenerError> {
    if theirs == ours || theirs == 0 {
        return Ok(());
    }
    Err(ListenerError::Foreign { theirs, ours })
}

fn denied(reason: ListenerError) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, reason)
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.read(buffer),
            Self::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unix(stream) => stream.write(bytes),
            Self::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound_wire::frame::FrameReader;

    #[test]
    fn only_the_jvms_user_and_root_may_listen() {
        assert_eq!(judge_listener(1000, 1000), Ok(()));
        assert_eq!(judge_listener(0, 1000), Ok(()));
        let reason = judge_listener(1001, 1000).unwrap_err().to_string();
        assert!(reason.contains("1001") && reason.contains("1000"), "{reason}");
        assert!(judge_listener(1000, 0).is_err());
    }

    #[test]
    fn the_kernel_vouches_for_a_listener_of_this_process() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        assert!(check_listener(&ours).is_ok());
    }

    #[test]
    fn a_listener_that_is_turned_away_hears_why() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        decline(&ours, &denied(ListenerError::Foreign { theirs: 1001, ours: 1000 }));
        let frame = FrameReader::new(theirs).next_frame().unwrap().unwrap();
        match frame.message().unwrap() {
            Some(FromAgent::Problem { text, .. }) => assert!(text.ends_with("the JVM's user 1000"), "{text}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_host_that_vanishes_is_missed() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stay_in_touch(&stream).unwrap();
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        assert_eq!(sockopt::tcp_keepidle(&stream).unwrap(), Duration::from_secs(30));
    }
}
