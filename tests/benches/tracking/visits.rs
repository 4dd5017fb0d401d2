//! Costs of a visit: references read and microseconds, of a structure of some tens of members and of a huge one of the
//! same kind in the same JVM, visited in turns.

use crate::guest::Start;
use crate::options::{Options, name};
use crate::watched::settings;
use e2e::measure::table;
use rootbound_wire::message::{ProbeReport, VisitOutcome};
use std::collections::BTreeMap;
use std::time::Duration;

const MEMBERS: u64 = 10_000_000;
const KINDS: [&str; 4] = ["list", "map", "chain", "tree"];
const SECONDS: u64 = 60;
const TICK_MS: u64 = 100;

/// `tracking -- visits`.
pub fn run(options: &Options) {
    let members = options.members.unwrap_or(MEMBERS);
    let usual = KINDS.map(str::to_owned).to_vec();
    let kinds = if options.kinds.is_empty() { usual } else { options.kinds.clone() };
    table::head(&[
        "JDK",
        "GC",
        "kind",
        "members, as last seen",
        "true members",
        "found by",
        "visits",
        "reads, median",
        "most",
        "time, median",
        "most",
        "all visits' time, a second",
    ]);
    for (jvm, collector) in options.cells() {
        for kind in &kinds {
            let arguments = vec![kind.clone(), members.to_string()];
            // A member takes up to some hundred bytes, and a collection may copy the live objects.
            let heap_megabytes = 256 + members / 8000;
            let start = Start { jvm: &jvm, collector: &collector, heap_megabytes, program: "Sizes", arguments };
            let long = options.phase(SECONDS);
            let (guest, mut watched) = start.tracked(settings(options.tick(TICK_MS), Duration::from_secs(12)));
            watched.listen(long);
            let mut probes: BTreeMap<u32, Vec<ProbeReport>> = BTreeMap::new();
            for visit in watched.visits.drain(..) {
                probes.entry(visit.probe.0).or_default().push(visit);
            }
            let truth = sizes(&guest.stdout());
            // The JVM's own structures are tracked in addition to the program's two.
            for size in truth {
                let off_by =
                    |visits: &&Vec<ProbeReport>| (seen(visits).map_or(f64::INFINITY, |seen| seen.0) - size).abs();
                let nearest = probes.values().min_by(|a, b| off_by(a).total_cmp(&off_by(b)));
                emit(&format!("{} | {kind}", name(&jvm, &collector)), nearest.map_or(&[], Vec::as_slice), size, long);
            }
        }
    }
}

/// The small structure's size and the large one's, by the program's last line: `SIZES small large`.
fn sizes(output: &str) -> [f64; 2] {
    let last = output.lines().rev().find_map(|line| line.strip_prefix("SIZES ")).unwrap_or_default();
    let mut sizes = last.split(' ').map(|size| size.parse().unwrap_or(f64::NAN));
    [sizes.next().unwrap_or(f64::NAN), sizes.next().unwrap_or(f64::NAN)]
}

/// The size by the last visit, and its method.
fn seen(visits: &[ProbeReport]) -> Option<(f64, String)> {
    visits.iter().rev().find_map(|visit| match &visit.outcome {
        VisitOutcome::Seen(sighting) => Some((sighting.size, format!("{:?}", sighting.method).to_lowercase())),
        _ => None,
    })
}

fn emit(name: &str, visits: &[ProbeReport], truth: f64, long: Duration) {
    let (size, method) = seen(visits).unwrap_or((f64::NAN, "not followed".to_owned()));
    let reads: Vec<f64> = visits.iter().map(|visit| f64::from(visit.reads)).collect();
    let micros: Vec<f64> = visits.iter().map(|visit| f64::from(visit.micros)).collect();
    let most = |values: &[f64]| values.iter().copied().fold(0.0, f64::max);
    table::row(&[
        name.to_owned(),
        format!("{size:.0}"),
        format!("{truth:.0}"),
        method,
        visits.len().to_string(),
        format!("{:.0}", table::median(reads.clone())),
        format!("{:.0}", most(&reads)),
        format!("{:.0} µs", table::median(micros.clone())),
        format!("{:.0} µs", most(&micros)),
        format!("{:.2} ms", micros.iter().sum::<f64>() / 1e3 / long.as_secs_f64()),
    ]);
}
