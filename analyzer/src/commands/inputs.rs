//! Files that verbs take as a run: a report, a recording, or a heap dump. The file's first bytes decide.

use crate::commands::files::read_text;
use crate::commands::replay::replayed;
use anyhow::{Context, bail};
use rootbound::report::Report;
use rootbound_wire::frame::MAGIC;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The longest report that is read, in bytes.
const MOST_REPORT_BYTES: u64 = 256 << 20;

/// Bytes at a file's beginning that decide.
const HEAD_BYTES: u64 = 64;

/// Content of a file.
pub(crate) enum Input {
    /// The report of a run.
    Run(Box<Report>),
    /// Something else: a heap dump, or no file of ours.
    Dump,
}

/// Reads a run; a heap dump is only recognised.
pub(crate) fn read(path: &Path) -> anyhow::Result<Input> {
    let about = || format!("cannot read {}", path.display());
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head)).with_context(about)?;
    if head.starts_with(&MAGIC) {
        return Ok(Input::Run(Box::new(replayed(path, false)?)));
    }
    if head.trim_ascii_start().first().is_none_or(|byte| *byte == b'{') {
        let text = read_text(path, MOST_REPORT_BYTES).with_context(about)?;
        return Ok(Input::Run(Box::new(Report::from_json(&text).with_context(about)?)));
    }
    Ok(Input::Dump)
}

/// Reads a run, and refuses a heap dump.
pub(crate) fn read_run(path: &Path) -> anyhow::Result<Report> {
    match read(path)? {
        Input::Run(report) => Ok(*report),
        Input::Dump => bail!(
            "{} is neither a report nor a recording; `rootbound analyze` compares heap dumps and writes a report with \
             --json",
            path.display()
        ),
    }
}
