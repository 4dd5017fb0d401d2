//! One object that keeps much, in words.

use crate::naming::class::is_array;
use crate::naming::{Kind, collections};
use crate::report::dump::{Contents, Held, Step, Way};
use crate::units;
use crate::view::names::width;

/// Lines of a way that are printed; of longer ones the middle is left out.
const WAY_LINES: usize = 12;

/// `java.util.HashMap · 650 entries, mostly com.example.Session`.
pub(super) fn what(held: &Held) -> String {
    let class = match held.kind {
        Kind::Object if held.node_count > 1 && held.structure_class == held.class => {
            return format!("chain of {} {}{}", units::count(held.node_count), held.class, carried(held));
        }
        Kind::Object => held.structure_class.clone(),
        kind => kind.to_string(),
    };
    match held.contents.as_ref().filter(|contents| contents.entry_count > 1) {
        Some(contents) => format!("{class} · {}", entries(contents)),
        None => class,
    }
}

/// What the nodes of a chain carry.
fn carried(held: &Held) -> String {
    let classes = held.contents.iter().flat_map(|contents| &contents.classes);
    let others: Vec<String> = classes.filter(|class| **class != held.class).cloned().collect();
    telling_class(&others).map(|class| format!(", mostly with {class}")).unwrap_or_default()
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
    let of_program = classes.iter().find(|class| !collections::is_of_the_jdk(class) && !is_array(class));
    let no_part = || classes.iter().find(|class| !collections::is_part(class));
    // Arrays that hold nothing but numbers are what an array of arrays carries.
    of_program.or_else(no_part).or_else(|| classes.last().filter(|class| is_array(class)))
}

/// A place that must fit: it loses its middle, and keeps more of its end than of its beginning.
pub(super) fn fit_place(place: &str, columns: usize) -> String {
    if width(place) <= columns || columns == 0 {
        return place.to_owned();
    }
    let letters: Vec<char> = place.chars().collect();
    let (head, tail) = (columns / 4, columns - columns / 4 - 1);
    let middle: [String; 2] = [letters[..head].iter().collect(), letters[letters.len() - tail..].iter().collect()];
    middle.join("…")
}

/// The way from the GC root, one reference a line. How a loader that every program has leads to a class is left out.
pub(super) fn way_lines(way: &Way) -> Vec<String> {
    let begin = behind_built_in_loader(&way.steps);
    let root = if begin == 0 { way.root.clone() } else { "class of the program".to_owned() };
    let mut lines: Vec<String> = (!root.is_empty()).then_some(root).into_iter().collect();
    let said = way
        .steps
        .iter()
        .enumerate()
        .skip(begin)
        .map(|(at, step)| if at == begin && begin > 0 { format!("class {}", step.class) } else { step_line(step) });
    for (line, count) in run_lengths(said) {
        lines.push(if count == 1 { line } else { format!("{line} ×{count}") });
    }
    if lines.len() > WAY_LINES {
        let omitted = lines.len() - WAY_LINES + 1;
        lines.splice(WAY_LINES / 2..WAY_LINES / 2 + omitted, [format!("… {omitted} more")]);
    }
    lines
}

/// Ends of the names of loaders that live as long as the program.
const BUILT_IN: [&str; 3] = ["$AppClassLoader", "$PlatformClassLoader", "$ExtClassLoader"];

/// Index of the last class that such a loader leads to; 0 where none does, or another loader lies between.
fn behind_built_in_loader(steps: &[Step]) -> usize {
    let class = steps.iter().rposition(|step| step.kind == Kind::Class).unwrap_or(0);
    let loader = steps[..class].iter().rfind(|step| step.kind == Kind::ClassLoader);
    if loader.is_some_and(|step| is_built_in(&step.class)) { class } else { 0 }
}

/// Whether every program has a loader of this class.
pub(super) fn is_built_in(loader: &str) -> bool {
    BUILT_IN.iter().any(|name| loader.ends_with(name))
}

/// Equal neighbours as one, with their number.
fn run_lengths(lines: impl Iterator<Item = String>) -> Vec<(String, usize)> {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for line in lines {
        match runs.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => runs.push((line, 1)),
        }
    }
    runs
}

fn step_line(step: &Step) -> String {
    let what = match (step.kind, &step.thread) {
        (Kind::Class, _) => format!("class {}", step.class),
        (Kind::Thread, Some(name)) => format!("thread \"{name}\""),
        _ => step.class.clone(),
    };
    step.reference.as_ref().map_or_else(|| what.clone(), |reference| format!("{reference}: {what}"))
}
