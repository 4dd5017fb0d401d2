//! `rootbound rounds FILE FILE…`: what grew in every round of a repeated scenario.

use crate::args::RoundsArgs;
use crate::commands::dump::{columns, read_file};
use crate::commands::language::{self, MISTAKEN};
use crate::commands::output::{FOUND, check_target, print, write_json};
use crate::commands::progress::Progress;
use anyhow::{Context, bail, ensure};
use rootbound::heap::Heap;
use rootbound::rounds::Rounds;
use rootbound::view::rounds::text;
use std::path::Path;
use std::process::ExitCode;

/// Reads the heaps and reports the growth. At most three heaps are in memory at a time.
pub(crate) fn rounds(args: &RoundsArgs) -> anyhow::Result<ExitCode> {
    check_target(args.json.as_deref())?;
    let Some(descriptions) = language::own(&args.language)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let [first, between @ .., last] = args.files.as_slice() else { bail!("there is nothing to compare with") };
    let progress = Progress::start();
    progress.phase("reading the rounds");
    let (before, after) = (read(first, args)?, read(last, args)?);
    let mut rounds = Rounds::between(&before, &after, args.wanted());
    if let Some(descriptions) = descriptions {
        rounds = rounds.described_by(descriptions);
    }
    rounds.add(before);
    for file in between {
        rounds.add(read(file, args)?);
    }
    progress.phase("finding what grew");
    let report = rounds.report(after);
    drop(progress);
    if let Some(path) = &args.json {
        write_json(path, &report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print(&text(&report, columns()), args.json.as_deref());
    let has_failed = args.fail_on.is_some() && !report.growing.is_empty();
    Ok(if has_failed { ExitCode::from(FOUND) } else { ExitCode::SUCCESS })
}

fn read(file: &Path, args: &RoundsArgs) -> anyhow::Result<Heap> {
    let read = read_file(file, args.follow.rules())?;
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", file.display());
    }
    ensure!(read.heap.object_count() > 0, "{} has no objects", file.display());
    Ok(read.heap)
}
