//! What thousands of calls leave in their JVM, and what they do beside an analyzer that watches it.

use super::{classes, jar, jvms, options, run, said};
use e2e::places;
use e2e::process::Scratch;
use e2e::watching::rootbound;
use std::process::Command;
use std::time::Duration;

/// The number after a word of the program's output.
fn number(stdout: &str, word: &str) -> i64 {
    let line = stdout.lines().find_map(|line| line.strip_prefix(word)).unwrap_or_else(|| panic!("{word}: {stdout}"));
    line.trim().parse().expect("a number")
}

#[test]
fn ten_thousand_calls_leave_nothing() {
    let jvm = jvms().pop().expect("a JVM");
    let ended = run(&jvm, &Scratch::new(), &["-Xms256m"], "Many", &["10000"]);
    let out = &ended.stdout;
    // The JVM's reaper of processes may have come or gone meanwhile.
    assert!(number(out, "threads").abs() <= 1, "{out}");
    assert!(number(out, "files").abs() <= 2, "{out}");
    // Each of the calls would have to leave less than 2 KB.
    assert!(number(out, "resident KB") < 20_000, "{out}");
    assert!(number(out, "heap bytes") < 200_000, "{out}");
    assert!(out.contains("scratch [rootbound]\n"), "{out}");
}

#[test]
fn assertions_work_beside_an_analyzer_that_watches() {
    for jvm in jvms() {
        let scratch = Scratch::new();
        let path = [jar(), classes()].map(|path| path.display().to_string()).join(":");
        let mut watch = rootbound(["run", "--plain", "--mark-after", "1s", "--capture-after", "2s"]);
        watch.arg("--json").arg(scratch.file("report.json")).arg("--").arg(&jvm.launcher);
        watch.args(options(&jvm)).args(["-cp", &path, "Once", "6000"]);
        let ended = scratch.spawn("watched", watch).wait(Duration::from_secs(120));
        let (out, found) = (&ended.stdout, said(&ended.stdout));
        assert!(found["size"].starts_with("ints: leak 24 bytes over limit of 1 bytes"), "{out}\n{}", ended.stderr);
        assert!(found["gc"].contains(".KEPT: java.util.HashMap"), "{out}\n{}", ended.stderr);
        assert!(scratch.file("report.json").is_file(), "{}", ended.stderr);
        assert_eq!(e2e::jni_check::complaints(&format!("{out}{}", ended.stderr)), Vec::<String>::new());
    }
}

/// The size of a structure is what `rootbound size` measures in a capture of the same moment.
#[test]
fn a_size_is_that_of_the_analyzer() {
    let (jvm, scratch) = (jvms().pop().expect("a JVM"), Scratch::new());
    let folder = scratch.file("kept");
    let ended = run(&jvm, &scratch, &[&format!("-Drootbound.keep={}", folder.display())], "Compared", &[]);
    let found = said(&ended.stdout);
    let recording = found["gc"].rsplit("recording: ").next().expect("it is named").to_owned();
    let read = Command::new(places::rootbound())
        .args(["size", &recording, "--from", "static Compared.orders", "--follow", "all", "--json", "-"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&read.stdout).expect("a report");
    assert_eq!(found["bytes"], report["bytes"].to_string());
    assert_eq!(found["count"], report["object_count"].to_string());
}
