//! Captures in memory groups with little room: no process may be killed, and the program may not be paused for long.

use crate::cell;
use crate::options::Options;
use crate::scenes::Disturbance;
use crate::tally::Tally;
use e2e::faults::groups::Group;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::jvms::{Collector, Jvm};
use e2e::measure::table::{self, bytes};

const CAPTURES: usize = 20;
/// Room above the program's own use.
const ROOMS_MB: [u64; 3] = [200, 400, 1000];
const MB: u64 = 1 << 20;

/// `faults -- groups`.
pub fn run(options: &Options) {
    let count = options.captures.unwrap_or(CAPTURES);
    let rooms = if options.rooms_mb.is_empty() { ROOMS_MB.to_vec() } else { options.rooms_mb.clone() };
    println!(
        "about {count} captures each; a heap of 768 MB, all in memory, 2 million objects, 2 threads that allocate\n"
    );
    let last = ["kills by the kernel", "most used"];
    table::head(&[["JDK", "GC", "room"].as_slice(), &Tally::HEADINGS, &last].concat());
    let mut words = Vec::new();
    for (jvm, collector) in options.cells(&["Serial", "Parallel", "G1"]) {
        for &room in &rooms {
            let Some(group) = Group::new() else { return };
            let tally = in_group(&group, &jvm, &collector, room, count);
            let name = [jvm.version.to_string(), collector.name.to_owned(), format!("{room} MB")];
            let seen = [group.kills().to_string(), bytes(group.peak())];
            table::row(&[name.as_slice(), &tally.cells(), &seen].concat());
            words.extend(tally.words().into_iter().map(|word| format!("* {}: {word}", name.join(", "))));
        }
    }
    println!("\n{}", words.join("\n"));
}

fn in_group(group: &Group, jvm: &Jvm, collector: &Collector, room_mb: u64, count: usize) -> Tally {
    let subject = Subject::new().keeping(2.0).with_workers(2, 500);
    let trial = Trial::of(subject).in_jvm(jvm).with_collector(collector).entering(group.entrance());
    let trial = trial.with(&["-Xms768m", "-Xmx768m", "-XX:+AlwaysPreTouch"]);
    cell::captured(&trial, count, Disturbance::None, || group.leave(room_mb * MB))
}
