//! The leak trace for people: root first, one reference a line, a collection of the JDK and a chain of equal nodes on one
//! line each, and the reference that grows underlined.
//!
//! ```text
//! HashMap static com.example.Shop.byUser ⟶ values
//!   ArrayList ⟶ elements
//!             ^^^^^^^^^^
//!     com.example.Order
//! ```

use crate::naming::class::{is_array, simple_name};
use crate::naming::collections;
use crate::view::names::width;
use crate::view::plain::plain;
use std::borrow::Cow;

/// One reference of the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hop {
    /// The field; `None` for an element of an array.
    pub field: Option<String>,
    /// The class that declares the field; empty where that is not known.
    pub declared_by: String,
    /// Class of the object that it leads to.
    pub class: String,
}

/// The whole way, from a static or a GC root to one of the objects that come new.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    /// Where it begins: `static com.example.Shop`, `thread "main"`.
    pub origin: String,
    /// The references.
    pub hops: Vec<Hop>,
    /// How many of them lead to the owner-proxy.
    pub owner_at: usize,
    /// Classes of what the new objects hold.
    pub carried: Vec<String>,
}

/// Marks what is above it.
const UNDERLINE: char = '^';
const INDENT: usize = 2;
const LEADS_TO: &str = " ⟶ ";

/// References that are told as one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stretch {
    /// One field, and elements of the arrays that it leads to.
    Field { of: String, field: String, is_of_program: bool },
    /// So many references between objects of one class.
    Chain { of: String, fields: Vec<String>, count: usize },
    /// All within a collection of this class.
    Collection { class: String, members: &'static str },
}

/// A stretch with the number of its first hop.
type Numbered = (usize, Stretch);

/// A route, told in stretches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    stretches: Vec<Numbered>,
    /// The stretch with the reference that grows.
    grows: usize,
    origin: String,
    /// What comes new, in words.
    last: String,
    /// The same for fingerprints.
    ends: Vec<String>,
}

/// One line of it.
struct Line {
    text: String,
    /// The columns that are underlined.
    marked: Option<(usize, usize)>,
    /// How many stretches it tells.
    tells: usize,
}

impl Trace {
    /// Tells a route.
    #[must_use]
    pub fn new(route: &Route) -> Self {
        let stretches = stretches(route);
        let growing = growing_hop(route);
        let grows = stretches.partition_point(|(first, _)| *first <= growing).saturating_sub(1);
        let (last, ends) = ends(route, &stretches);
        Self { stretches, grows, origin: route.origin.clone(), last, ends }
    }

    /// The lines, underlines included: they stand on a line of their own.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut indent = 0;
        let mut at = 0;
        while at < self.stretches.len() {
            let line = self.line(at);
            lines.push(format!("{}{}", " ".repeat(indent), line.text));
            lines.extend(line.marked.map(|(from, to)| format!("{}{}", " ".repeat(indent + from), marks(to - from))));
            indent += INDENT;
            at += line.tells;
        }
        lines.push(format!("{}{}", " ".repeat(indent), self.last));
        lines
    }

    /// The line that begins with this stretch. A field that leads to a collection is told with it.
    fn line(&self, at: usize) -> Line {
        let stretch = &self.stretches[at].1;
        let collection = match (stretch, self.stretches.get(at + 1)) {
            // Where the way begins at a collection, the beginning says what it is.
            (Stretch::Collection { members, .. }, _) if at == 0 => Some((self.origin.clone(), members, 1)),
            (Stretch::Collection { class, members }, _) => Some((simple_name(class).to_owned(), members, 1)),
            (_, Some((_, Stretch::Collection { class, members }))) => {
                Some((format!("{} {}", simple_name(class), stretch.text()), members, 2))
            }
            _ => None,
        };
        let (place, members, tells) = match collection {
            Some((place, members, tells)) => (place, format!("{LEADS_TO}{members}"), tells),
            None => (stretch.text(), String::new(), 1),
        };
        let end = width(&place);
        let marked = match self.grows.checked_sub(at) {
            Some(0) if tells == 2 || members.is_empty() => Some((end - width(stretch.marked()), end)),
            Some(into) if into < tells => Some((end + width(LEADS_TO), end + width(&members))),
            _ => None,
        };
        Line { text: format!("{place}{members}"), marked, tells }
    }

    /// Words that name the structure and stay the same over restarts and releases of the JDK: where it begins, the
    /// fields of the program, the collections, and what comes new. Nothing of how a collection is built, and nothing of
    /// chains: where in a list or tree the sample was found is chance.
    #[must_use]
    pub fn words(&self) -> Vec<&str> {
        let mut words = vec![self.origin.as_str()];
        // From node to node by arrays is as deep as the tree has grown.
        let mut stretches: Vec<&Stretch> = self.stretches.iter().map(|(_, stretch)| stretch).collect();
        stretches.dedup();
        for stretch in stretches {
            match stretch {
                Stretch::Field { field, is_of_program: true, .. } => words.push(field),
                Stretch::Field { .. } | Stretch::Chain { .. } => {}
                Stretch::Collection { class, .. } => words.push(class),
            }
        }
        words.extend(self.ends.iter().map(String::as_str));
        words
    }
}

impl Stretch {
    fn text(&self) -> String {
        match self {
            Self::Field { of, field, .. } if field.starts_with('[') => format!("{of}{field}"),
            Self::Field { of, field, .. } => format!("{of}.{field}"),
            Self::Chain { of, fields, count: 1 } => format!("{of}.{}", fields.join("|")),
            Self::Chain { of, fields, count } => format!("… {count} × {}.{}", simple_name(of), fields.join("|")),
            Self::Collection { class, .. } => simple_name(class).to_owned(),
        }
    }

    /// The end of the text that names the reference.
    fn marked(&self) -> &str {
        match self {
            Self::Field { field, .. } => field,
            Self::Chain { fields, .. } => fields.last().map_or("", String::as_str),
            Self::Collection { .. } => "",
        }
    }
}

/// Class of the object that hop `at` begins at; of the first the origin.
fn referrer(route: &Route, at: usize) -> &str {
    if at == 0 { &route.origin } else { &route.hops[at - 1].class }
}

/// The reference that grows: into the first array behind the owner, or else the owner's own.
fn growing_hop(route: &Route) -> usize {
    let behind = route.hops.iter().enumerate().skip(route.owner_at);
    let element = behind.clone().find(|(_, hop)| hop.field.is_none()).map(|(at, _)| at);
    element.unwrap_or(route.owner_at)
}

fn stretches(route: &Route) -> Vec<Numbered> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < route.hops.len() {
        let (stretch, length) = if is_internal(&route.hops[at]) {
            collection(route, at)
        } else {
            chain(route, at).unwrap_or_else(|| field(route, at))
        };
        all.push((at, stretch));
        at += length;
    }
    all
}

fn is_internal(hop: &Hop) -> bool {
    hop.field.is_some() && collections::is_internal(&hop.declared_by)
}

/// A collection begins at hop `first` and goes on through its parts. What a node or an array holds and is no part is a
/// member, even if it is a collection itself; what the collection holds directly is what it is built upon.
fn collection(route: &Route, first: usize) -> (Stretch, usize) {
    let mut length = 1;
    while let Some(hop) = route.hops.get(first + length) {
        let referrer = &route.hops[first + length - 1].class;
        let is_built_upon = length == 1 || collections::is_part(referrer);
        let goes_on = if hop.field.is_none() { is_array(referrer) } else { is_internal(hop) };
        if !goes_on || !is_built_upon {
            break;
        }
        length += 1;
    }
    let hops = &route.hops[first..first + length];
    let is_last = first + length == route.hops.len() && collections::is_part(&hops[length - 1].class);
    let class = match route.hops[..first].last() {
        Some(hop) => hop.class.clone(),
        None => hops[0].declared_by.clone(),
    };
    let members = collections::members(&hops[0].declared_by, hops[length - 1].field.as_deref(), is_last);
    (Stretch::Collection { class, members }, length)
}

/// References in a row, each from an object to one of the same class.
fn chain(route: &Route, first: usize) -> Option<(Stretch, usize)> {
    let of = referrer(route, first);
    let hops = route.hops[first..].iter().take_while(|hop| hop.class == of && !is_internal(hop));
    let fields: Vec<&String> = hops.map_while(|hop| hop.field.as_ref()).collect();
    let count = fields.len();
    let mut names: Vec<String> = fields.into_iter().cloned().collect();
    names.sort_unstable();
    names.dedup();
    (count > 0).then(|| (Stretch::Chain { of: of.to_owned(), fields: names, count }, count))
}

/// One field with the elements behind it, as one would write it: `slots[*]`.
fn field(route: &Route, first: usize) -> (Stretch, usize) {
    let hop = &route.hops[first];
    let elements = route.hops[first + 1..].iter().take_while(|hop| hop.field.is_none()).count();
    let (name, own) = match &hop.field {
        Some(name) => (name.as_str(), 0),
        None => ("", 1),
    };
    let is_of_program = !collections::is_of_the_jdk(&hop.declared_by);
    let field = format!("{name}{}", "[*]".repeat(own + elements));
    (Stretch::Field { of: referrer(route, first).to_owned(), field, is_of_program }, 1 + elements)
}

/// What comes new: the last object, or where that is only a node of a collection what the node carries.
fn ends(route: &Route, stretches: &[Numbered]) -> (String, Vec<String>) {
    let class = route.hops.last().map_or(route.origin.as_str(), |hop| &hop.class);
    let is_node = matches!(stretches.last(), Some((_, Stretch::Collection { .. }))) && collections::is_part(class);
    if is_node && !route.carried.is_empty() {
        (route.carried.join(", "), route.carried.clone())
    } else if is_node {
        (class.to_owned(), Vec::new())
    } else {
        (class.to_owned(), vec![class.to_owned()])
    }
}

/// What stands beneath so many columns.
#[must_use]
pub fn marks(columns: usize) -> String {
    std::iter::repeat_n(UNDERLINE, columns).collect()
}

/// A line of a trace as terminals show it, and the columns that are underlined.
pub type ShownLine<'a> = (Cow<'a, str>, Option<(usize, usize)>);

/// Of a report's lines those with text, and what of them the others underline.
#[must_use]
pub fn underlined(lines: &[String]) -> Vec<ShownLine<'_>> {
    let shown = |(text, marked): (_, Option<(usize, usize)>)| {
        (plain(text), marked.map(|(from, to)| (column_shown(text, from), column_shown(text, to))))
    };
    raw_underlined(lines).into_iter().map(shown).collect()
}

/// Where a column of a line stands when control characters in it are shown.
fn column_shown(text: &str, column: usize) -> usize {
    match plain(text) {
        Cow::Borrowed(_) => column,
        Cow::Owned(_) => width(&plain(&text.chars().take(column).collect::<String>())),
    }
}

fn raw_underlined(lines: &[String]) -> Vec<(&str, Option<(usize, usize)>)> {
    let columns = |line: &str| {
        let from = line.find(UNDERLINE)?;
        let is_marks = line.trim_start().chars().all(|letter| letter == UNDERLINE);
        is_marks.then_some((from, line.len()))
    };
    let mut found: Vec<(&str, Option<(usize, usize)>)> = Vec::new();
    for line in lines {
        match (columns(line), found.last_mut()) {
            (Some(marked), Some(above)) => above.1 = Some(marked),
            _ => found.push((line, None)),
        }
    }
    found
}

#[cfg(test)]
#[path = "trace_tests.rs"]
mod tests;
