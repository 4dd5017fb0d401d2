//! The asking end: finds the running analyzers of this user, and asks one of them.

use super::{Answer, MOST_ANSWER, Request, SNAPSHOT_TIMEOUT};
use crate::ingest::door::{FolderFault, judge_folder};
use crate::ingest::stream::Stream;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time for an analyzer to name its JVMs.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);
/// The analyzer answers within this time after its own bound.
const GRACE: Duration = Duration::from_secs(10);

/// Reasons why an analyzer cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The folder could hold sockets of other users.
    #[error("the folder of the control sockets, {folder}, is not safe: {fault}")]
    UnsafeFolder {
        /// The folder.
        folder: PathBuf,
        /// Its fault.
        fault: FolderFault,
    },
    /// The system refused, or the analyzer is gone.
    #[error("cannot ask the analyzer at {socket}: {source}")]
    Io {
        /// Its socket.
        socket: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// A running analyzer with the JVMs that it watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its socket.
    pub socket: PathBuf,
    /// Process ids of its JVMs.
    pub jvms: Vec<u32>,
}

/// The running analyzers whose sockets are in `folder`. One that does not answer is left out.
///
/// # Errors
/// [`AskError::UnsafeFolder`].
pub fn sessions(folder: &Path) -> Result<Vec<Session>, AskError> {
    let Ok(found) = fs::symlink_metadata(folder) else { return Ok(Vec::new()) };
    judge_folder(&found, rustix::process::geteuid().as_raw())
        .map_err(|fault| AskError::UnsafeFolder { folder: folder.to_owned(), fault })?;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sockets = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_socket()));
    let mut sockets: Vec<PathBuf> = sockets.map(|entry| entry.path()).collect();
    sockets.sort();
    let session = |socket: PathBuf| match converse(&socket, Request::Jvms, LIST_TIMEOUT) {
        Ok(Answer::Jvms(jvms)) => Some(Session { socket, jvms }),
        _ => None,
    };
    Ok(sockets.into_iter().filter_map(session).collect())
}

/// Asks one analyzer for a snapshot, and waits until it is made.
///
/// # Errors
/// [`AskError::Io`].
pub fn ask(socket: &Path, request: Request) -> Result<Answer, AskError> {
    let fail = |source| AskError::Io { socket: socket.to_owned(), source };
    converse(socket, request, SNAPSHOT_TIMEOUT + GRACE).map_err(fail)
}

fn converse(socket: &Path, request: Request, timeout: Duration) -> io::Result<Answer> {
    let mut stream = Stream::from(UnixStream::connect(socket)?).read_until(Instant::now() + timeout);
    stream.set_write_timeout(Some(LIST_TIMEOUT))?;
    stream.write_all(format!("{request}\n").as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream.take(MOST_ANSWER)).read_line(&mut line)?;
    if line.is_empty() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ended without an answer"));
    }
    line.trim_end_matches('\n').parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::super::{Ask, ControlServer};
    use super::*;
    use rootbound_wire::message::SnapshotRequest;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::thread;

    const MARK: Request = Request::Snapshot { kind: SnapshotRequest::Mark, pid: 7 };

    /// A server whose main loop answers `count` requests.
    fn answering(folder: &Path, count: usize) -> (PathBuf, thread::JoinHandle<()>) {
        let server = ControlServer::open(folder).unwrap();
        let socket = server.socket().to_owned();
        let main_loop = thread::spawn(move || {
            for Ask { request, answer } in server.asks().iter().take(count) {
                answer
                    .send(match request {
                        Request::Jvms => Answer::Jvms(vec![7]),
                        Request::Snapshot { pid, .. } => Answer::Done(format!("marked {pid}")),
                    })
                    .unwrap();
            }
        });
        (socket, main_loop)
    }

    #[test]
    fn a_running_analyzer_is_found_and_asked_and_leaves_no_socket() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("control");
        assert_eq!(sessions(&folder).unwrap(), [], "nobody runs");
        let (socket, main_loop) = answering(&folder, 2);
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert_eq!(sessions(&folder).unwrap(), [Session { socket: socket.clone(), jvms: vec![7] }]);
        assert_eq!(ask(&socket, MARK).unwrap(), Answer::Done("marked 7".to_owned()));
        main_loop.join().unwrap();
        assert!(!socket.exists());
        assert!(matches!(ask(&socket, MARK), Err(AskError::Io { .. })));
    }

    #[test]
    fn a_peer_that_sends_anything_else_is_hung_up_on() {
        let folder = tempfile::tempdir().unwrap();
        let server = ControlServer::open(folder.path()).unwrap();
        for line in ["GET / HTTP/1.1\n", "\n", &"x".repeat(1_000_000), "rootbound 1 mark 99999999999\n"] {
            let mut peer = UnixStream::connect(server.socket()).unwrap();
            // The server may hang up before it has taken all.
            drop(peer.write_all(line.as_bytes()));
            let mut answer = Vec::new();
            drop(peer.read_to_end(&mut answer));
            assert_eq!(answer, b"", "{}", &line[..line.len().min(20)]);
        }
        assert!(server.asks().is_empty());
    }

    #[test]
    fn a_socket_that_was_left_behind_is_removed_by_the_next_analyzer() {
        let folder = tempfile::tempdir().unwrap();
        let stale = folder.path().join("1.sock");
        drop(std::os::unix::net::UnixListener::bind(&stale).unwrap());
        assert_eq!(sessions(folder.path()).unwrap(), []);
        let server = ControlServer::open(folder.path()).unwrap();
        assert!(!stale.exists() && server.socket().exists());
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(sessions(folder.path()), Err(AskError::UnsafeFolder { .. })));
        assert!(ControlServer::open(folder.path()).is_err());
    }
}
