//! Growth from round to round for people: the answer, and for each growing structure its path and figures.

use crate::naming::class::simple_name;
use crate::report::rounds::{DescribedStructure, Grower, Grows, Ignored, RoundsReport};
use crate::report::trace::marks;
use crate::units;
use crate::view::dump::rows::{behind, line, wrapped};
use crate::view::names::pad_right;
use crate::view::trace::shown;

/// Columns of the labels below a structure.
const LABEL: usize = 10;
const INDENT: &str = "    ";

/// The whole text.
#[must_use]
pub fn text(report: &RoundsReport, columns: usize) -> String {
    let mut out = String::new();
    let runs = units::counted(u64::from(report.runs), "run");
    wrapped(&mut out, &format!("{} ({runs} in each)", report.verdict), columns);
    for (at, grower) in report.growing.iter().enumerate() {
        out.push('\n');
        details(&mut out, at + 1, grower, columns);
    }
    if !report.ignored.is_empty() {
        out.push('\n');
        report.ignored.iter().for_each(|each| wrapped(&mut out, &ignored(each), columns));
    }
    if !report.unmatched.is_empty() {
        out.push('\n');
        let each = |out: &mut String, of: &String| wrapped(out, &format!("{of}: no such class in the heap"), columns);
        report.unmatched.iter().for_each(|unmatched| each(&mut out, unmatched));
    }
    out
}

fn details(out: &mut String, number: usize, grower: &Grower, columns: usize) {
    behind(out, &pad_right(&format!("#{number}"), INDENT.len()), &sentence(grower), columns);
    for text in shown(&grower.trace) {
        line(out, &format!("{INDENT}{}", text.text));
        if let Some((from, to)) = text.marked {
            line(out, &format!("{INDENT}{}{}", " ".repeat(from), marks(to - from)));
        }
    }
    let mut say = |label: &str, text: &str| behind(out, &format!("{INDENT}{}", pad_right(label, LABEL)), text, columns);
    say(if grower.grows == Grows::Objects { "objects" } else { "length" }, &sizes(grower));
    let gained = grower.retained_gained();
    let each = units::bytes(grower.per_run(gained));
    say("retained", &format!("{} more, {each} a run", units::bytes(gained as f64)));
    if let Some(structure) = &grower.structure {
        say("structure", &described(structure));
    }
    if let Some(pattern) = grower.pattern {
        say("pattern", pattern.name());
    }
    if !grower.also_held_by.is_empty() {
        say("also in", &grower.also_held_by.join(", "));
    }
    if let Some(advice) = grower.advice {
        say("fix", advice.name());
    }
    say("ignore", &grower.fingerprint.to_string());
    if grower.is_of_the_jvm {
        say("note", &format!("all of it is the JDK's own; the place to ignore is {}", grower.ignore_place));
    }
}

/// `ArrayList static com.example.Shop.leakies gains 1 com.example.Leaky a run`.
fn sentence(grower: &Grower) -> String {
    let class = if grower.class == grower.element || grower.place.ends_with(&grower.class) {
        String::new()
    } else {
        format!("{} ", simple_name(&grower.class))
    };
    let per_run = grower.per_run(grower.gained());
    let gains = match grower.grows {
        Grows::Objects => format!("gains {} {} a run", number(per_run), grower.element),
        Grows::Length => format!("gets a longer {}, by {} a run", grower.element, units::bytes(per_run)),
    };
    format!("{class}{} {gains}", grower.place)
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { units::count(value as u64) } else { format!("{value:.1}") }
}

fn sizes(grower: &Grower) -> String {
    let size = |&size: &u64| match grower.grows {
        Grows::Objects => units::count(size),
        Grows::Length => units::bytes(size as f64),
    };
    grower.sizes.iter().map(size).collect::<Vec<_>>().join(" → ")
}

/// `com.example.OrderIndex static com.example.Shop.index, 12 → 24 objects, 1.2 KB more`.
fn described(structure: &DescribedStructure) -> String {
    let class =
        if structure.place.ends_with(&structure.class) { String::new() } else { format!("{} ", structure.class) };
    let several =
        if structure.count > 1 { format!(" ({} of them)", units::count(structure.count)) } else { String::new() };
    let objects = [structure.objects_before, structure.objects_after].map(units::count).join(" → ");
    let more = units::bytes(structure.bytes_after.saturating_sub(structure.bytes_before) as f64);
    format!("{class}{}{several}, {objects} objects, {more} more", structure.place)
}

fn ignored(ignored: &Ignored) -> String {
    let sizes: Vec<String> = ignored.sizes.iter().map(|&size| units::count(size)).collect();
    format!("ignored: {} ({}), {}", ignored.place, ignored.fingerprint, sizes.join(" → "))
}
