//! Resident memory of a JVM with the agent against the same program without it, side by side. The heap is touched from
//! the beginning, so that the difference is not the heap's.

use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::settings;
use e2e::measure::machine;
use e2e::measure::table::{self, bytes, or_dash};
use std::time::Duration;

/// The file from which the agent's code is mapped.
const LIBRARY: &str = "librootbound_agent.so";
const SECONDS: u64 = 30;
const TICK_MS: u64 = 100;
const CAPTURE_AFTER: Duration = Duration::from_secs(6);

/// `tracking -- memory`.
pub fn run(options: &Options) {
    println!("fifty structures; a heap of 128 MB, all of it touched; anonymous: what no file backs\n");
    table::head(&[
        "JDK",
        "GC",
        "when",
        "anonymous, with the agent",
        "without",
        "difference",
        "the agent's library",
        "peak with the agent",
        "peak without",
    ]);
    for (jvm, collector) in options.cells() {
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes: 128, program: "Many", arguments: vec![] };
        let alone = start.alone();
        let (guest, mut watched) = start.watched(settings(options.tick(TICK_MS), CAPTURE_AFTER));
        let name = name(&jvm, &collector);
        watched.listen(Duration::from_secs(2));
        emit(&name, "before the mark", &guest, &alone);
        watched.until_tracking();
        emit(&name, "when tracking begins", &guest, &alone);
        watched.listen(options.phase(SECONDS));
        emit(&name, "while tracking", &guest, &alone);
        watched.detach();
        std::thread::sleep(Duration::from_secs(2));
        emit(&name, "after the agent has left", &guest, &alone);
    }
}

fn emit(name: &str, when: &str, guest: &Guest, alone: &Guest) {
    let anonymous = [guest, alone].map(|each| machine::anonymous_bytes(each.pid()));
    let difference = anonymous[0].zip(anonymous[1]).map(|(with, without)| with as f64 - without as f64);
    table::row(&[
        name.to_owned(),
        when.to_owned(),
        or_dash(anonymous[0], bytes),
        or_dash(anonymous[1], bytes),
        or_dash(difference, |difference| format!("{:+.1} MB", difference / 1e6)),
        bytes(machine::mapped_bytes(guest.pid(), LIBRARY)),
        or_dash(machine::peak_bytes(guest.pid()), bytes),
        or_dash(machine::peak_bytes(alone.pid()), bytes),
    ]);
}
