//! `rootbound run -- COMMAND`: starts a program with the agent, watches its JVMs, and leaves none of them behind.

use crate::args::RunArgs;
use crate::commands::check::Check;
use crate::commands::control::Control;
use crate::commands::delivery::Delivery;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::display::{Display, wants_terminal};
use crate::commands::fleet::{Fleet, Plan};
use crate::commands::follower::JvmEnding;
use crate::commands::interrupt::Interrupt;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::launch::{agent_for, agent_option, launch_here};
use crate::commands::naming::Naming;
use crate::commands::output::Output;
use crate::commands::program::{Program, Streams, exit_code};
use crate::commands::recordings::Recordings;
use crate::commands::watching::{Ending, Outcome, Watching, no_jvm_of_program};
use anyhow::Context;
use rootbound::ingest::listener::Listener;
use rootbound::report::Report;
use rootbound_wire::endpoint::Endpoint;
use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::ExitCode;
use std::time::Instant;
use tempfile::TempDir;

/// Exit status of a program that was interrupted twice, as shells have it for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Runs the command under watch; its exit status becomes ours when it ends by itself.
pub(crate) fn run(args: &RunArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let Some(growth) = language::growth(&args.shared)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let output = Output::prepare(&args.shared, diagnostics.loudness())?;
    let check = Check::prepare(&args.shared.gate)?;
    let agent = agent_for(args.command.first().map(OsString::as_os_str), args.agent.as_deref())?;
    let directory = private_directory()?;
    let endpoint = Endpoint::Unix(directory.path().join("agent.sock"));
    let launch = launch_here(&args.command, &agent_option(&agent, &endpoint)?)?;
    let recordings = Recordings::prepare(args.live.record.as_deref())?;
    let interrupt = Interrupt::catch()?;
    let listener = Listener::open(&endpoint, None)?;
    // A program that continues after us must not write into pipes that end with us.
    let live = wants_terminal(args.live.plain, &output) && !args.leave_running;
    let streams = match output.stdout_is_json() {
        _ if live => Streams::Held,
        true => Streams::BesideJson,
        false => Streams::Inherited,
    };
    let mut program = Program::start(&launch, streams)?;
    let watching = Watching {
        listener,
        fleet: Fleet::new(Plan::of(&args.live, &args.shared, growth, true), output.json().map(Naming::of), recordings),
        control: Control::open(None),
        display: Display::open(live, &output, diagnostics, "stop the program")?,
        interrupt: &interrupt,
        program: Some(&mut program),
        delivery: None,
        run_for: args.live.run_for,
        keep_listening: false,
        agent_option: String::new(),
        started: Instant::now(),
        missed: false,
    };
    let outcome = watching.watch();
    conclude(outcome, Delivery::new(&output, check), &mut program, args.leave_running, &interrupt)
}

/// Delivers the reports first, then ends the program: a program that ends slowly delays no reader.
fn conclude(
    mut outcome: Outcome,
    mut delivery: Delivery<'_>,
    program: &mut Program,
    leave_running: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    program.print_held();
    if interrupt.is_urgent() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    deliver(&mut outcome, &mut delivery);
    if matches!(outcome.ending, Ending::TimeUp | Ending::Done) && leave_running {
        program.release();
    } else {
        program.end(Some(interrupt));
    }
    let status = match outcome.ending {
        Ending::ProgramEnded(status) => exit_code(status),
        Ending::NoJvm => delivery.status_without_jvm(),
        _ if outcome.fleet.members().iter().any(|member| member.ended_by(JvmEnding::Failed)) => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    };
    let is_missed = match outcome.ending {
        Ending::NoJvm => true,
        Ending::ProgramEnded(_) => outcome.nobody.is_some(),
        _ => false,
    };
    if is_missed {
        tracing::error!("{}", no_jvm_of_program());
    }
    delivery.conclude(status)
}

/// The JVM that matters most comes first, and gets the requested files.
fn deliver(outcome: &mut Outcome, delivery: &mut Delivery<'_>) {
    if let Some(report) = &outcome.nobody {
        delivery.nobody(report);
    }
    outcome.fleet.rank();
    let members = outcome.fleet.members();
    for member in members {
        delivery.print(&member.published.report, members.len() > 1);
        delivery.write(member.json.as_deref(), &member.published.report);
    }
    if members.len() > 1 {
        let reports: Vec<&Report> = members.iter().map(|member| &*member.published.report).collect();
        delivery.sum_up(&reports, outcome.fleet.tally());
    }
}

/// A directory that only this user can read, removed with this process.
fn private_directory() -> anyhow::Result<TempDir> {
    tempfile::Builder::new()
        .prefix("rootbound-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()
        .context("cannot create a directory for the socket")
}
