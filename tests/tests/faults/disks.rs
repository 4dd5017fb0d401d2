//! Full disks: a recording that cannot be written is reported once, and has no further cost.

use super::unharmed::{ends_unharmed, is_captured_unharmed, seconds};
use e2e::faults::children;
use e2e::faults::disks::SmallDisk;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::slots;
use std::path::Path;
use std::time::{Duration, Instant};

/// The agent alone writes a recording, and the disk takes nothing, or not all of it. Snapshots without a reader are not
/// made: none on a full disk, only the first two on a disk that they fill.
fn a_recording_of_the_agent_that_fails_is_reported_once(file: &Path, trial: Trial, most_stops: usize) {
    let options = format!("record={},mark-after=3s,capture-after=1s,log=info", file.display());
    let trial = trial.with_agent(&options);
    let jvm = trial.start();
    // Time for both snapshots, and for any that are tried after them.
    let (mut child, mut longest) = (None, Duration::ZERO);
    let end = Instant::now() + seconds(15);
    while Instant::now() < end {
        let first_seen = children::of(jvm.pid()).first().map(|&pid| (pid, Instant::now()));
        child = match (child, first_seen) {
            (Some((old, since)), Some((new, _))) if old == new => Some((old, since)),
            (_, seen) => seen,
        };
        longest = longest.max(child.map_or(Duration::ZERO, |(_, since): (_, Instant)| since.elapsed()));
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(longest < seconds(10), "a child lived for {longest:?}, though nobody takes its capture");
    let stops = trial.logged_stops_ms();
    assert!(
        stops.len() <= most_stops,
        "the program stood still for {stops:?} ms, though nobody will read what came of it"
    );
    let said = jvm.process().stderr();
    let of_the_disk = said.lines().filter(|line| line.contains("rootbound") && line.contains("No space left")).count();
    assert_eq!(of_the_disk, 1, "{said}");
    ends_unharmed(&trial, jvm);
}

fn subject() -> Subject {
    Subject::new().keeping(1.0).with_workers(1, 20)
}

#[test]
fn a_recording_on_a_disk_that_takes_nothing_is_reported_once_and_stops_nothing() {
    let _slot = slots::take_busy();
    a_recording_of_the_agent_that_fails_is_reported_once(Path::new("/dev/full"), Trial::of(subject()), 0);
}

#[test]
fn a_recording_on_a_disk_that_fills_up_is_reported_once_and_stops_nothing() {
    let _slot = slots::take_busy();
    let trial = Trial::of(subject());
    let Some(disk) = SmallDisk::in_folder(&trial.file("disk")) else { return };
    a_recording_of_the_agent_that_fails_is_reported_once(&disk.file("recording.rb"), trial, 2);
}

#[test]
fn an_analyzer_whose_disk_is_full_goes_on_watching() {
    let _slot = slots::take_busy();
    let trial = Trial::of(subject()).with_analyzer(&["--record", "/dev/full"]);
    let report = is_captured_unharmed(&trial);
    assert!(!report.problems.is_empty(), "nobody said that the recording is lost");
}
