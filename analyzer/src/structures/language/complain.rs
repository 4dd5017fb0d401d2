//! Errors of a file of descriptions, each with its position.

use super::Position;

/// One error of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{at}: {fault}")]
pub struct Complaint {
    /// The file's name.
    pub file: String,
    /// The position of the error.
    pub at: Position,
    /// The error.
    pub fault: Fault,
}

/// Kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A word before another word is no keyword.
    #[error("\"{word}\" is no keyword{}", suggestion(*.like))]
    NoKeyword {
        /// The word.
        word: String,
        /// The keyword that is like it.
        like: Option<&'static str>,
    },
    /// Something else stands here.
    #[error("{expected} expected, not {found}")]
    Expected {
        /// The expected sign or part.
        expected: &'static str,
        /// The sign that stands here.
        found: String,
    },
    /// A pointed-to type does not end with a semicolon.
    #[error("\";\" is missing behind \"{0}\"")]
    NoSemicolon(String),
    /// The end of the file came before the closing brace.
    #[error("this \"{{\" is never closed")]
    NeverClosed,
    /// A closing brace without an opening one.
    #[error("this \"}}\" closes nothing")]
    ClosesNothing,
    /// A comment without end.
    #[error("this comment has no end")]
    EndlessComment,
    /// A described type, or a namespace, with a wildcard in its name.
    #[error("\"{0}\" has a wildcard; only pointed-to types may have one")]
    Wildcard(String),
    /// A described array.
    #[error("an array has no description: its elements are pointed-to types of any kind")]
    Array,
    /// Type arguments of another class than `java.lang.Class`.
    #[error("type arguments are erased at run time; only java.lang.Class<…> has one, before \"{{\"")]
    TypeArguments,
    /// A name that begins with a digit.
    #[error("\"{0}\" is no name: it begins with a digit")]
    Digit(String),
    /// A description within a description.
    #[error("a description within a description: is a \"}}\" missing before it?")]
    Nested,
}

fn suggestion(like: Option<&'static str>) -> String {
    like.map(|word| format!("; did you mean \"{word}\"?")).unwrap_or_default()
}

/// Keywords of a namespace.
pub(super) const NAMESPACE: [&str; 6] = ["namespace", "Namespace", "package", "Package", "ns", "NS"];
/// Keywords of a head.
pub(super) const HEAD: [&str; 7] = ["DS", "ds", "DataStructure", "Datastructure", "datastructure", "Head", "head"];

/// A word with more errors than this is another word.
const MOST_ERRORS: usize = 2;

/// The keyword that a word is most like.
pub(super) fn keyword_like(word: &str) -> Option<&'static str> {
    let distance = |keyword: &&str| strsim::osa_distance(word, keyword);
    let nearest = NAMESPACE.iter().chain(&HEAD).copied().min_by_key(distance)?;
    let is_like = distance(&nearest) <= MOST_ERRORS.min(nearest.len() / 2);
    is_like.then_some(nearest)
}
