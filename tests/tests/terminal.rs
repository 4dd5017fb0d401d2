//! A terminal that goes away (a closed window, a lost connection) ends the run as Ctrl-C does: with its report, and
//! with the program that it started.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java;
use e2e::process::{Scratch, wait_for};
use e2e::slots;
use e2e::watching::{GRACE, java_line};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn a_run_whose_terminal_goes_away_reports_and_takes_its_program_along() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let window = || Stdio::from(File::from(open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap()));
    let report = scratch.file("report.json");
    // A session of its own with this terminal: only then it receives a signal when the terminal goes.
    let mut command = Command::new("setsid");
    command.arg("--ctty").arg(e2e::places::rootbound()).args(["run", "--for", "90s", "--json"]).arg(&report).arg("--");
    command.args(java_line(&java::exits(), &["-Drun.seconds=90".to_owned()], &scratch));
    command.env("TMPDIR", scratch.folder()).stdin(window()).stdout(window()).stderr(window());
    let mut run = command.spawn().unwrap();
    drop(command);
    // The drawn output must be read.
    let mut screen = File::from(terminal);
    let mut drawn = vec![0; 4096];
    assert!(
        wait_for(GRACE, || {
            let count = screen.read(&mut drawn).unwrap();
            String::from_utf8_lossy(&drawn[..count]).contains("JVM").then_some(())
        })
        .is_some()
    );
    drop(screen);
    let ended = wait_for(Duration::from_secs(20), || run.try_wait().unwrap());
    let status = ended.unwrap_or_else(|| {
        run.kill().unwrap();
        panic!("it ran on without its terminal");
    });
    assert_eq!(status.code(), Some(0));
    assert!(std::fs::read_to_string(report).unwrap().contains("rootbound.report/1"));
    assert!(scratch.processes("java").is_empty(), "the program was left running");
}
