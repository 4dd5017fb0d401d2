//! `rootbound size FILE --from PATTERN`: the size of a structure of a heap dump, in the sense of INSANE.

use crate::args::{SizeArgs, SizeOrder};
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{SizeWanted, size as report_size};
use rootbound::heap::DumpRules;
use rootbound::view::dump::size::text;
use std::process::ExitCode;

/// Measures it.
pub(crate) fn size(args: &SizeArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let open = dump::read(&args.dump, DumpRules::ALL, &progress)?;
    progress.phase("measuring the structure");
    let wanted = SizeWanted {
        from: args.from.clone(),
        skip: args.skip.clone(),
        follow: args.follow.rules(),
        with_classes: args.with_classes,
        by_instances: args.sort == SizeOrder::Instances,
        limit: args.limit,
    };
    let report = report_size(&open.heap, open.file, &wanted)?;
    drop(progress);
    dump::deliver(&args.dump, &report, &text(&report, dump::columns(), args.limit))
}
