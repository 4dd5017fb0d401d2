//! `rootbound roots FILE`: the roots of a heap dump in the sense of HeapRoots.

use crate::args::RootsArgs;
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{RootsWanted, TreeWanted, roots as report_roots};
use rootbound::structure_size::Pattern;
use rootbound::view::dump::roots::text;
use std::process::ExitCode;

/// Lists them, or prints their trees.
pub(crate) fn roots(args: &RootsArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let rules = args.follow.rules();
    let open = dump::read(&args.dump, rules, &progress)?;
    let limits = TreeWanted { depth: args.depth, least_bytes: args.min_size, lines: args.lines };
    let wanted = RootsWanted {
        kinds: args.kind.into(),
        class: args.class.as_deref().map(Pattern::new),
        least_bytes: args.min_size,
        sort: args.sort.into(),
        limit: args.limit,
        tree: args.tree.then_some(limits),
        follows_soft: rules.keeps_soft || rules.keeps_all,
    };
    let report = report_roots(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase));
    drop(progress);
    dump::deliver(&args.dump, &report, &text(&report, dump::columns()))
}
