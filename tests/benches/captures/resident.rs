//! Pause of a forked capture by resident memory, in large arrays of primitive values and in free parts of the heap:
//! with the free parts left out, and without. A fork copies the page tables.

use crate::capture::Captured;
use crate::guest::{Guest, Start, switches, touched};
use crate::options::Options;
use e2e::jvms::{Collector, Jvm};
use e2e::measure::machine;
use e2e::measure::table::{self, bytes, ms, or_dash};
use rootbound_wire::message::CaptureMethod;

const GIGABYTES: [u64; 4] = [1, 2, 4, 8];
const OBJECTS: u64 = 1_000_000;
const CAPTURES: usize = 5;

/// Kind of most of the resident memory.
#[derive(Clone, Copy)]
enum Most {
    Arrays,
    Free,
}

type Capture = fn(&mut Guest) -> Captured;

/// `captures -- resident`.
pub fn run(options: &Options) {
    let objects = options.objects.unwrap_or(OBJECTS);
    let sizes = if options.gigabytes.is_empty() { GIGABYTES.to_vec() } else { options.gigabytes.clone() };
    let count = options.captures.unwrap_or(CAPTURES);
    println!(
        "{objects} small objects beside arrays of 64 MB, or beside touched memory that is free; {count} captures each\n"
    );
    table::head(&[
        "JDK",
        "GC",
        "resident",
        "most of it",
        "fork",
        "stop",
        "worst",
        "stop for each GB",
        "child",
        "copied",
    ]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            for &gigabytes in &sizes {
                if machine::available_bytes() < (gigabytes + 2) * 1_000_000_000 {
                    println!("skipped: {gigabytes} GB, the memory is not free");
                    continue;
                }
                for most in [Most::Arrays, Most::Free] {
                    in_turns(&jvm, &collector, (most, gigabytes, objects), count);
                }
            }
        }
    }
}

fn in_turns(jvm: &Jvm, collector: &Collector, (most, gigabytes, objects): (Most, u64, u64), count: usize) {
    let (name, blocks, megabytes) = match most {
        Most::Arrays => ("arrays", gigabytes, (gigabytes * 5 / 4 + 1) * 1024),
        Most::Free => ("free", 0, gigabytes * 1024),
    };
    let heap = switches(collector.switches, megabytes);
    let switches = match most {
        Most::Arrays => heap,
        Most::Free => [heap, touched(megabytes)].concat(),
    };
    let arguments = vec![blocks.to_string(), objects.to_string()];
    let mut guest = Start { jvm, switches, program: "Resident", arguments, agent_options: "" }.ready();
    let resident = machine::resident_bytes(guest.pid()).unwrap_or(0);
    let ways: [(&str, Capture); 2] = [
        ("free parts left out", |guest| guest.capture(CaptureMethod::Fork)),
        ("nothing left out", Guest::capture_by_whole_fork),
    ];
    let rounds: Vec<_> = (0..count).map(|_| ways.map(|(_, capture)| capture(&mut guest).done)).collect();
    for (number, (way, _)) in ways.iter().enumerate() {
        let all = || rounds.iter().map(|round| &round[number]);
        let pauses: Vec<f64> = all().map(|done| done.pause_ms).collect();
        let (pause, worst) = (table::median(pauses.clone()), pauses.into_iter().fold(0.0, f64::max));
        let child = all().next_back().and_then(|done| done.child);
        let failure = all().find_map(|done| done.failure.clone());
        table::row(&[
            jvm.version.to_string(),
            collector.name.to_owned(),
            bytes(resident),
            name.to_owned(),
            (*way).to_owned(),
            failure.unwrap_or_else(|| ms(pause)),
            ms(worst),
            ms(pause / (resident as f64 / 1e9)),
            or_dash(child, |child| ms(child.lifetime_ms)),
            or_dash(child.and_then(|child| child.private_bytes), bytes),
        ]);
    }
}
