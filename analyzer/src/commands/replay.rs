//! `rootbound replay FILE`: a recording through the same engine, driven by the times that its messages carry.

use crate::args::ReplayArgs;
use crate::commands::check::Check;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::output::Output;
use anyhow::Context;
use rootbound::ingest::recording::{RecordedMessage, RecordingReader};
use rootbound::report::Report;
use rootbound::session::{Session, Settings};
use std::path::Path;
use std::process::ExitCode;

/// Reads the recording to its end, or to the point at which it was cut off, and reports.
pub(crate) fn replay(args: &ReplayArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let output = Output::prepare(&args.shared, diagnostics.loudness().spoken())?;
    let mut check = Check::prepare(&args.shared.gate)?;
    let report = replayed(&args.file, args.shared.explain)?;
    output.deliver(&report)?;
    check.add(&report, None);
    check.conclude(&output, ExitCode::SUCCESS)
}

/// The report of a recording.
pub(crate) fn replayed(file: &Path, explain: bool) -> anyhow::Result<Report> {
    let about = || format!("cannot replay {}", file.display());
    let mut recording = RecordingReader::open(file).with_context(about)?;
    let mut session = Session::new(Settings { explain, replays: true, ..Settings::default() });
    while let Some(message) = recording.next_message().with_context(about)? {
        feed(&mut session, message);
    }
    for sentence in recording.damage().sentences() {
        tracing::warn!("{sentence}");
        session.problem(sentence);
    }
    if !session.is_over() {
        session.connection_lost();
    }
    Ok(session.report())
}

/// The recorded analyzer's commands stand in for those that this one would send.
fn feed(session: &mut Session, message: RecordedMessage) {
    match message {
        RecordedMessage::ToAgent(command) => session.recorded_command(command),
        // Commands of this engine have no receiver. Nothing is timed: two replays give the same report.
        RecordedMessage::FromAgent(reported) => drop(session.receive(reported)),
    }
}
