//! Place of an object: the beginning of the path to it, and the references behind that, without the classes in between.

use super::class::simple_name;
use super::path::write_times;
use super::{GcRoot, Reference, Start};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// Beginning of a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The static fields of a class.
    Static(String),
    /// A thread, by its name.
    Thread(String),
    /// An object of this class.
    Object(String),
    /// An object of this class, and the GC root that holds it.
    Held(GcRoot, String),
    /// An object that no GC root is known to reach.
    Unreached(Start),
    /// The text of a whole place that was read from a report: the end of its class is not marked.
    AsRead(String),
}

impl Default for Origin {
    fn default() -> Self {
        Self::AsRead(String::new())
    }
}

/// A reference of a place, and the number of its repetitions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The reference.
    pub reference: Reference,
    /// Number of repetitions.
    pub times: usize,
}

/// Objects of one class that are held at another place, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Shared {
    /// Their class.
    pub class: String,
    /// The owner-proxy of the other region that holds them.
    pub place: Place,
    /// What they are to the change-proxies. No part of the JSON.
    #[serde(skip)]
    pub role: SharedRole,
}

/// What objects that another region's members hold are to the change-proxies of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SharedRole {
    /// The change-proxies hold them, too.
    #[default]
    Held,
    /// They are the change-proxies: contents of the other's members.
    Content,
    /// The change-proxies lie within them.
    Around,
    /// The change-proxies refer to them weakly.
    Referent,
}

impl SharedRole {
    /// Whether the region holds the objects themselves, so that they must be removed from both.
    #[must_use]
    pub fn is_held(self) -> bool {
        matches!(self, Self::Held | Self::Content)
    }
}

/// Place of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its beginning.
    pub origin: Origin,
    /// The references from there on.
    pub turns: Vec<Turn>,
}

impl Place {
    /// The place at the beginning of a path.
    #[must_use]
    pub fn at(origin: Origin) -> Self {
        Self { origin, turns: Vec::new() }
    }

    /// Continues the place by these references; equal neighbours among them become one turn.
    pub fn go_on(&mut self, references: Vec<Reference>) {
        let first = self.turns.len();
        for reference in references {
            match self.turns[first..].last_mut() {
                Some(last) if last.reference == reference => last.times += 1,
                _ => self.turns.push(Turn { reference, times: 1 }),
            }
        }
    }

    /// Whether it is the same place in every capture: the length of a chain is different each time.
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.turns.iter().all(|turn| turn.times == 1)
    }

    /// Whether the path to it leads over this place, or ends there.
    #[must_use]
    pub fn is_at_or_below(&self, above: &Self) -> bool {
        self.origin == above.origin && self.turns.starts_with(&above.turns)
    }

    /// The last turn with a name, and those after it; empty where there is none.
    #[must_use]
    pub fn last_named(&self) -> &[Turn] {
        let named = self.turns.iter().rposition(|turn| turn.reference.name().is_some());
        &self.turns[named.unwrap_or(self.turns.len())..]
    }
}

/// `static com.example.Shop`, `thread "main"`, `live thread → Worker`.
impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Static(class) => write!(formatter, "static {class}"),
            Self::Thread(name) => write!(formatter, "thread \"{name}\""),
            Self::Object(class) => formatter.write_str(class),
            // The JVM lists some of its own objects among the classes.
            Self::Held(GcRoot::Class, class) => write!(formatter, "{} → {}", GcRoot::Other, simple_name(class)),
            Self::Held(root, class) => write!(formatter, "{root} → {}", simple_name(class)),
            Self::Unreached(start) => start.fmt(formatter),
            Self::AsRead(text) => formatter.write_str(text),
        }
    }
}

/// `.orders`, `[*]`, `.next×7`.
impl fmt::Display for Turn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reference.fmt(formatter)?;
        write_times(formatter, "", self.times)
    }
}

/// Text in one expression: `static com.example.Shop.orders`.
impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(formatter)?;
        self.turns.iter().try_for_each(|turn| turn.fmt(formatter))
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(turns: &[(&str, usize)]) -> Place {
        let turn = |&(name, times): &(&str, usize)| match name {
            "[*]" => Turn { reference: Reference::Element, times },
            _ => Turn { reference: Reference::Field(name.to_owned()), times },
        };
        Place { turns: turns.iter().map(turn).collect(), ..Place::at(Origin::Static("Shop".to_owned())) }
    }

    #[test]
    fn a_place_is_below_those_that_the_way_to_it_leads_over() {
        let shelf = place(&[("shelves", 1), ("[*]", 1), ("books", 1)]);
        assert!(shelf.is_at_or_below(&shelf) && shelf.is_at_or_below(&place(&[("shelves", 1)])));
        assert!(!place(&[("shelves", 1)]).is_at_or_below(&shelf));
        assert!(!place(&[("next", 35)]).is_at_or_below(&place(&[("next", 3)])));
        assert_eq!(shelf.to_string(), "static Shop.shelves[*].books");
    }

    #[test]
    fn a_chain_has_another_place_in_each_capture() {
        let mut chain = place(&[("first", 1)]);
        assert!(chain.lasts());
        chain.go_on(vec![Reference::Field("next".to_owned()); 3]);
        assert!(!chain.lasts());
        assert_eq!(chain.to_string(), "static Shop.first.next×3");
        assert_eq!(chain.last_named(), &chain.turns[1..]);
    }
}
