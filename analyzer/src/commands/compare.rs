//! `rootbound analyze A B…`: dumps of one program, compared in the order in which they are named.

use crate::args::{AnalyzeArgs, Shared};
use crate::commands::output::{Output, has_grower};
use crate::commands::progress::Progress;
use anyhow::{Context, bail, ensure};
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::{ReadHeap, read_heap};
use rootbound::session::{DumpFacts, Dumps};
use std::collections::HashMap;
use std::path::Path;
use std::process::ExitCode;

/// Reads the dumps and reports what grew. Two heaps are in memory at a time at most.
pub(crate) fn compare(args: &AnalyzeArgs) -> anyhow::Result<ExitCode> {
    let dump = &args.first.dump;
    let shared = Shared { json: dump.json.clone(), fail_on: args.fail_on, explain: args.explain };
    let output = Output::prepare(&shared)?;
    let [between @ .., last_file] = args.later.as_slice() else { bail!("there is nothing to compare with") };
    let (rules, progress) = (args.first.follow.rules(), Progress::start());
    let read = |file: &Path, what| {
        progress.phase(what);
        read(file, rules)
    };
    let (first, last) = (read(&dump.file, "reading the first dump")?, read(last_file, "reading the last dump")?);
    let coming = coming_loaders(&first.heap, &last.heap);
    let rooted = |heap: Heap| heap.with_class_roots(|loader| coming.iter().any(|name| name == loader));
    let mut dumps = Dumps::new();
    progress.phase("finding structures");
    dumps.add(&rooted(first.heap), facts(&dump.file, first.taken_ms));
    for file in between {
        let read = read(file, "reading the dumps between")?;
        dumps.add(&rooted(read.heap), facts(file, read.taken_ms));
    }
    progress.phase("ranking");
    let report = dumps.report(rooted(last.heap), &facts(last_file, last.taken_ms), shared.explain);
    drop(progress);
    output.deliver(&report)?;
    Ok(output.status(has_grower(&report), ExitCode::SUCCESS))
}

fn read(file: &Path, rules: DumpRules) -> anyhow::Result<ReadHeap> {
    let read = read_heap(file, rules).with_context(|| format!("cannot read {}", file.display()))?;
    for warning in &read.warnings {
        tracing::warn!("{}: {warning}", file.display());
    }
    ensure!(read.heap.object_count() > 0, "{} has no objects", file.display());
    Ok(read)
}

fn facts(file: &Path, taken_ms: Option<u64>) -> DumpFacts {
    DumpFacts { file: file.display().to_string(), taken_ms }
}

/// Kinds of class loader of which there are more in the last dump: what they loaded may leak with them.
fn coming_loaders(first: &Heap, last: &Heap) -> Vec<String> {
    let before = loaders(first);
    let is_more = |entry: &(String, usize)| entry.1 > before.get(&entry.0).copied().unwrap_or(0);
    loaders(last).into_iter().filter(is_more).map(|entry| entry.0).collect()
}

/// Class loaders by their class.
fn loaders(heap: &Heap) -> HashMap<String, usize> {
    let mut all: Vec<_> = heap.classes().iter().filter_map(|(_, class)| class.loader).collect();
    all.sort_unstable();
    all.dedup();
    let mut counts = HashMap::new();
    for loader in all {
        *counts.entry(heap.classes().get(heap.class_of(loader)).name.clone()).or_insert(0) += 1;
    }
    counts
}
