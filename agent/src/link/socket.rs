//! One socket to the analyzer, Unix or TCP, with the peer checked before a word is said.

use rootbound_wire::endpoint::Endpoint;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long one write may wait. A peer that reads nothing is taken for dead after five seconds at most: Linux ends the
/// first write that met a full buffer with the part that went through, and only the second with an error.
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
    /// Nobody listens; or somebody does whom the agent must not talk to ([`io::ErrorKind::PermissionDenied`]).
    pub fn connect(endpoint: &Endpoint, has_token: bool) -> io::Result<Self> {
        match endpoint {
            Endpoint::Unix(path) => {
                let stream = UnixStream::connect(path)?;
                check_peer(&stream)?;
                stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
                Ok(Self::Unix(stream))
            }
            Endpoint::Tcp { host, port } => {
                let address = (host.as_str(), *port).to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
                if !address.ip().is_loopback() && !has_token {
                    return Err(denied("TCP beyond loopback needs a token in ROOTBOUND_TOKEN".to_owned()));
                }
                let stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT)?;
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
                Ok(Self::Tcp(stream))
            }
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

    /// Ends both directions, so that whoever reads or writes wakes up.
    pub fn shutdown(&self) {
        // A peer that is gone already is no news.
        drop(match self {
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
        });
    }
}

/// Only this user or root may hear what the program's classes are called.
fn check_peer(stream: &UnixStream) -> io::Result<()> {
    let peer = rustix::net::sockopt::socket_peercred(stream)?.uid;
    if peer == rustix::process::geteuid() || peer.is_root() {
        return Ok(());
    }
    Err(denied(format!("the socket belongs to user {}, neither this one nor root", peer.as_raw())))
}

fn denied(reason: String) -> io::Error {
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
