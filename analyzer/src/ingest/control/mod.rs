//! Requests to a running analyzer: a mark or a capture now. Each analyzer has a socket in a folder of its user; only
//! that user and root may ask.
//!
//! One request is one line, `rootbound 1 mark 4711`, and so is its answer, `done TEXT`. The words are those of
//! [`Request`] and [`Answer`]. Nothing beyond a line of bounded length is read, and every wait ends.

mod client;
mod server;

pub use client::{AskError, Session, ask, sessions};
pub use server::{Ask, ControlServer};

use rootbound_wire::endpoint::default_socket;
use rootbound_wire::message::SnapshotRequest;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Begins every request: a program that speaks another protocol is not taken for a user.
const PROTOCOL: &str = "rootbound 1";
/// Longest request and longest answer in bytes.
const MOST_REQUEST: u64 = 64;
const MOST_ANSWER: u64 = 4_096;
/// Longest time for a snapshot on request, with its retries; it may wait for the snapshots of other JVMs.
const SNAPSHOT_TIMEOUT: Duration = Duration::from_secs(300);

/// A question to a running analyzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Which JVMs it watches now.
    Jvms,
    /// A snapshot now.
    Snapshot {
        /// Its kind.
        kind: SnapshotRequest,
        /// Process id of the JVM.
        pid: u32,
    },
}

/// The answer of an analyzer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Process ids of the watched JVMs.
    Jvms(Vec<u32>),
    /// The snapshot was made, with these costs.
    Done(String),
    /// It is not made, for this reason; nothing has changed.
    Refused(String),
    /// It was begun, and failed for this reason.
    Failed(String),
}

/// The error for a line that is none of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no line of the control protocol")]
pub struct NoLine;

impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jvms => write!(out, "{PROTOCOL} jvms"),
            Self::Snapshot { kind: SnapshotRequest::Mark, pid } => write!(out, "{PROTOCOL} mark {pid}"),
            Self::Snapshot { kind: SnapshotRequest::Capture, pid } => write!(out, "{PROTOCOL} capture {pid}"),
        }
    }
}

impl FromStr for Request {
    type Err = NoLine;

    fn from_str(line: &str) -> Result<Self, NoLine> {
        let words = line.strip_prefix(PROTOCOL).and_then(|rest| rest.strip_prefix(' ')).ok_or(NoLine)?;
        let snapshot = |kind, pid: &str| pid.parse().map(|pid| Self::Snapshot { kind, pid }).map_err(|_| NoLine);
        match words.split_once(' ') {
            None if words == "jvms" => Ok(Self::Jvms),
            Some(("mark", pid)) => snapshot(SnapshotRequest::Mark, pid),
            Some(("capture", pid)) => snapshot(SnapshotRequest::Capture, pid),
            _ => Err(NoLine),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jvms(pids) => {
                out.write_str("jvms")?;
                pids.iter().try_for_each(|pid| write!(out, " {pid}"))
            }
            Self::Done(text) => write!(out, "done {}", one_line(text)),
            Self::Refused(text) => write!(out, "refused {}", one_line(text)),
            Self::Failed(text) => write!(out, "failed {}", one_line(text)),
        }
    }
}

impl FromStr for Answer {
    type Err = NoLine;

    fn from_str(line: &str) -> Result<Self, NoLine> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let text = || one_line(rest);
        match word {
            "jvms" => {
                let pids = rest.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                pids.map(Self::Jvms).map_err(|_| NoLine)
            }
            "done" => Ok(Self::Done(text())),
            "refused" => Ok(Self::Refused(text())),
            "failed" => Ok(Self::Failed(text())),
            _ => Err(NoLine),
        }
    }
}

/// A text without line ends and control characters, which could move the cursor of a terminal.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// The folder of the sockets, beside the user's socket for agents.
#[must_use]
pub fn folder() -> PathBuf {
    default_socket().with_file_name("rootbound-control")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_reads_back_and_other_lines_are_refused() {
        let requests = [
            Request::Jvms,
            Request::Snapshot { kind: SnapshotRequest::Mark, pid: 4711 },
            Request::Snapshot { kind: SnapshotRequest::Capture, pid: u32::MAX },
        ];
        for request in requests {
            assert_eq!(request.to_string().parse(), Ok(request));
        }
        let others = ["", "rootbound 1", "rootbound 1 ", "rootbound 2 jvms", "rootbound 1 mark", "rootbound 1 mark -3"];
        for line in others.iter().chain(&["rootbound 1 capture 1 2", "rootbound 1 stop 1", "GET / HTTP/1.1"]) {
            assert_eq!(line.parse::<Request>(), Err(NoLine), "{line}");
        }
    }

    #[test]
    fn an_answer_is_one_line_whatever_it_says() {
        for answer in [Answer::Jvms(vec![]), Answer::Jvms(vec![1, 2]), Answer::Done("marked".to_owned())] {
            assert_eq!(answer.to_string().parse(), Ok(answer));
        }
        let hostile = Answer::Failed("two\nlines \u{1b}[2J".to_owned()).to_string();
        assert_eq!(hostile, "failed two lines  [2J");
        assert!("jvms x".parse::<Answer>().is_err() && "ok".parse::<Answer>().is_err());
    }
}
