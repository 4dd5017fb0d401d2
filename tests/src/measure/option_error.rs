//! The reason why the command line of a bench means nothing.

/// The reasons; each holds the option or its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// An option of no bench.
    #[error("{0} is unknown")]
    Unknown(String),
    /// An option at the end.
    #[error("{0} needs a value")]
    NoValue(String),
    /// A value that should be a number.
    #[error("{0} is no number")]
    NoNumber(String),
}
