//! `rootbound holders FILE --of PATTERN`: referrers of objects of a heap dump.

use crate::args::HoldersArgs;
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{HoldersWanted, holders as report_holders};
use rootbound::view::dump::holders::text;
use std::process::ExitCode;

/// Finds them.
pub(crate) fn holders(args: &HoldersArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let open = dump::read(&args.dump, args.follow.rules(), &progress)?;
    let wanted = HoldersWanted { of: args.of.clone(), limit: args.limit };
    let report = report_holders(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase))?;
    drop(progress);
    dump::deliver(&args.dump, &report, &text(&report, dump::columns()))
}
