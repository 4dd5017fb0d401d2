//! Heap dumps of real JVMs, taken by the usual tools.

use crate::java::Program;
use crate::places;
use crate::process::{Running, Scratch, wait_for};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Time that a JVM may take to start and to dump its heap, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Text that the programs print when their heap is complete.
const READY: &str = "all there";

/// Runs a program until its heap is complete, and dumps its reachable part; the JVM is ended.
pub fn dump_of(program: &Program, arguments: &[&str], scratch: &Scratch) -> PathBuf {
    let running = started(program, arguments, scratch);
    let dump = scratch.file("heap.hprof");
    let output = Command::new(places::jcmd())
        .arg(running.pid().as_raw_nonzero().to_string())
        .arg("GC.heap_dump")
        .arg(&dump)
        .output()
        .unwrap_or_else(|error| panic!("cannot start jcmd ({error}): `scripts/setup` installs a JDK"));
    assert!(dump.is_file(), "no dump: {}", String::from_utf8_lossy(&output.stdout));
    dump
}

fn started(program: &Program, arguments: &[&str], scratch: &Scratch) -> Running {
    let mut command = Command::new(&program.launcher);
    command.args(["-Xcheck:jni", "-Xmx700m", "-XX:+UseSerialGC"]);
    command.arg(format!("-De2e.scratch={}", scratch.folder().display()));
    command.arg("-cp").arg(&program.classes).arg(&program.main).args(arguments);
    let running = scratch.spawn("dumped", command);
    let is_ready = || running.stdout().contains(READY).then_some(());
    wait_for(PATIENCE, is_ready).unwrap_or_else(|| panic!("not ready: {}{}", running.stdout(), running.stderr()));
    running
}
