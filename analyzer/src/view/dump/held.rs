//! One object that keeps much, in words.

use super::report::{Contents, Held, Step, Way};
use crate::view::names::width;
use crate::view::{collections, units};

/// Lines of a way that are printed; of longer ones the middle is left out.
const WAY_LINES: usize = 12;

/// `java.util.HashMap · 650 entries, mostly com.example.Session`.
pub(super) fn what(held: &Held) -> String {
    let class = match held.kind {
        "object" if held.node_count > 1 => {
            format!("chain of {} {}", units::count(held.node_count), held.class)
        }
        "object" => held.structure_class.clone(),
        kind => kind.to_owned(),
    };
    match held.contents.as_ref().filter(|contents| contents.entry_count > 1) {
        Some(contents) => format!("{class} · {}", entries(contents)),
        None => class,
    }
}

fn entries(contents: &Contents) -> String {
    let count = units::count(contents.entry_count);
    match telling_class(&contents.classes) {
        Some(class) => format!("{count} entries, mostly {class}"),
        None => format!("{count} entries"),
    }
}

/// Of the classes from the entries down, the one that says most: the first of the program, or the first that is no part
/// of a collection.
fn telling_class(classes: &[String]) -> Option<&String> {
    let of_program = classes.iter().find(|class| !collections::is_of_the_jdk(class) && !class.ends_with("[]"));
    let no_part = || classes.iter().find(|class| !collections::is_part(class));
    of_program.or_else(no_part).or_else(|| classes.last())
}

/// A place that must fit: what it is called last says most.
pub(super) fn fit_place(place: &str, columns: usize) -> String {
    let letters: Vec<char> = place.chars().collect();
    if width(place) <= columns || columns == 0 {
        return place.to_owned();
    }
    let tail: String = letters[letters.len().saturating_sub(columns - 1)..].iter().collect();
    format!("…{tail}")
}

/// The way from the GC root, one reference a line.
pub(super) fn way_lines(way: &Way) -> Vec<String> {
    let root = (!way.root.is_empty()).then(|| way.root.clone());
    let mut lines: Vec<String> = root.into_iter().collect();
    let mut repeated = 1;
    for step in &way.steps {
        let line = step_line(step);
        match lines.last_mut() {
            Some(last) if without_count(last) == line => {
                repeated += 1;
                *last = format!("{line}{TIMES}{repeated}");
            }
            _ => {
                repeated = 1;
                lines.push(line);
            }
        }
    }
    if lines.len() > WAY_LINES {
        let omitted = lines.len() - WAY_LINES + 1;
        lines.splice(WAY_LINES / 2..WAY_LINES / 2 + omitted, [format!("… {omitted} more")]);
    }
    lines
}

const TIMES: &str = " ×";

fn without_count(line: &str) -> &str {
    line.rsplit_once(TIMES).map_or(line, |(line, _)| line)
}

fn step_line(step: &Step) -> String {
    let what = match (step.kind, &step.thread) {
        ("class", _) => format!("class {}", step.class),
        ("thread", Some(name)) => format!("thread \"{name}\""),
        _ => step.class.clone(),
    };
    if step.reference.is_empty() { what } else { format!("{}: {what}", step.reference) }
}
