//! Whatever the analyzer does, or does not do, the program runs on and ends with its own exit code.

use super::exits::{is_unharmed, lasting, seconds, socket, start_jvm, start_watch};
use e2e::process::{Scratch, wait_for};
use e2e::report::Report;
use e2e::watching::{EARLY_SNAPSHOTS, GRACE, rootbound, start_run};
use e2e::{java, slots};
use rustix::process::Signal;
use std::os::unix::net::UnixListener;

#[test]
fn an_analyzer_killed_in_the_middle_leaves_the_program_alone() {
    let _slot = slots::take_busy();
    for killed_after in [1, 3, 6] {
        let scratch = Scratch::new();
        let watch = start_watch(&scratch, "watch");
        let jvm = start_jvm(&scratch, "", 12);
        std::thread::sleep(seconds(killed_after));
        watch.signal(Signal::KILL);
        is_unharmed(&jvm.wait(seconds(12) + GRACE));
    }
}

#[test]
fn a_killed_run_leaves_its_program_alone() {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let run = start_run(&scratch, &EARLY_SNAPSHOTS, &java::exits(), &lasting(12));
    scratch.wait_for_process("java", seconds(20));
    std::thread::sleep(seconds(3));
    run.signal(Signal::KILL);
    let finished = wait_for(seconds(12) + GRACE, || scratch.processes("java").is_empty().then_some(()));
    assert!(finished.is_some(), "the program never ended");
    assert!(run.stdout().contains("the last line\n"), "{}\n{}", run.stdout(), run.stderr());
}

#[test]
fn an_analyzer_that_comes_back_gets_the_program_again() {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let first = start_watch(&scratch, "first");
    let jvm = start_jvm(&scratch, "", 40);
    std::thread::sleep(seconds(3));
    first.signal(Signal::KILL);
    first.wait(seconds(10));
    // A killed analyzer cannot remove its socket; the next one must cope with that.
    let second = scratch.spawn("second", {
        let mut command = rootbound(["watch", "--listen"]);
        command.arg(socket(&scratch)).args(EARLY_SNAPSHOTS).args(["--for", "20s"]);
        command.arg("--json").arg(scratch.file("second.json"));
        command
    });
    let ended = second.wait(seconds(40) + GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    let report = Report::read(&scratch.file("second.json"));
    assert_eq!(report.jvm.and_then(|jvm| jvm.pid), u32::try_from(jvm.pid().as_raw_nonzero().get()).ok());
    assert!(report.snapshots.iter().any(|snapshot| snapshot.kind.as_deref() == Some("capture")), "{}", ended.stdout);
    is_unharmed(&jvm.wait(seconds(40) + GRACE));
}

#[test]
fn a_listener_that_never_reads_does_not_hold_the_program_up() {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let listener = UnixListener::bind(scratch.file("analyzer.sock")).unwrap();
    let jvm = start_jvm(&scratch, "", 8);
    // The connections stay open, unread, until the program has ended.
    listener.set_nonblocking(true).unwrap();
    let connection = wait_for(seconds(20), || listener.accept().ok());
    assert!(connection.is_some(), "the agent never connected: {}", jvm.stderr());
    is_unharmed(&jvm.wait(seconds(8 + 15)));
}

#[test]
fn a_program_without_any_analyzer_runs_as_ever() {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    is_unharmed(&start_jvm(&scratch, "", 5).wait(seconds(5 + 15)));
}

#[test]
fn an_option_that_makes_no_sense_is_named_and_the_program_runs() {
    let _slot = slots::take_busy();
    let scratch = Scratch::new();
    let ended = start_jvm(&scratch, ",colour=blue", 3).wait(seconds(3) + GRACE);
    assert!(ended.stderr.contains("colour"), "{}", ended.stderr);
    is_unharmed(&ended);
}
