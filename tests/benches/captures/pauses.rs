//! Pause of the program for a capture, by JDK and method, against a walk whose callback does nothing.
//!
//! Three programs with the same heap run at the same time. One has an agent whose walks are empty, and one is never
//! forked (after a fork the next writer of each page pays for its copy, and a walk writes marks). The captures take
//! turns. Two ratios are printed. The ratio of the shortest pauses is disturbed least by the rest of the machine if it
//! is quiet at times. The median of the ratios of each pause to the empty walk immediately before it holds on a machine
//! whose speed varies.
//!
//! With `--gigabytes N` the heap may have this size, and the program that is forked has touched all of it: its free
//! parts are resident, as in a program that has run for a while.

use crate::capture::{Captured, name};
use crate::guest::{Guest, Start, switches, touched};
use crate::options::Options;
use e2e::jvms::{Collector, Jvm};
use e2e::measure::table::{self, bytes, ms, or_dash, ratio};
use rootbound_wire::message::CaptureMethod;

const OBJECTS: u64 = 5_000_000;
const ROUNDS: usize = 5;

/// `captures -- pauses`.
pub fn run(options: &Options) {
    let (objects, rounds) = (options.objects.unwrap_or(OBJECTS), options.captures.unwrap_or(ROUNDS));
    println!("{objects} objects; {rounds} captures of each kind in turns, one by tags\n");
    table::head(&[
        "JDK",
        "GC",
        "method",
        "stop, least",
        "stop, median",
        "stop, worst",
        "least against the empty walk's",
        "median of pairs",
        "complete after",
        "child",
        "child's processor",
        "copied",
        "agent",
        "references",
    ]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            in_turns(&jvm, &collector, objects, (rounds, options.gigabytes.first().copied()));
        }
    }
}

fn in_turns(jvm: &Jvm, collector: &Collector, objects: u64, (rounds, gigabytes): (usize, Option<u64>)) {
    let megabytes = gigabytes.map_or(1000 + objects / 1000, |gigabytes| gigabytes * 1024);
    let heap = switches(collector.switches, megabytes);
    let touched = gigabytes.map_or_else(Vec::new, |_| touched(megabytes));
    let mut empty = start(jvm, objects, &heap, "test-empty-walk=bare");
    let mut unforked = start(jvm, objects, &heap, "");
    let mut guest = start(jvm, objects, &[heap, touched].concat(), "");
    let (mut walks, mut forked, mut whole, mut in_process) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        walks.push(empty.capture(CaptureMethod::InProcess));
        forked.push(guest.capture(CaptureMethod::Fork));
        whole.push(guest.capture_by_whole_fork());
        in_process.push(unforked.capture(CaptureMethod::InProcess));
    }
    let tags = [guest.capture(CaptureMethod::Tags)];
    let jvm = format!("{} | {}", jvm.version, collector.name);
    // An empty walk has no receipt except its length: the agent discards it.
    let base = pauses(&walks);
    emit(&jvm, "empty walk", &walks, &base, true);
    emit(&jvm, name(CaptureMethod::Fork), &forked, &base, false);
    emit(&jvm, "fork, nothing left out", &whole, &base, false);
    emit(&jvm, name(CaptureMethod::InProcess), &in_process, &base, false);
    emit(&jvm, name(CaptureMethod::Tags), &tags, &base, false);
}

fn start(jvm: &Jvm, objects: u64, switches: &[String], agent_options: &str) -> Guest {
    let arguments = vec![objects.to_string(), "5".to_owned(), "0".to_owned()];
    Start { jvm, switches: switches.to_vec(), program: "Heap", arguments, agent_options }.ready()
}

fn pauses(all: &[Captured]) -> Vec<f64> {
    all.iter().map(|captured| captured.done.pause_ms).collect()
}

fn least(stops: &[f64]) -> f64 {
    stops.iter().copied().fold(f64::INFINITY, f64::min)
}

/// `base` are the pauses of the empty walks, in the order of rounds.
fn emit(jvm: &str, what: &str, all: &[Captured], base: &[f64], fails: bool) {
    if let Some(failure) = all.iter().find_map(Captured::failure).filter(|_| !fails) {
        return table::row(&[jvm, what, failure]);
    }
    let last = &all[all.len() - 1];
    let child = last.done.child;
    let stops = pauses(all);
    let pairs = stops.iter().zip(base).map(|(stop, empty)| stop / empty).collect();
    table::row(&[
        jvm.to_owned(),
        what.to_owned(),
        ms(least(&stops)),
        ms(table::median(stops.clone())),
        ms(stops.iter().copied().fold(0.0, f64::max)),
        ratio(least(&stops), least(base)),
        ratio(table::median(pairs), 1.0),
        ms(table::median(all.iter().map(|captured| captured.took.as_secs_f64() * 1e3).collect())),
        or_dash(child, |child| ms(child.lifetime_ms)),
        or_dash(child, |child| ms(child.cpu_ms)),
        or_dash(child.and_then(|child| child.private_bytes), bytes),
        bytes(last.done.agent_bytes),
        last.done.references.to_string(),
    ]);
}
