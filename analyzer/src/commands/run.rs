//! `rootbound run -- COMMAND`: starts a program with the agent, watches its JVM, and leaves neither of them behind.

use crate::args::RunArgs;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::display::{Display, wants_terminal};
use crate::commands::interrupt::Interrupt;
use crate::commands::launch::{agent_option, find_agent, launch_here};
use crate::commands::output::{Output, start_recording};
use crate::commands::program::{Program, Streams, exit_code};
use crate::commands::watched_jvm::WatchedJvm;
use crate::commands::watching::{Ending, Watching, no_jvm_of_program};
use anyhow::{Context, bail};
use rootbound::ingest::listener::Listener;
use rootbound::view::report::Report;
use rootbound_wire::endpoint::Endpoint;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::time::Instant;
use tempfile::TempDir;

/// Exit status of a program that was left in a hurry, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs the command under watch; its exit status becomes ours when it ends by itself.
pub(crate) fn run(args: &RunArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let output = Output::prepare(&args.shared)?;
    let agent = find_agent(args.agent.as_deref())?;
    let directory = private_directory()?;
    let endpoint = Endpoint::Unix(directory.path().join("agent.sock"));
    let launch = launch_here(&args.command, &agent_option(&agent, &endpoint)?)?;
    let recording = start_recording(args.live.record.as_deref())?;
    let interrupt = Interrupt::catch()?;
    let listener = Listener::open(&endpoint, None)?;
    // A program that goes on after us must not write into pipes that end with us.
    let live = wants_terminal(args.live.plain, &output) && !args.leave_running;
    let mut program = Program::start(&launch, if live { Streams::Held } else { Streams::Inherited })?;
    let watching = Watching {
        listener,
        jvm: WatchedJvm::new(args.live.settings(&args.shared), recording),
        display: Display::open(live, &output, diagnostics)?,
        interrupt: &interrupt,
        program: Some(&mut program),
        run_for: args.live.run_for,
        started: Instant::now(),
        missed: false,
    };
    let (ending, report) = watching.watch();
    conclude(ending, &report, &output, &mut program, args.leave_running, &interrupt)
}

/// The report first, then the program's end: a program that ends slowly keeps nobody from reading.
fn conclude(
    ending: Ending,
    report: &Report,
    output: &Output,
    program: &mut Program,
    leave_running: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    program.print_held();
    if interrupt.is_urgent() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let delivered = output.deliver(report);
    if matches!(ending, Ending::TimeUp | Ending::Done) && leave_running {
        program.release();
    } else {
        program.end(Some(interrupt));
    }
    delivered?;
    match ending {
        Ending::NoJvm => bail!(no_jvm_of_program()),
        Ending::ProgramEnded(status) => {
            if report.jvm.is_none() {
                tracing::error!("{}", no_jvm_of_program());
            }
            Ok(output.status(report, exit_code(status)))
        }
        Ending::Interrupted | Ending::TimeUp | Ending::Done | Ending::JvmGone => {
            Ok(output.status(report, ExitCode::SUCCESS))
        }
    }
}

/// Nobody else can look into it, and it goes with us.
fn private_directory() -> anyhow::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("rootbound-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()
        .context("cannot create a directory for the socket")
}
