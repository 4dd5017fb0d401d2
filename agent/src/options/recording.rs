//! The options of a recording without an analyzer.

use super::{OptionsError, duration};
use rootbound_wire::message::CaptureMethod;
use std::path::PathBuf;
use std::time::Duration;

/// The longest pause, unless an option sets it.
const MAX_PAUSE: Duration = Duration::from_millis(500);
/// Older files that stay, unless an option sets it.
const KEEP_FILES: u32 = 7;
const MOST_FILES: u32 = 1_000;
/// Less has no room for a capture.
const LEAST_SIZE: u64 = 1_000_000;

/// A recording without an analyzer, with captures on the agent's own timer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The file. One that exists becomes an older one; `{pid}` stands for the process id.
    pub file: PathBuf,
    /// Time from the load to the first capture.
    pub mark_after: Duration,
    /// Time from the first capture to the second.
    pub capture_after: Duration,
    /// Time between two later captures; `None`: ever rarer.
    pub recapture_every: Option<Duration>,
    /// The method of a capture; `None`: in a forked child where it has no obstacle, otherwise in process.
    pub method: Option<CaptureMethod>,
    /// The longest pause; zero: any.
    pub max_pause: Duration,
    /// Bound of the file in bytes; `None`: by the size of its captures.
    pub max_size: Option<u64>,
    /// Time after which a new file begins; `None`: never.
    pub rotate_every: Option<Duration>,
    /// Number of older files that stay.
    pub keep_files: u32,
}

impl Recording {
    /// A recording to this file without further options.
    pub fn to(file: PathBuf) -> Self {
        Self {
            file,
            mark_after: Duration::from_secs(10),
            capture_after: Duration::from_secs(15),
            recapture_every: None,
            method: None,
            max_pause: MAX_PAUSE,
            max_size: None,
            rotate_every: None,
            keep_files: KEEP_FILES,
        }
    }
}

/// Options of a recording that have been given so far.
#[derive(Clone, Debug, Default)]
pub struct RecordingOptions {
    /// The first of them, by name.
    pub first: Option<String>,
    mark_after: Option<Duration>,
    capture_after: Option<Duration>,
    recapture_every: Option<Duration>,
    method: Option<CaptureMethod>,
    max_pause: Option<Duration>,
    max_size: Option<u64>,
    rotate_every: Option<Duration>,
    keep_files: Option<u32>,
}

impl RecordingOptions {
    /// Takes an option, if it is one of a recording. Returns whether it is.
    ///
    /// # Errors
    /// When its value has no meaning.
    pub fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionsError> {
        match key {
            "mark-after" => self.mark_after = Some(duration(key, value)?),
            "capture-after" => self.capture_after = Some(duration(key, value)?),
            "recapture-every" => self.recapture_every = Some(positive(key, value)?),
            "capture" => self.method = Some(method(value)?),
            "max-pause" if value == "unlimited" => self.max_pause = Some(Duration::ZERO),
            "max-pause" => self.max_pause = Some(positive(key, value)?),
            "max-size" => self.max_size = Some(size(key, value)?),
            "rotate-every" => self.rotate_every = Some(positive(key, value)?),
            "keep-files" => self.keep_files = Some(count(key, value)?),
            _ => return Ok(false),
        }
        self.first.get_or_insert_with(|| key.to_owned());
        Ok(true)
    }

    /// The recording to this file with these options.
    pub fn to(self, file: PathBuf) -> Recording {
        let defaults = Recording::to(file);
        Recording {
            mark_after: self.mark_after.unwrap_or(defaults.mark_after),
            capture_after: self.capture_after.unwrap_or(defaults.capture_after),
            recapture_every: self.recapture_every,
            method: self.method,
            max_pause: self.max_pause.unwrap_or(defaults.max_pause),
            max_size: self.max_size,
            rotate_every: self.rotate_every,
            keep_files: self.keep_files.unwrap_or(defaults.keep_files),
            ..defaults
        }
    }
}

fn positive(key: &str, value: &str) -> Result<Duration, OptionsError> {
    let duration = duration(key, value)?;
    if duration.is_zero() { Err(OptionsError::Zero(key.to_owned())) } else { Ok(duration) }
}

fn method(value: &str) -> Result<CaptureMethod, OptionsError> {
    match value {
        "fork" => Ok(CaptureMethod::Fork),
        "in-process" => Ok(CaptureMethod::InProcess),
        "tags" => Ok(CaptureMethod::Tags),
        _ => Err(OptionsError::Method(value.to_owned())),
    }
}

fn size(key: &str, value: &str) -> Result<u64, OptionsError> {
    let wrong = || OptionsError::Size { key: key.to_owned(), value: value.to_owned() };
    let bytes = parse_size::parse_size(value).map_err(|_| wrong())?;
    if bytes < LEAST_SIZE { Err(wrong()) } else { Ok(bytes) }
}

fn count(key: &str, value: &str) -> Result<u32, OptionsError> {
    let wrong = || OptionsError::Count { key: key.to_owned(), value: value.to_owned() };
    value.parse().ok().filter(|&count| count <= MOST_FILES).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_bounded_as_asked() {
        let mut options = RecordingOptions::default();
        for (key, value) in
            [("max-size", "64MB"), ("rotate-every", "1d"), ("keep-files", "3"), ("max-pause", "unlimited")]
        {
            assert_eq!(options.take(key, value), Ok(true), "{key}");
        }
        assert_eq!(options.take("connect", "x"), Ok(false));
        let recording = options.to(PathBuf::from("x"));
        let day = Duration::from_secs(86_400);
        assert_eq!((recording.max_size, recording.rotate_every), (Some(64_000_000), Some(day)));
        assert_eq!((recording.keep_files, recording.max_pause), (3, Duration::ZERO));
    }
}
