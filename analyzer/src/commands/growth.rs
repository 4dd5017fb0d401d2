//! `rootbound growth FILE FILE…`: the data structures that grew between heap dumps of one program.

use crate::args::{GrowthArgs, Window};
use crate::commands::dump::{columns, read_file};
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::{FOUND, UNJUDGED, check_target, print, write_json};
use crate::commands::progress::Progress;
use anyhow::{Context, bail, ensure};
use rootbound::growing::{Growing, GrowthWanted, NamedHeap};
use rootbound::report::growth::GrowthReport;
use rootbound::view::structures::growth::text;
use std::path::Path;
use std::process::ExitCode;

/// Reads the dumps and reports the growth. At most two heaps are in memory at a time.
pub(crate) fn growth(args: &GrowthArgs) -> anyhow::Result<ExitCode> {
    let window = args.window.unwrap_or(Window { from: 1, to: args.files.len() });
    if window.to > args.files.len() {
        bail!("--window {}..{}: there are {} dumps", window.from, window.to, args.files.len());
    }
    check_target(args.json.as_deref())?;
    let Some(language) = language::read(&args.language)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let progress = Progress::start();
    let read = |number: usize| {
        progress.phase("reading the dumps");
        read(&args.files[number - 1], args)
    };
    let wanted = GrowthWanted {
        sort: args.sort.into(),
        limit: args.limit,
        with_contained: args.all,
        layout: args.language.layout(),
    };
    let mut growing = Growing::new(&language, wanted);
    let compared = growing.compare(read(window.from)?, read(window.to)?, &mut |phase| progress.phase(phase));
    let mut between = Vec::new();
    for number in (window.from + 1)..window.to {
        between
            .push(growing.between(number - window.from, read(number)?, &compared, &mut |phase| progress.phase(phase)));
    }
    let report = growing.report(&compared, &between);
    drop(progress);
    if let Some(path) = &args.json {
        write_json(path, &report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print(&text(&report, columns()), args.json.as_deref());
    Ok(status(args, &report))
}

fn read(file: &Path, args: &GrowthArgs) -> anyhow::Result<NamedHeap> {
    let read = read_file(file, args.follow.rules())?;
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", file.display());
    }
    ensure!(read.heap.object_count() > 0, "{} has no objects", file.display());
    Ok(NamedHeap { name: file.display().to_string(), heap: read.heap, taken_ms: read.taken_ms })
}

fn status(args: &GrowthArgs, report: &GrowthReport) -> ExitCode {
    if args.fail_on.is_none() {
        return ExitCode::SUCCESS;
    }
    if report.items.iter().any(rootbound::report::growth::Item::is_grower) {
        return ExitCode::from(FOUND);
    }
    if report.states.len() < 3 {
        tracing::error!("two dumps show growth, and no trend: exit status {UNJUDGED}");
        return ExitCode::from(UNJUDGED);
    }
    ExitCode::SUCCESS
}
