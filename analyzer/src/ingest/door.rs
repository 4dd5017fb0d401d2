//! Opens listening sockets safely: socket files are private, and none that is in use is removed.

use rootbound_wire::endpoint::Endpoint;
use rustix::fs::Mode;
use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Reasons why a socket cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another analyzer listens there.
    #[error("{0}: another analyzer listens there already")]
    Taken(Endpoint),
    /// The path belongs to something other than a socket.
    #[error("{0}: there is a file of that name, and it is no socket")]
    NoSocket(Endpoint),
    /// Another user could replace our socket.
    #[error("{endpoint}: the folder of the socket is not safe: {reason}")]
    UnsafeFolder {
        /// The end point.
        endpoint: Endpoint,
        /// The fault of the folder.
        reason: FolderFault,
    },
    /// A port without a secret: every user of the machine can reach it, and beyond loopback other machines can.
    #[error("cannot listen on {0} without a secret")]
    NoSecret(Endpoint),
    /// The system refused.
    #[error("cannot listen on {endpoint}: {source}")]
    Io {
        /// The end point.
        endpoint: Endpoint,
        /// The system's error.
        source: io::Error,
    },
}

/// The fault of a socket's folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FolderFault {
    /// Another user could put another folder in its place.
    #[error("it is a link or a file; name the folder itself")]
    NoFolder,
    /// Its owner could replace the socket.
    #[error("it belongs to another user")]
    Foreign,
    /// Everyone could replace the socket.
    #[error("others may write to it; take that away by chmod go-w")]
    Writable,
}

/// Binds a port; the handshake checks the proofs of agents.
pub(crate) fn open_tcp(host: &str, port: u16, endpoint: &Endpoint) -> Result<(TcpListener, SocketAddr), ListenError> {
    let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(fail)?.collect();
    let listener = TcpListener::bind(addresses.as_slice()).map_err(fail)?;
    let bound = listener.local_addr().map_err(fail)?;
    Ok((listener, bound))
}

/// Where this process finds what it has opened, each by a link that nobody can replace.
const HANDLES: &str = "/proc/self/fd";

/// Held while the process has another umask, and while a folder is made: the umask of one would be that of the other.
static UMASK: Mutex<()> = Mutex::new(());

/// Binds a socket file that only this user can open; a stale one is replaced.
pub(crate) fn open_unix(path: &Path, endpoint: &Endpoint) -> Result<UnixListener, ListenError> {
    let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
    let _alone = UMASK.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A folder that exists keeps its mode.
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(fail)?;
    // A folder that the caller has opened: nobody can put another one in its place.
    let is_handle = folder.parent() == Some(Path::new(HANDLES));
    let found = if is_handle { fs::metadata(folder) } else { fs::symlink_metadata(folder) }.map_err(fail)?;
    judge_folder(&found, rustix::process::geteuid().as_raw())
        .map_err(|reason| ListenError::UnsafeFolder { endpoint: endpoint.clone(), reason })?;
    clear_stale(path, endpoint)?;
    // The mode must hold from the first moment; a later chmod could be redirected by a link. The umask belongs to the
    // process, and this runs before any thread that creates files.
    let usual = rustix::process::umask(Mode::from_raw_mode(0o177));
    let bound = UnixListener::bind(path);
    rustix::process::umask(usual);
    bound.map_err(fail)
}

/// Checks that no other user can replace our socket. The default's folder lies where every user may create one, so
/// another user may have created it first. Root is treated like any other user.
pub(crate) fn judge_folder(folder: &Metadata, ours: u32) -> Result<(), FolderFault> {
    const WRITE_FOR_OTHERS: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    if !folder.is_dir() {
        return Err(FolderFault::NoFolder);
    }
    if folder.uid() != ours && folder.uid() != 0 {
        return Err(FolderFault::Foreign);
    }
    // Only the owner can replace a file in a sticky folder.
    if folder.mode() & WRITE_FOR_OTHERS != 0 && folder.mode() & STICKY == 0 {
        return Err(FolderFault::Writable);
    }
    Ok(())
}

/// Removes the socket of an analyzer that was killed: only a socket, and only if no process answers there.
fn clear_stale(path: &Path, endpoint: &Endpoint) -> Result<(), ListenError> {
    let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(fail(error)),
        Ok(found) if !found.file_type().is_socket() => return Err(ListenError::NoSocket(endpoint.clone())),
        Ok(_) => {}
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(ListenError::Taken(endpoint.clone())),
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path).map_err(fail),
        Err(error) => Err(fail(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    fn opened(path: &Path) -> Result<UnixListener, ListenError> {
        open_unix(path, &Endpoint::Unix(path.to_owned()))
    }

    #[test]
    fn a_folder_that_others_may_write_to_is_refused_unless_it_is_sticky() {
        let folder = tempfile::tempdir().unwrap();
        for (mode, is_safe) in [(0o777, false), (0o720, false), (0o1777, true), (0o755, true)] {
            fs::set_permissions(folder.path(), Permissions::from_mode(mode)).unwrap();
            let socket = folder.path().join(format!("{mode:o}.sock"));
            assert_eq!(opened(&socket).is_ok(), is_safe, "{mode:o}");
            assert_eq!(socket.exists(), is_safe, "{mode:o}");
        }
    }

    #[test]
    fn a_folder_behind_a_link_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        DirBuilder::new().mode(0o700).create(&real).unwrap();
        symlink(&real, &link).unwrap();
        assert!(matches!(opened(&link.join("a.sock")), Err(ListenError::UnsafeFolder { .. })));
        assert!(opened(&real.join("a.sock")).is_ok());
        let handle = fs::File::open(&real).unwrap();
        assert!(opened(&Path::new(HANDLES).join(handle.as_raw_fd().to_string()).join("b.sock")).is_ok());
        assert!(real.join("b.sock").exists());
    }

    #[test]
    fn a_link_in_the_socket_s_place_is_left_alone_with_what_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let (precious, link) = (folder.path().join("precious"), folder.path().join("a.sock"));
        fs::write(&precious, "kept").unwrap();
        fs::set_permissions(&precious, Permissions::from_mode(0o644)).unwrap();
        symlink(&precious, &link).unwrap();
        assert!(matches!(opened(&link), Err(ListenError::NoSocket(_))));
        assert_eq!(fs::metadata(&precious).unwrap().mode() & 0o777, 0o644);
    }

    #[test]
    fn root_trusts_a_foreign_folder_no_more_than_others_do() {
        let folder = tempfile::tempdir().unwrap();
        let judge = |ours| judge_folder(&fs::symlink_metadata(folder.path()).unwrap(), ours);
        let ours = rustix::process::geteuid().as_raw();
        assert_eq!(judge(ours), Ok(()));
        if ours == 0 {
            chown(folder.path(), Some(65534), None).unwrap();
            assert_eq!(judge(65534), Ok(()));
        }
        assert!(judge(0).is_err() && judge(7).is_err());
    }
}
