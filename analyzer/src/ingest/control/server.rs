//! The analyzer's end of the control socket. It decides nothing: requests go to the main loop, which answers.

use super::{Answer, MOST_REQUEST, Request, SNAPSHOT_TIMEOUT};
use crate::ingest::door::{ListenError, open_unix};
use crate::ingest::peer::check_control_user;
use crate::ingest::stream::Stream;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use rootbound_wire::endpoint::Endpoint;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Most connections at the same time; each has a thread until its answer is written.
const MOST_CONNECTIONS: usize = 8;
/// Time for a peer to send its line, and to take the answer.
const LINE_TIMEOUT: Duration = Duration::from_secs(2);

/// A request with the place for its answer.
#[derive(Debug)]
pub struct Ask {
    /// The request.
    pub request: Request,
    /// Takes one answer.
    pub answer: Sender<Answer>,
}

/// Accepts requests until it is dropped; the socket file goes with it.
pub struct ControlServer {
    asks: Receiver<Ask>,
    leaving: Arc<AtomicBool>,
    acceptor: Option<JoinHandle<()>>,
    socket_file: PathBuf,
}

impl ControlServer {
    /// Opens the socket of this process in `folder`, and removes those of analyzers that were killed.
    ///
    /// # Errors
    /// [`ListenError`]; no file is left behind then.
    pub fn open(folder: &Path) -> Result<Self, ListenError> {
        let socket_file = folder.join(format!("{}.sock", std::process::id()));
        let endpoint = Endpoint::Unix(socket_file.clone());
        let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
        let listener = open_unix(&socket_file, &endpoint)?;
        remove_stale(folder, &socket_file);
        let (sender, asks) = bounded(MOST_CONNECTIONS);
        let leaving = Arc::new(AtomicBool::new(false));
        let mut server = Self { asks, leaving: Arc::clone(&leaving), acceptor: None, socket_file };
        listener.set_nonblocking(true).map_err(fail)?;
        let acceptor = thread::Builder::new().name("rootbound-control".to_owned());
        server.acceptor = Some(acceptor.spawn(move || accept_until(&leaving, &listener, &sender)).map_err(fail)?);
        Ok(server)
    }

    /// Requests that wait for their answer.
    #[must_use]
    pub fn asks(&self) -> &Receiver<Ask> {
        &self.asks
    }

    /// The socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket_file
    }
}

impl Drop for ControlServer {
    fn drop(&mut self) {
        self.leaving.store(true, Ordering::Relaxed);
        if let Some(acceptor) = self.acceptor.take() {
            // An acceptor that panicked has reported it already.
            drop(acceptor.join());
        }
        if let Err(error) = fs::remove_file(&self.socket_file) {
            tracing::debug!("{} was gone already: {error}", self.socket_file.display());
        }
    }
}

/// Removes sockets at which nobody listens any more.
fn remove_stale(folder: &Path, ours: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sockets = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_socket()));
    for path in sockets.map(|entry| entry.path()).filter(|path| path != ours) {
        let refused = UnixStream::connect(&path).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused);
        if refused && let Err(error) = fs::remove_file(&path) {
            tracing::debug!("cannot remove {}: {error}", path.display());
        }
    }
}

fn accept_until(leaving: &AtomicBool, listener: &UnixListener, asks: &Sender<Ask>) {
    // Each connection holds a clone.
    let connections = Arc::new(());
    while !leaving.load(Ordering::Relaxed) {
        if !someone_asks(listener) {
            continue;
        }
        match listener.accept() {
            Ok((stream, _)) if Arc::strong_count(&connections) > MOST_CONNECTIONS => {
                answer(stream.into(), &Answer::Refused("too many requests at the same time".to_owned()));
            }
            Ok((stream, _)) => serve_aside(stream, asks, &connections),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => {
                tracing::debug!("a request cannot be accepted: {error}");
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
}

fn someone_asks(listener: &UnixListener) -> bool {
    const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    let mut watched = [PollFd::new(listener, PollFlags::IN)];
    poll(&mut watched, Some(&PATIENCE)).is_ok_and(|ready| ready > 0)
}

fn serve_aside(stream: UnixStream, asks: &Sender<Ask>, connections: &Arc<()>) {
    let spawned = thread::Builder::new().name("rootbound-request".to_owned()).spawn({
        let (asks, connection) = (asks.clone(), Arc::clone(connections));
        move || {
            serve(stream, &asks);
            drop(connection);
        }
    });
    if let Err(error) = spawned {
        tracing::debug!("a request has no thread: {error}");
    }
}

/// One request and its answer. A peer that sends no line of the protocol gets no answer.
fn serve(stream: UnixStream, asks: &Sender<Ask>) {
    if let Err(reason) = check_control_user(&stream) {
        tracing::warn!("a request was turned away: {reason}");
        return answer(stream.into(), &Answer::Refused(reason.to_string()));
    }
    let mut stream = Stream::from(stream).read_until(Instant::now() + LINE_TIMEOUT);
    let Some(request) = read_request(&mut stream) else { return };
    let (sender, answers) = bounded(1);
    let reply = match asks.try_send(Ask { request, answer: sender }) {
        Ok(()) => answers.recv_timeout(SNAPSHOT_TIMEOUT).unwrap_or_else(|_| no_answer()),
        Err(TrySendError::Full(_)) => Answer::Refused("too many requests at the same time".to_owned()),
        Err(TrySendError::Disconnected(_)) => no_answer(),
    };
    answer(stream, &reply);
}

fn no_answer() -> Answer {
    Answer::Failed("the analyzer ended, or the snapshot took longer than five minutes".to_owned())
}

fn read_request(stream: &mut Stream) -> Option<Request> {
    let mut line = String::new();
    BufReader::new(stream.take(MOST_REQUEST)).read_line(&mut line).ok()?;
    line.strip_suffix('\n')?.parse().ok()
}

fn answer(mut stream: Stream, answer: &Answer) {
    let line = format!("{answer}\n");
    let written = stream.set_write_timeout(Some(LINE_TIMEOUT)).and_then(|()| stream.write_all(line.as_bytes()));
    if let Err(error) = written {
        tracing::debug!("an answer did not reach its peer: {error}");
    }
}
