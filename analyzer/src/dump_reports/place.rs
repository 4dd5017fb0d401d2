//! The place of a structure in one expression: `static com.example.Shop.active`, `thread "main".session.orders`. The
//! steps before the last static are the JVM's path to the class, and those inside a collection of the JDK are its
//! implementation; both are left out.

use crate::naming::class::simple_name;
use crate::naming::{Kind, Reference, collections};
use crate::report::dump::{Step, Way};

/// Most steps of an expression that are written out; an ellipsis stands between the first and the last ones.
const SHOWN: usize = 8;

/// The place of the last object of a path, and the object at that place: the collection if the last object is its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The place as one expression.
    pub expression: String,
    /// Index into [`Way::steps`].
    pub at: usize,
    /// Whether the expression is only the object that it begins with, and ends with its class.
    pub is_bare: bool,
    /// The class of the static field with which the expression begins, if it does.
    pub static_of: Option<String>,
}

/// The place of the last object of the path; `None` for an empty one.
#[must_use]
pub fn of(way: &Way) -> Option<Place> {
    let last = way.steps.len().checked_sub(1)?;
    let at = structure_at(&way.steps, last);
    let begin = way.steps[..=at].iter().rposition(|step| step.kind == Kind::Class).unwrap_or(0);
    let words = shorten(words(&way.steps[begin..=at]));
    let is_bare = words.is_empty();
    let first = &way.steps[begin];
    let static_of = (!is_bare && first.kind == Kind::Class).then(|| first.class.clone());
    Some(Place { expression: format!("{}{}", origin(way, begin, !is_bare), words.concat()), at, is_bare, static_of })
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
    while at > 0 && steps[at].reference.as_ref().is_some_and(Reference::is_element) {
        at -= 1;
    }
    at > 0 && collections::is_internal(declarer(steps, at))
}

/// Whether the dump's format has no fields: then only referrer and referee are known.
fn is_unnamed(step: &Step) -> bool {
    step.reference == Some(Reference::Unnamed)
}

/// The class that declares the reference to this object, as far as it is known.
fn declarer(steps: &[Step], at: usize) -> &str {
    if is_unnamed(&steps[at]) { &steps[at - 1].class } else { &steps[at].declared_by }
}

fn word(step: &Step) -> String {
    match &step.reference {
        Some(Reference::Unnamed) => format!(".<{}>", simple_name(&step.class)),
        reference => reference.as_ref().map_or_else(String::new, Reference::to_string),
    }
}

/// The object with which an expression begins. A class followed by a field is a static; for a nameless object, the root
/// that refers to it is named.
fn origin(way: &Way, begin: usize, is_followed: bool) -> String {
    let step = &way.steps[begin];
    match (step.kind, &step.thread) {
        (Kind::Class, _) if is_followed => format!("static {}", step.class),
        (Kind::Class, _) => format!("class {}", step.class),
        (Kind::Thread, Some(name)) => format!("thread \"{name}\""),
        _ if way.root.is_empty() => step.class.clone(),
        _ => format!("{} → {}", way.root, step.class),
    }
}

/// The references after the first object; a stretch within a collection is `[*]`, repeated fields are counted.
fn words(steps: &[Step]) -> Vec<String> {
    let mut words: Vec<(String, usize)> = Vec::new();
    for at in 1..steps.len() {
        let word = if is_within(steps, at) { "[*]".to_owned() } else { word(&steps[at]) };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn referring(text: &str) -> Reference {
        match text {
            ".<reference>" => Reference::Unnamed,
            "-" => Reference::Loader,
            _ if text.starts_with('[') => Reference::Slot(7),
            _ => Reference::Field(text.trim_start_matches('.').to_owned()),
        }
    }

    /// Steps as `reference declarer class`; a class by itself is a mirror.
    fn way(root: &str, steps: &[&str]) -> Way {
        let step = |text: &&str| match *text.split(' ').collect::<Vec<_>>() {
            [class] => Step { class: class.to_owned(), kind: Kind::Class, ..Step::default() },
            [reference, declared_by, class] => Step {
                reference: Some(referring(reference)),
                declared_by: declared_by.trim_matches('-').to_owned(),
                class: class.to_owned(),
                kind: Kind::Object,
                ..Step::default()
            },
            _ => Step::default(),
        };
        Way { root: root.to_owned(), steps: steps.iter().map(step).collect() }
    }

    fn expression(root: &str, steps: &[&str]) -> String {
        of(&way(root, steps)).unwrap().expression
    }

    const MAP: &str = ".active a.Shop java.util.HashMap";
    const TABLE: &str = ".table java.util.HashMap java.util.HashMap$Node[]";
    const NODE: &str = "[7] - java.util.HashMap$Node";
    const VALUE: &str = ".value java.util.HashMap$Node a.Order";

    #[test]
    fn a_part_of_a_collection_is_where_the_collection_is() {
        assert_eq!(expression("system class", &["a.Shop", MAP, TABLE]), "static a.Shop.active");
        assert_eq!(expression("system class", &["a.Shop", MAP, TABLE, NODE]), "static a.Shop.active");
    }

    #[test]
    fn a_member_of_a_collection_is_an_element_whatever_the_collection_is_made_of() {
        let steps = ["a.Shop", MAP, TABLE, NODE, VALUE, ".lines a.Order a.Line[]"];
        assert_eq!(expression("system class", &steps), "static a.Shop.active[*].lines");
    }

    #[test]
    fn an_expression_begins_at_the_last_class() {
        let steps = ["- - a.Loader", "a.Registry", "a.Shop", MAP];
        assert_eq!(expression("JNI global reference", &steps), "static a.Shop.active");
        assert_eq!(expression("JNI global reference", &steps[..3]), "class a.Shop");
    }

    #[test]
    fn what_hangs_from_no_class_begins_at_its_root() {
        let begin = "local variable of a.Main.run";
        assert_eq!(expression(begin, &["- - a.Order"]), "local variable of a.Main.run → a.Order");
    }

    #[test]
    fn where_no_field_has_a_name_the_classes_stand_for_them() {
        let unnamed = [".<reference> - java.util.HashMap", ".<reference> - java.util.HashMap$Node[]"];
        assert_eq!(expression("JVM root", &["a.Shop", unnamed[0], unnamed[1]]), "static a.Shop.<HashMap>");
    }

    #[test]
    fn the_nodes_of_a_chain_are_counted() {
        let steps = ["a.Shop", ".first a.Shop a.Node", ".next a.Node a.Node", ".next a.Node a.Node"];
        assert_eq!(expression("system class", &steps), "static a.Shop.first.next×2");
    }
}
