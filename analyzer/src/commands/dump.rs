//! Shared parts of the verbs on heap dumps: reading the dump, and delivering a report.

use crate::args::DumpArgs;
use crate::commands::output::{check_target, print_shown, write_json};
use crate::commands::progress::Progress;
use anyhow::Context;
use rootbound::heap::{DumpRules, Heap};
use rootbound::ingest::dump::{ReadHeap, read_heap};
use rootbound::report::dump::DumpFile;
use rootbound::view::look::Width;
use serde::Serialize;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

/// A dump that has been read.
pub(crate) struct OpenDump {
    pub(crate) heap: Heap,
    pub(crate) file: DumpFile,
}

/// Reads the dump, once it is certain that the report can be written.
pub(crate) fn read(args: &DumpArgs, rules: DumpRules, progress: &Progress) -> anyhow::Result<OpenDump> {
    check_target(args.json.as_deref())?;
    progress.phase("reading the dump");
    let read = read_file(&args.file, rules)?;
    let file = DumpFile { file: args.file.display().to_string(), format: read.format.to_owned(), notes: notes(&read) };
    for note in &file.notes {
        tracing::info!("{}: {note}", args.file.display());
    }
    Ok(OpenDump { heap: read.heap, file })
}

/// Reads a dump; an error names the file.
pub(crate) fn read_file(file: &Path, rules: DumpRules) -> anyhow::Result<ReadHeap> {
    read_heap(file, rules).with_context(|| format!("cannot read {}", file.display()))
}

fn notes(read: &ReadHeap) -> Vec<String> {
    let counted = |count: u64, what: &str| (count > 0).then(|| format!("{count} {what}"));
    let dangling = counted(read.dangling_count, "references lead to objects that the dump does not have; left out");
    let repeated = counted(read.repeated_count, "objects have an id that stood before; left out");
    read.warnings.iter().map(ToString::to_string).chain(dangling).chain(repeated).collect()
}

/// Columns that the text may have: in a file as many as it needs.
pub(crate) fn columns() -> usize {
    match Width::of_output() {
        Width::FILE => usize::MAX,
        terminal => terminal.columns().min(MOST_COLUMNS),
    }
}

/// Wider lines are hard to read.
const MOST_COLUMNS: usize = 120;

/// Whether the text may have colours: on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal has none.
pub(crate) fn has_colours(args: &DumpArgs) -> bool {
    let refuses = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    let goes_to_stdout = args.json.as_deref() != Some(Path::new("-"));
    std::io::stdout().is_terminal() && goes_to_stdout && !refuses && !is_dumb
}

/// Writes the JSON where it is asked for and prints the text; to standard error where the JSON takes standard output.
/// The text is one of [`rootbound::view::dump`], which leave nothing in names that a terminal would obey.
pub(crate) fn deliver(args: &DumpArgs, report: &impl Serialize, text: &str) -> anyhow::Result<ExitCode> {
    if let Some(path) = &args.json {
        write_json(path, report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    print_shown(text, args.json.as_deref());
    Ok(ExitCode::SUCCESS)
}
