//! Reference from one object to another.

use serde::{Serialize, Serializer};
use std::fmt;

/// Reference from one object to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reference {
    /// A field of this name.
    Field(String),
    /// A slot of an array, whichever it is.
    Element,
    /// This slot of an array.
    Slot(u32),
    /// From an object to its class.
    Class,
    /// From a class to its loader.
    Loader,
    /// From a class to its superclass.
    Superclass,
    /// From a class to an interface.
    Interface,
    /// A constant of a class.
    Constant,
    /// A reference without a name.
    Unnamed,
}

impl Reference {
    /// The word for it; `None` for slots, which have numbers.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Field(name) => Some(name),
            Self::Element | Self::Slot(_) => None,
            Self::Class => Some("<class>"),
            Self::Loader => Some("<loader>"),
            Self::Superclass => Some("<superclass>"),
            Self::Interface => Some("<interface>"),
            Self::Constant => Some("<constant>"),
            Self::Unnamed => Some("<reference>"),
        }
    }

    /// Whether it is a slot of an array.
    #[must_use]
    pub fn is_element(&self) -> bool {
        matches!(self, Self::Element | Self::Slot(_))
    }
}

/// Text behind the referrer: `.orders`, `[*]`, `[17]`.
impl fmt::Display for Reference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slot(slot) => write!(formatter, "[{slot}]"),
            _ => match self.name() {
                Some(name) => write!(formatter, ".{name}"),
                None => formatter.write_str("[*]"),
            },
        }
    }
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
