//! Where a structure is: the leak path, root first, one reference a line, the owner-proxy marked.

use crate::naming::PathStep;
use crate::naming::class::simple_name;
use crate::report::{Entry, Kind, Note, Region};
use crate::units;

/// One line of a leak path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathLine {
    /// Indented text.
    pub text: String,
    /// What to know about this element: that it is the leak root, the owner or the change-proxy.
    pub note: Option<&'static str>,
}

/// The leak path of `region`, with how a GC root reaches its first element.
#[must_use]
pub fn lines(region: &Region) -> Vec<PathLine> {
    let Some(first) = region.path.first() else { return Vec::new() };
    // The way from the GC root ends with the leak root itself, which the path begins with: there it also says by which
    // field it was reached.
    let (head, reached) = match region.reached_from.split_last() {
        Some((hop, before)) if leads_to(hop, first) => (hop, before),
        _ => (first, region.reached_from.as_slice()),
    };
    let last = region.path.len() - 1;
    let path = std::iter::once(head).chain(&region.path[1..]).enumerate().map(|(at, element)| PathLine {
        text: format!("{}{element}", "  ".repeat(at)),
        note: if at == last && at != region.owner_at { Some(what_comes(region)) } else { note(at, region.owner_at) },
    });
    reached.iter().map(|hop| PathLine { text: hop.to_string(), note: None }).chain(path).collect()
}

/// Whether an element of a way says all that the beginning of a path does.
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

/// What happens at the end of the path when the region grows.
#[must_use]
pub fn what_comes(region: &Region) -> &'static str {
    if region.buffer_slots.is_some() { "a longer one when it is full" } else { "one more each time" }
}

/// `+480/min (471 to 489), 450 KB/h, heap full in 9 h`, of dumps `1,000 → 1,300, +300/min`; what is unknown is left out.
#[must_use]
pub fn growth(region: &Region) -> String {
    let rate = region.rate_per_min.map(|rate| match (region.rate_low, region.rate_high) {
        (Some(low), Some(high)) => format!("{} ({low:.0} to {high:.0})", units::rate_per_min(rate)),
        _ => units::rate_per_min(rate),
    });
    let sizes = region.sizes.iter().map(|&size| units::count(size)).collect::<Vec<_>>().join(" → ");
    let parts = [
        Some(sizes).filter(|sizes| !sizes.is_empty()),
        rate,
        region.bytes_per_hour.map(units::bytes_per_hour),
        region.time_to_full_s.map(|seconds| format!("heap full in {}", units::duration_s(seconds))),
        region.confidence.map(|share| format!("{} sure", units::confidence(share))),
        region.entry.as_ref().map(|entry| held(region, entry)),
        (region.alike > 1).then(|| "all of them together".to_owned()),
        region.note.as_ref().map(Note::to_string),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// `a Node holds 15.0 of Order`.
fn held(region: &Region, entry: &Entry) -> String {
    let node = simple_name(&region.change_proxy.class);
    format!("a {node} holds {:.1} of {}", entry.per_change_proxy, simple_name(&entry.class))
}

/// `by type java.lang.Integer in static Shop.orders`: what grows and where.
#[must_use]
pub fn title(region: &Region) -> String {
    format!("{} in {}{}", region.counted_class(), region.owner_proxy.path, units::times(region.alike))
}
