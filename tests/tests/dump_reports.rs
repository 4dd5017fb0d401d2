//! Heap dumps of a real JVM through the commands that read them: the report on a dump must agree with the known
//! program.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::dumps::dump_of;
use e2e::java::Program;
use e2e::places;
use e2e::process::{Ended, Scratch};
use e2e::watching::rootbound;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

fn held_heap() -> Program {
    Program::compiled("held-heap", &places::workspace().join("tests/java/HeldHeap.java"), "HeldHeap")
}

fn saying(scratch: &Scratch, verb: &str, dump: &Path, options: &[&str]) -> Ended {
    let mut arguments = vec![verb.to_owned(), dump.display().to_string()];
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    scratch.spawn(verb, rootbound(arguments)).wait(LIMIT)
}

fn json(scratch: &Scratch, verb: &str, dump: &Path, options: &[&str]) -> Value {
    let ended = saying(scratch, verb, dump, &[options, &["--json", "-"]].concat());
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(report["schema"], "rootbound.dump/1");
    report
}

/// Place and megabytes of a list of objects with large retained sizes.
fn places_of<'r>(list: &'r Value, bytes: &str) -> Vec<(&'r str, u64)> {
    let place = |held: &'r Value| (held["place"].as_str().unwrap(), held[bytes].as_u64().unwrap() >> 20);
    list.as_array().unwrap().iter().map(place).collect()
}

#[test]
fn a_leak_of_25_mb_is_seen_beside_a_static_of_300_mb() {
    let scratch = Scratch::new();
    let dump = dump_of(&held_heap(), &["1"], &scratch);
    let report = json(&scratch, "suspects", &dump, &[]);
    let verdict = report["verdict"].as_str().unwrap();
    let answer = "one structure keeps 87 % of the reachable heap: static HeldHeap$Shop.catalogue (java.util.HashMap, 1200 \
                  entries, 300 MB)";
    assert_eq!(verdict, answer);
    let suspects = report["suspects"].as_array().unwrap();
    let suspected: Vec<&str> = suspects.iter().filter_map(|suspect| suspect["object"]["place"].as_str()).collect();
    for place in ["static HeldHeap$Monitor.INSTANCE.events", "thread \"mailer\".backlog"] {
        assert!(suspected.contains(&place), "{suspected:?}");
    }
    let drops = places_of(&report["big_drops"], "drop_bytes");
    assert_eq!(drops[0], ("static HeldHeap$Shop.catalogue", 299), "{drops:?}");
    assert_eq!(drops[1], ("static HeldHeap$Monitor.INSTANCE.events", 24), "{drops:?}");
    assert_eq!(drops[2], ("thread \"mailer\".backlog", 19), "{drops:?}");
    let events = &report["big_drops"][1];
    assert_eq!(events["structure_class"], "java.util.ArrayList");
    assert_eq!(events["contents"]["classes"][0], "HeldHeap$Event");
    let steps = events["root_path"]["steps"].as_array().unwrap();
    let fields: Vec<&str> = steps.iter().rev().take(3).map(|step| step["reference"].as_str().unwrap()).collect();
    assert_eq!(fields, [".elementData", ".events", ".INSTANCE"]);

    let size = json(&scratch, "size", &dump, &["--from", "static HeldHeap$Monitor.INSTANCE"]);
    let events = size["object_count"].as_u64().unwrap();
    // Monitor, list, array, and for each event the event and its details.
    let expected = 3 + 2 * (25 * (1u64 << 20) / 1060);
    assert_eq!(events, expected);
    let without = json(
        &scratch,
        "size",
        &dump,
        &["--from", "HeldHeap$Monitor", "--skip", "HeldHeap$Event", "--sort", "instances"],
    );
    assert_eq!(without["object_count"], 3);
    // The events, and class mirrors.
    let skipped = without["skipped_count"].as_u64().unwrap();
    assert!((expected / 2 - 1..expected / 2 + 4).contains(&skipped), "{skipped}");

    let roots = json(&scratch, "roots", &dump, &["--limit", "5", "--tree", "--min-size", "1M"]);
    assert!(roots["pure_count"].as_u64().unwrap() > 0);
    assert_eq!(roots["roots"][0]["tree"][0]["depth"], 0);

    let text = saying(&scratch, "analyze", &dump, &[]).stdout;
    assert!(text.starts_with("one structure keeps 87 %"), "{text}");
}

#[test]
fn single_objects_of_a_real_dump_have_ways_holders_and_figures() {
    let scratch = Scratch::new();
    let dump = dump_of(&held_heap(), &["10"], &scratch);
    let count = 25 * (1u64 << 20) / 10 / 1060;

    let objects = json(&scratch, "objects", &dump, &["--class", "HeldHeap$Monitor", "--sort", "retained"]);
    // The instance and the mirror of its class.
    assert_eq!(objects["chosen_count"], 2);
    let monitor = objects["objects"].as_array().unwrap().iter().find(|object| object["class"] == "HeldHeap$Monitor");
    let id = monitor.unwrap()["id"].as_str().unwrap().to_owned();
    assert!(monitor.unwrap()["retained_bytes"].as_u64().unwrap() > count * 1000);

    let paths = json(&scratch, "paths", &dump, &["--to", "HeldHeap$Event"]);
    assert_eq!((&paths["reached_count"], &paths["object_count"]), (&count.into(), &count.into()));
    assert_eq!(paths["way_count"], 1, "all events are in one list");
    let steps = paths["ways"][0]["root_path"]["steps"].as_array().unwrap();
    let references: Vec<&str> = steps.iter().rev().take(4).map(|step| step["reference"].as_str().unwrap()).collect();
    assert!(references[0].starts_with('['), "{references:?}");
    assert_eq!(references[1..], [".elementData", ".events", ".INSTANCE"]);
    let none = json(&scratch, "paths", &dump, &["--to", "HeldHeap$Event", "--avoid", "HeldHeap$Monitor"]);
    assert_eq!((&none["reached_count"], &none["way_count"]), (&0.into(), &0.into()));

    let holders = json(&scratch, "holders", &dump, &["--of", "HeldHeap$Event"]);
    assert_eq!((&holders["reference_count"], &holders["holder_count"]), (&count.into(), &1.into()));
    assert_eq!(holders["holders"][0]["class"], "java.lang.Object[]");
    let one = json(&scratch, "holders", &dump, &["--of", &id]);
    let incoming = one["object"]["incoming"].as_array().unwrap();
    assert_eq!((&incoming[0]["reference"], &incoming[0]["kind"]), (&".INSTANCE".into(), &"class".into()));
    let outgoing: Vec<&Value> = one["object"]["outgoing"].as_array().unwrap().iter().collect();
    assert!(outgoing.iter().any(|each| each["reference"] == ".events"), "{outgoing:?}");
    let text = saying(&scratch, "holders", &dump, &["--of", &id]).stdout;
    assert!(text.contains("Owned by these roots"), "{text}");

    let below = json(&scratch, "roots", &dump, &["--from", &id, "--depth", "2"]);
    assert_eq!(below["roots"][0]["id"].as_str(), Some(id.as_str()));
    assert_eq!(below["roots"][0]["tree"][1]["reference"], ".events");
    let lines = saying(&scratch, "roots", &dump, &["--from", &id, "--format", "heaproots"]).stdout;
    assert!(lines.starts_with("<0> ["), "{lines}");

    // The soft references to the products, and the keys of the weak map: INSANE follows them.
    let views = json(&scratch, "size", &dump, &["--from", "static HeldHeap$Shop.recent"]);
    assert!(views["unfollowed_count"].as_u64().unwrap() >= 2 * 1200, "{}", views["unfollowed_count"]);
    let whole = json(&scratch, "size", &dump, &["--from", "static HeldHeap$Shop.recent", "--follow", "all"]);
    let objects = |report: &Value| report["object_count"].as_u64().unwrap();
    assert_eq!(objects(&whole), objects(&views) + views["unfollowed_count"].as_u64().unwrap());
    assert_eq!(whole["unfollowed_count"], 0);
    let from = "static HeldHeap$Shop.catalogue";
    let bare = json(&scratch, "size", &dump, &["--from", from, "--skip", "HeldHeap$Product.picture"]);
    let full = json(&scratch, "size", &dump, &["--from", from]);
    assert_eq!(objects(&full) - objects(&bare), 1200, "one picture for each product");
}

#[test]
fn what_cannot_be_done_is_said_and_is_a_failure() {
    let scratch = Scratch::new();
    let dump = dump_of(&held_heap(), &["10"], &scratch);
    let no_dump = scratch.file("no.hprof");
    std::fs::write(&no_dump, "this is no heap dump").unwrap();
    let missing = scratch.file("missing.hprof");
    let folder = scratch.folder().display().to_string();
    for (verb, file, options, word) in [
        ("analyze", &missing, vec![], "missing.hprof"),
        ("suspects", &no_dump, vec![], "HPROF"),
        ("roots", &no_dump, vec![], "no.hprof"),
        ("size", &dump, vec!["--from", "HeldHeap$Shop.catalog"], "did you mean static HeldHeap$Shop.catalogue?"),
        (
            "size",
            &dump,
            vec!["--from", "HeldHeap$Product", "--skip", "HeldHeap$Prodact"],
            "did you mean HeldHeap$Product?",
        ),
        ("size", &dump, vec!["--from", "0x10"], "0x10"),
        ("analyze", &dump, vec!["--json", &folder], "is a directory"),
    ] {
        let ended = saying(&scratch, verb, file, &options);
        assert_eq!(ended.code(), Some(1), "{verb} {options:?}: {}", ended.stderr);
        assert!(ended.stderr.contains(word), "{verb} {options:?} should name {word}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{verb} {options:?}");
    }
}
