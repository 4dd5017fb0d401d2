//! `rootbound analyze FILE…`: the objects that keep the memory of a heap dump; for several dumps, the growth
//! ([`super::dumps_compared`]).

use crate::args::{AnalyzeArgs, SuspectsArgs};
use crate::commands::diagnostics::Diagnostics;
use crate::commands::dump;
use crate::commands::dumps_compared::compare;
use crate::commands::progress::Progress;
use rootbound::dump_reports::{AnalysisWanted, analysis};
use rootbound::view::dump::analysis::{Extent, text};
use std::process::ExitCode;

/// The whole analysis of one dump, or the comparison of several.
pub(crate) fn analyze(args: &AnalyzeArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    if args.later.is_empty() { say(&args.first, true) } else { compare(args, diagnostics) }
}

/// The analysis, whole or without largest retainers and classes.
pub(super) fn say(args: &SuspectsArgs, is_whole: bool) -> anyhow::Result<ExitCode> {
    let progress = Progress::start();
    let open = dump::read(&args.dump, args.follow.rules(), &progress)?;
    let wanted = AnalysisWanted { limit: args.limit, sort: args.sort.into(), with_classes: is_whole };
    let report = analysis(&open.heap, open.file, wanted, &mut |phase| progress.phase(phase));
    drop(progress);
    let is_coloured = dump::has_colours(&args.dump);
    let text = text(&report, dump::columns(), Extent { rows: args.limit, is_whole, is_coloured });
    dump::deliver(&args.dump, &report, &text)
}
