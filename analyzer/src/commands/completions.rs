//! `rootbound completions`: the completions of a shell.

use crate::args::{Cli, CompletionsArgs};
use anyhow::Context;
use clap::CommandFactory;
use std::io::Write;
use std::process::ExitCode;

/// Prints the completions.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rootbound", &mut script);
    std::io::stdout().lock().write_all(&script).context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}
