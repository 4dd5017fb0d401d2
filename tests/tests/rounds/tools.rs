//! The examples for Maven and Gradle, as far as Debian's packages allow: without the network.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::built::{SYSTEM, jars};
use e2e::places;
use e2e::process::{Ended, Scratch};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Debian's repository of Maven artifacts, and one file of each package that the example needs.
const REPOSITORY: &str = "/usr/share/maven-repo";
const OF_MAVEN: [&str; 4] = [
    "org/junit/jupiter/junit-jupiter",
    "org/apache/maven/plugins/maven-surefire-plugin",
    "org/apache/maven/plugins/maven-compiler-plugin",
    "org/apache/maven/plugins/maven-resources-plugin",
];

/// A copy of an example: builds write into their folder.
fn copied(scratch: &Scratch, name: &str) -> PathBuf {
    let to = scratch.file(name);
    copy(&places::workspace().join("junit/examples").join(name), &to);
    to
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the scratch folder can be written");
    for entry in fs::read_dir(from).expect("the example is there").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("the scratch folder can be written");
        }
    }
}

fn is_missing(paths: &[PathBuf]) -> bool {
    let missing: Vec<_> = paths.iter().filter(|path| !path.exists()).map(|path| path.display().to_string()).collect();
    if !missing.is_empty() {
        eprintln!("skipped: there is no {}", missing.join(", "));
    }
    !missing.is_empty()
}

fn started(scratch: &Scratch, program: &str, arguments: &[String], folder: &Path) -> Ended {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    scratch.spawn(program, command).wait(Duration::from_secs(400))
}

/// Settings by which Maven finds everything in Debian's repository.
const SETTINGS: &str = "<settings><mirrors><mirror><id>debian</id><mirrorOf>*</mirrorOf>\
                        <url>file:///usr/share/maven-repo</url></mirror></mirrors></settings>";

fn maven(scratch: &Scratch, folder: &Path, leak: bool) -> Ended {
    let settings = scratch.file("settings.xml");
    fs::write(&settings, SETTINGS).expect("the scratch folder can be written");
    let arguments = [
        "-B".to_owned(),
        format!("-Dmaven.repo.local={}", scratch.file("repository").display()),
        format!("-s{}", settings.display()),
        format!("-Drootbound.jars={}", jars().display()),
        format!("-Dleak={leak}"),
        "test".to_owned(),
    ];
    started(scratch, "mvn", &arguments, folder)
}

#[test]
fn the_example_for_maven_passes_and_fails_with_a_leak() {
    let needed = OF_MAVEN.map(|path| Path::new(REPOSITORY).join(path));
    if is_missing(&needed) || is_missing(&[PathBuf::from("/usr/bin/mvn")]) {
        return;
    }
    let scratch = Scratch::new();
    let folder = copied(&scratch, "maven");
    let ended = maven(&scratch, &folder, false);
    assert_eq!(ended.code(), Some(0), "{}", ended.stdout);
    assert!(ended.stdout.contains("Tests run: 4, Failures: 0, Errors: 0"), "{}", ended.stdout);
    let ended = maven(&scratch, &folder, true);
    assert_ne!(ended.code(), Some(0), "{}", ended.stdout);
    let words = ["static shop.SessionsTest.OPEN", "gains 1", "Tests run: 4, Failures: 1, Errors: 0"];
    assert!(words.iter().all(|word| ended.stdout.contains(word)), "{}", ended.stdout);
}

fn gradle(scratch: &Scratch, folder: &Path, leak: bool) -> Ended {
    let arguments = [
        "--offline".to_owned(),
        "--no-daemon".to_owned(),
        format!("--gradle-user-home={}", scratch.file("gradle-home").display()),
        format!("-Prootbound.jars={}", jars().display()),
        format!("-Dleak={leak}"),
        "test".to_owned(),
    ];
    started(scratch, "gradle", &arguments, folder)
}

#[test]
fn the_example_for_gradle_passes_and_fails_with_a_leak() {
    let needed = ["junit4.jar", "hamcrest.jar"].map(|jar| Path::new(SYSTEM).join(jar));
    if is_missing(&needed) || is_missing(&[PathBuf::from("/usr/bin/gradle")]) {
        return;
    }
    let scratch = Scratch::new();
    let folder = copied(&scratch, "gradle");
    let ended = gradle(&scratch, &folder, false);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    assert_eq!(ended.stdout.matches(" PASSED").count(), 3, "{}", ended.stdout);
    let ended = gradle(&scratch, &folder, true);
    assert_ne!(ended.code(), Some(0), "{}", ended.stdout);
    let words = ["aForgottenSession FAILED", "static shop.SessionsTest.OPEN", "gains 1"];
    assert!(words.iter().all(|word| ended.stdout.contains(word)), "{}", ended.stdout);
}
