//! How the library finds its natives and the analyzer: in the jar, in a folder, in the agent of the command line, in
//! two class loaders at once; and what it says where it finds none.

use super::{assert_said, classes, jar, jvms, run, run_with, said};
use e2e::places;
use e2e::process::{Ended, Scratch};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const SIZE: &str = "ints: leak 24 bytes over limit of 1 bytes\n  int[]: 1, 24B";
const GC: &str = "kept:\n  class of the program\n  class Once\n  .KEPT: java.util.HashMap\n  [*]: java.lang.Object[]";

/// Folders of the library's own that are left in a scratch folder.
fn left(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(scratch.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).filter(|name| name.starts_with("rootbound-")).collect()
}

/// A jar with the classes alone, as a build for another platform would be.
fn without_binaries(scratch: &Scratch) -> String {
    let folder = scratch.file("classes");
    fs::create_dir(&folder).unwrap();
    let unpacked = std::process::Command::new(places::jar())
        .args(["--extract", "--file"])
        .arg(jar())
        .current_dir(&folder)
        .status()
        .expect("`scripts/setup` installs a JDK");
    assert!(unpacked.success());
    fs::remove_dir_all(folder.join("rootbound/junit/linux-x86_64")).unwrap();
    format!("{}:{}", folder.display(), classes().display())
}

#[test]
fn the_jar_brings_both_binaries_and_leaves_nothing() {
    for jvm in jvms() {
        let scratch = Scratch::new();
        let ended = run(&jvm, &scratch, &[], "Once", &[]);
        assert_said(&jvm, &ended.stdout, &[("size", SIZE), ("gc", GC)]);
        assert_eq!(left(&scratch), Vec::<String>::new());
    }
}

#[test]
fn a_folder_with_the_binaries_is_used_in_place_of_the_jar() {
    let (jvm, scratch) = (jvms().remove(0), Scratch::new());
    let home = places::agent().parent().unwrap().display().to_string();
    let path = without_binaries(&scratch);
    let ended = run_with(&jvm, &scratch, &path, &[&format!("-Drootbound.home={home}")], "Once", &[]);
    assert_said(&jvm, &ended.stdout, &[("size", SIZE), ("gc", GC)]);
}

#[test]
fn the_natives_of_the_agent_of_the_command_line_need_no_load() {
    for jvm in jvms() {
        let scratch = Scratch::new();
        let agent = format!("-agentpath:{}=connect=unix:{}", places::agent().display(), scratch.file("none").display());
        let path = without_binaries(&scratch);
        let ended = run_with(&jvm, &scratch, &path, &[&agent], "Once", &[]);
        let found = said(&ended.stdout);
        assert_eq!(found["size"], SIZE, "{}", ended.stderr);
        assert!(found["gc"].contains("the jar has no rootbound for Linux x86-64"), "{}", found["gc"]);
    }
}

#[test]
fn two_class_loaders_load_the_library_each() {
    for jvm in jvms() {
        let home = format!("-Drootbound.home={}", places::agent().parent().unwrap().display());
        for more in [vec![], vec![home.as_str()]] {
            let (scratch, path) = (Scratch::new(), classes().display().to_string());
            let ended = run_with(&jvm, &scratch, &path, &more, "Loaders", &[&jar().display().to_string()]);
            assert_said(&jvm, &ended.stdout, &[("first", SIZE), ("second", SIZE)]);
        }
    }
}

fn without(more: &[&str]) -> Ended {
    run(&jvms()[0], &Scratch::new(), more, "Once", &[])
}

#[test]
fn where_nothing_can_be_loaded_the_reason_is_the_failure_unless_the_user_passes_over_it() {
    let elsewhere = "memory assertions work on Linux x86-64 only, and this is Linux aarch64";
    let ended = without(&["-Dos.arch=aarch64"]);
    let refused = format!(
        "java.lang.UnsupportedOperationException: {elsewhere} (-Drootbound.missing=skip passes over the assertions)"
    );
    assert_eq!(said(&ended.stdout)["size"], refused);
    let ended = without(&["-Dos.arch=aarch64", "-Drootbound.missing=skip"]);
    assert_eq!(said(&ended.stdout)["size"], "passes");
    assert_eq!(ended.stderr.matches(elsewhere).count(), 1, "it is said once: {}", ended.stderr);
    let nowhere = said(&without(&["-Drootbound.home=/nowhere"]).stdout)["size"].clone();
    assert!(nowhere.contains("rootbound.home names a folder without librootbound_agent.so: /nowhere"), "{nowhere}");
    assert!(nowhere.contains("-agentpath"), "{nowhere}");
}

#[test]
fn a_kept_recording_is_for_its_user_alone_and_is_named_in_the_failure() {
    let (jvm, scratch) = (jvms().remove(0), Scratch::new());
    let folder = scratch.file("kept");
    let ended = run(&jvm, &scratch, &[&format!("-Drootbound.keep={}", folder.display())], "Once", &[]);
    let text = said(&ended.stdout)["gc"].clone();
    let file =
        text.strip_prefix(GC).and_then(|rest| rest.strip_prefix("\nrecording: ")).expect("it is named").to_owned();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let read =
        std::process::Command::new(places::rootbound()).args(["paths", &file, "--to", "mark:1"]).output().unwrap();
    assert!(String::from_utf8_lossy(&read.stdout).contains(".KEPT: java.util.HashMap"));
    assert!(Path::new(&file).starts_with(&folder));
}

#[test]
fn a_recording_that_cannot_be_written_is_an_error_with_its_reason() {
    let (jvm, scratch) = (jvms().remove(0), Scratch::new());
    let ended = run(&jvm, &scratch, &["-Drootbound.keep=/proc/nowhere"], "Once", &[]);
    let text = said(&ended.stdout)["gc"].clone();
    assert!(text.starts_with("java.lang.IllegalStateException: there is no file for a capture"), "{text}");
}
