//! Opens listening sockets with care: private files, nothing removed that is in use.

use rootbound_wire::endpoint::Endpoint;
use rustix::fs::Mode;
use std::fs::{self, DirBuilder};
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

/// Why nobody can be waited for.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Another analyzer waits there.
    #[error("{0}: another analyzer listens there already")]
    Taken(Endpoint),
    /// The path is used by something else.
    #[error("{0}: there is a file of that name, and it is no socket")]
    NoSocket(Endpoint),
    /// Whoever owns the directory could put another socket in the place of ours.
    #[error("{0}: its directory belongs to another user")]
    ForeignDirectory(Endpoint),
    /// Every user of the machine can reach a port, and beyond loopback other machines can.
    #[error("cannot listen on {0} without a secret")]
    NoSecret(Endpoint),
    /// The system refuses.
    #[error("cannot listen on {endpoint}: {source}")]
    Io {
        /// Where.
        endpoint: Endpoint,
        /// Why.
        source: io::Error,
    },
}

/// Binds a port; what agents must prove is for who meets them.
pub(crate) fn open_tcp(host: &str, port: u16, endpoint: &Endpoint) -> Result<(TcpListener, SocketAddr), ListenError> {
    let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs().map_err(fail)?.collect();
    let listener = TcpListener::bind(addresses.as_slice()).map_err(fail)?;
    let bound = listener.local_addr().map_err(fail)?;
    Ok((listener, bound))
}

/// Binds a socket file that only this user can open; a stale one gives way.
pub(crate) fn open_unix(path: &Path, endpoint: &Endpoint) -> Result<UnixListener, ListenError> {
    let fail = |source| ListenError::Io { endpoint: endpoint.clone(), source };
    create_directory(path).map_err(fail)?;
    check_directory(path, endpoint)?;
    clear_stale(path, endpoint)?;
    // The mode must hold from the first moment, not only after a chmod. The umask is the process's, and this runs
    // before any thread that creates files.
    let usual = rustix::process::umask(Mode::from_raw_mode(0o177));
    let bound = UnixListener::bind(path);
    rustix::process::umask(usual);
    let listener = bound.map_err(fail)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(fail)?;
    Ok(listener)
}

/// Only a missing directory is made, private to the user; one that stands keeps its mode.
fn create_directory(socket: &Path) -> io::Result<()> {
    match socket.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.exists() => {
            DirBuilder::new().recursive(true).mode(0o700).create(directory)
        }
        _ => Ok(()),
    }
}

/// The default's directory stands where everybody may create one, so somebody else may have been there first.
fn check_directory(socket: &Path, endpoint: &Endpoint) -> Result<(), ListenError> {
    let directory = socket.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let owner = fs::metadata(directory).map_err(|source| ListenError::Io { endpoint: endpoint.clone(), source })?.uid();
    let ours = rustix::process::geteuid().as_raw();
    if owner == ours || owner == 0 || ours == 0 { Ok(()) } else { Err(ListenError::ForeignDirectory(endpoint.clone())) }
}

/// Removes the socket of an analyzer that was killed: only a socket, and only when nobody answers there.
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
