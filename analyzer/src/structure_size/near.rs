//! Suggestions of names similar to one that does not exist.

use crate::heap::Heap;

/// Most names in a suggestion.
const SHOWN: usize = 5;

/// Most letters of a name that are compared; users type no longer ones.
const LONGEST: usize = 120;

/// `; did you mean a, b or c?`, or an empty text.
pub(super) fn sentence(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; did you mean {only}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// Classes and static fields whose names are similar to the typed one, the nearest first. Fields of a class that was
/// named come before all others.
pub(super) fn names(heap: &Heap, text: &str) -> Vec<String> {
    let mut rated: Vec<(usize, String)> = Vec::new();
    let (class_text, field_text) = text.rsplit_once('.').unwrap_or(("", text));
    for (at, class) in heap.classes().iter() {
        rated.extend(distance(&class.name, text).map(|distance| (LONGEST + distance, class.name.clone())));
        let is_named = class.name == class_text;
        if !is_named && simple(&class.name) != simple(class_text) {
            continue;
        }
        for field in class.fields().iter().filter(|field| field.is_static && field.declaring == at) {
            let far = edits(&field.name, field_text);
            let is_near = is_named && 3 * far <= field_text.len().max(3);
            rated.push((if is_near { far } else { LONGEST + far }, format!("static {}.{}", class.name, field.name)));
        }
    }
    if rated.iter().any(|(rating, _)| *rating < LONGEST) {
        rated.retain(|(rating, _)| *rating < LONGEST);
    }
    rated.sort();
    rated.dedup();
    rated.into_iter().take(SHOWN).map(|(_, name)| name).collect()
}

fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Distance of a class from the typed name; `None` if it is too great.
fn distance(name: &str, text: &str) -> Option<usize> {
    let wanted = simple(text.trim_matches('*')).to_lowercase();
    let known = simple(name).to_lowercase();
    if wanted.is_empty() {
        return None;
    }
    if known == wanted {
        return Some(0);
    }
    if wanted.len() > 2 && known.contains(&wanted) {
        return Some(1);
    }
    let edits = edits(&known, &wanted);
    (3 * edits <= wanted.len()).then_some(1 + edits)
}

/// Number of letters to add, drop or change (Levenshtein), over the beginning of long names.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(LONGEST).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().take(LONGEST).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (to, &wanted) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != wanted);
            diagonal = row[to + 1];
            row[to + 1] = changed.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[other.len()]
}
