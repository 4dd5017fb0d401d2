//! Delivery of final reports: each JVM's table and JSON file, and their effect on the exit status.

use crate::commands::check::Check;
use crate::commands::naming::is_pattern;
use crate::commands::output::Output;
use rootbound::report::Report;
use rootbound::view::look::Width;
use rootbound::view::several;
use rootbound::view::several::Tally;
use std::path::Path;
use std::process::ExitCode;

/// Delivers the reports of one run.
pub(crate) struct Delivery<'a> {
    output: &'a Output,
    failure: Option<anyhow::Error>,
    check: Check,
}

impl<'a> Delivery<'a> {
    /// Creates a delivery before any report.
    pub(crate) fn new(output: &'a Output, check: Check) -> Self {
        Self { output, failure: None, check }
    }

    /// Writes the JSON to `file`, if there is one. A failed write fails the run after all others have been written.
    pub(crate) fn write(&mut self, file: Option<&Path>, report: &Report) {
        self.check.add(report, None);
        let written = file.map_or(Ok(()), |file| self.output.write_json(file, report));
        if let Err(error) = written {
            match &self.failure {
                None => self.failure = Some(error),
                Some(_) => tracing::error!("{error:#}"),
            }
        }
    }

    /// Prints and writes the report of a run without a JVM.
    pub(crate) fn nobody(&mut self, report: &Report) {
        self.output.print_final(report);
        let file = self.output.json().filter(|path| !is_pattern(path));
        self.write(file, report);
    }

    /// Prints the final table, under a heading when it is one of several.
    pub(crate) fn print(&self, report: &Report, is_one_of_several: bool) {
        if is_one_of_several {
            self.output.print(&several::heading(report, Width::of_output()));
        }
        self.output.print_final(report);
    }

    /// The exit status of a run without a JVM.
    pub(crate) fn status_without_jvm(&self) -> ExitCode {
        self.check.status_without_jvm()
    }

    /// Prints one line for each JVM.
    pub(crate) fn sum_up(&self, reports: &[&Report], tally: Tally) {
        self.output.print(&several::summary(reports, tally, Width::of_output()));
    }

    /// The exit status of a run that would otherwise end with `otherwise`.
    ///
    /// # Errors
    /// A report that could not be written.
    pub(crate) fn conclude(self, otherwise: ExitCode) -> anyhow::Result<ExitCode> {
        let status = self.check.conclude(self.output, otherwise);
        match (self.failure, status) {
            (Some(failure), status) => {
                status.err().iter().for_each(|error| tracing::error!("{error:#}"));
                Err(failure)
            }
            (None, status) => status,
        }
    }
}
