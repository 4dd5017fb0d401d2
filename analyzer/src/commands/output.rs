//! Destinations of results: the JSON file, and the table on standard output.

use crate::args::{Columns, Shared};
use crate::commands::diagnostics::Loudness;
use crate::commands::files::{Readers, check_target as check_file, write_text};
use crate::commands::inferred;
use anyhow::Context;
use rootbound::report::Report;
use rootbound::view::columns::ColumnSet;
use rootbound::view::look::{Look, Width};
use rootbound::view::plain::plain_lines;
use rootbound::view::{explain, json, table};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Exit status when the condition of `--fail-on` holds.
pub(crate) const FOUND: u8 = 3;

/// Exit status when `--fail-on` could not be decided: no JVM connected, no capture was made, or there was too little
/// evidence.
pub(crate) const UNJUDGED: u8 = 4;

/// Output of the final report.
pub(crate) struct Output {
    json: Option<PathBuf>,
    explain: bool,
    infer: bool,
    look: Look,
    is_quiet: bool,
}

impl Output {
    /// Checks that the report can be written before anything starts, and not only after an hour.
    pub(crate) fn prepare(shared: &Shared, loudness: Loudness) -> anyhow::Result<Self> {
        check_target(shared.json.as_deref())?;
        Ok(Self {
            json: shared.json.clone(),
            explain: shared.explain,
            infer: shared.infer,
            look: Look { columns: column_set(shared.columns), receipts: shared.receipts || loudness.verbose > 0 },
            is_quiet: loudness.quiet,
        })
    }

    /// Options for the appearance of reports.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// Whether nothing but errors is to be printed.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// Whether standard output is for the JSON alone; tables go to standard error then.
    pub(crate) fn stdout_is_json(&self) -> bool {
        is_stdout(self.json())
    }

    /// Destination of the JSON.
    pub(crate) fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    /// Writes the only report of a run to every requested destination.
    pub(crate) fn deliver(&self, report: &Report) -> anyhow::Result<()> {
        self.print_final(report);
        self.json.as_deref().map_or(Ok(()), |path| self.write_json(path, report))
    }

    /// Prints the final table, and the explanation if it was requested.
    pub(crate) fn print_final(&self, report: &Report) {
        let mut text = table::final_table(report, Width::of_output(), self.look);
        if self.explain {
            text.push_str(&explain::explain(report));
        }
        if self.infer {
            text.push_str(&inferred::text(report));
        }
        self.print(&text);
    }

    /// Writes the report of one JVM to a file of its own.
    pub(crate) fn write_json(&self, path: &Path, report: &Report) -> anyhow::Result<()> {
        write_json(path, report).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Prints one report.
    pub(crate) fn print(&self, text: &str) {
        if !self.is_quiet {
            print(text, self.json());
        }
    }

    /// Prints lines that a build server reads, even where people want none.
    pub(crate) fn print_for_machines(&self, text: &str) {
        print(text, self.json());
    }

    /// Prints a line about the progress, to standard error.
    pub(crate) fn emit(&self, text: &str) {
        if !self.is_quiet {
            // Where standard error is closed the line is lost.
            drop(writeln!(io::stderr(), "{text}"));
        }
    }
}

fn is_stdout(json: Option<&Path>) -> bool {
    json == Some(Path::new("-"))
}

fn column_set(columns: Columns) -> ColumnSet {
    match columns {
        Columns::Plain => ColumnSet::Plain,
        Columns::Leakbot => ColumnSet::Leakbot,
    }
}

/// Prints text for people: to standard error where the JSON takes standard output. A closed pipe is no reason to lose
/// the JSON.
pub(crate) fn print(text: &str, json: Option<&Path>) {
    print_shown(&plain_lines(text), json);
}

/// The same for text that was made for terminals line by line, and that may have colours.
pub(crate) fn print_shown(text: &str, json: Option<&Path>) {
    let printed = if is_stdout(json) {
        io::stderr().write_all(text.as_bytes())
    } else {
        io::stdout().write_all(text.as_bytes()).and_then(|()| io::stdout().flush())
    };
    if let Err(error) = printed {
        tracing::debug!("the text could not be printed: {error}");
    }
}

/// Refuses a file that could not be written at the end.
pub(crate) fn check_target(json: Option<&Path>) -> anyhow::Result<()> {
    json.filter(|path| *path != Path::new("-")).map_or(Ok(()), check_file)
}

/// Writes a report as a whole or not at all.
pub(crate) fn write_json(path: &Path, report: &impl Serialize) -> anyhow::Result<()> {
    let text = json::to_json(report)?;
    if path == Path::new("-") {
        io::stdout().write_all(text.as_bytes())?;
        return Ok(io::stdout().flush()?);
    }
    write_text(path, &text, Readers::Owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rootbound::session::{Session, Settings};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn shared(json: &Path) -> Shared {
        Shared { json: Some(json.to_owned()), ..Shared::default() }
    }

    fn prepared(json: &Path) -> anyhow::Result<Output> {
        Output::prepare(&shared(json), Loudness::default())
    }

    #[test]
    fn a_report_that_cannot_be_written_is_refused_before_the_start() {
        let directory = tempfile::tempdir().unwrap();
        assert!(prepared(directory.path()).is_err());
        assert!(prepared(&directory.path().join("missing/report.json")).is_err());
        assert!(prepared(Path::new("-")).is_ok());
    }

    #[test]
    fn a_report_replaces_the_old_one_and_leaves_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("report.json");
        fs::write(&path, "old").unwrap();
        prepared(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write_json(&path, &Session::new(Settings::default()).report()).unwrap();
        assert!(fs::read_to_string(&path).unwrap().contains("rootbound.report/1"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_device_is_written_to_and_never_replaced() {
        write_json(Path::new("/dev/null"), &Session::new(Settings::default()).report()).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
