//! The address at which the analyzer listens and to which the agent connects, as both write it in their options. Opens
//! no socket.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// One end point: `unix:PATH` or `tcp:HOST:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// A Unix socket by its path.
    Unix(PathBuf),
    /// A TCP port.
    Tcp {
        /// Host name or address, without brackets.
        host: String,
        /// Port, never 0.
        port: u16,
    },
}

/// The error for a text that names no end point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{given}' is no end point: {reason}; allowed are unix:PATH and tcp:HOST:PORT")]
pub struct EndpointError {
    given: String,
    reason: EndpointFault,
}

/// The fault of such a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum EndpointFault {
    #[error("the path is missing")]
    NoPath,
    #[error("it begins with neither unix: nor tcp:")]
    UnknownKind,
    #[error("the host is missing")]
    NoHost,
    #[error("the port is missing")]
    NoPort,
    #[error("the port is no number from 1 to 65535")]
    WrongPort,
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let wrong = |reason| EndpointError { given: text.to_owned(), reason };
        match text.split_once(':') {
            Some(("unix", "")) => Err(wrong(EndpointFault::NoPath)),
            Some(("unix", path)) => Ok(Self::Unix(PathBuf::from(path))),
            Some(("tcp", address)) => tcp(address).map_err(wrong),
            _ => Err(wrong(EndpointFault::UnknownKind)),
        }
    }
}

fn tcp(address: &str) -> Result<Endpoint, EndpointFault> {
    let (host, port) = address.rsplit_once(':').ok_or(EndpointFault::NoPort)?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let port = port.parse().ok().filter(|&port| port != 0).ok_or(EndpointFault::WrongPort)?;
    if host.is_empty() { Err(EndpointFault::NoHost) } else { Ok(Endpoint::Tcp { host: host.to_owned(), port }) }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unix(path) => write!(out, "unix:{}", path.display()),
            Self::Tcp { host, port } if host.contains(':') => write!(out, "tcp:[{host}]:{port}"),
            Self::Tcp { host, port } => write!(out, "tcp:{host}:{port}"),
        }
    }
}

/// The per-user default: `$XDG_RUNTIME_DIR/rootbound.sock`, otherwise `/tmp/rootbound-UID/agent.sock`.
pub fn default_endpoint() -> Endpoint {
    Endpoint::Unix(default_socket())
}

/// Path of the default Unix socket. The listener creates the folder, with mode 0700.
pub fn default_socket() -> PathBuf {
    match std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder).join("rootbound.sock"),
        None => PathBuf::from(format!("/tmp/rootbound-{}/agent.sock", rustix::process::getuid().as_raw())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for text in ["unix:/run/a b.sock", "tcp:localhost:7001", "tcp:[::1]:9"] {
            assert_eq!(text.parse::<Endpoint>().map(|endpoint| endpoint.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn a_wrong_one_says_what_is_allowed() {
        for text in ["", "unix:", "tcp:host", "tcp::80", "tcp:host:0", "tcp:host:99999", "/tmp/x"] {
            let error = text.parse::<Endpoint>().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("tcp:HOST:PORT"), "{text}: {error}");
        }
    }
}
