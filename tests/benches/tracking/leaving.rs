//! Resources left in the JVM when the agent has left on request: threads, descriptors, mappings, tags, compared with
//! the time before and with the same program that never had it.

use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::{Watched, settings};
use e2e::measure::machine::{self, Holdings};
use e2e::measure::table;
use std::thread;
use std::time::Duration;

const SECONDS: u64 = 10;
const TICK_MS: u64 = 100;
/// Beginning of the names of the agent's threads, as far as the kernel keeps them.
const THREADS: &str = "rootbound";
/// Time for which threads and buffers of the JVM itself come and go.
const SETTLED: Duration = Duration::from_secs(3);

/// `tracking -- leaving`.
pub fn run(options: &Options) {
    println!("fifty structures; tags as the agent told last\n");
    table::head(&[
        "JDK",
        "GC",
        "when",
        "agent's threads",
        "all threads",
        "descriptors",
        "mappings",
        "children",
        "tags of snapshots",
        "tags of members",
    ]);
    for (jvm, collector) in options.cells() {
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes: 128, program: "Many", arguments: vec![] };
        let name = name(&jvm, &collector);
        let alone = start.alone();
        let (guest, mut watched) = start.watched(settings(options.tick(TICK_MS), Duration::from_secs(6)));
        watched.listen(Duration::from_secs(1));
        emit(&name, "before the mark", &guest, Some(&watched));
        watched.until_tracking();
        watched.listen(options.phase(SECONDS));
        emit(&name, "while tracking", &guest, Some(&watched));
        watched.detach();
        drop(watched);
        thread::sleep(SETTLED);
        emit(&name, "after the agent has left", &guest, None);
        emit(&name, "never had an agent", &alone, None);
    }
}

fn emit(name: &str, when: &str, guest: &Guest, watched: Option<&Watched>) {
    let held = Holdings::of(guest.pid());
    let beat = watched.and_then(Watched::last_beat);
    table::row(&[
        name.to_owned(),
        when.to_owned(),
        machine::threads_called(guest.pid(), THREADS).1.to_string(),
        held.threads.to_string(),
        held.descriptors.to_string(),
        held.mappings.to_string(),
        held.children.to_string(),
        table::or_dash(beat, |beat| beat.tags_standing.to_string()),
        table::or_dash(beat, |beat| beat.member_tags.to_string()),
    ]);
}
