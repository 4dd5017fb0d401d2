//! A report read back from its JSON.

use super::{Report, SCHEMA};
use serde::Deserialize;
use serde_json::error::Category;
use thiserror::Error;

/// Reason why a text is no report of this contract.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The text is no JSON, or was cut.
    #[error("this is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// It has no `schema`, or one that is no text.
    #[error("this is JSON, but no report: its `schema` must be `{SCHEMA}`, and it has none")]
    NoContract,
    /// It is written by another contract.
    #[error("this is written by the contract `{found}`, and not by `{SCHEMA}`")]
    OtherContract {
        /// The value of its `schema`.
        found: String,
    },
    /// A field is missing, or its value is none that the contract knows; with line and column.
    #[error("a field does not fit the contract `{SCHEMA}`: {0}")]
    Field(serde_json::Error),
}

/// The field that names the contract of the rest.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `schema`")]
struct Head {
    schema: Option<serde_json::Value>,
}

impl Report {
    /// Reads a report from its JSON, as `--json` writes it. Written again, it is the same to the byte.
    ///
    /// Fields that this version does not know are skipped. [`Region::kept_by`](super::Region::kept_by) is in no JSON
    /// and stays `None`. Texts that do not state the whole value are kept as they are: the leak trace, places, and some
    /// of the statuses, notes and elements of paths. Their variants are called `AsRead`.
    ///
    /// # Errors
    /// [`ReadError`], which states the fault: in the JSON, the contract or a field.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        let head: Head = serde_json::from_str(text).map_err(ReadError::of)?;
        match head.schema {
            Some(serde_json::Value::String(found)) if found == SCHEMA.name() => {
                serde_json::from_str(text).map_err(ReadError::of)
            }
            Some(serde_json::Value::String(found)) => Err(ReadError::OtherContract { found }),
            _ => Err(ReadError::NoContract),
        }
    }
}

impl ReadError {
    fn of(error: serde_json::Error) -> Self {
        match error.classify() {
            Category::Data => Self::Field(error),
            Category::Io | Category::Syntax | Category::Eof => Self::NotJson(error),
        }
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
