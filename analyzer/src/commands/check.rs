//! The check of a run: prepared before anything starts, concluded after the last report.

use crate::args::{Annotations, GateArgs};
use crate::commands::files::{Readers, check_target, read_text, write_text};
use crate::commands::output::{FOUND, Output, UNJUDGED};
use anyhow::Context;
use chrono::{DateTime, NaiveDate, Utc};
use rootbound::gate::known::KnownLeaks;
use rootbound::gate::{Gate, Outcome, SourceLine, Wanted};
use rootbound::ingest::sources::Sources;
use rootbound::report::Report;
use rootbound::view::check;
use rootbound::view::ci::{github, junit, sarif};
use std::cell::OnceCell;
use std::env;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

/// The longest file of known leaks that is read, in bytes.
const MOST_KNOWN_BYTES: u64 = 16 << 20;

/// The check of one run.
pub(crate) struct Check {
    gate: Gate,
    args: GateArgs,
    sources: OnceCell<Sources>,
}

/// Today in UTC.
pub(crate) fn today() -> NaiveDate {
    DateTime::<Utc>::from(SystemTime::now()).date_naive()
}

/// Reads known leaks; an error names the file, its line and column.
pub(crate) fn read_known(path: &Path) -> anyhow::Result<KnownLeaks> {
    let about = || format!("cannot read the known leaks of {}", path.display());
    let text = read_text(path, MOST_KNOWN_BYTES).with_context(about)?;
    KnownLeaks::from_toml(&text).with_context(about)
}

impl Check {
    /// Reads the known leaks, and checks that all files can be written.
    pub(crate) fn prepare(args: &GateArgs) -> anyhow::Result<Self> {
        let known = args.known.as_deref().map_or_else(|| Ok(KnownLeaks::default()), read_known)?;
        for path in args.sarif.iter().chain(&args.junit) {
            check_target(path)?;
        }
        for root in &args.source_root {
            std::fs::read_dir(root).with_context(|| format!("cannot read --source-root {}", root.display()))?;
        }
        let gate = Gate::new(args.fail_on.clone(), known, today());
        Ok(Self { gate, args: args.clone(), sources: OnceCell::new() })
    }

    /// Adds the final report of one JVM. Structures that grew in `earlier` are not new.
    pub(crate) fn add(&mut self, report: &Report, earlier: Option<&Report>) {
        let (sources, roots) = (&self.sources, &self.args.source_root);
        let locate = |wanted: &Wanted<'_>| -> Option<SourceLine> {
            sources.get_or_init(|| Sources::below(roots, env::current_dir().ok().as_deref())).line_of(wanted)
        };
        self.gate.add(report, earlier, &locate);
    }

    /// The exit status of a run without a JVM.
    pub(crate) fn status_without_jvm(&self) -> ExitCode {
        if self.gate.conditions().is_empty() { ExitCode::FAILURE } else { ExitCode::from(UNJUDGED) }
    }

    /// Prints and writes the result, and returns the exit status of a run that would otherwise end with `otherwise`. A
    /// program that failed by itself keeps its own status where nothing was judged.
    ///
    /// # Errors
    /// A file that cannot be written; the others are written all the same.
    pub(crate) fn conclude(&self, output: &Output, otherwise: ExitCode) -> anyhow::Result<ExitCode> {
        output.print(&check::text(&self.gate, self.args.known.as_deref().map(Path::display)));
        let written = [
            self.write(self.args.sarif.as_ref(), || Ok(sarif::text(&self.gate)?)),
            self.write(self.args.junit.as_ref(), || Ok(junit::text(&self.gate)?)),
        ];
        if self.annotates() {
            output.print_for_machines(&github::annotations(&self.gate));
            self.append_summary();
        }
        written.into_iter().collect::<anyhow::Result<()>>()?;
        Ok(self.status(otherwise))
    }

    fn status(&self, otherwise: ExitCode) -> ExitCode {
        match self.gate.outcome() {
            Outcome::Failed => ExitCode::from(FOUND),
            Outcome::Unjudged if otherwise == ExitCode::SUCCESS || otherwise == ExitCode::from(UNJUDGED) => {
                tracing::error!(
                    "nothing was judged, so nobody knows whether a structure grows: exit status {UNJUDGED}"
                );
                ExitCode::from(UNJUDGED)
            }
            Outcome::Unjudged | Outcome::Passed | Outcome::Unasked => otherwise,
        }
    }

    fn write(&self, path: Option<&PathBuf>, text: impl Fn() -> anyhow::Result<String>) -> anyhow::Result<()> {
        let Some(path) = path else { return Ok(()) };
        write_text(path, &text()?, Readers::Usual).with_context(|| format!("cannot write {}", path.display()))
    }

    fn annotates(&self) -> bool {
        match self.args.annotations {
            Annotations::Auto => env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
            Annotations::Github => true,
            Annotations::None => false,
        }
    }

    /// A summary that cannot be written is no reason to fail a build.
    fn append_summary(&self) {
        let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return };
        let text = github::summary(&self.gate);
        let file = File::options().append(true).create(true).open(&path);
        if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
            tracing::warn!("cannot append to {}: {error}", Path::new(&path).display());
        }
    }
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
