//! `rootbound objects FILE`: single objects of a heap dump, filtered and sorted.

use crate::args::ObjectsArgs;
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{ObjectsWanted, objects as report_objects};
use rootbound::naming::Pattern;
use rootbound::view::dump::objects::text;
use std::process::ExitCode;

/// Lists them.
pub(crate) fn objects(args: &ObjectsArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let open = dump::read(&args.dump, args.follow.rules(), &progress)?;
    let wanted = ObjectsWanted {
        class: args.class.as_deref().map(Pattern::new),
        least_bytes: args.min_size,
        addresses: args.addresses.clone(),
        sort: args.sort.into(),
        limit: args.limit,
    };
    let report = report_objects(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase));
    drop(progress);
    dump::deliver(&args.dump, &report, &text(&report, dump::columns()))
}
