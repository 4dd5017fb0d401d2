//! The agent's processor time with many structures to visit, by tick, by its own account and by the kernel's.

use crate::guest::{Guest, Start};
use crate::options::{Options, name};
use crate::watched::{Watched, settings};
use e2e::measure::{machine, table};
use std::time::{Duration, Instant};

/// Beginning of the names of the agent's threads, as far as the kernel keeps them.
const THREADS: &str = "rootbound";
const TICKS_MS: [u64; 2] = [1000, 100];
const SECONDS: u64 = 60;

/// `tracking -- cpu`.
pub fn run(options: &Options) {
    println!("fifty structures that grow; % of one core\n");
    table::head(&[
        "JDK",
        "GC",
        "tick",
        "structures followed",
        "visits",
        "reads a visit",
        "time a visit, median",
        "agent's processor time, as it tells",
        "as the kernel counts",
    ]);
    let ticks = if options.ticks_ms.is_empty() { TICKS_MS.to_vec() } else { options.ticks_ms.clone() };
    for (jvm, collector) in options.cells() {
        let start = Start { jvm: &jvm, collector: &collector, heap_megabytes: 128, program: "Many", arguments: vec![] };
        let (guest, mut watched) = start.tracked(settings(Duration::from_secs(1), Duration::from_secs(6)));
        for &tick in &ticks {
            let cells = phase(&guest, &mut watched, Some(tick), options.phase(SECONDS));
            table::row(&[&name(&jvm, &collector), &format!("{tick} ms"), &cells]);
        }
        let cells = phase(&guest, &mut watched, None, options.phase(SECONDS));
        table::row(&[&name(&jvm, &collector), "rest", &cells]);
    }
}

/// One phase, as the cells of its row that follow the tick.
fn phase(guest: &Guest, watched: &mut Watched, tick_ms: Option<u64>, long: Duration) -> String {
    let before = match tick_ms {
        Some(ms) => watched.with_tick(u32::try_from(ms).unwrap_or(u32::MAX)),
        None => watched.work(false),
    };
    watched.visits.clear();
    let (begun, ticks) = (Instant::now(), machine::threads_called(guest.pid(), THREADS).0);
    watched.listen(long);
    let kernel_ms = 10.0 * (machine::threads_called(guest.pid(), THREADS).0 - ticks) as f64;
    let kernel = kernel_ms / begun.elapsed().as_secs_f64() / 10.0;
    let visits = std::mem::take(&mut watched.visits);
    let after = watched.work(false);
    let reported = (after.agent_cpu_ms - before.agent_cpu_ms) as f64 / (after.at_ms - before.at_ms) as f64 * 100.0;
    let reads = table::median(visits.iter().map(|visit| f64::from(visit.reads)).collect());
    let micros = table::median(visits.iter().map(|visit| f64::from(visit.micros)).collect());
    let figure = |value: f64, unit: &str| if value.is_nan() { "–".to_owned() } else { format!("{value:.0}{unit}") };
    [
        watched.followed().to_string(),
        visits.len().to_string(),
        figure(reads, ""),
        figure(micros, " µs"),
        format!("{reported:.2} %"),
        format!("{kernel:.2} %"),
    ]
    .join(" | ")
}
