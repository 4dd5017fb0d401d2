//! The reasons why a JVM cannot be watched by attaching to it. Each says what to do.

use crate::agents::error::AgentError;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why nothing was attached.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// No such process.
    #[error("there is no process {0}")]
    NoProcess(i32),
    /// The process cannot be read.
    #[error("process {pid} cannot be read: {source}; it may belong to another user (try as that user, or as root)")]
    Unreadable {
        /// The process.
        pid: i32,
        /// The error of the system.
        source: io::Error,
    },
    /// No JVM.
    #[error("process {0} is no JVM: it has loaded no libjvm.so (`rootbound ps` lists the JVMs)")]
    NoJvm(i32),
    /// No JVM has this name.
    #[error("no JVM has the main class or the jar {0} (`rootbound ps` lists the JVMs)")]
    NoName(String),
    /// Several JVMs have this name.
    #[error("several JVMs are called {name}: processes {}; name one by its process id", list(.pids))]
    Several {
        /// The name.
        name: String,
        /// The processes.
        pids: Vec<i32>,
    },
    /// A machine of IBM.
    #[error(
        "process {0} is an OpenJ9 JVM, which cannot be watched live: its first heap walk changes the heap's layout; take \
         a dump (jcmd {0} Dump.heap) and run `rootbound analyze` on it"
    )]
    OpenJ9(i32),
    /// Another user's.
    #[error("process {pid} belongs to user {theirs}: run this as that user, or as root")]
    Foreign {
        /// The process.
        pid: i32,
        /// Its user.
        theirs: String,
    },
    /// A signal would end it.
    #[error(
        "process {0} does not catch SIGQUIT, so that to attach would end it: it was started with -Xrs, or has not started \
         yet; start it with -agentpath instead (`rootbound watch` says how)"
    )]
    QuitEnds(i32),
    /// A flag forbids it.
    #[error("process {pid} was started with {flag}, which forbids to load an agent; start it with -agentpath instead")]
    Forbidden {
        /// The process.
        pid: i32,
        /// The flag.
        flag: &'static str,
    },
    /// Stopped.
    #[error("process {0} is stopped (state {1}); continue it (kill -CONT {0}) and attach again")]
    Stopped(i32, char),
    /// There is no library for it.
    #[error("process {pid}: {source}")]
    NoAgent {
        /// The process.
        pid: i32,
        /// The reason.
        source: AgentError,
    },
    /// No folder can hold the library.
    #[error("no folder that process {pid} can read may hold the agent: {tried}; name another by --agent-dir")]
    NoPlace {
        /// The process.
        pid: i32,
        /// Each folder with its fault.
        tried: String,
    },
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// No socket.
    #[error("process {0} did not open its attach socket within {1} s; it may be in a long pause: try again")]
    NoSocket(i32, u64),
    /// The socket broke.
    #[error("the attach socket of process {pid}: {source}")]
    Socket {
        /// The process.
        pid: i32,
        /// The error of the system.
        source: io::Error,
    },
    /// A text is too long for the protocol.
    #[error("{0} bytes are too long for an argument of the attach protocol (at most {1}); use a shorter folder")]
    TooLong(usize, usize),
    /// The JVM did not load the library.
    #[error("the JVM did not load the agent: {0}")]
    NotLoaded(String),
    /// Another analyzer.
    #[error("{}", watched(*.0))]
    Watched(u32),
    /// A recording.
    #[error("the agent in this JVM writes a recording (record=); it can be watched when the JVM has ended")]
    Records,
    /// It has just left.
    #[error("the agent is just leaving this JVM; attach again in a moment")]
    Leaving,
    /// It panicked.
    #[error("the agent gave up in this JVM earlier, and never works in it again; see the program's standard error")]
    Broken,
    /// The library has no meaning for the options.
    #[error("the agent in this JVM does not know these options: it is of another version, loaded from {0}")]
    OtherVersion(String),
    /// The agent gives a number that has no meaning here.
    #[error("the agent in this JVM refused with the number {0}; see the program's standard error")]
    Refused(i32),
    /// No Hello.
    #[error(
        "the JVM loaded the agent, but the agent did not connect within {0} s; see the program's standard error for its \
         reason"
    )]
    NoHello(u64),
}

impl AttachError {
    /// Whether it is over in a moment: the agent is leaving, or the analyzer that it has is gone.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Leaving => true,
            Self::Watched(analyzer) => *analyzer != 0 && !Path::new("/proc").join(analyzer.to_string()).exists(),
            _ => false,
        }
    }
}

fn list(pids: &[i32]) -> String {
    pids.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn watched(analyzer: u32) -> String {
    match analyzer {
        0 => "an analyzer watches this JVM already".to_owned(),
        analyzer => format!("an analyzer watches this JVM already: process {analyzer}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_analyzer_that_is_gone_holds_a_jvm_for_a_moment_only() {
        assert!(AttachError::Leaving.may_pass() && AttachError::Watched(u32::MAX).may_pass());
        assert!(!AttachError::Watched(std::process::id()).may_pass());
        assert!(!AttachError::Watched(0).may_pass() && !AttachError::Records.may_pass());
    }
}
