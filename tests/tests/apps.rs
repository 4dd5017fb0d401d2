//! Each test app runs in a JVM of its own, and rootbound must say of it what its `expect.toml` says.

use e2e::expect::Expectation;
use e2e::places;
use e2e::process::Scratch;
use e2e::{slots, watching};

/// Long enough for mark and capture (25 s) and as much tracking again.
const WATCHED_SECONDS: u64 = 50;

fn is_understood(folder: &str) {
    let expectation = Expectation::of_app(folder);
    let program = match expectation.other_jvm() {
        Ok(None) => expectation.program(folder),
        Ok(Some(jvm)) => expectation.program(folder).in_jvm(&jvm),
        Err(sentence) => return println!("{folder} is skipped: {sentence}"),
    };
    let options: Vec<&str> = match &expectation.rootbound_args {
        Some(given) => given.iter().map(String::as_str).collect(),
        None => watching::SNAPSHOT_TIMES.to_vec(),
    };
    let seconds = expectation.watched_seconds.unwrap_or(WATCHED_SECONDS);
    let _slot = slots::take();
    let scratch = Scratch::new();
    let run = watching::run_for(&scratch, seconds, &options, &program, &expectation.jvm_args);
    let mut faults = expectation.mismatches(&run.report);
    faults.extend(run.jni_complaints);
    if run.ended.code() != Some(0) {
        faults.push(format!("rootbound ended with {}", run.ended.status));
    }
    if !scratch.processes("java").is_empty() {
        faults.push("the JVM was left running".to_owned());
    }
    assert!(faults.is_empty(), "{folder}:\n{}\n{}\n{}", faults.join("\n"), run.ended.stdout, run.ended.stderr);
}

macro_rules! apps {
    ($($sentence:ident: $folder:literal,)*) => {
        $(#[test]
        fn $sentence() {
            is_understood($folder);
        })*

        /// Folders that have a test.
        const TESTED: &[&str] = &[$($folder),*];
    };
}

apps! {
    simpleleaker_shows_the_five_rows_of_figure_5: "leaking/simpleleaker",
    orders_leaks_cds_from_active_orders: "leaking/orders",
    editors_leaks_whole_editors_from_the_manager: "leaking/editors",
    wardrobe_leaks_entries_at_tail_and_head: "leaking/wardrobe",
    hashleak_leaks_nodes_of_a_static_map: "leaking/hashleak",
    treeleak_leaks_nodes_of_both_trees: "leaking/treeleak",
    listeners_leaks_from_the_subject: "leaking/listeners",
    concurrent_leaks_under_two_writers: "leaking/concurrent",
    mapofsets_leaks_outer_nodes_only: "leaking/mapofsets",
    threadheld_leaks_from_a_stack_frame: "leaking/threadheld",
    userhash_leaks_from_a_hand_written_table: "leaking/userhash",
    lateleak_is_found_by_a_later_capture: "leaking/lateleak",
    virtualleak_leaks_from_virtual_threads: "leaking/virtualleak",
    boundedcache_is_healthy: "healthy/boundedcache",
    objectpool_is_healthy: "healthy/objectpool",
    warmuponly_is_healthy: "healthy/warmuponly",
    queue_is_healthy: "healthy/queue",
    shrinker_is_healthy: "healthy/shrinker",
    churn_is_healthy: "healthy/churn",
}

#[test]
fn every_app_has_a_test_and_a_readable_expectation() {
    for kind in ["leaking", "healthy"] {
        for entry in places::workspace().join("java-test-apps").join(kind).read_dir().unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let folder = format!("{kind}/{name}");
            assert!(TESTED.contains(&folder.as_str()), "{folder} has no test in apps.rs");
            let expectation = Expectation::of_app(&folder);
            assert_eq!(expectation.name, name);
            assert_eq!(format!("{:?}", expectation.kind).to_lowercase(), kind);
        }
    }
}
