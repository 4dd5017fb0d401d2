//! The jars of the library and its extensions, built once for each run of the tests, and Java programs that use them.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::jvms::{self, Jvm};
use e2e::places;
use e2e::process::{Ended, Scratch};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// Where Debian's packages put their jars.
pub(super) const SYSTEM: &str = "/usr/share/java";

/// The folder with the jars, which goes when the last test has ended.
struct Jars(tempfile::TempDir);

/// The folder with `rootbound-junit.jar`, and with those of the extensions where JUnit is at hand.
pub(super) fn jars() -> &'static Path {
    static JARS: OnceLock<Jars> = OnceLock::new();
    let jars = JARS.get_or_init(|| {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        script("junit", &folder.path().join("rootbound-junit.jar"));
        script("junit-extensions", folder.path());
        Jars(folder)
    });
    jars.0.path()
}

fn script(name: &str, out: &Path) {
    let script = places::workspace().join("scripts").join(name);
    let binaries = places::rootbound().parent().expect("the binary is in a folder").to_owned();
    let output = Command::new(script).arg(out).env("ROOTBOUND_BIN_DIR", binaries).output().expect("the script starts");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles a program of `tests/java/rounds` and returns its class path.
pub(super) fn compiled(scratch: &Scratch, source: &Path, libraries: &[PathBuf]) -> String {
    let classes = scratch.file("classes");
    let path = class_path(libraries);
    let output = Command::new(places::javac())
        .args(["--release", "11", "-nowarn", "-cp", &path, "-d"])
        .arg(&classes)
        .arg(source)
        .output()
        .expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("{}:{path}", classes.display())
}

/// A program of `tests/java/rounds`.
pub(super) fn program(name: &str) -> PathBuf {
    places::workspace().join("tests/java/rounds").join(name)
}

fn class_path(libraries: &[PathBuf]) -> String {
    let own = jars().join("rootbound-junit.jar");
    let all = std::iter::once(&own).chain(libraries).map(|path| path.display().to_string());
    all.collect::<Vec<_>>().join(":")
}

/// Debian's jars of these names; `None`, with a message, where one is missing.
pub(super) fn system_jars(names: &[&str]) -> Option<Vec<PathBuf>> {
    let jars: Vec<PathBuf> = names.iter().map(|name| Path::new(SYSTEM).join(format!("{name}.jar"))).collect();
    let missing: Vec<_> = jars.iter().filter(|jar| !jar.is_file()).map(|jar| jar.display().to_string()).collect();
    if missing.is_empty() {
        return Some(jars);
    }
    eprintln!("skipped: there is no {}", missing.join(", "));
    None
}

/// Runs a main class with checks of JNI.
pub(super) fn run(scratch: &Scratch, jvm: &Jvm, class_path: &str, options: &[&str], main: &str) -> Ended {
    let mut command = Command::new(&jvm.launcher);
    command.arg(format!("-Djava.io.tmpdir={}", scratch.folder().display()));
    command.args(["-Xcheck:jni", "-Xmx512m", "-cp", class_path]).args(options).arg(main);
    scratch.spawn(main, command).wait(Duration::from_secs(300))
}

/// One JVM of each release from 11 on.
pub(super) fn jvms() -> Vec<Jvm> {
    let all: BTreeMap<u32, Jvm> = jvms::at_hand().into_iter().rev().map(|jvm| (jvm.version, jvm)).collect();
    all.into_values().filter(|jvm| jvm.version >= 11).collect()
}

/// The sections of an output: `== NAME`, and the lines until the next.
pub(super) fn sections(output: &str) -> BTreeMap<String, String> {
    let sections = output.split("== ").skip(1).filter_map(|section| section.split_once('\n'));
    sections.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned())).collect()
}
