//! `rootbound watch`: waits for a JVM that was started with the agent, and watches it.

use crate::args::WatchArgs;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::display::{Display, wants_terminal};
use crate::commands::interrupt::Interrupt;
use crate::commands::output::{Output, start_recording};
use crate::commands::watched_jvm::WatchedJvm;
use crate::commands::watching::{Ending, Watching};
use anyhow::bail;
use rootbound::ingest::listener::Listener;
use rootbound_wire::endpoint::default_endpoint;
use std::process::ExitCode;
use std::time::Instant;

/// Secret that agents must bring over TCP.
const TOKEN_VARIABLE: &str = "ROOTBOUND_TOKEN";

/// Watches one JVM, from its connection to its end or to the end of `--for`.
pub(crate) fn watch(args: &WatchArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let output = Output::prepare(&args.shared)?;
    let recording = start_recording(args.live.record.as_deref())?;
    let interrupt = Interrupt::catch()?;
    let token = std::env::var(TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    let listener = Listener::open(&args.listen.clone().unwrap_or_else(default_endpoint), token)?;
    let watching = Watching {
        listener,
        jvm: WatchedJvm::new(args.live.settings(&args.shared), recording),
        display: Display::open(wants_terminal(args.live.plain, &output), &output, diagnostics)?,
        interrupt: &interrupt,
        program: None,
        run_for: args.live.run_for,
        started: Instant::now(),
        missed: false,
    };
    let (ending, report) = watching.watch();
    if ending == Ending::NoJvm {
        bail!("no JVM has connected in the time that --for gives");
    }
    output.deliver(&report)?;
    Ok(output.status(&report, ExitCode::SUCCESS))
}
