//! Without options the program is paused no longer than is allowed, however slow the walk of its heap.

use super::unharmed::{ends_unharmed_under, seconds};
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::jvms::{COLLECTORS, Collector};
use e2e::slots;

fn is_stopped_shortly_at_most(trial: &Trial, options: &[&str]) {
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", options);
    std::thread::sleep(seconds(15));
    ends_unharmed_under(trial, jvm, "analyzer", analyzer);
}

fn collector(name: &str) -> &'static Collector {
    COLLECTORS.iter().find(|collector| collector.name == name).unwrap()
}

/// Its heap cannot be copied by a fork, and an iteration over it traverses the graph.
#[test]
fn a_large_heap_of_zgc_is_not_stopped_for_longer_than_is_allowed() {
    let _slot = slots::take_busy();
    let subject = Subject::new().keeping(5.0).with_workers(1, 20);
    is_stopped_shortly_at_most(&Trial::of(subject).with_collector(collector("ZGC")).with(&["-Xmx800m"]), &[]);
}

#[test]
fn a_large_heap_that_is_to_be_walked_in_process_is_not_stopped_for_longer_than_is_allowed() {
    let _slot = slots::take_busy();
    let subject = Subject::new().keeping(5.0).with_workers(1, 20);
    is_stopped_shortly_at_most(&Trial::of(subject).with(&["-Xmx500m"]), &["--capture", "in-process"]);
}

#[test]
fn a_large_heap_that_is_to_be_tagged_is_not_stopped_for_longer_than_is_allowed() {
    let _slot = slots::take_busy();
    let subject = Subject::new().keeping(3.0).with_workers(1, 20);
    is_stopped_shortly_at_most(&Trial::of(subject).with(&["-Xmx500m"]), &["--capture", "tags"]);
}
