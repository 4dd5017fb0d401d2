//! Memory groups (containers): a capture must not make the kernel kill anything in them. On machines that let us make
//! no group these tests say so and do nothing.

use super::unharmed::{ends_unharmed_under, reported, seconds};
use e2e::faults::groups::Group;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::slots;

const MB: u64 = 1 << 20;

/// A program in a group, with all of its heap in memory.
fn in_group(group: &Group, subject: Subject, heap: &str) -> Trial {
    let heap = [format!("-Xms{heap}"), format!("-Xmx{heap}"), "-XX:+AlwaysPreTouch".to_owned()];
    Trial::of(subject).entering(group.entrance()).with(&heap)
}

/// Asserts that a trial survives with each of the given remaining amounts of memory, when the program is ready.
fn survives(group: &Group, trial: &Trial, left: &[u64], seconds_each: u64) {
    let jvm = trial.start();
    group.leave(left[0]);
    let analyzer = trial.analyzer("analyzer", &["--recapture-every", "1s"]);
    for &bytes in left {
        group.leave(bytes);
        std::thread::sleep(seconds(seconds_each));
        assert_eq!(group.kills(), 0, "with {} MB left, {} times at the limit", bytes / MB, group.hits());
    }
    let report = ends_unharmed_under(trial, jvm, "analyzer", analyzer);
    assert_eq!(group.kills(), 0, "{}", reported(&report));
}

#[test]
fn a_program_whose_group_is_nearly_full_is_not_walked_to_its_death() {
    let _slot = slots::take_busy();
    let Some(group) = Group::new() else { return };
    let subject = Subject::new().with_wide_array(8_000_000);
    let trial = in_group(&group, subject, "300m").with(&["-XX:+UseSerialGC"]);
    survives(&group, &trial, &[100 * MB], 15);
}

#[test]
fn a_busy_program_in_a_group_is_captured_without_a_kill_or_not_at_all() {
    let _slot = slots::take_busy();
    let Some(group) = Group::new() else { return };
    let subject = Subject::new().keeping(2.0).with_workers(2, 1000);
    let trial = in_group(&group, subject, "768m");
    survives(&group, &trial, &[400 * MB], 15);
}

#[test]
fn from_an_ample_to_a_hopeless_group_nothing_is_killed() {
    let _slot = slots::take_busy();
    let Some(group) = Group::new() else { return };
    let subject = Subject::new().keeping(1.0).with_wide_array(2_000_000).with_workers(1, 300);
    let trial = in_group(&group, subject, "400m");
    let steps = [1000, 700, 500, 400, 300, 250, 200, 150, 100, 60].map(|megabytes| megabytes * MB);
    survives(&group, &trial, &steps, 3);
}

#[test]
fn the_report_has_the_containers_memory_and_says_why_nothing_was_forked_in_it() {
    let _slot = slots::take_busy();
    let Some(group) = Group::new() else { return };
    let subject = Subject::new().keeping(0.8);
    let trial = in_group(&group, subject, "400m");
    let jvm = trial.start();
    group.leave(120 * MB);
    let limit = group.usage() + 120 * MB;
    let analyzer = trial.analyzer("analyzer", &[]);
    std::thread::sleep(seconds(20));
    let report = ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
    let container = report.container.expect("the container's memory");
    assert!(container.limit_bytes.abs_diff(limit) < 64 * MB, "{container:?}, and the limit is about {limit}");
    assert!(container.used_bytes > 400 * MB && container.used_bytes <= container.limit_bytes, "{container:?}");
    let beside = container.beside_heap_bytes.expect("the heap is touched, and measured");
    assert!(beside < container.used_bytes - 300 * MB, "{container:?}");
    let said = reported(&report);
    assert!(said.contains("a forked child may need"), "{said}");
    assert_eq!(group.kills(), 0);
}
