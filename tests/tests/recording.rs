//! A recording gives the same report again, as far as it goes, and a file that is no recording is refused by name.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java;
use e2e::process::{Ended, Scratch};
use e2e::report::Report;
use e2e::slots;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, rootbound, start_run};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// Positions in the frame header (docs/wire-protocol.md): of the version, and of the bytes under the checksum.
const VERSION_AT: std::ops::Range<usize> = 4..6;
const LENGTH_AT: std::ops::Range<usize> = 8..12;
const CHECKSUM_AT: std::ops::Range<usize> = 12..16;
const HEADER_BYTES: usize = 16;

/// A recording and the report of the run that wrote it.
struct Recorded {
    bytes: Vec<u8>,
    report: Report,
}

/// One run serves all tests of this file.
fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let _slot = slots::take();
        let scratch = Scratch::new();
        let options: Vec<&str> = EARLY_SNAPSHOTS.into_iter().chain(["--for", "25s"]).collect();
        let run = start_run(&scratch, &options, &java::exits(), &["-Drun.seconds=90".to_owned()]);
        let ended = run.wait(Duration::from_secs(25) + GRACE);
        assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
        let bytes = fs::read(scratch.file("recording.rb")).expect("the run has written a recording");
        Recorded { bytes, report: Report::read(&scratch.file("report.json")) }
    })
}

fn replay(scratch: &Scratch, bytes: &[u8]) -> Ended {
    let file = scratch.file("recording.rb");
    fs::write(&file, bytes).unwrap();
    replay_file(scratch, &file)
}

fn replay_file(scratch: &Scratch, file: &Path) -> Ended {
    let mut command = rootbound(["replay"]);
    command.arg(file).arg("--json").arg(scratch.file("replayed.json"));
    scratch.spawn("replay", command).wait(Duration::from_secs(60))
}

fn rows(report: &Report) -> Vec<[String; 4]> {
    report.regions.iter().map(e2e::report::Region::row).collect()
}

#[test]
fn a_replay_shows_the_rows_of_the_run() {
    let scratch = Scratch::new();
    let ended = replay(&scratch, &recorded().bytes);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    let live = rows(&recorded().report);
    assert!(!live.is_empty(), "the run found no region, so there is nothing to compare");
    assert_eq!(rows(&Report::read(&scratch.file("replayed.json"))), live);
}

#[test]
fn two_replays_give_the_same_report_to_the_byte() {
    let reports: Vec<Vec<u8>> = (0..2)
        .map(|_| {
            let scratch = Scratch::new();
            assert_eq!(replay(&scratch, &recorded().bytes).code(), Some(0));
            fs::read(scratch.file("replayed.json")).unwrap()
        })
        .collect();
    assert!(reports[0] == reports[1], "the same input must give the same report");
}

#[test]
fn a_recording_cut_in_the_middle_is_replayed_up_to_the_cut_and_says_so() {
    let bytes = &recorded().bytes;
    let frames = frame_starts(bytes);
    // Within a frame, so that its tail is torn.
    let cut = frames[frames.len() / 2] + HEADER_BYTES / 2;
    let scratch = Scratch::new();
    let ended = replay(&scratch, &bytes[..cut]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(Report::read(&scratch.file("replayed.json")).jvm.is_some(), "what came before the cut counts");
    let said = ended.stderr.to_lowercase();
    assert!(["cut", "torn", "incomplete", "truncated"].iter().any(|word| said.contains(word)), "{}", ended.stderr);
}

#[test]
fn a_recording_of_another_version_is_refused_naming_both() {
    let mut bytes = recorded().bytes.clone();
    let ours = u16::from_le_bytes([bytes[VERSION_AT.start], bytes[VERSION_AT.start + 1]]);
    let theirs: u16 = 4242;
    bytes[VERSION_AT].copy_from_slice(&theirs.to_le_bytes());
    reseal_first_frame(&mut bytes);
    let ended = replay(&Scratch::new(), &bytes);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("4242") && ended.stderr.contains(&format!("version {ours}")), "{}", ended.stderr);
}

#[test]
fn a_file_that_is_no_recording_is_refused() {
    let ended = replay(&Scratch::new(), b"Dear diary, nothing grew today.\n".repeat(100).as_slice());
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("recording.rb"), "the file should be named: {}", ended.stderr);
}

/// Starts of the frames of an intact recording.
fn frame_starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at + HEADER_BYTES <= bytes.len() {
        starts.push(at);
        at += HEADER_BYTES + payload_bytes(&bytes[at..]);
    }
    starts
}

fn payload_bytes(frame: &[u8]) -> usize {
    u32::from_le_bytes(frame[LENGTH_AT].try_into().unwrap()) as usize
}

/// Corrects the checksum of the first frame: a foreign version must be refused as such, not as damage.
fn reseal_first_frame(bytes: &mut [u8]) {
    let end = HEADER_BYTES + payload_bytes(bytes);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[VERSION_AT.start..LENGTH_AT.end]);
    hasher.update(&bytes[HEADER_BYTES..end]);
    bytes[CHECKSUM_AT].copy_from_slice(&hasher.finalize().to_le_bytes());
}
