//! `rootbound replay FILE`: a recording through the same engine, driven by the times that its messages carry.

use crate::args::ReplayArgs;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::judgement::Judgement;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::Output;
use anyhow::Context;
use rootbound::ingest::recording::{RecordedMessage, RecordingReader};
use rootbound::session::{Session, Settings};
use std::process::ExitCode;

/// Reads the recording to its end, or to the point at which it was cut off, and reports.
pub(crate) fn replay(args: &ReplayArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let Some(growth) = language::growth(&args.shared)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let output = Output::prepare(&args.shared, diagnostics.loudness().spoken())?;
    let about = || format!("cannot replay {}", args.file.display());
    let mut recording = RecordingReader::open(&args.file).with_context(about)?;
    let mut session =
        Session::new(Settings { explain: args.shared.explain, replays: true, growth, ..Settings::default() });
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
    let report = session.report();
    output.deliver(&report)?;
    Ok(output.status(Judgement::of(&report), ExitCode::SUCCESS))
}

/// The recorded analyzer's commands stand in for those that this one would send.
fn feed(session: &mut Session, message: RecordedMessage) {
    match message {
        RecordedMessage::ToAgent(command) => session.recorded_command(command),
        // Commands of this engine have no receiver. Nothing is timed: two replays give the same report.
        RecordedMessage::FromAgent(reported) => drop(session.receive(reported)),
    }
}
