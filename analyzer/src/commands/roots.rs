//! `rootbound roots FILE`: the roots of a heap dump in the sense of HeapRoots.

use crate::args::{RootsArgs, TreeForm};
use crate::commands::dump;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{RootsWanted, TreeWanted, roots as report_roots};
use rootbound::naming::Pattern;
use rootbound::view::dump::{heaproots, roots};
use std::process::ExitCode;

/// Lists them, or prints their trees.
pub(crate) fn roots(args: &RootsArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let rules = args.follow.rules();
    let open = dump::read(&args.dump, rules, &progress)?;
    let limits = TreeWanted { depth: args.depth, least_bytes: args.min_size, lines: args.lines };
    let wants_tree = args.tree || args.from.is_some() || args.format.is_some();
    let wanted = RootsWanted {
        kinds: args.kind.into(),
        class: args.class.as_deref().map(Pattern::new),
        least_bytes: args.min_size,
        sort: args.sort.into(),
        limit: args.limit,
        tree: wants_tree.then_some(limits),
        from: args.from.clone(),
        follows_soft: rules.keeps_soft || rules.keeps_all,
    };
    let report = report_roots(&open.heap, open.file, &wanted, &mut |phase| progress.phase(phase))?;
    drop(progress);
    if args.format != Some(TreeForm::Heaproots) {
        return dump::deliver(&args.dump, &report, &roots::text(&report, dump::columns()));
    }
    if report.roots.iter().any(|root| root.is_cut) {
        tracing::warn!("a tree is cut: --lines sets how many of its lines are printed");
    }
    dump::deliver(&args.dump, &report, &heaproots::text(&report))
}
