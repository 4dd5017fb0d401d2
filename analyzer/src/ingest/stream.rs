//! One byte stream over any socket, with a deadline for the time before the peer is trusted.

use std::cell::Cell;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// A connected socket.
#[derive(Debug)]
enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

/// A connected socket whose reads can be bound by one deadline for all of them together.
#[derive(Debug)]
pub(crate) struct Stream {
    socket: Socket,
    deadline: Cell<Option<Instant>>,
}

impl From<UnixStream> for Stream {
    fn from(stream: UnixStream) -> Self {
        Self { socket: Socket::Unix(stream), deadline: Cell::new(None) }
    }
}

impl From<TcpStream> for Stream {
    fn from(stream: TcpStream) -> Self {
        Self { socket: Socket::Tcp(stream), deadline: Cell::new(None) }
    }
}

impl Stream {
    /// Makes reads fail with `TimedOut` once `deadline` has passed, however slowly the peer sends.
    pub(crate) fn read_until(self, deadline: Instant) -> Self {
        self.deadline.set(Some(deadline));
        self
    }

    /// Removes the deadline of reads: a program may send nothing for hours.
    pub(crate) fn wait_without_deadline(&self) -> io::Result<()> {
        self.deadline.set(None);
        self.set_read_timeout(None)
    }

    /// A second handle of the same socket, for writing; it has no deadline.
    pub(crate) fn handle(&self) -> io::Result<Self> {
        Ok(match &self.socket {
            Socket::Unix(stream) => stream.try_clone()?.into(),
            Socket::Tcp(stream) => stream.try_clone()?.into(),
        })
    }

    /// Bounds every single read; `None` waits for ever. The bound holds for all handles of the socket.
    fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        match &self.socket {
            Socket::Unix(stream) => stream.set_read_timeout(timeout),
            Socket::Tcp(stream) => stream.set_read_timeout(timeout),
        }
    }

    /// Bounds every single write.
    pub(crate) fn set_write_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        match &self.socket {
            Socket::Unix(stream) => stream.set_write_timeout(timeout),
            Socket::Tcp(stream) => stream.set_write_timeout(timeout),
        }
    }

    /// Ends both directions, which also wakes a waiting reader. A socket that is closed already is no error.
    pub(crate) fn shut_down(&self) {
        let ended = match &self.socket {
            Socket::Unix(stream) => stream.shutdown(Shutdown::Both),
            Socket::Tcp(stream) => stream.shutdown(Shutdown::Both),
        };
        if let Err(error) = ended {
            tracing::debug!("the connection was down already: {error}");
        }
    }

    fn arm_deadline(&self) -> io::Result<()> {
        let Some(deadline) = self.deadline.get() else { return Ok(()) };
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.set_read_timeout(Some(left))
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.arm_deadline()?;
        match &mut self.socket {
            Socket::Unix(stream) => stream.read(buffer),
            Socket::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.socket {
            Socket::Unix(stream) => stream.write(bytes),
            Socket::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.socket {
            Socket::Unix(stream) => stream.flush(),
            Socket::Tcp(stream) => stream.flush(),
        }
    }
}
