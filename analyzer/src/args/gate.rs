//! Arguments of the check for continuous integration, and of the verbs that serve it alone.

use super::{Columns, heading};
use chrono::NaiveDate;
use clap::{Args, ValueEnum};
use rootbound::gate::Condition;
use std::path::PathBuf;

/// The check of a run.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GateArgs {
    /// Exit with status 3 when, in whichever JVM: `grower`: a structure grows that could fill the heap within a year;
    /// `new-grower`: the same, and it is neither in --known nor, for `compare`, did it grow BEFORE; 'growth>10MB/h': a
    /// structure surely grows faster. Exit with 4 when nothing was judged. Several conditions are separated by commas.
    #[arg(long, value_name = "CONDITION", value_delimiter = ',', help_heading = heading::CHECK)]
    pub(crate) fail_on: Vec<Condition>,
    /// Known leaks (TOML): they are reported apart, and --fail-on does not count them until they expire.
    #[arg(long, value_name = "FILE", help_heading = heading::CHECK)]
    pub(crate) known: Option<PathBuf>,
    /// Write the findings of all JVMs as SARIF 2.1.0.
    #[arg(long, value_name = "FILE", help_heading = heading::CHECK)]
    pub(crate) sarif: Option<PathBuf>,
    /// Write the findings of all JVMs as JUnit XML: a test case for each JVM and for each growing structure.
    #[arg(long, value_name = "FILE", help_heading = heading::CHECK)]
    pub(crate) junit: Option<PathBuf>,
    /// Print annotations for GitHub and append a summary to the file that GITHUB_STEP_SUMMARY names; auto does so where
    /// GITHUB_ACTIONS is `true`.
    #[arg(long, value_name = "WHERE", default_value = "auto", help_heading = heading::CHECK)]
    pub(crate) annotations: Annotations,
    /// Folder with source files: findings name the file of a class. Give several by repeating it.
    #[arg(long, value_name = "FOLDER", help_heading = heading::CHECK)]
    pub(crate) source_root: Vec<PathBuf>,
}

impl GateArgs {
    /// Fault of a combination; `has_past` states whether an earlier run shows what is new.
    pub(super) fn objection(&self, has_past: bool) -> Option<String> {
        let needs_past = self.fail_on.contains(&Condition::NewGrower) && self.known.is_none() && !has_past;
        needs_past.then(|| {
            "--fail-on new-grower needs --known FILE, which names the growers that are not new; without one use \
             --fail-on grower, or `rootbound compare`"
                .to_owned()
        })
    }
}

/// Where annotations are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Annotations {
    /// For GitHub where its actions run.
    #[default]
    Auto,
    /// For GitHub.
    Github,
    /// Nowhere.
    None,
}

/// Arguments of `rootbound compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The earlier run: a report (--json), a recording (--record), or a heap dump.
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,
    /// The later run: a report or a recording; where BEFORE is a heap dump, a later one of the same program.
    #[arg(value_name = "AFTER")]
    pub(crate) after: PathBuf,
    /// Write the comparison as JSON (rootbound.compare/1) to FILE, or to standard output with `-`.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) json: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

/// Arguments of `rootbound render`.
#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    /// Reports that --json wrote, or recordings; several are the JVMs of one run.
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Columns of the table: plain, or leakbot for those of the LeakBot paper.
    #[arg(long, value_name = "SET", default_value = "plain", help_heading = heading::OUTPUT)]
    pub(crate) columns: Columns,
    /// Print all that the watching cost: snapshots, pauses, sampling, tags.
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) receipts: bool,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
}

/// Arguments of `rootbound baseline`.
#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    /// Reports that --json wrote, or recordings.
    #[arg(value_name = "REPORT", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Why these leaks are accepted, for instance a ticket.
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    /// The last day on which they are accepted [default: 90 days from now].
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) until: Option<NaiveDate>,
    /// Add the entries to this file, which keeps all that it has [default: print them].
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
}
