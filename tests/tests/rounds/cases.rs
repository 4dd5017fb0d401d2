//! The scenarios of `tests/java/rounds/GrowthCases.java` on every JVM: those of Shark pass and fail as they do there,
//! and the text of each finding is compared.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::built::{compiled, jvms, program, run, sections};
use e2e::jni_check;
use e2e::process::Scratch;
use e2e::{places, process::Ended};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The texts of JDK 17. Sizes differ by release, and so does the name of a hidden class.
fn expected() -> BTreeMap<String, String> {
    let file = places::workspace().join("tests/java/rounds/GrowthCases.expected");
    sections(&fs::read_to_string(file).expect("the texts are there"))
}

/// A text without the bytes that objects retain, which depend on the JVM, and without the numbers of hidden classes.
fn comparable(text: &str) -> String {
    // Which of several threads stands for all is chance.
    let is_chance =
        |line: &&str| ["retained ", "thread \"worker-"].iter().any(|word| line.trim_start().starts_with(word));
    let lines = text.lines().filter(|line| !is_chance(line));
    lines.map(without_lambda_number).collect::<Vec<_>>().join("\n")
}

/// Chance may let something grow in the first round, so the number of rounds of a passing search is not compared. The
/// numbers of generated classes and of threads differ, too.
fn without_lambda_number(line: &str) -> String {
    const NOTHING: &str = "nothing grew in ";
    if line.starts_with(NOTHING) {
        return NOTHING.to_owned();
    }
    let Some((before, behind)) = line.split_once("$$Lambda") else { return line.to_owned() };
    let rest = behind.trim_start_matches(|letter: char| letter == '$' || letter.is_ascii_digit());
    format!("{before}$$Lambda{rest}")
}

/// The underline below a hidden class moves with the length of its number.
fn is_underline(line: &str) -> bool {
    let marks = line.trim();
    !marks.is_empty() && marks.chars().all(|letter| letter == '^')
}

fn differences(found: &BTreeMap<String, String>, expected: &BTreeMap<String, String>) -> Vec<String> {
    let mut all = Vec::new();
    for (name, text) in expected {
        let lines = |text: &str| -> Vec<String> {
            let has_lambda = text.contains("$$Lambda");
            let mut text = comparable(text);
            // Of two fields that hold the same, the JVM's order of fields chooses the one that is reported.
            if name == "shared" {
                let lines = text.lines().filter(|line| !is_underline(line) && !line.trim().starts_with("ignore "));
                text = lines.collect::<Vec<_>>().join("\n").replace("AUDIT", "ORDERS");
            }
            text.lines().filter(|line| !(has_lambda && is_underline(line))).map(str::to_owned).collect()
        };
        let other = found.get(name).map_or("(missing)", String::as_str);
        if lines(text) != lines(other) {
            all.push(format!("{name}: expected\n{text}\nfound\n{other}"));
        }
    }
    all
}

#[test]
fn each_scenario_passes_or_fails_with_its_text_on_every_jvm() {
    let scratch = Scratch::new();
    let path = compiled(&scratch, &program("GrowthCases.java"), &[]);
    let expected = expected();
    for jvm in jvms() {
        let ended = run(&scratch, &jvm, &path, &[], "GrowthCases");
        check(&ended, jvm.version, &expected);
        assert_eq!(left_behind(scratch.folder()), Vec::<String>::new(), "on {}", jvm.version);
    }
}

fn check(ended: &Ended, version: u32, expected: &BTreeMap<String, String>) {
    assert_eq!(ended.code(), Some(0), "on {version}: {}\n{}", ended.stdout, ended.stderr);
    let wrong = differences(&sections(&ended.stdout), expected);
    assert!(wrong.is_empty(), "on {version}: {}", wrong.join("\n\n"));
    let complaints = jni_check::complaints(&format!("{}\n{}", ended.stdout, ended.stderr));
    assert_eq!(complaints, Vec::<String>::new(), "on {version}");
}

/// Folders of the library that are still there.
fn left_behind(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the scratch folder can be read").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with("rootbound-")).collect()
}
