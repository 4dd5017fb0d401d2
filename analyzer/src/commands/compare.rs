//! `rootbound analyze A B…`: dumps of one program, compared in the order in which they are named.

use crate::args::Shared;
use crate::commands::output::{Output, has_grower};
use anyhow::{Context, ensure};
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::{ReadHeap, read_heap};
use rootbound::session::{DumpFacts, Dumps};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reads the dumps and reports what grew. Two heaps are in memory at a time at most.
pub(crate) fn compare(files: &[PathBuf], shared: &Shared) -> anyhow::Result<ExitCode> {
    let output = Output::prepare(shared)?;
    let [first_file, between @ .., last_file] = files else { anyhow::bail!("there is nothing to compare with") };
    let (first, last) = (read(first_file)?, read(last_file)?);
    let coming = coming_loaders(&first.heap, &last.heap);
    let rooted = |heap: Heap| heap.with_class_roots(|loader| coming.iter().any(|name| name == loader));
    let mut dumps = Dumps::new();
    dumps.add(&rooted(first.heap), facts(first_file, first.taken_ms));
    for file in between {
        let read = read(file)?;
        dumps.add(&rooted(read.heap), facts(file, read.taken_ms));
    }
    let report = dumps.report(rooted(last.heap), &facts(last_file, last.taken_ms), shared.explain);
    output.deliver(&report)?;
    Ok(output.status(has_grower(&report), ExitCode::SUCCESS))
}

fn read(file: &Path) -> anyhow::Result<ReadHeap> {
    let about = || format!("cannot read {}", file.display());
    let read = read_heap(file, DumpRules::default()).with_context(about)?;
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
