//! Each test app runs in a JVM of its own, and the report of rootbound must agree with its `expect.toml`.

use e2e::expect::{Expectation, Tracked};
use e2e::java::Program;
use e2e::places;
use e2e::process::Scratch;
use e2e::{slots, watching};

/// Seconds for mark and capture (25 s) and as much tracking again.
const WATCHED_SECONDS: u64 = 50;
/// Seconds for mark and capture (15 s) and nearly a minute of tracking.
const WATCHED_LONG_SECONDS: u64 = 70;

fn is_understood(folder: &str) {
    let expectation = Expectation::of_app(folder);
    let program = match expectation.other_jvm() {
        Ok(None) => expectation.program(folder),
        Ok(Some(jvm)) => expectation.program(folder).in_jvm(&jvm),
        Err(sentence) => return println!("{folder} is skipped: {sentence}"),
    };
    let (times, usual_seconds) = match expectation.tracked {
        Tracked::Short => (watching::SNAPSHOT_TIMES, WATCHED_SECONDS),
        Tracked::Long => (watching::LONG_TRACKING, WATCHED_LONG_SECONDS),
    };
    let options: Vec<&str> = match &expectation.rootbound_args {
        Some(given) => given.iter().map(String::as_str).collect(),
        None => times.to_vec(),
    };
    let seconds = expectation.watched_seconds.unwrap_or(usual_seconds);
    let _slot = slots::take();
    if let Err(faults) = watched(&expectation, &program, seconds, &options) {
        panic!("{folder}:\n{faults}");
    }
}

/// Watches the program. Differences are reported with all output.
fn watched(expectation: &Expectation, program: &Program, seconds: u64, options: &[&str]) -> Result<(), String> {
    let scratch = Scratch::new();
    let run = watching::run_for(&scratch, seconds, options, program, &expectation.jvm_args);
    let mut faults = expectation.mismatches(&run.report);
    faults.extend(run.jni_complaints);
    if run.ended.code() != Some(0) {
        faults.push(format!("rootbound ended with {}", run.ended.status));
    }
    if !scratch.processes("java").is_empty() {
        faults.push("the JVM was left running".to_owned());
    }
    let reported = || format!("{}\n{}\n{}", faults.join("\n"), run.ended.stdout, run.ended.stderr);
    if faults.is_empty() { Ok(()) } else { Err(reported()) }
}

macro_rules! apps {
    ($($(#[$attribute:meta])* $sentence:ident: $folder:literal,)*) => {
        $(#[test]
        $(#[$attribute])*
        fn $sentence() {
            is_understood($folder);
        })*

        /// Folders that have a test.
        const TESTED: &[&str] = &[$($folder),*];
    };
}

apps! {
    abandoned_is_found_however_long_it_has_leaked: "leaking/abandoned",
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
    nativeleakclasses_leaks_loaders_and_metaspace: "leaking/nativeleakclasses",
    nativeleakdirect_leaks_direct_buffers_beside_the_heap: "native/nativeleakdirect",
    nativeleakmalloc_leaks_what_no_counter_knows: "native/nativeleakmalloc",
    generatedclasses_leak_metaspace_in_a_loader_that_lasts: "native/generatedclasses",
    nativeuse_is_healthy_while_it_touches_its_heap: "healthy/nativeuse",
    whoadds_names_both_places_that_add: "leaking/whoadds",
    bigtable_leaks_a_little_of_much_under_two_writers: "leaking/bigtable",
    bigtree_leaks_anywhere_in_a_large_tree: "leaking/bigtree",
    backlog_leaks_from_a_deque_that_wanders: "leaking/backlog",
    middle_leaks_in_the_middle_of_a_chain: "leaking/middle",
    persistent_leaks_entries_of_a_trie_that_copies_its_nodes: "leaking/persistent",
    republished_leaks_from_a_map_that_is_made_anew: "leaking/republished",
    eventbus_leaks_listeners_that_are_copied_on_write: "leaking/eventbus",
    timers_leaks_behind_the_head_of_a_priority_queue: "leaking/timers",
    threadedtree_leaks_nodes_that_are_reached_on_several_ways: "leaking/threadedtree",
    trie_leaks_letters_below_letters: "leaking/trie",
    skiplist_leaks_towers_of_a_hand_written_list: "leaking/skiplist",
    leaderboard_leaks_nodes_of_the_jdks_skip_list: "leaking/leaderboard",
    threadlocals_leaks_entries_of_a_threads_map: "leaking/threadlocals",
    plugins_leaks_class_loaders: "leaking/plugins",
    sessions_leaks_who_never_logs_out: "leaking/sessions",
    dripping_leaks_slowly_under_heavy_flux: "leaking/dripping",
    speeds_leaks_the_fastest_first: "leaking/speeds",
    nightjob_is_found_though_it_begins_late: "leaking/nightjob",
    blocks_leaks_arrays_of_bytes: "leaking/blocks",
    mapoflists_leaks_from_all_lists_at_once: "leaking/mapoflists",
    roomy_leaks_into_an_array_that_was_large_from_the_start: "leaking/roomy",
    segments_leaks_into_arrays_of_arrays: "leaking/segments",
    shards_leaks_into_tables_that_are_replaced_with_their_wrappers: "leaking/shards",
    districts_leaks_into_two_trees_whose_nodes_hold_many: "leaking/districts",
    transcripts_leaks_into_arrays_of_primitive_values: "leaking/transcripts",
    connections_leaks_a_little_into_each_of_many_maps: "leaking/connections",
    logbooks_leaks_into_many_small_buffers: "leaking/logbooks",
    promises_leaks_into_a_long_chain_over_two_fields_in_turns: "leaking/promises",
    indexes_leaks_the_same_orders_into_two_maps: "leaking/indexes",
    registrations_leaks_the_same_objects_again: "leaking/registrations",
    tenants_leaks_into_many_maps_at_once: "leaking/tenants",
    arenas_is_healthy_though_its_arrays_are_filled_all_the_time: "healthy/arenas",
    boundedcache_is_healthy: "healthy/boundedcache",
    objectpool_is_healthy: "healthy/objectpool",
    warmuponly_is_healthy: "healthy/warmuponly",
    queue_is_healthy: "healthy/queue",
    memtables_is_healthy_though_each_table_only_grows: "healthy/memtables",
    shrinker_is_healthy: "healthy/shrinker",
    churn_is_healthy: "healthy/churn",
    attachments_is_healthy_though_only_collections_let_go_of_them: "healthy/attachments",
    expiry_is_healthy: "healthy/expiry",
    timeouts_is_healthy: "healthy/timeouts",
    ring_is_healthy: "healthy/ring",
    boundedqueue_is_healthy_while_it_fills: "healthy/boundedqueue",
}

#[test]
fn every_app_has_a_test_and_a_readable_expectation() {
    for kind in ["leaking", "native", "healthy"] {
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
