//! `rootbound replay FILE…`: recordings through the same engine, driven by the times that their messages carry. Several
//! are those of one program ([`super::joined`]).

use crate::args::ReplayArgs;
use crate::commands::check::Check;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::joined::{Part, parts};
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::Output;
use anyhow::Context;
use rootbound::ingest::recording::{RecordedMessage, RecordingReader};
use rootbound::report::Report;
use rootbound::session::{Session, Settings};
use std::path::Path;
use std::process::ExitCode;

/// Reads the recordings to their ends, or to the points at which they were cut off, and reports.
pub(crate) fn replay(args: &ReplayArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let Some(growth) = language::growth(&args.shared)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let output = Output::prepare(&args.shared, diagnostics.loudness().spoken())?;
    let mut check = Check::prepare(&args.shared.gate)?;
    let settings = Settings { explain: args.shared.explain, replays: true, growth, ..Settings::default() };
    let session = match &args.files[..] {
        [file] => one(file, settings)?,
        files => joined(&parts(files)?, &Settings { joins: true, ..settings })?,
    };
    let report = concluded(session);
    output.deliver(&report)?;
    check.add(&report, None);
    check.conclude(&output, ExitCode::SUCCESS)
}

/// The report of a recording.
pub(crate) fn replayed(file: &Path, explain: bool) -> anyhow::Result<Report> {
    one(file, Settings { explain, replays: true, ..Settings::default() }).map(concluded)
}

fn concluded(mut session: Session) -> Report {
    if !session.is_over() {
        session.connection_lost();
    }
    session.conclude();
    session.report()
}

fn one(file: &Path, settings: Settings) -> anyhow::Result<Session> {
    let mut session = Session::new(settings);
    read(file, &mut session, "")?;
    Ok(session)
}

/// All recordings of one program, in the order of time. A life of the program may have several.
fn joined(parts: &[Part], settings: &Settings) -> anyhow::Result<Session> {
    let mut session = Session::new(settings.clone());
    let mut life = None;
    for part in parts {
        if life.is_some_and(|life| life != part.life) {
            session = session.next_life(settings.clone());
        }
        life = Some(part.life);
        read(&part.file, &mut session, &format!("{}: ", part.file.display()))?;
    }
    Ok(session)
}

/// Feeds a recording to the session, and reports its damage behind this prefix.
fn read(file: &Path, session: &mut Session, prefix: &str) -> anyhow::Result<()> {
    let about = || format!("cannot replay {}", file.display());
    let mut recording = RecordingReader::open(file).with_context(about)?;
    while let Some(message) = recording.next_message().with_context(about)? {
        feed(session, message);
    }
    for sentence in recording.damage().sentences() {
        tracing::warn!("{prefix}{sentence}");
        session.problem(format!("{prefix}{sentence}"));
    }
    Ok(())
}

/// The recorded analyzer's commands stand in for those that this one would send.
fn feed(session: &mut Session, message: RecordedMessage) {
    match message {
        RecordedMessage::ToAgent(command) => session.recorded_command(command),
        // Commands of this engine have no receiver. Nothing is timed: two replays give the same report.
        RecordedMessage::FromAgent(reported) => drop(session.receive(reported)),
    }
}
