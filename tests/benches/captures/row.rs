//! Many captures in a row of a program that allocates continuously: none may crash, be incomplete, or leave anything
//! behind.

use crate::guest::{Guest, Start, switches};
use crate::options::Options;
use e2e::census::census;
use e2e::jvms::{Collector, Jvm};
use e2e::measure::machine::Holdings;
use e2e::measure::table::{self, ms};
use rootbound_wire::message::CaptureMethod;
use std::panic::{AssertUnwindSafe, catch_unwind};

const CAPTURES: usize = 200;
const ENTRIES: u64 = 50_000;
const THREADS: usize = 2;

/// Results of the captures of one JVM.
#[derive(Default)]
struct Tally {
    complete: usize,
    incomplete: Vec<String>,
    failed: Vec<String>,
    pauses: Vec<f64>,
    children: Vec<f64>,
}

/// `captures -- row`.
pub fn run(options: &Options) {
    let (entries, threads) = (options.objects.unwrap_or(ENTRIES), options.threads.unwrap_or(THREADS));
    let count = options.captures.unwrap_or(CAPTURES);
    println!("{count} captures in a row; {threads} threads on a map of {entries} entries; before → after\n");
    table::head(&[
        "JDK",
        "GC",
        "complete",
        "incomplete",
        "failed",
        "stop, median",
        "stop, worst",
        "child, median",
        "children",
        "mappings",
        "descriptors",
        "threads",
        "tags",
    ]);
    let usual = ["Serial", "Parallel", "G1", "ZGC", "ZGC, generational", "Shenandoah"];
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &usual) {
            let arguments = vec![entries.to_string(), threads.to_string()];
            cell(&jvm, &collector, count, arguments);
        }
    }
}

fn cell(jvm: &Jvm, collector: &Collector, count: usize, arguments: Vec<String>) {
    let name = format!("{} | {}", jvm.version, collector.name);
    let switches = switches(collector.switches, 512);
    let mut guest = Start { jvm, switches, program: "Load", arguments, agent_options: "" }.ready();
    let forks = !collector.name.starts_with("ZGC");
    let method = if forks { CaptureMethod::Fork } else { CaptureMethod::InProcess };
    let mut tally = Tally::default();
    // A JVM that dies ends the connection, which panics; the others are measured all the same.
    if catch_unwind(AssertUnwindSafe(|| tally.captures(&mut guest, method, count, &name))).is_err() {
        table::row(&[&name, "the JVM died, or the connection to it"]);
        eprintln!("{name}: {}", guest.crash());
    }
    for reason in tally.failed.iter().chain(&tally.incomplete).take(5) {
        eprintln!("{name}: {reason}");
    }
    if !guest.stderr().trim().is_empty() {
        eprintln!("{name}: {}", guest.stderr());
    }
}

impl Tally {
    fn captures(&mut self, guest: &mut Guest, method: CaptureMethod, count: usize, name: &str) {
        // During the first captures the agent and the allocator take the memory that they keep.
        for _ in 0..5 {
            guest.capture(method);
        }
        guest.clear();
        let tags = guest.link.tags_standing();
        let before = Holdings::of(guest.pid());
        for _ in 0..count {
            self.add(guest, method);
        }
        guest.clear();
        let tags = (tags, guest.link.tags_standing());
        self.emit(name, (before, Holdings::of(guest.pid())), tags);
    }

    fn add(&mut self, guest: &mut Guest, method: CaptureMethod) {
        let captured = guest.capture(method);
        if let Some(failure) = captured.failure() {
            return self.failed.push(failure.to_owned());
        }
        self.pauses.push(captured.done.pause_ms);
        self.children.extend(captured.done.child.map(|child| child.lifetime_ms));
        match census(&captured.chunks) {
            Ok(census) if census.is_whole(captured.done.records) => self.complete += 1,
            Ok(census) => self.incomplete.push(format!("{census:?} of {:?}", captured.done)),
            Err(error) => self.incomplete.push(error.to_string()),
        }
    }

    fn emit(&self, name: &str, (before, after): (Holdings, Holdings), tags: (u64, u64)) {
        let change = |of: fn(&Holdings) -> usize| format!("{} → {}", of(&before), of(&after));
        table::row(&[
            name.to_owned(),
            self.complete.to_string(),
            self.incomplete.len().to_string(),
            self.failed.len().to_string(),
            ms(table::median(self.pauses.clone())),
            ms(self.pauses.iter().copied().fold(0.0, f64::max)),
            ms(table::median(self.children.clone())),
            change(|held| held.children),
            change(|held| held.mappings),
            change(|held| held.descriptors),
            change(|held| held.threads),
            format!("{} → {}", tags.0, tags.1),
        ]);
    }
}
