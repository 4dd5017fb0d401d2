//! Where a structure is, in one expression: `static com.example.Shop.active`, `thread "main".session.orders`. What lies
//! before the last static is how the JVM happens to reach the class, and what lies inside a collection of the JDK is how that
//! is built.

use super::report::{Step, Way};
use crate::view::collections;

/// Steps of an expression that are written out; between the first and the last ones stands an ellipsis.
const SHOWN: usize = 8;

/// The place of the last object of a way, and which of the objects is there: the collection where the last is its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// In one expression.
    pub expression: String,
    /// Index into [`Way::steps`].
    pub at: usize,
}

/// The place of the last object of the way; `None` for an empty one.
#[must_use]
pub fn of(way: &Way) -> Option<Place> {
    let last = way.steps.len().checked_sub(1)?;
    let at = structure_at(&way.steps, last);
    let begin = way.steps[..=at].iter().rposition(|step| step.kind == "class").unwrap_or(0);
    let expression = match shorten(words(&way.steps[begin..=at])) {
        words if words.is_empty() => origin(way, begin, false),
        words => format!("{}{}", origin(way, begin, true), words.concat()),
    };
    Some(Place { expression, at })
}

/// Goes up from a part of a collection to the collection.
fn structure_at(steps: &[Step], last: usize) -> usize {
    let mut at = last;
    while at > 0 && collections::is_part(&steps[at].class) && is_within(steps, at) {
        at -= 1;
    }
    at
}

/// Whether the reference to this object is a collection's own: its field, or an element of its array.
fn is_within(steps: &[Step], at: usize) -> bool {
    let mut at = at;
    while at > 0 && steps[at].declared_by.is_empty() && steps[at].reference.starts_with('[') {
        at -= 1;
    }
    at > 0 && collections::is_internal(&steps[at].declared_by)
}

/// The object that an expression begins with. A class followed by a field is a static; a root that refers to a nameless
/// object is told instead of it.
fn origin(way: &Way, begin: usize, is_followed: bool) -> String {
    let step = &way.steps[begin];
    match (step.kind, &step.thread) {
        ("class", _) if is_followed => format!("static {}", step.class),
        ("class", _) => format!("class {}", step.class),
        ("thread", Some(name)) => format!("thread \"{name}\""),
        _ if way.root.is_empty() => step.class.clone(),
        _ => format!("{} → {}", way.root, step.class),
    }
}

/// The references behind the first object; a stretch within a collection is `[*]`, repeated fields are counted.
fn words(steps: &[Step]) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for at in 1..steps.len() {
        let word = if is_within(steps, at) { "[*]".to_owned() } else { steps[at].reference.clone() };
        match words.last_mut() {
            Some((last, _)) if *last == word && word == "[*]" => {}
            Some((last, count)) if *last == word => *count += 1,
            _ => words.push((word, 1)),
        }
    }
    words.into_iter().map(|(word, count)| if count == 1 { word } else { format!("{word}×{count}") }).collect()
}

fn shorten(mut words: Vec<String>) -> Vec<String> {
    if words.len() > SHOWN {
        words.splice(SHOWN / 2..words.len() - SHOWN / 2, [" … ".to_owned()]);
    }
    words
}
