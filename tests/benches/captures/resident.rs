//! The stop of a forked capture by resident memory: what a fork copies is the page tables.

use crate::guest::{Start, switches};
use crate::options::Options;
use e2e::measure::machine;
use e2e::measure::table::{self, bytes, ms, or_dash};
use rootbound_wire::message::CaptureMethod;

const GIGABYTES: [u64; 4] = [1, 2, 4, 8];
const OBJECTS: u64 = 1_000_000;
const CAPTURES: usize = 5;

/// `captures -- resident`.
pub fn run(options: &Options) {
    let objects = options.objects.unwrap_or(OBJECTS);
    let sizes = if options.gigabytes.is_empty() { GIGABYTES.to_vec() } else { options.gigabytes.clone() };
    println!("touched arrays of 64 MB and {objects} small objects; medians of {CAPTURES} forked captures\n");
    table::head(&["JDK", "GC", "resident", "stop", "worst", "stop for each GB", "child", "copied"]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            for &gigabytes in &sizes {
                if machine::available_bytes() < (gigabytes + 2) * 1_000_000_000 {
                    println!("skipped: {gigabytes} GB, the memory is not free");
                    continue;
                }
                let arguments = vec![gigabytes.to_string(), objects.to_string()];
                let switches = switches(collector.switches, (gigabytes * 5 / 4 + 1) * 1024);
                let mut guest =
                    Start { jvm: &jvm, switches, program: "Resident", arguments, agent_options: "" }.ready();
                let resident = machine::resident_bytes(guest.pid()).unwrap_or(0);
                let count = options.captures.unwrap_or(CAPTURES);
                let all: Vec<_> = (0..count).map(|_| guest.capture(CaptureMethod::Fork).done).collect();
                let last = &all[all.len() - 1];
                let pauses: Vec<f64> = all.iter().map(|done| done.pause_ms).collect();
                let (pause, worst) = (table::median(pauses.clone()), pauses.into_iter().fold(0.0, f64::max));
                table::row(&[
                    jvm.version.to_string(),
                    collector.name.to_owned(),
                    bytes(resident),
                    last.failure.clone().unwrap_or_else(|| ms(pause)),
                    ms(worst),
                    ms(pause / (resident as f64 / 1e9)),
                    or_dash(last.child, |child| ms(child.lifetime_ms)),
                    or_dash(last.child.and_then(|child| child.private_bytes), bytes),
                ]);
            }
        }
    }
}
