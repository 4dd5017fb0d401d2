//! The scenarios that LeakCanary's detector (Shark) is tested with pass and fail as they do there.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use super::built::{compiled, jvms, program, run, sections};
use e2e::jni_check;
use e2e::process::Scratch;

/// Each scenario that grows: the place, and the growth of one run.
const GROWING: [(&str, &str); 7] = [
    ("increase", "ArrayList static SharkCases.LEAKIES gains 1 java.lang.Object a run"),
    ("strings", "ArrayList static SharkCases.STRINGS gains 1 java.lang.String a run"),
    ("five a round", "ArrayList static SharkCases.FIVE gains 1 java.lang.Object a run"),
    ("chain", "static SharkCases.one gains 1 SharkCases$Chain a run"),
    ("four nodes a run", "static SharkCases$Four.chain gains 4 SharkCases$Chain a run"),
    // The outermost alone: neither its pairs, nor the two objects of each.
    ("shared sub-paths", "ArrayList static SharkCases.MULTI gains 1 SharkCases$Multi a run"),
    ("map", "HashMap static SharkCases.MAP gains 1 java.lang.Object, java.lang.String a run"),
];

#[test]
fn the_scenarios_of_shark_pass_and_fail_as_they_do_there() {
    let scratch = Scratch::new();
    let path = compiled(&scratch, &program("SharkCases.java"), &[]);
    for jvm in jvms() {
        let ended = run(&scratch, &jvm, &path, &[], "SharkCases");
        assert_eq!(ended.code(), Some(0), "on {}: {}\n{}", jvm.version, ended.stdout, ended.stderr);
        let found = sections(&ended.stdout);
        for (name, growth) in GROWING {
            let text = &found[name];
            assert!(text.starts_with("1 structure grew in every one of 5 rounds"), "{name} on {}: {text}", jvm.version);
            assert!(text.contains(growth), "{name} on {}: {text}", jvm.version);
        }
        assert!(found["empty"].starts_with("nothing grew in "), "{}", found["empty"]);
        assert!(found["ends"].starts_with("nothing grew in every one of "), "{}", found["ends"]);
        // One before the first round, and one after each.
        assert_eq!(found["kept"], "5 recordings");
        assert_eq!(jni_check::complaints(&format!("{}\n{}", ended.stdout, ended.stderr)), Vec::<String>::new());
    }
}
