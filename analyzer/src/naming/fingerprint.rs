//! A name for a region that survives restarts: made of names of classes and fields, never of addresses or numbers.

use super::class::{is_number, simple_name, without_hidden_suffix};
use super::stretches::{self, Stretch};
use super::{GcRoot, Origin, Route};
use serde::{Serialize, Serializer};
use std::fmt;

/// The name of a structure over restarts, releases of the JDK and versions of this program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// Fingerprint of the structure to which a route leads.
    #[must_use]
    pub fn of(route: &Route) -> Self {
        Self::of_words(&words(route))
    }

    /// FNV-1a over the [`lasting`](lasting) parts of words.
    fn of_words(words: &[String]) -> Self {
        const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let mut hash = OFFSET;
        let mut mix = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        for word in words {
            lasting(word).bytes().for_each(&mut mix);
            mix(0);
        }
        Self(hash)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Words that identify a structure: its beginning, the fields of the program, the collections, and the new objects.
/// Internals of collections and chains are left out: the position of the sample in a list or tree is chance.
fn words(route: &Route) -> Vec<String> {
    let stretches = stretches::stretches(route);
    let mut words = vec![origin(&route.origin)];
    // The number of arrays from node to node depends on the depth of the tree.
    let mut last = None;
    for (_, stretch) in &stretches {
        if last != Some(stretch) {
            words.extend(word(stretch));
        }
        last = Some(stretch);
    }
    words.extend(ends(route, &stretches));
    words
}

fn word(stretch: &Stretch<'_>) -> Option<String> {
    match stretch {
        Stretch::Field { field, elements, is_of_program: true, .. } => {
            Some(format!("{}{}", field.unwrap_or_default(), "[*]".repeat(*elements)))
        }
        Stretch::Field { .. } | Stretch::Chain { .. } => None,
        Stretch::Collection { class, .. } => Some((*class).to_owned()),
    }
}

/// Class of the new object: the last one; or its contents, where it is only a node of a collection.
fn ends(route: &Route, stretches: &[stretches::Numbered<'_>]) -> Vec<String> {
    match stretches::node_at_end(route, stretches) {
        Some(_) => route.carried.clone(),
        None => vec![route.last_class().map_or_else(|| origin(&route.origin), str::to_owned)],
    }
}

/// The word for the beginning of a route. It resembles the text of reports, and stays unchanged when that changes.
fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Static(class) => format!("static {class}"),
        Origin::Thread(name) => format!("thread \"{name}\""),
        Origin::Object(class) => class.clone(),
        Origin::Held(root, class) => format!("{} → {}", holder(root), simple_name(class)),
        Origin::Unreached(start) => start.class.clone(),
        Origin::AsRead(text) => text.clone(),
    }
}

fn holder(root: &GcRoot) -> String {
    match root {
        GcRoot::Thread => "live thread".to_owned(),
        GcRoot::Local { method, thread } => {
            let of_method = method.as_ref().map(|method| format!(" of {method}")).unwrap_or_default();
            let of_thread = thread.as_ref().map(|name| format!(" (thread \"{name}\")")).unwrap_or_default();
            format!("local variable{of_method}{of_thread}")
        }
        GcRoot::JniGlobal => "JNI global reference".to_owned(),
        GcRoot::Monitor => "held monitor".to_owned(),
        GcRoot::Class | GcRoot::Other => "JVM root".to_owned(),
    }
}

/// The lasting part of a name. Generated classes end in numbers that differ from run to run: `$$Lambda$14/0x0000`,
/// `$Proxy12`, `GeneratedMethodAccessor7`, `$$EnhancerBySpringCGLIB$$3f2a1b0c`; threads are numbered. So the part after
/// a slash in the name of a class is removed (the suffix of a hidden class). Each part behind a dollar that is a number
/// in any notation is removed, too, and every digit of the rest.
fn lasting(word: &str) -> String {
    let mut kept = String::with_capacity(word.len());
    for piece in word.split_inclusive([' ', '"']) {
        let (name, end) = match piece.strip_suffix([' ', '"']) {
            Some(name) => (name, &piece[name.len()..]),
            None => (piece, ""),
        };
        let shown = without_hidden_suffix(name);
        let parts = shown.split('$').enumerate().filter(|(at, part)| *at == 0 || !is_number(part));
        let parts: Vec<&str> = parts.map(|(_, part)| part).collect();
        kept.extend(parts.join("$").chars().filter(|letter| !letter.is_ascii_digit()));
        kept.push_str(end);
    }
    kept
}

#[cfg(test)]
#[path = "fingerprint_tests.rs"]
mod tests;
