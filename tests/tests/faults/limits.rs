//! Limited address space (`ulimit -v`): native memory for a walk must not be taken from the program.

use super::unharmed::{ends_unharmed_under, seconds};
use e2e::faults::limits::leave_address_space;
use e2e::faults::subject::Subject;
use e2e::faults::trial::Trial;
use e2e::slots;

const MB: u64 = 1 << 20;

/// A walk needs tens of megabytes for this array alone, in one piece. The compiler of the JVM is kept small, so that
/// the program itself can run with little.
fn wide() -> Trial {
    let subject = Subject::new().keeping(0.5).with_wide_array(5_000_000).with_workers(1, 20);
    Trial::of(subject).with(&["-Xms300m", "-Xmx300m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"])
}

#[test]
fn a_program_whose_address_space_ends_is_not_walked_beyond_it() {
    let _slot = slots::take_busy();
    let trial = wide();
    let jvm = trial.start();
    assert!(leave_address_space(jvm.pid(), 60 * MB));
    let analyzer = trial.analyzer("analyzer", &[]);
    std::thread::sleep(seconds(15));
    ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
}

#[test]
fn from_ample_to_hopeless_address_space_the_program_lives() {
    let _slot = slots::take_busy();
    let trial = wide();
    let jvm = trial.start();
    let analyzer = trial.analyzer("analyzer", &["--recapture-every", "500ms"]);
    for megabytes in [2000, 1000, 600, 400, 300, 200, 150, 100, 75, 50] {
        assert!(leave_address_space(jvm.pid(), megabytes * MB), "the program died before it had {megabytes} MB left");
        std::thread::sleep(seconds(2));
    }
    ends_unharmed_under(&trial, jvm, "analyzer", analyzer);
}
