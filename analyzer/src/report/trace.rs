//! The leak trace, in the words of the contract: root first, one reference a line, a collection of the JDK and a chain
//! of equal nodes on one line each, and the reference that grows underlined.
//!
//! ```text
//! HashMap static com.example.Shop.byUser ⟶ values
//!   ArrayList ⟶ elements
//!             ^^^^^^^^^^
//!     com.example.Order
//! ```

use crate::naming::Route;
use crate::naming::class::simple_name;
use crate::naming::stretches::{self, Numbered, Referrer, Stretch};
use serde::{Serialize, Serializer};
use unicode_width::UnicodeWidthStr;

/// Stands below underlined text.
pub(super) const UNDERLINE: char = '^';
const INDENT: usize = 2;
const LEADS_TO: &str = " ⟶ ";

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceLine {
    /// Indented text.
    pub text: String,
    /// The columns that are underlined, where the line names the reference that grows.
    pub marked: Option<(usize, usize)>,
}

/// The trace of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeakTrace {
    /// A trace made from this route.
    Of(Route),
    /// The lines as read from a report: the route cannot be rebuilt from them.
    AsRead(Vec<TraceLine>),
}

impl Default for LeakTrace {
    fn default() -> Self {
        Self::AsRead(Vec::new())
    }
}

impl LeakTrace {
    /// The route; `None` where the trace was read.
    #[must_use]
    pub fn route(&self) -> Option<&Route> {
        match self {
            Self::Of(route) => Some(route),
            Self::AsRead(_) => None,
        }
    }

    /// Its lines, root first.
    #[must_use]
    pub fn lines(&self) -> Vec<TraceLine> {
        match self {
            Self::Of(route) => lines(route),
            Self::AsRead(lines) => lines.clone(),
        }
    }
}

/// Writes underlines on lines of their own.
impl Serialize for LeakTrace {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = Vec::new();
        for TraceLine { text, marked } in self.lines() {
            all.push(text);
            all.extend(marked.map(|(from, to)| format!("{}{}", " ".repeat(from), marks(to - from))));
        }
        all.serialize(serializer)
    }
}

/// A route, cut into stretches that form one line or part of a line.
struct Trace<'a> {
    route: &'a Route,
    stretches: Vec<Numbered<'a>>,
    /// Index of the stretch with the reference that grows.
    grows: usize,
}

/// Text of one line, before it is indented.
struct Stated {
    text: String,
    marked: Option<(usize, usize)>,
    /// Number of stretches.
    count: usize,
}

/// The trace of a route.
#[must_use]
pub fn lines(route: &Route) -> Vec<TraceLine> {
    let stretches = stretches::stretches(route);
    let grows = growing_stretch(route, &stretches);
    Trace { route, stretches, grows }.lines()
}

/// Index of the stretch of a route that has the reference that grows.
#[must_use]
pub fn growing_stretch(route: &Route, stretches: &[Numbered<'_>]) -> usize {
    let growing = growing_hop(route);
    stretches.partition_point(|(first, _)| *first <= growing).saturating_sub(1)
}

/// Underlines beneath this number of columns.
#[must_use]
pub fn marks(columns: usize) -> String {
    UNDERLINE.to_string().repeat(columns)
}

impl Trace<'_> {
    fn lines(&self) -> Vec<TraceLine> {
        let mut lines = Vec::new();
        let mut indent = 0;
        let mut at = 0;
        while at < self.stretches.len() {
            let stated = self.stated(at);
            let marked = stated.marked.map(|(from, to)| (indent + from, indent + to));
            lines.push(TraceLine { text: format!("{}{}", " ".repeat(indent), stated.text), marked });
            indent += INDENT;
            at += stated.count;
        }
        lines.push(TraceLine { text: format!("{}{}", " ".repeat(indent), self.last()), marked: None });
        lines
    }

    /// The line that begins with this stretch. A field that leads to a collection is part of the collection's line.
    fn stated(&self, at: usize) -> Stated {
        let stretch = &self.stretches[at].1;
        let collection = match (stretch, self.stretches.get(at + 1)) {
            // Where the path begins at a collection, its origin names the collection.
            (Stretch::Collection { members, .. }, _) if at == 0 => Some((self.route.origin.to_string(), members, 1)),
            (Stretch::Collection { class, members }, _) => Some((simple_name(class).to_owned(), members, 1)),
            (_, Some((_, Stretch::Collection { class, members }))) => {
                Some((format!("{} {}", simple_name(class), text(stretch)), members, 2))
            }
            _ => None,
        };
        let (place, members, count) = match collection {
            Some((place, members, count)) => (place, format!("{LEADS_TO}{members}"), count),
            None => (text(stretch), String::new(), 1),
        };
        let end = place.width();
        let marked = match self.grows.checked_sub(at) {
            Some(0) if count == 2 || members.is_empty() => Some((end - reference(stretch).width(), end)),
            Some(into) if into < count => Some((end + LEADS_TO.width(), end + members.width())),
            _ => None,
        };
        Stated { text: format!("{place}{members}"), marked, count }
    }

    /// The new object: the last one; or its content, where it is only a node of a collection.
    fn last(&self) -> String {
        match stretches::node_at_end(self.route, &self.stretches) {
            Some(_) if !self.route.carried.is_empty() => self.route.carried.join(", "),
            _ => self.route.last_class().map_or_else(|| self.route.origin.to_string(), str::to_owned),
        }
    }
}

fn text(stretch: &Stretch<'_>) -> String {
    match stretch {
        Stretch::Field { of, field, .. } => {
            let of = match of {
                Referrer::Origin(origin) => origin.to_string(),
                Referrer::Class(class) => (*class).to_owned(),
            };
            format!("{of}{}{}", if field.is_some() { "." } else { "" }, reference(stretch))
        }
        Stretch::Chain { of, fields, count: 1 } => format!("{of}.{}", fields.join("|")),
        Stretch::Chain { of, fields, count } => format!("… {count} × {}.{}", simple_name(of), fields.join("|")),
        Stretch::Collection { class, .. } => simple_name(class).to_owned(),
    }
}

/// The end of the text, which names the reference: `slots[*]`.
fn reference(stretch: &Stretch<'_>) -> String {
    match stretch {
        Stretch::Field { field, elements, .. } => format!("{}{}", field.unwrap_or_default(), "[*]".repeat(*elements)),
        Stretch::Chain { fields, .. } => fields.last().copied().unwrap_or_default().to_owned(),
        Stretch::Collection { .. } => String::new(),
    }
}

/// The reference that grows: into the first array behind the owner, or else the owner's own.
fn growing_hop(route: &Route) -> usize {
    let behind = route.hops.iter().enumerate().skip(route.owner_at);
    let element = behind.clone().find(|(_, hop)| hop.field().is_none()).map(|(at, _)| at);
    element.unwrap_or(route.owner_at)
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
