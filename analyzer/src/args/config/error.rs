//! Reasons why a file or a variable cannot be used. Each names its place.

use super::layers::Origin;
use std::io;
use std::path::PathBuf;

/// A fault of a file or a variable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    #[error("cannot read {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("{}: it is larger than {limit} bytes", path.display())]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{}: it is no text in UTF-8", path.display())]
    NoText { path: PathBuf },
    #[error("{}: others than you may write it; take that away by chmod go-w, or name it by --config", path.display())]
    Writable { path: PathBuf },
    #[error("{}: it belongs to another user; name it by --config if you trust it", path.display())]
    Foreign { path: PathBuf },
    #[error("{}:{line}: {fault}", path.display())]
    NoToml { path: PathBuf, line: usize, fault: String },
    #[error("{origin}: there is no option {key}{}", suggestion(.near.as_deref()))]
    UnknownKey { origin: Origin, key: String, near: Option<String> },
    #[error("{origin}: there are no options of {table}{}", suggestion(.near.as_deref()))]
    UnknownTable { origin: Origin, table: String, near: Option<String> },
    #[error("{origin}: {key} must be {expected}")]
    WrongType { origin: Origin, key: String, expected: Expected },
    #[error("{origin}: {fault}")]
    WrongValue { origin: Origin, fault: WrongValue },
}

/// What the value of an option must be in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Expected {
    #[error("true or false")]
    Flag,
    #[error("a number")]
    Count,
    #[error("a text in quotation marks, or a list of such texts")]
    List,
    #[error("a text in quotation marks, or a number")]
    Text,
}

/// A value that an option does not take.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WrongValue {
    #[error("invalid value '{value}' for {option}: it must be {expected}")]
    Unexpected { value: String, option: String, expected: &'static str },
    /// The words of the command line's parser.
    #[error("{0}")]
    Refused(String),
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near}?"))
}
