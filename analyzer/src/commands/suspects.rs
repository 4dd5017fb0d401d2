//! `rootbound suspects FILE`: verdict, suspects and big drops of a heap dump, without the tables that follow.

use crate::args::SuspectsArgs;
use crate::commands::analyze::say;
use std::process::ExitCode;

/// The shorter answer; the JSON is the same as that of `analyze`.
pub(crate) fn suspects(args: &SuspectsArgs) -> anyhow::Result<ExitCode> {
    say(args, false)
}
