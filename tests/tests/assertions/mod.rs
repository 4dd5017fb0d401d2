//! The Java library in real JVMs under `-Xcheck:jni`: programs run its assertions and print what each says, and every
//! text is compared.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

mod collectable;
mod loading;
mod netbeans;
mod remains;
mod sizes;

use e2e::jni_check::complaints;
use e2e::jvms::{self, Jvm};
use e2e::places;
use e2e::process::{Ended, Scratch};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(240);

/// The releases that the library works on, as far as they are here.
fn jvms() -> Vec<Jvm> {
    let mut found: Vec<Jvm> = [11, 17, 21, 25].into_iter().filter_map(jvms::of_version).collect();
    if found.is_empty() {
        found.extend(jvms::at_least(11));
    }
    assert!(!found.is_empty(), "`scripts/setup` installs a JDK");
    found
}

/// The jar, packed once for all tests of this process.
fn jar() -> &'static Path {
    static JAR: OnceLock<PathBuf> = OnceLock::new();
    JAR.get_or_init(|| {
        let file = places::target().join("e2e").join(format!("rootbound-junit-{}.jar", std::process::id()));
        let binaries = places::agent().parent().unwrap().to_owned();
        let mut command = Command::new(places::workspace().join("scripts/junit"));
        let output = command.arg(&file).env("ROOTBOUND_BIN_DIR", binaries).output().expect("scripts/junit starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        file
    })
}

/// The classes of the test programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let sources = places::workspace().join("tests/java/assertions");
        let sources = sources.read_dir().unwrap().map(|entry| entry.unwrap().path());
        let sources = sources.filter(|path| path.extension().is_some_and(|ending| ending == "java"));
        let output = Command::new(places::javac())
            .args(["--release", "11", "-nowarn", "-cp"])
            .arg(jar())
            .arg("-d")
            .arg(folder.path())
            .args(sources)
            .output()
            .expect("`scripts/setup` installs a JDK");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder
    });
    folder.path()
}

/// The options that a JVM of each release needs: natives without a warning, and every line of its own on its errors.
fn options(jvm: &Jvm) -> Vec<OsString> {
    let access = (jvm.version >= 22).then(|| "--enable-native-access=ALL-UNNAMED".into());
    ["-Xcheck:jni", "-Xmx512m"].map(OsString::from).into_iter().chain(access).collect()
}

/// Runs a program with the jar on its class path.
fn run(jvm: &Jvm, scratch: &Scratch, more: &[&str], main: &str, arguments: &[&str]) -> Ended {
    let path = [jar(), classes()].map(|path| path.display().to_string()).join(":");
    run_with(jvm, scratch, &path, more, main, arguments)
}

fn run_with(jvm: &Jvm, scratch: &Scratch, path: &str, more: &[&str], main: &str, arguments: &[&str]) -> Ended {
    let mut command = Command::new(&jvm.launcher);
    command.args(options(jvm)).arg(format!("-Djava.io.tmpdir={}", scratch.folder().display())).args(more);
    command.args(["-cp", path, main]).args(arguments);
    let ended = scratch.spawn("java", command).wait(LONGEST);
    let all = format!("{}{}", ended.stdout, ended.stderr);
    assert_eq!(complaints(&all), Vec::<String>::new(), "{}", jvm.launcher.display());
    assert!(ended.status.success(), "{}: {all}", jvm.launcher.display());
    ended
}

/// The text that each case printed, by its name.
fn said(stdout: &str) -> HashMap<String, String> {
    let cases = stdout.split("== ").skip(1).filter_map(|case| case.split_once('\n'));
    cases.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned())).collect()
}

/// Compares the text of each case.
fn assert_said(jvm: &Jvm, stdout: &str, expected: &[(&str, &str)]) {
    let mut found = said(stdout);
    for (name, text) in expected {
        assert_eq!(found.remove(*name).as_deref(), Some(*text), "{name} in {}", jvm.launcher.display());
    }
    assert_eq!(found.into_keys().collect::<Vec<_>>(), Vec::<String>::new(), "cases without an expectation");
}
