//! The command line as typed; [`Shared::settings`] says what it means to the engine.

mod dumps;

pub(crate) use dumps::{AnalyzeArgs, DumpArgs, RootsArgs, SizeArgs, SizeOrder, SuspectsArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use rootbound::session::Settings;
use rootbound_wire::endpoint::Endpoint;
use rootbound_wire::message::CaptureMethod;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Finds out, while a Java program runs, which of its data structures grow without bound.
#[derive(Debug, Parser)]
#[command(name = "rootbound", version, max_term_width = 100)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Verb,
    /// Say more on standard error; twice for everything.
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Say nothing on standard error but errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

/// One verb, one file under `commands/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start a program with the agent and watch it.
    Run(RunArgs),
    /// Wait for JVMs that were started with the agent and watch them, several at once.
    Watch(WatchArgs),
    /// Run a recording through the same analysis.
    Replay(ReplayArgs),
    /// Say who keeps the memory of a heap dump: verdict, suspects, largest retainers, big drops, classes; of several dumps,
    /// what grew from the first to the last.
    Analyze(AnalyzeArgs),
    /// Name the leak suspects of a heap dump, as HeapLens does.
    Suspects(SuspectsArgs),
    /// Name the roots of a heap dump and what each owns, as HeapRoots does.
    Roots(RootsArgs),
    /// Measure a structure of a heap dump, as INSANE does.
    Size(SizeArgs),
    /// Write a heap dump, or the last capture of a recording, in another format.
    Convert(ConvertArgs),
}

/// Arguments of `rootbound run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The agent library (default: librootbound_agent.so beside this program).
    #[arg(long, value_name = "FILE")]
    pub(crate) agent: Option<PathBuf>,
    /// When --for is over, leave the program running instead of ending it.
    #[arg(long, requires = "run_for")]
    pub(crate) leave_running: bool,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// The program and its arguments, for instance `java -jar shop.jar`.
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// Arguments of `rootbound watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Where to wait: unix:PATH or tcp:HOST:PORT (default: the user's own socket, where agents look by themselves).
    #[arg(long, value_name = "ENDPOINT")]
    pub(crate) listen: Option<Endpoint>,
    /// When the last watched JVM has ended, wait for further ones; until Ctrl-C.
    #[arg(long)]
    pub(crate) keep_listening: bool,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Arguments of `rootbound replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The recording.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Arguments of `rootbound convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A heap dump of any format (HPROF, PHD, IBM text, INSANE XML, packed by gzip or not), or a recording.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The format to write. All hold objects, sizes and references; HPROF and INSANE XML names of fields and roots, too.
    /// None has values of the program.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: DumpFormat,
    /// Where to write it; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Keep the referents of weak, soft, phantom and final references, which are left out else.
    #[arg(long)]
    pub(crate) keep_weak: bool,
}

/// A format that `convert` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DumpFormat {
    /// HPROF 1.0.2 without values.
    Hprof,
    /// The text heap dump that HeapRoots reads.
    IbmText,
    /// The XML of INSANE.
    InsaneXml,
}

/// What only a live JVM needs.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// Report after this long, counted for each JVM from its connection, and stop watching it.
    #[arg(long = "for", value_name = "DURATION", value_parser = some_time)]
    pub(crate) run_for: Option<Duration>,
    /// Write everything that the agent tells to FILE, for `replay`; of several JVMs each to a file of its own, named
    /// as for --json.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Watch at most so many JVMs at once; further ones are refused.
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_jvms: u32,
    /// Print plain tables even on a terminal.
    #[arg(long)]
    pub(crate) plain: bool,
    /// Mark the objects that exist this long after the agent's start (T1) [default: 10s, or a sixth of --for if less].
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) mark_after: Option<Duration>,
    /// Capture the heap this long after the mark (T2) [default: 15s, or a quarter of --for if less].
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) capture_after: Option<Duration>,
    /// How the heap is captured: fork (in a forked child, the program stands still for milliseconds), in-process, tags, or
    /// auto: the first of these that is safe here.
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(crate) capture: CaptureChoice,
    /// Mark and capture again and again: finds leaks that begin late [default: when growth is unexplained or unknown, when
    /// a region is lost or may wait for the collector, or when a high rank could not be followed].
    #[arg(long, value_name = "DURATION", value_parser = some_time)]
    pub(crate) recapture_every: Option<Duration>,
    /// Mark by one iteration over the heap, which stops the program, at most so many objects [default: without any
    /// stop, by paths that a forked capture found].
    #[arg(long, value_name = "OBJECTS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) mark_budget: Option<u32>,
    /// Cause no stop of the program that would be longer; `unlimited` allows any. A stop is forecast before it is begun,
    /// and ended when it takes longer all the same.
    #[arg(long, value_name = "DURATION", default_value = "500ms")]
    pub(crate) max_pause: MaxPause,
    /// Do not sample the allocations of growing structures' members: the report names no allocation sites.
    #[arg(long)]
    pub(crate) no_allocation_sites: bool,
    /// Forecast what a capture would cost, capture nothing, and leave.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Visit one structure in this time, or six that cost little [default: 100ms].
    #[arg(long, value_name = "DURATION", value_parser = some_time)]
    pub(crate) tick: Option<Duration>,
}

/// What every command understands.
#[derive(Debug, Args)]
pub(crate) struct Shared {
    /// Write the report as JSON to FILE, or to standard output with `-`. Where several JVMs are watched, further ones
    /// get FILE with their process id before its extension (report.json, report.4711.json); `{pid}` in FILE stands for
    /// the process id of each.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Exit with status 3 when the report of any JVM has such a region.
    #[arg(long, value_name = "TREND")]
    pub(crate) fail_on: Option<FailOn>,
    /// Print how the ranks of the best leak roots came about.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// How the heap is captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaptureChoice {
    /// The first method that is safe here.
    #[default]
    Auto,
    /// In a forked child, by address.
    Fork,
    /// While the program stands still, by address.
    InProcess,
    /// While the program stands still, by a tag on every object.
    Tags,
}

impl CaptureChoice {
    fn method(self) -> Option<CaptureMethod> {
        match self {
            Self::Auto => None,
            Self::Fork => Some(CaptureMethod::Fork),
            Self::InProcess => Some(CaptureMethod::InProcess),
            Self::Tags => Some(CaptureMethod::Tags),
        }
    }
}

/// The longest stop that may be caused; `None`: any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaxPause(Option<Duration>);

impl FromStr for MaxPause {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "unlimited" { Ok(Self(None)) } else { some_time(text).map(|most| Self(Some(most))) }
    }
}

/// What makes a report a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A structure that grows without bound.
    Grower,
}

impl LiveArgs {
    /// What the user asked the engine for.
    pub(crate) fn settings(&self, shared: &Shared) -> Settings {
        Settings {
            mark_after: self.mark_after,
            capture_after: self.capture_after,
            tick: self.tick,
            capture: self.capture.method(),
            mark_budget: self.mark_budget,
            max_pause: self.max_pause.0,
            recapture_every: self.recapture_every,
            dry_run: self.dry_run,
            no_allocation_sites: self.no_allocation_sites,
            run_for: self.run_for,
            explain: shared.explain,
            ..Settings::default()
        }
    }
}

/// A duration of which nothing is left means a mistake here.
fn some_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(duration) if duration.is_zero() => Err("it must be longer than nothing".to_owned()),
        Ok(duration) => Ok(duration),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// clap exits with this code.
    fn refusal(line: &str) -> (i32, String) {
        let error = Cli::try_parse_from(line.split_whitespace()).unwrap_err();
        (error.exit_code(), error.to_string())
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn what_makes_no_sense_is_a_usage_error_that_names_it() {
        for (line, named) in [
            ("rootbound watch --for soon", "--for"),
            ("rootbound watch --for 20", "time unit"),
            ("rootbound watch --tick 0s", "longer than nothing"),
            ("rootbound watch --capture magic", "in-process"),
            ("rootbound watch --max-pause 0ms", "longer than nothing"),
            ("rootbound watch --mark-budget 0", "--mark-budget"),
            ("rootbound watch --max-jvms 0", "--max-jvms"),
            ("rootbound run --keep-listening -- java", "--keep-listening"),
            ("rootbound watch --listen /tmp/x.sock", "unix:PATH"),
            ("rootbound watch --fail-on anything", "grower"),
            ("rootbound watch --colour", "--colour"),
            ("rootbound run", "COMMAND"),
            ("rootbound run --leave-running -- java", "--for"),
            ("rootbound replay", "FILE"),
            ("rootbound replay run.rootbound --record x", "--record"),
            ("rootbound -q -v replay run.rootbound", "cannot be used with"),
            ("rootbound analyze", "FILE"),
            ("rootbound suspects heap.hprof --limit 0", "at least 1"),
            ("rootbound suspects heap.hprof --follow up", "--follow"),
            ("rootbound roots heap.hprof --min-size much", "1.5M"),
            ("rootbound roots heap.hprof --depth 3", "--tree"),
            ("rootbound roots heap.hprof --sort colour", "descendants"),
            ("rootbound size heap.hprof", "--from"),
            ("rootbound convert a.hprof", "--to"),
            ("rootbound convert a.hprof --to phd -o b", "ibm-text"),
            ("rootbound bloom", "bloom"),
        ] {
            let (code, text) = refusal(line);
            assert_eq!(code, 2, "{line}");
            assert!(text.contains(named), "{line}: {text}");
        }
    }

    #[test]
    fn options_behind_the_dashes_belong_to_the_program() {
        let cli = Cli::try_parse_from(["rootbound", "run", "--for", "2m", "--", "java", "-version", "--for"]).unwrap();
        let Verb::Run(run) = cli.command else { panic!("another verb") };
        assert_eq!(run.live.run_for, Some(Duration::from_secs(120)));
        assert_eq!(run.command, ["java", "-version", "--for"]);
    }
}
