//! The agent's options, as `-agentpath:FILE=key=value,...` gives them. Decides nothing beyond what they mean.

mod recording;

pub use recording::{Recording, RecordingOptions};

use crate::faults::{FaultError, Faults};
use rootbound_wire::endpoint::{Endpoint, EndpointError, default_endpoint};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The options that the agent got at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The target of the messages.
    pub target: Target,
    /// The level of messages on standard error.
    pub log: LogLevel,
    /// The faults that tests plant; none in a released library.
    pub faults: Faults,
}

/// The target of the messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To an analyzer.
    Analyzer {
        /// Where it listens.
        endpoint: Endpoint,
        /// Time without an analyzer after which the agent leaves; `None`: it tries for ever.
        patience: Option<Duration>,
    },
    /// To a file, with captures on the agent's own timer.
    Recording(Recording),
}

/// The level of messages on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum LogLevel {
    Off,
    Error,
    Info,
}

const ALLOWED: &str = "allowed are connect=unix:PATH, connect=tcp:HOST:PORT, patience=DURATION, record=FILE, mark-after=DURATION, \
                       capture-after=DURATION, recapture-every=DURATION, capture=fork|in-process|tags, max-pause=DURATION|unlimited, \
                       max-size=SIZE, rotate-every=DURATION and keep-files=COUNT (with record=), \
                       log=off|error|info";
/// The error for options that have no meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// An option without a value.
    #[error("the option '{0}' has no value; {ALLOWED}")]
    NoValue(String),
    /// An option that does not exist.
    #[error("the option '{0}' is unknown; {ALLOWED}")]
    Unknown(String),
    /// No end point.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// A recording without a file.
    #[error("record= needs the name of a file")]
    NoFile,
    /// No duration.
    #[error("{key}={value} is no duration; allowed are a number and ms, s or m, for instance 10s")]
    Duration {
        /// The option.
        key: String,
        /// The text behind it.
        value: String,
    },
    /// A duration of zero.
    #[error("{0} must be longer than zero")]
    Zero(String),
    /// No size.
    #[error("{key}={value} is no size; allowed are a number and KB, MB or GB, for instance 64MB, and at least 1MB")]
    Size {
        /// The option.
        key: String,
        /// The text behind it.
        value: String,
    },
    /// No count.
    #[error("{key}={value} is no count; allowed are 0 to 1000")]
    Count {
        /// The option.
        key: String,
        /// The text behind it.
        value: String,
    },
    /// No method of a capture.
    #[error("capture={0} is unknown; allowed are fork, in-process and tags")]
    Method(String),
    /// No level.
    #[error("log={0} is unknown; allowed are off, error and info")]
    Level(String),
    /// Two targets.
    #[error("connect= and record= exclude each other; give one of them")]
    TwoTargets,
    /// An option of a recording without one.
    #[error("{0}= only goes with record=FILE; otherwise the analyzer decides")]
    OfRecording(String),
    /// Patience with a recording.
    #[error("patience= is for an analyzer that may be gone; record= has none")]
    PatienceOfRecording,
    /// A fault that tests plant.
    #[error(transparent)]
    Fault(#[from] FaultError),
}

impl FromStr for Options {
    type Err = OptionsError;

    fn from_str(text: &str) -> Result<Self, OptionsError> {
        let (mut connect, mut record, mut log, mut faults) = (None, None, LogLevel::Error, Faults::default());
        let (mut patience, mut asked) = (None, RecordingOptions::default());
        for option in text.split(',').filter(|option| !option.is_empty()) {
            let (key, value) = option.split_once('=').ok_or_else(|| OptionsError::NoValue(option.to_owned()))?;
            match key {
                "connect" => connect = Some(value.parse::<Endpoint>()?),
                "record" if !value.is_empty() => record = Some(PathBuf::from(value)),
                "record" => return Err(OptionsError::NoFile),
                "patience" => patience = Some(duration(key, value)?),
                "log" => log = log_level(value)?,
                _ if asked.take(key, value)? => {}
                _ => match faults.take(key, value) {
                    Some(taken) => taken?,
                    None => return Err(OptionsError::Unknown(key.to_owned())),
                },
            }
        }
        let target = match (connect, record) {
            (Some(_), Some(_)) => return Err(OptionsError::TwoTargets),
            (None, Some(_)) if patience.is_some() => return Err(OptionsError::PatienceOfRecording),
            (None, Some(file)) => Target::Recording(asked.to(file)),
            (connect, None) => match asked.first {
                Some(key) => return Err(OptionsError::OfRecording(key)),
                None => Target::Analyzer { endpoint: connect.unwrap_or_else(default_endpoint), patience },
            },
        };
        Ok(Self { target, log, faults })
    }
}

/// A number without a unit counts seconds.
fn duration(key: &str, value: &str) -> Result<Duration, OptionsError> {
    let seconds = value.parse().map(Duration::from_secs);
    let wrong = |_| OptionsError::Duration { key: key.to_owned(), value: value.to_owned() };
    seconds.or_else(|_| humantime::parse_duration(value)).map_err(wrong)
}

fn log_level(value: &str) -> Result<LogLevel, OptionsError> {
    match value {
        "off" => Ok(LogLevel::Off),
        "error" => Ok(LogLevel::Error),
        "info" => Ok(LogLevel::Info),
        _ => Err(OptionsError::Level(value.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_means_the_default_socket() {
        let options = "".parse::<Options>();
        assert_eq!(
            options.map(|options| options.target),
            Ok(Target::Analyzer { endpoint: default_endpoint(), patience: None })
        );
    }

    #[test]
    fn an_agent_may_lose_patience() {
        let options = "connect=unix:/a,patience=1m".parse::<Options>();
        let target = options.map(|options| options.target);
        let (endpoint, patience) = (Endpoint::Unix(PathBuf::from("/a")), Some(Duration::from_secs(60)));
        assert_eq!(target, Ok(Target::Analyzer { endpoint, patience }));
    }

    #[test]
    fn a_recording_has_its_own_timer() {
        let options = "record=/tmp/x.rb,mark-after=500ms,log=info".parse::<Options>();
        let (file, mark_after) = (PathBuf::from("/tmp/x.rb"), Duration::from_millis(500));
        let target = Target::Recording(Recording { mark_after, ..Recording::to(file) });
        assert_eq!(options, Ok(Options { target, log: LogLevel::Info, faults: Faults::default() }));
    }

    #[test]
    fn durations_have_a_unit_or_count_seconds() {
        let read = |text| duration("mark-after", text).map(|duration| duration.as_millis());
        let texts = ["500ms", "10s", "10", "0", "0ms", "5m", "1h", "1m30s"];
        assert_eq!(texts.map(read), [500, 10_000, 10_000, 0, 0, 300_000, 3_600_000, 90_000].map(Ok));
        for wrong in ["", "s", "-1s", "1x", "soon", "99999999999999999999", "18446744073709551615m"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nonsense_is_explained() {
        for (text, word) in [
            ("colour=red", "allowed are"),
            ("connect", "has no value"),
            ("connect=tcp:x", "tcp:HOST:PORT"),
            ("connect=unix:/a,record=/b", "exclude"),
            ("mark-after=5s", "record=FILE"),
            ("record=/b,mark-after=soon", "duration"),
            ("record=/b,patience=1m", "record= has none"),
            ("log=loud", "off, error and info"),
            ("record=/b,capture=slowly", "fork, in-process and tags"),
            ("capture=fork", "record=FILE"),
            ("max-pause=1s", "record=FILE"),
            ("record=/b,max-pause=long", "duration"),
            ("record=/b,max-size=much", "64MB"),
            ("record=/b,max-size=1", "at least 1MB"),
            ("record=/b,rotate-every=0s", "longer than zero"),
            ("record=/b,keep-files=all", "0 to 1000"),
            ("max-size=64MB", "record=FILE"),
        ] {
            let error = text.parse::<Options>().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(word), "{text}: {error}");
        }
    }
}
