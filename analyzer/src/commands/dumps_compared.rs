//! `rootbound analyze A B…`: dumps of one program, compared in the order in which they are named.

use crate::args::{AnalyzeArgs, Shared};
use crate::commands::check::Check;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::dump::read_file;
use crate::commands::output::Output;
use crate::commands::progress::Progress;
use anyhow::{bail, ensure};
use rootbound::heap::DumpRules;
use rootbound::ingest::dump::ReadHeap;
use rootbound::report::Report;
use rootbound::session::{DumpFacts, Dumps};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reads the dumps and reports the growth. At most two heaps are in memory at a time.
pub(crate) fn compare(args: &AnalyzeArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let dump = &args.first.dump;
    let shared = Shared {
        json: dump.json.clone(),
        gate: args.gate.clone(),
        explain: args.explain,
        columns: args.columns,
        ..Shared::default()
    };
    let output = Output::prepare(&shared, diagnostics.loudness().spoken())?;
    let mut check = Check::prepare(&args.gate)?;
    let files: Vec<PathBuf> = std::iter::once(&dump.file).chain(&args.later).cloned().collect();
    let progress = Progress::start();
    let report = report(&files, args.first.follow.rules(), shared.explain, &progress)?;
    drop(progress);
    output.deliver(&report)?;
    check.add(&report, None);
    check.conclude(&output, ExitCode::SUCCESS)
}

/// The growth from dump to dump, in the order of the files; the file of the first heap that has no objects is named.
pub(crate) fn report(
    files: &[PathBuf],
    rules: DumpRules,
    explain: bool,
    progress: &Progress,
) -> anyhow::Result<Report> {
    let [first_file, between @ .., last_file] = files else { bail!("there is nothing to compare with") };
    let read = |file: &Path, what| {
        progress.phase(what);
        read(file, rules)
    };
    let (first, last) = (read(first_file, "reading the first dump")?, read(last_file, "reading the last dump")?);
    let mut dumps = Dumps::between(&first.heap, &last.heap);
    progress.phase("finding structures");
    dumps.add(first.heap, facts(first_file, first.taken_ms));
    for file in between {
        let read = read(file, "reading the dumps between")?;
        dumps.add(read.heap, facts(file, read.taken_ms));
    }
    progress.phase("ranking");
    Ok(dumps.report(last.heap, &facts(last_file, last.taken_ms), explain))
}

fn read(file: &Path, rules: DumpRules) -> anyhow::Result<ReadHeap> {
    let read = read_file(file, rules)?;
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", file.display());
    }
    ensure!(read.heap.object_count() > 0, "{} has no objects", file.display());
    Ok(read)
}

fn facts(file: &Path, taken_ms: Option<u64>) -> DumpFacts {
    DumpFacts { file: file.display().to_string(), taken_ms }
}
