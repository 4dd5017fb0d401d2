//! A chain of classifiers as people write it: `type, place, leaves(type)`.
//!
//! ```text
//! chain      = classifier { "," classifier } .
//! classifier = "type" | "loader" | "place" | "object"
//!            | "leaves" "(" [ "own" ";" | "deep" ";" ] chain ")"
//!            | "containing" "(" [ word { "," word } ";" ] chain ")"
//!            | "contained" "(" chain ")" .
//! word       = "direct" | "top" | "owned" .
//! ```

use crate::structures::Reach;
use std::str::FromStr;

/// Most classifiers from the outermost to the innermost.
const MOST_LEVELS: usize = 8;

/// Classifiers, the first one first; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(pub Vec<Classifier>);

/// One step of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classifier {
    /// By class.
    Type,
    /// By the class of the class loader.
    Loader,
    /// By place; of a head the field that holds it.
    Place,
    /// Each object by itself.
    Object,
    /// The leaves of the structures of these heads, split further.
    Leaves(Reach, Chain),
    /// The structures that contain these objects, split further.
    Containing {
        /// Those that have an object as a member; otherwise the top-level structures that own these.
        direct: bool,
        /// Also those from whose members an object is reached that is no member itself.
        owned: bool,
        /// The classifiers of their heads.
        inner: Chain,
    },
    /// The structures within the structures of these heads, split further.
    Contained(Chain),
}

impl Classifier {
    /// The word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Loader => "loader",
            Self::Place => "place",
            Self::Object => "object",
            Self::Leaves(..) => "leaves",
            Self::Containing { .. } => "containing",
            Self::Contained(_) => "contained",
        }
    }
}

/// Reasons why a text is no chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// A word is no classifier.
    #[error(
        "\"{0}\" is no classifier; there are type, loader, place, object, leaves(…), containing(…) and contained(…)"
    )]
    Unknown(String),
    /// Something else stands there.
    #[error("{expected} expected, not {found}")]
    Expected {
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Another classifier comes behind one that leads to other objects.
    #[error("nothing can come behind {0}(…): write the classifiers of its objects in its parentheses")]
    NotLast(&'static str),
    /// Too many.
    #[error("more than {MOST_LEVELS} classifiers in one another")]
    TooDeep,
}

impl FromStr for Chain {
    type Err = ChainError;

    fn from_str(text: &str) -> Result<Self, ChainError> {
        let mut reader = Reader { rest: text, levels: 0 };
        let chain = reader.chain()?;
        match reader.word_or_sign() {
            "" => Ok(chain),
            found => Err(ChainError::Expected { expected: "the end", found: quoted(found) }),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
    levels: usize,
}

impl<'t> Reader<'t> {
    fn chain(&mut self) -> Result<Chain, ChainError> {
        let mut chain = Vec::new();
        loop {
            self.levels += 1;
            if self.levels > MOST_LEVELS {
                return Err(ChainError::TooDeep);
            }
            let classifier = self.classifier()?;
            let leads_on =
                matches!(classifier, Classifier::Leaves(..) | Classifier::Containing { .. } | Classifier::Contained(_));
            let name = classifier.name();
            chain.push(classifier);
            match self.peek() {
                "," if leads_on => return Err(ChainError::NotLast(name)),
                "," => drop(self.word_or_sign()),
                _ => return Ok(Chain(chain)),
            }
        }
    }

    fn classifier(&mut self) -> Result<Classifier, ChainError> {
        match self.word_or_sign() {
            "type" => Ok(Classifier::Type),
            "loader" => Ok(Classifier::Loader),
            "place" => Ok(Classifier::Place),
            "object" => Ok(Classifier::Object),
            "leaves" => {
                let (words, inner) = self.inner(&[&["own", "deep"]])?;
                Ok(Classifier::Leaves(if words.contains(&"own") { Reach::Own } else { Reach::Deep }, inner))
            }
            "containing" => {
                let (words, inner) = self.inner(&[&["direct", "top"], &["owned"]])?;
                let (direct, owned) = (words.contains(&"direct"), words.contains(&"owned"));
                Ok(Classifier::Containing { direct, owned, inner })
            }
            "contained" => Ok(Classifier::Contained(self.inner(&[])?.1)),
            found if found.starts_with(char::is_alphabetic) => Err(ChainError::Unknown(found.to_owned())),
            found => Err(ChainError::Expected { expected: "a classifier", found: quoted(found) }),
        }
    }

    /// `( [ word { , word } ; ] chain )`, with at most one word of each set.
    fn inner(&mut self, sets: &[&[&'static str]]) -> Result<(Vec<&'static str>, Chain), ChainError> {
        self.expect("(", "\"(\"")?;
        let (mut found, mut left) = (Vec::new(), sets.to_vec());
        let word = |left: &[&[&'static str]], peeked: &str| {
            let set = left.iter().position(|set| set.contains(&peeked))?;
            Some((set, left[set].iter().copied().find(|word| *word == peeked)?))
        };
        while let Some((set, word)) = word(&left, self.peek()) {
            self.word_or_sign();
            found.push(word);
            left.remove(set);
            match self.word_or_sign() {
                ";" => break,
                "," if word_is_next(&left, self.peek()) => {}
                "," => return Err(ChainError::Expected { expected: "another word", found: quoted(self.peek()) }),
                other => return Err(ChainError::Expected { expected: "\";\"", found: quoted(other) }),
            }
        }
        let chain = self.chain()?;
        self.expect(")", "\")\"")?;
        Ok((found, chain))
    }

    fn expect(&mut self, sign: &str, expected: &'static str) -> Result<(), ChainError> {
        match self.word_or_sign() {
            found if found == sign => Ok(()),
            found => Err(ChainError::Expected { expected, found: quoted(found) }),
        }
    }

    fn peek(&self) -> &'t str {
        let rest = self.rest.trim_start();
        let word = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        match word {
            0 => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
            word => &rest[..word],
        }
    }

    fn word_or_sign(&mut self) -> &'t str {
        let found = self.peek();
        self.rest = &self.rest.trim_start()[found.len()..];
        found
    }
}

fn word_is_next(left: &[&[&'static str]], peeked: &str) -> bool {
    left.iter().any(|set| set.contains(&peeked))
}

fn quoted(found: &str) -> String {
    if found.is_empty() { "the end".to_owned() } else { format!("\"{found}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_chains_are_read() {
        use Classifier::{Leaves, Place, Type};
        let chain = |text: &str| text.parse::<Chain>();
        let types = || Chain(vec![Type]);
        assert_eq!(chain("type, place, leaves(type)"), Ok(Chain(vec![Type, Place, Leaves(Reach::Deep, types())])));
        assert_eq!(chain("leaves(own; type)"), Ok(Chain(vec![Leaves(Reach::Own, types())])));
        let inner = Chain(vec![Type, Place]);
        let containing = |direct, owned, inner| Classifier::Containing { direct, owned, inner };
        assert_eq!(chain("type,containing(type,place)"), Ok(Chain(vec![Type, containing(false, false, inner)])));
        assert_eq!(chain("containing(direct; type)"), Ok(Chain(vec![containing(true, false, types())])));
        assert_eq!(chain("containing(owned; type)"), Ok(Chain(vec![containing(false, true, types())])));
        assert_eq!(chain("containing(owned, direct; type)"), Ok(Chain(vec![containing(true, true, types())])));
        assert_eq!(
            chain(" contained ( loader ) "),
            Ok(Chain(vec![Classifier::Contained(Chain(vec![Classifier::Loader]))]))
        );
    }

    #[test]
    fn what_is_no_chain_is_refused_with_the_reason() {
        for (text, part) in [
            ("", "a classifier expected, not the end"),
            ("type,", "not the end"),
            ("colour", "\"colour\" is no classifier"),
            ("leaves", "\"(\" expected"),
            ("leaves(type", "\")\" expected, not the end"),
            ("leaves(own type)", "\";\" expected, not \"type\""),
            ("containing(owned, type)", "another word expected, not \"type\""),
            ("containing(top, direct; type)", "another word expected, not \"direct\""),
            ("leaves(type), place", "nothing can come behind leaves"),
            ("type place", "the end expected, not \"place\""),
            ("type,type,type,type,type,type,type,type,type", "more than 8"),
            ("ü, type", "is no classifier"),
        ] {
            let error = text.parse::<Chain>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
