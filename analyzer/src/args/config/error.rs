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
    WrongType { origin: Origin, key: String, expected: &'static str },
    #[error("{origin}: {fault}")]
    WrongValue { origin: Origin, fault: String },
}

fn suggestion(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean {near}?"))
}
