//! A terminal that goes away (a closed window, a lost connection) ends the run as Ctrl-C does: with its report, and
//! with the program that it started.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::java;
use e2e::process::{Scratch, wait_for};
use e2e::slots;
use e2e::terminal::Terminal;
use e2e::watching::{GRACE, java_line, rootbound};
use std::io::Read;
use std::time::Duration;

#[test]
fn a_run_whose_terminal_goes_away_reports_and_takes_its_program_along() {
    let _slot = slots::take();
    let scratch = Scratch::new();
    let mut terminal = Terminal::open();
    let report = scratch.file("report.json");
    let mut command = rootbound(["run", "--for", "90s", "--json"]);
    command.arg(&report).arg("--").args(java_line(&java::exits(), &["-Drun.seconds=90".to_owned()], &scratch));
    command.env("TMPDIR", scratch.folder());
    let mut run = terminal.start(&command);
    // The drawn output must be read.
    let mut drawn = vec![0; 4096];
    assert!(
        wait_for(GRACE, || {
            let count = terminal.screen.read(&mut drawn).unwrap();
            String::from_utf8_lossy(&drawn[..count]).contains("JVM").then_some(())
        })
        .is_some()
    );
    drop(terminal);
    let ended = wait_for(Duration::from_secs(20), || run.try_wait().unwrap());
    let status = ended.unwrap_or_else(|| {
        run.kill().unwrap();
        panic!("it ran on without its terminal");
    });
    assert_eq!(status.code(), Some(0));
    assert!(std::fs::read_to_string(report).unwrap().contains("rootbound.report/1"));
    assert!(scratch.processes("java").is_empty(), "the program was left running");
}
