//! One object with a large retained size, in words.

use crate::naming::class::is_array;
use crate::naming::{Kind, Reference, collections};
use crate::report::dump::{Contents, Held, Step, Way};
use crate::units;

/// Maximum of printed lines of a path; of longer ones the middle is left out.
const WAY_LINES: usize = 40;

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

/// Contents of the nodes of a chain.
fn carried(held: &Held) -> String {
    let classes = held.contents.iter().flat_map(|contents| &contents.classes);
    let others: Vec<String> = classes.filter(|class| **class != held.class).cloned().collect();
    distinctive_class(&others).map(|class| format!(", mostly with {class}")).unwrap_or_default()
}

fn entries(contents: &Contents) -> String {
    let count = units::count(contents.entry_count);
    match distinctive_class(&contents.classes) {
        Some(class) => format!("{count} entries, mostly {class}"),
        None => format!("{count} entries"),
    }
}

/// The most informative class from the entries down: the first of the program, or the first that is no part of a
/// collection.
fn distinctive_class(classes: &[String]) -> Option<&String> {
    let of_program = classes.iter().find(|class| !collections::is_of_the_jdk(class) && !is_array(class));
    let no_part = || classes.iter().find(|class| !collections::is_part(class));
    // Arrays of numbers are the contents of an array of arrays.
    of_program.or_else(no_part).or_else(|| classes.last().filter(|class| is_array(class)))
}

/// The path from the GC root, one reference a line. Two parts are left out: the references by which the JVM and the
/// built-in loaders lead to a class, and the internals of a collection of the JDK. `[*]` is anything within it.
pub(super) fn way_lines(way: &Way) -> Vec<String> {
    lines(way, said)
}

/// The same, with the planned marks of the objects: `java.util.ArrayList [mark:2]`.
pub(super) fn marked_way_lines(way: &Way) -> Vec<String> {
    lines(way, |step| match step.mark {
        Some(mark) => format!("{} [mark:{mark}]", said(step)),
        None => said(step),
    })
}

fn lines(way: &Way, said: fn(&Step) -> String) -> Vec<String> {
    let begin = behind_the_platform(&way.steps);
    let root = if begin == 0 { way.root.clone() } else { "class of the program".to_owned() };
    let mut lines: Vec<String> = (!root.is_empty()).then_some(root).into_iter().collect();
    let shown = (begin..way.steps.len()).filter(|&at| at == begin || !is_passed_through(&way.steps, at));
    let said = shown.map(|at| match &way.steps[at] {
        step if at == begin && begin > 0 => said(step),
        step if at > begin && is_inside(&way.steps, at) => format!("[*]: {}", said(step)),
        step => step_line(step, said),
    });
    for (line, count) in run_lengths(said) {
        lines.push(if count == 1 { line } else { format!("{line} ×{count}") });
    }
    if lines.len() > WAY_LINES {
        let omitted = lines.len() - WAY_LINES + 1;
        lines.splice(WAY_LINES / 2..WAY_LINES / 2 + omitted, [format!("… {omitted} more")]);
    }
    lines
}

/// Whether the reference to this object is a collection's own: its field, or an element of its array.
fn is_inside(steps: &[Step], at: usize) -> bool {
    let is_element = |at: usize| steps[at].reference.as_ref().is_some_and(Reference::is_element);
    let field = (1..=at).rev().find(|&at| !is_element(at));
    field.is_some_and(|field| collections::is_internal(&steps[field].declared_by))
}

/// Whether it is a part of a collection through which the path leads.
fn is_passed_through(steps: &[Step], at: usize) -> bool {
    at + 1 < steps.len() && is_inside(steps, at) && collections::is_part(&steps[at].class) && is_inside(steps, at + 1)
}

/// Ends of the names of loaders that exist as long as the program.
const BUILT_IN: [&str; 3] = ["$AppClassLoader", "$PlatformClassLoader", "$ExtClassLoader"];

/// Index of the last class, from whose static field the path goes on; 0 where there is none, or where a loader of the
/// program leads to it.
fn behind_the_platform(steps: &[Step]) -> usize {
    let class = steps.iter().rposition(|step| step.kind == Kind::Class).unwrap_or(0);
    let loader = steps[..class].iter().rfind(|step| step.kind == Kind::ClassLoader);
    if loader.is_none_or(|step| is_built_in(&step.class)) { class } else { 0 }
}

/// Whether every program has a loader of this class.
pub(super) fn is_built_in(loader: &str) -> bool {
    BUILT_IN.iter().any(|name| loader.ends_with(name))
}

/// Merges equal neighbours, with their number.
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

fn step_line(step: &Step, said: fn(&Step) -> String) -> String {
    let what = said(step);
    match step.reference.as_ref().filter(|reference| **reference != Reference::Unnamed) {
        Some(reference) => format!("{reference}: {what}"),
        None => what,
    }
}

fn said(step: &Step) -> String {
    match (step.kind, &step.thread) {
        (Kind::Class, _) => format!("class {}", step.class),
        (Kind::Thread, Some(name)) => format!("thread \"{name}\""),
        _ => step.class.clone(),
    }
}
