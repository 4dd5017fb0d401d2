//! Programs that are many: threads by the thousand, virtual threads by the hundred thousand, processes without end.

use super::unharmed::{is_captured_unharmed, is_unharmed_whatever_is_captured};
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::{jvms, slots};

#[test]
fn five_thousand_threads_are_unharmed() {
    // Beside others its threads take too long to a safepoint: pauses then are the machine's, not the agent's.
    let _slot = slots::alone();
    is_unharmed_whatever_is_captured(&Trial::of(Subject::new().with_threads(5_000).with_workers(1, 20)));
}

fn a_hundred_thousand_virtual_threads_on(release: u32) {
    let _slot = slots::take_busy();
    let Some(jvm) = jvms::of_version(release) else {
        return println!("skipped: no JVM of release {release}; scripts/jdks fetches one");
    };
    let subject = Subject::new().with_virtual_threads(100_000).with_workers(1, 20);
    is_captured_unharmed(&Trial::of(subject).in_jvm(&jvm).with(&["-Xmx400m"]));
}

#[test]
fn a_hundred_thousand_virtual_threads_of_21_are_captured_unharmed() {
    a_hundred_thousand_virtual_threads_on(21);
}

#[test]
fn a_hundred_thousand_virtual_threads_of_25_are_captured_unharmed() {
    a_hundred_thousand_virtual_threads_on(25);
}

#[test]
fn a_program_that_starts_processes_without_end_is_captured_unharmed() {
    // It takes all processors.
    let _slot = slots::alone();
    is_captured_unharmed(&Trial::of(Subject::new().keeping(0.5).with_spawners(4)));
}
