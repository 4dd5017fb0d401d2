//! Names in reports, read back. A text is parsed only where that is unambiguous; otherwise the value holds the text as
//! it was read. Every value that was read is written again as the same text.

use super::path::REPEATED;
use super::{Fingerprint, GcRoot, Kind, Origin, PathStep, Place, Reference, Start, Step};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

/// Reads sixteen hexadecimal digits in small letters; an error for any other text.
impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = u64::from_str_radix(&text, 16).ok().map(Self).filter(|found| found.to_string() == text);
        found.ok_or_else(|| Error::invalid_value(Unexpected::Str(&text), &"16 hexadecimal digits in small letters"))
    }
}

/// Reads a place from its text; [`Origin::AsRead`] holds the whole of it, because the end of its class is not marked.
impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::at(Origin::AsRead(String::deserialize(deserializer)?)))
    }
}

/// Reads an element from its text; [`PathStep::AsRead`] where the text may be that of several values. Of values with
/// exactly equal texts it is the simplest: an object, and no class loader; `<class>`, and no field of that name.
impl<'de> Deserialize<'de> for PathStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = gc_root(&text).map(Self::Root);
        let found = found.or_else(|| step(&text).map(Self::Step)).or_else(|| start(&text).map(Self::Start));
        Ok(found.filter(|found| found.to_string() == text).unwrap_or(Self::AsRead(text)))
    }
}

fn gc_root(text: &str) -> Option<GcRoot> {
    let plain = [GcRoot::Class, GcRoot::Thread, GcRoot::JniGlobal, GcRoot::Monitor, GcRoot::Other];
    plain.into_iter().find(|root| root.to_string() == text).or_else(|| local(text))
}

/// `local variable of com.example.Shop.main (thread "main")`, of which method and thread may be missing.
fn local(text: &str) -> Option<GcRoot> {
    let rest = text.strip_prefix("local variable")?;
    let (method, thread) = match rest.split_once(" (thread \"") {
        Some((method, thread)) => (method, Some(thread.strip_suffix("\")")?.to_owned())),
        None => (rest, None),
    };
    let method = match method {
        "" => None,
        _ => Some(method.strip_prefix(" of ").filter(|name| is_plain(name))?.to_owned()),
    };
    Some(GcRoot::Local { method, thread })
}

/// `.next: com.example.Node ×7`.
fn step(text: &str) -> Option<Step> {
    let (by, to) = text.split_once(": ")?;
    let (class, times) = match to.split_once(' ') {
        Some((class, times)) => (class, times.strip_prefix(REPEATED)?.parse().ok()?),
        None => (to, 1),
    };
    is_plain(class).then_some(Step { reference: reference(by)?, class: class.to_owned(), times })
}

/// `.orders`, `.<class>`, `[*]`, `[17]`.
fn reference(text: &str) -> Option<Reference> {
    const UNNAMED: [Reference; 7] = [
        Reference::Element,
        Reference::Class,
        Reference::Loader,
        Reference::Superclass,
        Reference::Interface,
        Reference::Constant,
        Reference::Unnamed,
    ];
    let slot = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(Reference::Slot);
    let field = || text.strip_prefix('.').filter(|name| is_plain(name)).map(|name| Reference::Field(name.to_owned()));
    UNNAMED.into_iter().find(|reference| reference.to_string() == text).or_else(slot).or_else(field)
}

/// `class com.example.Shop`, `thread "main": java.lang.Thread`, `com.example.Shop`.
fn start(text: &str) -> Option<Start> {
    let (kind, thread, class) = if let Some(class) = text.strip_prefix("class ") {
        (Kind::Class, "", class)
    } else if let Some(named) = text.strip_prefix("thread \"") {
        let (thread, class) = named.rsplit_once("\": ")?;
        (Kind::Thread, thread, class)
    } else {
        (Kind::Object, "", text)
    };
    is_plain(class).then(|| Start { kind, class: class.to_owned(), thread: thread.to_owned() })
}

/// Whether a name has no separators of names: then the text around it is unambiguous.
fn is_plain(name: &str) -> bool {
    let stands_between = |letter: char| letter.is_whitespace() || letter == '"' || letter == REPEATED;
    !name.is_empty() && !name.starts_with('.') && !name.contains(stands_between)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
