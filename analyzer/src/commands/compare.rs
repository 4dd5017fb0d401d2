//! `rootbound analyze A B…`: dumps of one program, compared in the order in which they are named.

use crate::args::{AnalyzeArgs, LanguageArgs, Shared};
use crate::commands::diagnostics::Diagnostics;
use crate::commands::dump::read_file;
use crate::commands::judgement::Judgement;
use crate::commands::output::Output;
use crate::commands::progress::Progress;
use anyhow::{bail, ensure};
use rootbound::heap::DumpRules;
use rootbound::ingest::dump::ReadHeap;
use rootbound::session::{DumpFacts, Dumps};
use std::path::Path;
use std::process::ExitCode;

/// Reads the dumps and reports the growth. At most two heaps are in memory at a time.
pub(crate) fn compare(args: &AnalyzeArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let dump = &args.first.dump;
    let shared = Shared {
        json: dump.json.clone(),
        fail_on: args.fail_on,
        explain: args.explain,
        columns: args.columns,
        receipts: false,
        growth: false,
        infer: false,
        language: LanguageArgs::default(),
    };
    let output = Output::prepare(&shared, diagnostics.loudness().spoken())?;
    let [between @ .., last_file] = args.later.as_slice() else { bail!("there is nothing to compare with") };
    let (rules, progress) = (args.first.follow.rules(), Progress::start());
    let read = |file: &Path, what| {
        progress.phase(what);
        read(file, rules)
    };
    let (first, last) = (read(&dump.file, "reading the first dump")?, read(last_file, "reading the last dump")?);
    let mut dumps = Dumps::between(&first.heap, &last.heap);
    progress.phase("finding structures");
    dumps.add(first.heap, facts(&dump.file, first.taken_ms));
    for file in between {
        let read = read(file, "reading the dumps between")?;
        dumps.add(read.heap, facts(file, read.taken_ms));
    }
    progress.phase("ranking");
    let report = dumps.report(last.heap, &facts(last_file, last.taken_ms), shared.explain);
    drop(progress);
    output.deliver(&report)?;
    Ok(output.status(Judgement::of(&report), ExitCode::SUCCESS))
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
