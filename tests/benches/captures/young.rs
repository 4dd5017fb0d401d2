//! Costs of marks for young collections: before any, with few, after these have been cleared, with one on every object,
//! and after that.

use crate::guest::{Guest, Start, switches};
use crate::options::Options;
use e2e::measure::table::{self, ms, ratio};
use std::thread;
use std::time::Duration;

const OBJECTS: u64 = 5_000_000;
const SECONDS: u64 = 6;
const ROUNDS: usize = 4;
/// A budget that gives about as many marks as a plan of paths has at most.
const FEW: u32 = 14_000;

/// `captures -- young`.
pub fn run(options: &Options) {
    let objects = options.objects.unwrap_or(OBJECTS);
    println!("{objects} objects, a young generation of 64 MB, garbage of 300 MB a second\n");
    table::head(&["JDK", "GC", "phase", "tags", "young collections", "median", "mean", "worst", "median against none"]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            let arguments = vec![objects.to_string(), "300".to_owned(), "0".to_owned()];
            let mut switches = switches(collector.switches, 1000 + objects / 1000);
            switches.push("-Xmn64m".to_owned());
            let mut guest = Start { jvm: &jvm, switches, program: "Heap", arguments, agent_options: "" }.ready();
            let name = format!("{} | {}", jvm.version, collector.name);
            let length = Duration::from_secs(options.seconds.unwrap_or(SECONDS));
            phases(&mut guest, &name, length, options.captures.unwrap_or(ROUNDS));
        }
    }
}

/// Phases with few marks and with these cleared in turns, so that other load of the machine affects both; then all, and
/// cleared again. All are compared with the collections without marks, before any and between.
fn phases(guest: &mut Guest, name: &str, length: Duration, rounds: usize) {
    // The heap has just been built; its collections are not those of a program that runs.
    thread::sleep(Duration::from_secs(3));
    let before = young_pauses(guest, 2 * length);
    let (mut few, mut cleared, mut tags) = (Vec::new(), Vec::new(), 0);
    for _ in 0..rounds {
        tags = guest.mark(Some(FEW)).marked;
        few.extend(young_pauses(guest, length));
        guest.clear();
        cleared.extend(young_pauses(guest, length));
    }
    let base = table::median([before.clone(), cleared.clone()].concat());
    emit(name, "before any mark", 0, &before, base);
    emit(name, "few marks", tags, &few, base);
    emit(name, "few cleared", 0, &cleared, base);
    let all = guest.mark(None);
    emit(name, "all marked", all.marked, &young_pauses(guest, length), base);
    guest.clear();
    emit(name, "all cleared", 0, &young_pauses(guest, length), base);
}

/// The young collections of some seconds.
pub fn young_pauses(guest: &Guest, length: Duration) -> Vec<f64> {
    // A collection in progress, and the marking or clearing itself, belong to no phase.
    thread::sleep(Duration::from_millis(500));
    let before = guest.gc_log().len();
    thread::sleep(length);
    guest.gc_log()[before..].lines().filter_map(young_pause_ms).collect()
}

fn emit(name: &str, what: &str, tags: u64, pauses: &[f64], base: f64) {
    let median = table::median(pauses.to_vec());
    table::row(&[
        name.to_owned(),
        what.to_owned(),
        tags.to_string(),
        pauses.len().to_string(),
        format!("{median:.2} ms"),
        format!("{:.2} ms", pauses.iter().sum::<f64>() / pauses.len() as f64),
        ms(pauses.iter().copied().fold(0.0, f64::max)),
        ratio(median, base),
    ]);
}

/// `[1234ms] GC(12) Pause Young (Normal) (G1 Evacuation Pause) 63M->2M(128M) 0.812ms`
fn young_pause_ms(line: &str) -> Option<f64> {
    if !line.contains("Pause Young") {
        return None;
    }
    line.rsplit(' ').next()?.strip_suffix("ms")?.parse().ok()
}
