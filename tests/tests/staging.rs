//! Recordings that the agent writes alone: they show what grows, survive what befalls a staging system, and are joined
//! over restarts.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java::Program;
use e2e::places;
use e2e::process::{Ended, Running, Scratch, wait_for};
use e2e::report::{Region, Report};
use e2e::slots;
use e2e::watching::{GRACE, java_with_agent, rootbound};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// A short schedule: a capture every two seconds.
const OFTEN: &str = "mark-after=2s,capture-after=2s,recapture-every=2s";
const HEADER_BYTES: usize = 16;

fn simpleleaker() -> Program {
    let source = places::workspace().join("java-test-apps/leaking/simpleleaker/Main.java");
    Program::compiled("simpleleaker", &source, "simpleleaker.Main")
}

/// Starts the program, recorded by its agent alone.
fn start(scratch: &Scratch, file: &Path, options: &str) -> Running {
    let options = format!("record={},{options}", file.display());
    let command = java_with_agent(&simpleleaker(), &options, &["-Drun.seconds=120".to_owned()], scratch);
    scratch.spawn("java", command)
}

/// Records the program for some seconds, and kills it.
fn record(scratch: &Scratch, file: &Path, options: &str, seconds: u64) {
    let program = start(scratch, file, options);
    std::thread::sleep(Duration::from_secs(seconds));
    let said = program.stderr();
    assert!(!said.contains("rootbound:"), "{said}");
    // Dropping kills it at once.
    drop(program);
}

fn replay(scratch: &Scratch, files: &[PathBuf], options: &[&str]) -> Ended {
    let mut command = rootbound(["replay"]);
    command.args(files).arg("--json").arg(scratch.file("replayed.json")).args(options);
    scratch.spawn("replay", command).wait(GRACE + Duration::from_secs(60))
}

fn report(scratch: &Scratch, files: &[PathBuf]) -> Report {
    let ended = replay(scratch, files, &[]);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    Report::read(&scratch.file("replayed.json"))
}

fn integers(report: &Report) -> &Region {
    let of_integers =
        |region: &&Region| region.owner_proxy.path.as_deref().is_some_and(|path| path.contains("integers"));
    report.regions.iter().find(of_integers).expect("Main.integers is reported")
}

fn summary(report: &Report) -> &str {
    report.verdict.as_ref().and_then(|verdict| verdict.summary.as_deref()).unwrap_or_default()
}

/// Recorded once for all tests that only read it.
fn recorded() -> &'static [u8] {
    static RECORDED: OnceLock<Vec<u8>> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let _slot = slots::take();
        let scratch = Scratch::new();
        let file = scratch.file("shop.rb");
        record(&scratch, &file, OFTEN, 24);
        let mode = fs::metadata(&file).expect("the recording is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "it is for its user alone");
        fs::read(&file).unwrap()
    })
}

fn with_bytes(scratch: &Scratch, bytes: &[u8]) -> Vec<PathBuf> {
    let file = scratch.file("cut.rb");
    fs::write(&file, bytes).unwrap();
    vec![file]
}

#[test]
fn a_recording_of_the_agent_alone_shows_what_grows_and_how_fast() {
    let scratch = Scratch::new();
    let report = report(&scratch, &with_bytes(&scratch, recorded()));
    let region = integers(&report);
    assert_eq!(region.trend.as_deref(), Some("grower"), "{report:?}");
    let rate = region.rate_per_min.expect("a grower has a rate");
    assert!((432.0..=528.0).contains(&rate), "480 a minute come, reported are {rate}");
    assert_eq!(report.verdict.as_ref().and_then(|verdict| verdict.leaking), Some(true));
    assert!(report.native.is_some(), "the platform's counters are recorded");
}

#[test]
fn a_recording_that_was_killed_at_any_byte_is_read_up_to_there() {
    let bytes = recorded();
    let starts = frame_starts(bytes);
    let scratch = Scratch::new();
    for at in starts.iter().step_by((starts.len() / 12).max(1)) {
        for cut in [at.saturating_sub(1), *at, at + 1, at + HEADER_BYTES + 1] {
            let ended = replay(&scratch, &with_bytes(&scratch, &bytes[..cut.min(bytes.len())]), &[]);
            // Before the first whole frame it is no recording, which is said.
            let is_readable = cut >= starts[1];
            assert_eq!(ended.code(), Some(i32::from(!is_readable)), "cut at {cut}: {}", ended.stderr);
            assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        }
    }
}

#[test]
fn where_nobody_looked_long_enough_nothing_is_said_not_to_grow() {
    let bytes = recorded();
    let ends = capture_ends(bytes);
    let scratch = Scratch::new();
    for captures in [0, 1, 2, 4] {
        let cut = if captures == 0 { frame_starts(bytes)[3] } else { ends[captures - 1] };
        let report = report(&scratch, &with_bytes(&scratch, &bytes[..cut]));
        let said = summary(&report);
        assert!(!said.contains("no structure"), "{captures} captures: {said}");
        assert_eq!(report.verdict.as_ref().and_then(|verdict| verdict.leaking), None, "{captures} captures: {said}");
        let failing = replay(&scratch, &with_bytes(&scratch, &bytes[..cut]), &["--fail-on", "grower"]);
        assert_eq!(failing.code(), Some(4), "nothing was judged: {}", failing.stdout);
    }
}

#[test]
fn a_bounded_recording_keeps_its_span_of_time() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let file = scratch.file("shop.rb");
    record(&scratch, &file, "mark-after=1s,capture-after=1s,recapture-every=1s,max-size=2MB", 26);
    let length = fs::metadata(&file).unwrap().len();
    assert!(length <= 2_300_000, "{length} bytes");
    let report = report(&scratch, &[file]);
    let history = &integers(&report).history;
    let (first, last) = (history[0].0, history[history.len() - 1].0);
    assert!(history.len() >= 3 && first < 5.0 && last > 15.0, "{history:?}");
}

#[test]
fn files_are_rotated_by_time_and_are_one_life_together() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let file = scratch.file("shop.rb");
    record(&scratch, &file, &format!("{OFTEN},rotate-every=8s,keep-files=2"), 30);
    let files: Vec<PathBuf> = ["shop.rb", "shop.rb.1", "shop.rb.2"].map(|name| scratch.file(name)).to_vec();
    assert!(!scratch.file("shop.rb.3").exists(), "only two older files stay");
    for file in &files {
        assert!(report(&scratch, std::slice::from_ref(file)).jvm.is_some(), "each can be read alone");
    }
    let joined = report(&scratch, &files);
    assert_eq!(joined.lives.len(), 1);
    assert_eq!(integers(&joined).trend.as_deref(), Some("grower"), "{}", summary(&joined));
}

#[test]
fn recordings_are_joined_over_a_restart_which_is_no_loss() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let file = scratch.file("shop.rb");
    for _ in 0..2 {
        record(&scratch, &file, OFTEN, 20);
    }
    let files = [file.clone(), scratch.file("shop.rb.1")];
    let joined = report(&scratch, &files);
    assert_eq!(joined.lives.len(), 2, "the first life is kept");
    let region = integers(&joined);
    assert_eq!(region.trend.as_deref(), Some("grower"), "{}", summary(&joined));
    assert_eq!(region.lives.len(), 2);
    for life in &region.lives {
        assert_eq!(life.trend.as_deref(), Some("grower"), "{:?}", region.lives);
        assert!(life.last > life.first);
    }
    assert_eq!(region.updates.as_ref().and_then(|updates| updates.removals), Some(0), "a restart is no loss");
}

#[test]
fn recordings_of_different_programs_are_refused() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let other = scratch.file("other.rb");
    let options = format!("record={},mark-after=60s", other.display());
    let program = scratch.spawn("other", java_with_agent(&e2e::java::exits(), &options, &[], &scratch));
    let is_begun = || fs::metadata(&other).ok().filter(|found| found.len() > 100);
    wait_for(GRACE, is_begun).expect("the recording begins");
    drop(program);
    let mut files = with_bytes(&scratch, recorded());
    files.push(other);
    let ended = replay(&scratch, &files, &[]);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("Exits") && ended.stderr.contains("simpleleaker.Main"), "{}", ended.stderr);
}

#[test]
fn a_second_jvm_does_not_write_over_the_recording_of_the_first() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let file = scratch.file("shop.rb");
    let first = start(&scratch, &file, OFTEN);
    wait_for(GRACE, || fs::metadata(&file).ok().filter(|found| found.len() > 100)).expect("the recording begins");
    let options = format!("record={}", file.display());
    let second = scratch.spawn("second", java_with_agent(&e2e::java::exits(), &options, &[], &scratch));
    let refused = wait_for(GRACE, || Some(second.stderr()).filter(|said| said.contains("another JVM writes to it")));
    assert!(refused.is_some(), "{}", second.stderr());
    drop((first, second));
    assert!(!scratch.file("shop.rb.1").exists());
}

fn frame_starts(bytes: &[u8]) -> Vec<usize> {
    let (mut starts, mut at) = (Vec::new(), 0);
    while at + HEADER_BYTES <= bytes.len() {
        starts.push(at);
        at += HEADER_BYTES + u32::from_le_bytes(bytes[at + 8..at + 12].try_into().unwrap()) as usize;
    }
    starts
}

/// Offsets behind the ends of captures: messages of number 11 (docs/wire-protocol.md).
fn capture_ends(bytes: &[u8]) -> Vec<usize> {
    let starts = frame_starts(bytes);
    // The kind 1 stands at the seventh byte of a frame.
    let ends = starts.windows(2).filter(|pair| (bytes[pair[0] + 6], bytes[pair[0] + HEADER_BYTES]) == (1, 11));
    ends.map(|pair| pair[1]).collect()
}
