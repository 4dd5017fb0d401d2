//! The whole pipeline, `rootbound run`, on a heap of tens of millions of objects that leaks at one place.

use crate::guest::{self, switches};
use crate::options::Options;
use e2e::measure::machine;
use e2e::measure::table::{self, bytes};
use e2e::process::{Scratch, wait_for};
use e2e::watching::rootbound;
use std::time::Duration;

const OBJECTS: u64 = 50_000_000;
const SECONDS: u64 = 150;

/// `captures -- huge`.
pub fn run(options: &Options) {
    let (objects, seconds) = (options.objects.unwrap_or(OBJECTS), options.seconds.unwrap_or(SECONDS));
    table::head(&["JDK", "GC", "figure", "value"]);
    for jvm in options.jvms() {
        for collector in options.collectors(&jvm, &["G1"]) {
            let scratch = Scratch::new();
            let program = guest::program("Heap").in_jvm(&jvm);
            // The heap must be complete before the mark.
            let built = format!("{}s", 10 + objects / 1_000_000);
            let mut command = rootbound(["run", "--plain", "--capture-after", "20s", "--for"]);
            command
                .arg(format!("{seconds}s"))
                .args(["--mark-after", &built, "--json"])
                .arg(scratch.file("report.json"));
            command.arg("--").arg(&program.launcher).args(switches(collector.switches, 1000 + objects / 10_000));
            command.arg(format!("-De2e.scratch={}", scratch.folder().display())).arg("-cp").arg(&program.classes);
            command.arg(&program.main).args([&objects.to_string(), "50", "20"]);
            let running = scratch.spawn("run", command);
            let (mut jvm_peak, mut analyzer_peak) = (0, 0);
            let pid_of = |pid: rustix::process::Pid| u32::try_from(pid.as_raw_nonzero().get()).unwrap_or(0);
            let analyzer = pid_of(running.pid());
            wait_for(Duration::from_secs(seconds + 60), || {
                let jvms = scratch.processes("java").into_iter();
                jvm_peak = jvms.filter_map(|pid| machine::peak_bytes(pid_of(pid))).fold(jvm_peak, u64::max);
                analyzer_peak = machine::peak_bytes(analyzer).unwrap_or(0).max(analyzer_peak);
                scratch.file("report.json").is_file().then_some(())
            });
            let ended = running.wait(Duration::from_secs(60));
            let name = format!("{} | {}", jvm.version, collector.name);
            table::row(&[&name, "peak memory of the JVM", &bytes(jvm_peak)]);
            table::row(&[&name, "peak memory of the analyzer", &bytes(analyzer_peak)]);
            for line in snapshots(&scratch) {
                table::row(&[&name, "snapshot", &line]);
            }
            // The tables before the last one contain less.
            let last = ended.stdout.rfind("\nJVM ").unwrap_or(0);
            println!("{}", &ended.stdout[last..]);
            eprintln!("{}", ended.stderr);
        }
    }
}

/// The snapshots of the report, one a line, in the format of the report.
fn snapshots(scratch: &Scratch) -> Vec<String> {
    let text = std::fs::read_to_string(scratch.file("report.json")).unwrap_or_default();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    report["snapshots"].as_array().into_iter().flatten().map(ToString::to_string).collect()
}
