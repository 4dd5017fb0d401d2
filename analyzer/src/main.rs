//! The program `rootbound`: arguments, one verb, an exit status.

mod args;
mod commands;

use args::{Cli, Verb};
use commands::diagnostics::{Diagnostics, Loudness};
use rootbound_wire::message::SnapshotRequest;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse_or_exit();
    let diagnostics = Diagnostics::start(Loudness { verbose: cli.verbose, quiet: cli.quiet });
    let done = match cli.command {
        Verb::Run(args) => commands::run::run(&args, &diagnostics),
        Verb::Watch(args) => commands::watch::watch(&args, &diagnostics),
        Verb::Attach(args) => commands::attach::attach(&args, &diagnostics),
        Verb::Ps(args) => commands::ps::ps(&args),
        Verb::Mark(args) => commands::request::request(SnapshotRequest::Mark, &args),
        Verb::Capture(args) => commands::request::request(SnapshotRequest::Capture, &args),
        Verb::Unpack(args) => commands::unpack::unpack(&args),
        Verb::Replay(args) => commands::replay::replay(&args, &diagnostics),
        Verb::Compare(args) => commands::compare::compare(&args, &diagnostics),
        Verb::Render(args) => commands::render::render(&args, &diagnostics),
        Verb::Baseline(args) => commands::baseline::baseline(&args),
        Verb::Analyze(args) => commands::analyze::analyze(&args, &diagnostics),
        Verb::Suspects(args) => commands::suspects::suspects(&args),
        Verb::Roots(args) => commands::roots::roots(&args),
        Verb::Size(args) => commands::size::size(&args),
        Verb::Growth(args) => commands::growth::growth(&args),
        Verb::Rounds(args) => commands::rounds::rounds(&args),
        Verb::Structures(args) => commands::structures::structures(&args),
        Verb::Paths(args) => commands::paths::paths(&args),
        Verb::Holders(args) => commands::holders::holders(&args),
        Verb::Objects(args) => commands::objects::objects(&args),
        Verb::Convert(args) => commands::convert::convert(&args),
        Verb::Config(args) => commands::config::config(&args, cli.config.as_deref()),
        Verb::Completions(args) => commands::completions::completions(&args),
        Verb::Man(args) => commands::man::man(&args),
    };
    done.unwrap_or_else(|error| {
        tracing::error!("{error:#}");
        ExitCode::FAILURE
    })
}
