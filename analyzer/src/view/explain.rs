//! Explanation of the rank of each leak root: each metric with its value and gate, as the ranking gave them; the method
//! by which each region is followed; and the places of the growers, reference by reference, with the internals of the
//! JDK's collections.

use crate::report::{LeakRoot, Region, Report, Survivors};
use crate::units;
use crate::view::names::{pad_right, width};
use crate::view::paths;
use crate::view::plain::{line, plain};

/// A section for the end of the plain report; it states when there is nothing to explain.
#[must_use]
pub fn explain(report: &Report) -> String {
    let mut out = String::from("\nHow the leak roots were ranked\n");
    if report.leak_roots.is_empty() {
        out.push_str("  No object is a candidate leak root, or no capture has been analysed.\n");
    }
    if let Some(ranking) = &report.ranking {
        line(&mut out, &format!("  {}", survivors(&ranking.survivors)));
    }
    for (place, root) in report.leak_roots.iter().enumerate() {
        out.push_str(&one(place + 1, root));
    }
    let followed = || report.regions.iter().filter(|region| !region.probe_plan.is_empty());
    if followed().next().is_some() {
        out.push_str("\nHow the regions are followed\n");
        followed().for_each(|region| out.push_str(&plan(region)));
    }
    let growers = report.regions.iter().filter(|region| region.is_grower());
    out.extend(growers.take(PATHS).map(path));
    out
}

/// Objects left after each binary metric (LeakBot, Tables 3 and 4): `1.20M objects; after S1 800k, …, T4 12`.
fn survivors(survivors: &Survivors) -> String {
    let Survivors { objects, s1, s2, s3, s4, t1, t2, t3, t4 } = *survivors;
    let left = [("S1", s1), ("S2", s2), ("S3", s3), ("S4", s4), ("T1", t1), ("T2", t2), ("T3", t3), ("T4", t4)];
    let left: Vec<String> = left.iter().map(|(name, count)| format!("{name} {}", units::grouped(*count))).collect();
    format!("{} reachable objects; left after {}", units::grouped(objects), left.join(", "))
}

fn plan(region: &Region) -> String {
    let owner = &region.owner_proxy;
    let seen = match (&region.untracked, region.probe) {
        (Some(reason), _) => reason.to_string(),
        (None, Some(probe)) => probe.to_string(),
        (None, None) => "not visited yet".to_owned(),
    };
    let mut out = String::from("\n");
    line(&mut out, &format!("{} ({}), by type {}: {seen}", owner.path, owner.class, region.change_proxy.class));
    for step in &region.probe_plan {
        line(&mut out, &format!("    {step}"));
    }
    out
}

/// Growers that are shown reference by reference.
const PATHS: usize = 5;

fn path(region: &Region) -> String {
    let lines = paths::lines(region);
    let widest = lines.iter().map(|line| width(&plain(&line.text))).max().unwrap_or(0);
    let mut out = String::from("\n");
    line(&mut out, &format!("The leak path of {}", paths::title(region)));
    for step in lines {
        let note = step.note.map_or_else(String::new, |note| format!("   ← {note}"));
        line(&mut out, &format!("    {}{note}", pad_right(&plain(&step.text), widest)));
    }
    out
}

fn one(place: usize, root: &LeakRoot) -> String {
    let mut out = String::from("\n");
    let (rank, class, kind) = (units::rank(root.rank), &root.class, root.kind);
    let owns = format!("{} objects, {}", units::count(root.owned_objects), units::bytes(root.owned_bytes as f64));
    line(&mut out, &format!("#{place}  {rank}  {class} ({kind}), owns {owns}"));
    let way: Vec<String> = root.reached_from.iter().map(ToString::to_string).collect();
    if !way.is_empty() {
        line(&mut out, &format!("    reached from {}", way.join(" → ")));
    }
    for reason in &root.explanation {
        line(&mut out, &format!("    {reason}"));
    }
    out
}
