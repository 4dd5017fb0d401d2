//! The current activity, or the event that ended the run. The text is that of the contract; presenters have words of
//! their own.

use crate::units;
use serde::{Serialize, Serializer};
use std::fmt;

/// The current activity, or the event that ended the run. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// No agent has connected to this session yet.
    #[default]
    AwaitingJvm,
    /// `run` waits for a JVM of its program.
    AwaitingProgram,
    /// `watch` waits for any JVM.
    AwaitingAgent {
        /// Address at which it listens.
        endpoint: String,
        /// The option that connects a JVM to this address.
        option: String,
    },
    /// The first snapshot is due in `due_s` seconds, the second `gap_s` seconds later.
    Warming {
        /// Seconds, rounded up.
        due_s: u64,
        /// Seconds from the first to the second.
        gap_s: u64,
    },
    /// The agent measures the costs of a snapshot.
    Surveying,
    /// The first snapshot is made.
    Marking,
    /// The second snapshot is due in this number of seconds.
    Settling {
        /// Seconds, rounded up.
        due_s: u64,
    },
    /// The first snapshot was made on request, and so will be the second; unasked it is made in this number of seconds.
    AwaitingRequest {
        /// Seconds, rounded up.
        due_s: u64,
    },
    /// The second snapshot is made.
    Capturing,
    /// Another JVM's snapshot comes first.
    AwaitingTurn,
    /// Structures are watched.
    Tracking,
    /// No snapshot succeeded.
    GivenUp,
    /// This JVM allows no snapshot.
    Incapable,
    /// The forecast was all that was requested.
    DryRun,
    /// Heap dumps were compared.
    Compared {
        /// Number of dumps.
        dumps: usize,
    },
    /// The run is over.
    Ended(End),
    /// The sentence of a status that was read from a report, where it does not state the whole value.
    AsRead(String),
}

/// Event that ended the run.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// The JVM reported its end.
    JvmEnded,
    /// The started program ended, with this exit status.
    ProgramEnded(String),
    /// The agent left the JVM.
    Detached,
    /// The connection broke.
    Lost,
    /// The time that the user gave is over.
    TimeUp {
        /// Duration that the user gave.
        asked_s: f64,
    },
    /// The user asked for the report.
    Interrupted,
    /// An internal error.
    Failed,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AwaitingJvm => formatter.write_str("waiting for a JVM"),
            Self::AwaitingProgram => formatter.write_str("waiting for a JVM of the started program to connect"),
            Self::AwaitingAgent { endpoint, .. } => {
                write!(formatter, "waiting for a JVM with the agent on {endpoint}")
            }
            Self::Warming { due_s, .. } => write!(formatter, "warming up: marking what lives in {due_s} s"),
            Self::Surveying => formatter.write_str("looking at the heap's size and the limits"),
            Self::Marking => formatter.write_str("marking what lives"),
            Self::Settling { due_s } => {
                write!(formatter, "waiting for what stays: capturing the heap in {due_s} s")
            }
            Self::AwaitingRequest { due_s } => {
                write!(formatter, "marked on request: capturing the heap on request, or in {due_s} s")
            }
            Self::Capturing => formatter.write_str("capturing the heap"),
            Self::AwaitingTurn => formatter.write_str("waiting until another JVM's capture is done"),
            Self::Tracking => formatter.write_str("tracking regions"),
            Self::GivenUp => formatter.write_str("no mark or no capture succeeded"),
            Self::Incapable => formatter.write_str("this JVM cannot be captured"),
            Self::DryRun => formatter.write_str("dry run: nothing was captured"),
            Self::Compared { dumps } => {
                let doubt = if *dumps >= 3 { "" } else { "; a third would tell leaks from what is being filled" };
                write!(formatter, "{dumps} heap dumps compared, ages inferred from named paths{doubt}")
            }
            Self::Ended(end) => end.fmt(formatter),
            Self::AsRead(text) => formatter.write_str(text),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JvmEnded => formatter.write_str("the program has ended"),
            Self::ProgramEnded(how) => write!(formatter, "the program ended ({how})"),
            Self::Detached => formatter.write_str("detached"),
            Self::Lost => formatter.write_str("the connection to the JVM broke"),
            Self::TimeUp { asked_s } => write!(formatter, "watched for {}, as asked", units::duration_s(*asked_s)),
            Self::Interrupted => formatter.write_str("interrupted"),
            Self::Failed => formatter.write_str("rootbound failed while it watched this JVM"),
        }
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
