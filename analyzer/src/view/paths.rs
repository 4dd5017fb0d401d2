//! Place of a structure: the leak path, root first, one reference a line, the owner-proxy marked.

use crate::naming::PathStep;
use crate::report::{Kind, Note, Region};
use crate::units;
use crate::view::{holder, verdict};

/// One line of a leak path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLine {
    /// Indented text.
    pub text: String,
    /// Note on this element: that it is the leak root, the owner or the change-proxy.
    pub note: Option<String>,
}

/// The leak path of `region`, with the path from a GC root to its first element.
#[must_use]
pub fn lines(region: &Region) -> Vec<PathLine> {
    let Some(first) = region.path.first() else { return Vec::new() };
    // The path from the GC root ends with the leak root itself, with which the leak path begins. Its line there also
    // has the field by which it was reached.
    let (head, reached) = match region.reached_from.split_last() {
        Some((hop, before)) if leads_to(hop, first) => (hop, before),
        _ => (first, region.reached_from.as_slice()),
    };
    let last = region.path.len() - 1;
    let path = std::iter::once(head).chain(&region.path[1..]).enumerate().map(|(at, element)| PathLine {
        text: format!("{}{element}", "  ".repeat(at)),
        note: if at == last && at != region.owner_at {
            Some(what_comes(region))
        } else {
            note(at, region.owner_at).map(str::to_owned)
        },
    });
    reached.iter().map(|hop| PathLine { text: hop.to_string(), note: None }).chain(path).collect()
}

/// Whether an element of a path contains everything that the beginning of the other path does.
fn leads_to(hop: &PathStep, first: &PathStep) -> bool {
    match (hop, first) {
        (PathStep::Step(step), PathStep::Start(start)) => {
            start.kind == Kind::Object && step.times == 1 && step.class == start.class
        }
        _ => hop == first,
    }
}

fn note(at: usize, owner_at: usize) -> Option<&'static str> {
    match at {
        _ if at == owner_at && at == 0 => Some("leak root and owner"),
        0 => Some("leak root"),
        _ if at == owner_at => Some("owner"),
        _ => None,
    }
}

/// Gain at the end of the path when the region grows: `gains 100 a second`.
#[must_use]
pub fn what_comes(region: &Region) -> String {
    if region.buffer_slots.is_some() {
        return "a longer one when it is full".to_owned();
    }
    match region.rate_per_min.filter(|&rate| rate > 0.0) {
        Some(rate) if rate >= A_SECOND => format!("{} more a second", units::grouped((rate / 60.0).round() as u64)),
        Some(rate) => {
            let (number, unit) = units::pace(rate);
            format!("{number} more {unit}")
        }
        None => "one more each time".to_owned(),
    }
}

/// Rate a minute from which on it is given by the second.
const A_SECOND: f64 = 600.0;

/// `471 to 489 a minute, heap full in 9 h, confidence 98 %`, for dumps `1,000 → 1,300`; unknown values, and those in
/// the title, are left out.
#[must_use]
pub fn growth(region: &Region) -> String {
    let rate = region.rate_low.zip(region.rate_high).map(|(low, high)| interval(low, high));
    let sizes = region.sizes.iter().map(|&size| units::grouped(size)).collect::<Vec<_>>().join(" → ");
    let parts = [
        Some(sizes).filter(|sizes| !sizes.is_empty()),
        rate,
        region
            .time_to_full_s
            .map(|seconds| format!("{} in {}", verdict::full(region, "heap", "container"), units::duration_s(seconds))),
        region.confidence.map(|share| format!("confidence {}", units::confidence(share))),
        verdict::held(region),
        (region.alike > 1).then(|| "all of them together".to_owned()),
        region.note.as_ref().map(Note::to_string),
        Some(lives(region)).filter(|lives| !lives.is_empty()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `life 1: 400 → 900, life 2: 0 → 350`: the sizes in each life of joined recordings.
fn lives(region: &Region) -> String {
    let grouped = units::grouped;
    let each = region.lives.iter();
    let each = each.map(|life| format!("life {}: {} → {}", life.life, grouped(life.first), grouped(life.last)));
    each.collect::<Vec<_>>().join(", ")
}

/// `471 to 489 a minute`, `2,397 to 2,403 a minute`.
fn interval(low: f64, high: f64) -> String {
    let whole = |value: f64| {
        let sign = if value.round() < 0.0 { "-" } else { "" };
        format!("{sign}{}", units::grouped(value.abs().round() as u64))
    };
    if high.abs() < 0.995 {
        format!("{} to {} an hour", whole(low * 60.0), whole(high * 60.0))
    } else if low.abs().max(high.abs()) < 20.0 {
        format!("{low:.1} to {high:.1} a minute")
    } else {
        format!("{} to {} a minute", whole(low), whole(high))
    }
}

/// `Shop.orders (Vector) of Integer`: place and elements.
#[must_use]
pub fn title(region: &Region) -> String {
    format!("{} of {}", holder::structure(region), holder::element(region))
}
