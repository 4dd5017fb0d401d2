//! `rootbound paths FILE --to PATTERN`: ways from GC roots to objects of a heap dump.

use crate::args::PathsArgs;
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{PathsWanted, paths as report_paths};
use rootbound::view::dump::paths::{lines, text};
use std::process::ExitCode;

/// Finds them.
pub(crate) fn paths(args: &PathsArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let open = dump::read(&args.dump, args.follow.rules(), &progress)?;
    let wanted = PathsWanted { to: args.to.clone(), avoid: args.avoid.clone(), limit: args.paths };
    let report = report_paths(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase))?;
    drop(progress);
    let text = if args.lines { lines(&report) } else { text(&report, dump::columns()) };
    dump::deliver(&args.dump, &report, &text)
}
