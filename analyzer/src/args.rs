//! The command line as typed; [`LiveArgs::settings`] converts it into settings of the engine.

mod attach;
pub(crate) mod config;
mod configure;
mod control;
mod dumps;
mod examples;
mod gate;
mod live;
mod objects;
mod papers;
mod rounds;
mod structures;
mod value;

pub(crate) use attach::{AttachArgs, Libcs, PsArgs, UnpackArgs};
pub(crate) use configure::ConfigArgs;
pub(crate) use control::RequestArgs;
pub(crate) use dumps::{AnalyzeArgs, DumpArgs, RootsArgs, SizeArgs, SizeOrder, SuspectsArgs, TreeForm};
pub(crate) use gate::{Annotations, BaselineArgs, CompareArgs, GateArgs, RenderArgs};
pub(crate) use live::LiveArgs;
pub(crate) use objects::{HoldersArgs, ObjectsArgs, PathsArgs};
pub(crate) use papers::{CompletionsArgs, ManArgs};
pub(crate) use rounds::RoundsArgs;
pub(crate) use structures::{GrowthArgs, LanguageArgs, StructuresArgs, Window};

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use rootbound::session::{VERDICT_AFTER, least_run_for};
use rootbound_wire::endpoint::Endpoint;
use std::ffi::OsString;
use std::path::PathBuf;

/// Headings of the options.
mod heading {
    pub(super) const WHAT: &str = "What to watch";
    pub(super) const OUTPUT: &str = "Output";
    pub(super) const CHECK: &str = "Check for builds";
    pub(super) const COST: &str = "Cost to the program";
    pub(super) const EXPERTS: &str = "For experts";
    pub(super) const STRUCTURES: &str = "Data structures";
    pub(super) const MESSAGES: &str = "Messages";
}

/// Finds out, while a Java program runs, which of its data structures grow without bound.
#[derive(Debug, Parser)]
#[command(name = "rootbound", version, max_term_width = 100, after_help = examples::ALL)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Verb,
    /// More messages and all receipts (-v), all messages (-vv).
    #[arg(short, long, global = true, action = clap::ArgAction::Count, conflicts_with = "quiet", display_order = 900)]
    #[arg(help_heading = heading::MESSAGES)]
    pub(crate) verbose: u8,
    /// Print errors only; `run` and `watch` print no report either (--json and the exit status tell).
    #[arg(short, long, global = true, display_order = 901, help_heading = heading::MESSAGES)]
    pub(crate) quiet: bool,
    /// Read options from FILE, and from no other file; `none` reads none [default: ./rootbound.toml and
    /// ~/.config/rootbound/config.toml].
    #[arg(long, global = true, value_name = "FILE", display_order = 902, help_heading = heading::MESSAGES)]
    pub(crate) config: Option<PathBuf>,
}

impl Cli {
    /// The command line of this process with its configuration; an invalid one ends it with status 2.
    pub(crate) fn parse_or_exit() -> Self {
        let typed: Vec<OsString> = std::env::args_os().collect();
        let environment = |name: &str| std::env::var_os(name);
        let all = config::arguments(&Self::command(), &typed, &environment).unwrap_or_else(|error| error.exit());
        let cli = Self::parse_from(all);
        if let Some(objection) = cli.objection() {
            Self::command().error(clap::error::ErrorKind::ValueValidation, objection).exit();
        }
        cli
    }

    /// Fault of a combination of options that are valid by themselves.
    fn objection(&self) -> Option<String> {
        let (live, shared) = match &self.command {
            Verb::Run(run) => (&run.live, &run.shared),
            Verb::Watch(watch) => (&watch.live, &watch.shared),
            Verb::Attach(attach) => (&attach.live, &attach.shared),
            Verb::Replay(replay) => return replay.shared.gate.objection(false),
            Verb::Render(render) => return render.gate.objection(false),
            Verb::Compare(compare) => return compare.gate.objection(true),
            Verb::Analyze(analyze) => return analyze.objection(),
            _ => return None,
        };
        if let Some(objection) = shared.gate.objection(false) {
            return Some(objection);
        }
        let asked = live.run_for.filter(|_| !shared.gate.fail_on.is_empty())?;
        let least = least_run_for(&live.settings(shared));
        (asked < least).then(|| {
            format!(
                "--for {} is too short for any verdict, so --fail-on could not fail: at least --for {} is needed \
                 (two snapshots, and {} of watching after them)",
                humantime::format_duration(asked),
                humantime::format_duration(least),
                humantime::format_duration(VERDICT_AFTER)
            )
        })
    }
}

/// One verb, one file under `commands/`.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start a Java program and watch it.
    #[command(after_help = examples::RUN)]
    Run(RunArgs),
    /// Wait for JVMs that were started with the agent, and watch them; several at once.
    #[command(after_help = examples::WATCH)]
    Watch(WatchArgs),
    /// Attach to a running JVM and watch it; it needs no restart.
    #[command(after_help = examples::ATTACH)]
    Attach(AttachArgs),
    /// List the JVMs of this machine, and whether each can be attached to.
    #[command(after_help = examples::PS)]
    Ps(PsArgs),
    /// Take the first snapshot of a watched JVM now: before an operation that may leak.
    #[command(after_help = examples::REQUEST)]
    Mark(RequestArgs),
    /// Take the second snapshot of a watched JVM now: after that operation.
    #[command(after_help = examples::REQUEST)]
    Capture(RequestArgs),
    /// Write the agent's libraries into a folder, for JVMs that are started with -agentpath.
    #[command(after_help = examples::UNPACK)]
    Unpack(UnpackArgs),
    /// Analyze a recording (--record) again, without a JVM.
    #[command(after_help = examples::REPLAY)]
    Replay(ReplayArgs),
    /// Compare two runs: which structures began to grow, stopped, or grow at another rate.
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Print stored reports again, and check them.
    #[command(after_help = examples::RENDER)]
    Render(RenderArgs),
    /// Write the growing structures of reports as known leaks, for --known.
    #[command(after_help = examples::BASELINE)]
    Baseline(BaselineArgs),
    /// Find out what fills a heap dump, or with several dumps of one program what grew.
    #[command(after_help = examples::ANALYZE)]
    Analyze(AnalyzeArgs),
    /// List the objects that keep the most memory of a heap dump alive; the short answer.
    #[command(after_help = examples::SUSPECTS)]
    Suspects(SuspectsArgs),
    /// List the objects of a heap dump that nothing else refers to, and what each keeps; --tree shows it as a tree.
    #[command(after_help = examples::ROOTS)]
    Roots(RootsArgs),
    /// Measure how much memory a structure of a heap dump takes, class by class.
    #[command(after_help = examples::SIZE)]
    Size(SizeArgs),
    /// Compare heap dumps of one program: which data structures grew, by how much, and in which way.
    #[command(after_help = examples::GROWTH)]
    Growth(GrowthArgs),
    /// Find out what grew in every round of a repeated scenario, by recordings or heap dumps of the rounds.
    #[command(after_help = examples::ROUNDS)]
    Rounds(RoundsArgs),
    /// List the data structures of a heap dump: collections of the JDK and of libraries, and those that you describe.
    #[command(after_help = examples::STRUCTURES)]
    Structures(StructuresArgs),
    /// Find the shortest ways from GC roots to objects of a heap dump: why they are kept.
    #[command(after_help = examples::PATHS)]
    Paths(PathsArgs),
    /// List the objects of a heap dump that refer to given ones, by class and field.
    #[command(after_help = examples::HOLDERS)]
    Holders(HoldersArgs),
    /// List single objects of a heap dump, by any of their sizes.
    #[command(after_help = examples::OBJECTS)]
    Objects(ObjectsArgs),
    /// Write a heap dump, or the last capture of a recording, in another format.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Print a file of options to begin with, or the options in effect.
    #[command(after_help = examples::CONFIG)]
    Config(ConfigArgs),
    /// Print the completions of a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Write the manual pages.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

/// Arguments of `rootbound run`.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    /// When --for is over, leave the program running instead of ending it.
    #[arg(long, requires = "run_for", help_heading = heading::WHAT)]
    pub(crate) leave_running: bool,
    #[command(flatten)]
    pub(crate) shared: Shared,
    /// The agent library (default: the one for its C library, beside or within this program).
    #[arg(long, value_name = "FILE", help_heading = heading::EXPERTS)]
    pub(crate) agent: Option<PathBuf>,
    /// The program and its arguments, for instance `java -jar shop.jar`.
    #[arg(trailing_var_arg = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

/// Arguments of `rootbound watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Where to wait: unix:PATH or tcp:HOST:PORT (default: the user's own socket, where agents look by themselves).
    #[arg(long, value_name = "ENDPOINT", help_heading = heading::WHAT)]
    pub(crate) listen: Option<Endpoint>,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    /// When the last watched JVM has ended, wait for further ones, until Ctrl-C.
    #[arg(long, help_heading = heading::WHAT)]
    pub(crate) keep_listening: bool,
    /// Keep the JSON reports and recordings of the last COUNT JVMs that have ended, and remove older ones. Where their
    /// names hold `{pid}`, those of earlier runs count, too [default: keep all].
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = heading::OUTPUT)]
    pub(crate) keep_reports: Option<u32>,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Arguments of `rootbound replay`.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// The recording. Several of one program, over days and releases, are joined: what grew in each of its lives.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) shared: Shared,
}

/// Arguments of `rootbound convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// Heap dump (HPROF, PHD, IBM text, INSANE XML, packed by gzip or not), or a recording.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The format to write. All hold objects, sizes and references; HPROF and INSANE XML also names of fields and
    /// roots. None has values of the program.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: DumpFormat,
    /// Where to write it; the file appears when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Keep the referents of weak, soft, phantom and final references; otherwise they are left out.
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

/// What every command understands.
#[derive(Debug, Default, Args)]
pub(crate) struct Shared {
    /// Write the report as JSON to FILE, or to standard output with `-`; then nothing else goes there. Where several
    /// JVMs are watched, further ones get FILE with their process id before its extension (report.json,
    /// report.4711.json); `{pid}` in FILE stands for the process id of each.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) json: Option<PathBuf>,
    /// Columns of the table: plain, or leakbot for those of the LeakBot paper.
    #[arg(long, value_name = "SET", default_value = "plain", help_heading = heading::OUTPUT)]
    pub(crate) columns: Columns,
    /// Print all that the watching cost: snapshots, pauses, sampling, tags.
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) receipts: bool,
    /// Print how the ranks of the best leak roots came about.
    #[arg(long, help_heading = heading::EXPERTS)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) gate: GateArgs,
    /// Compare the data structures of the captures, too: which grew, by how much, in which way, and who else keeps the
    /// same. Shortly before the end of --for the heap is captured once more, or after 1, 2, 4 ... minutes without it.
    #[arg(long, help_heading = heading::STRUCTURES)]
    pub(crate) growth: bool,
    /// Print the shapes of the growing structures as descriptions, to be corrected and given to --dsl.
    #[arg(long, help_heading = heading::STRUCTURES)]
    pub(crate) infer: bool,
    #[command(flatten, next_help_heading = heading::STRUCTURES)]
    pub(crate) language: LanguageArgs,
}

/// The columns of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Columns {
    /// What people ask for.
    #[default]
    Plain,
    /// Those of the LeakBot paper.
    Leakbot,
}

/// Condition under which a comparison of data structures is a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A structure that grows without bound.
    Grower,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
            ("rootbound watch --for 20", "1h 30m"),
            ("rootbound watch --tick 0s", "greater than zero"),
            ("rootbound watch --capture magic", "in-process"),
            ("rootbound watch --columns gold", "leakbot"),
            ("rootbound watch --max-pause 0ms", "greater than zero"),
            ("rootbound watch --mark-budget 0", "--mark-budget"),
            ("rootbound watch --max-jvms 0", "--max-jvms"),
            ("rootbound run --keep-listening -- java", "--keep-listening"),
            ("rootbound watch --listen /tmp/x.sock", "unix:PATH"),
            ("rootbound watch --fail-on anything", "grower"),
            ("rootbound watch --fail-on growth", "quotes"),
            ("rootbound watch --fail-on growth>10MB", "10MB/h"),
            ("rootbound watch --annotations gitlab", "github"),
            ("rootbound compare a.json", "AFTER"),
            ("rootbound render", "REPORT"),
            ("rootbound baseline a.json", "--reason"),
            ("rootbound baseline a.json --reason r --until soon", "--until"),
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
            ("rootbound roots heap.hprof --from 0x10 --limit 3", "--limit"),
            ("rootbound roots heap.hprof --format html", "heaproots"),
            ("rootbound paths heap.hprof", "--to"),
            ("rootbound paths heap.hprof --to a.B --paths 0", "at least 1"),
            ("rootbound holders heap.hprof", "--of"),
            ("rootbound objects heap.hprof --sort age", "descendants"),
            ("rootbound objects heap.hprof --addresses 0x20-0x10", "0xLOW-0xHIGH"),
            ("rootbound convert a.hprof", "--to"),
            ("rootbound convert a.hprof --to phd -o b", "ibm-text"),
            ("rootbound bloom", "bloom"),
        ] {
            let (code, text) = refusal(line);
            assert_eq!(code, 2, "{line}");
            assert!(text.contains(named), "{line}: {text}");
        }
    }

    fn objection(line: &str) -> Option<String> {
        Cli::try_parse_from(line.split_whitespace()).unwrap().objection()
    }

    #[test]
    fn a_gate_needs_time_for_a_verdict() {
        for (line, least) in [
            ("rootbound run --for 12s --fail-on grower -- java", "--for 35s"),
            ("rootbound watch --for 40s --mark-after 30s --fail-on grower", "--for 1m 5s"),
            ("rootbound watch --for 23s --mark-after 2s --capture-after 2s --fail-on grower", "--for 24s"),
        ] {
            let text = objection(line).unwrap();
            assert!(text.contains(least), "{line}: {text}");
        }
        for line in [
            "rootbound run --for 12s -- java",
            "rootbound run --for 35s --fail-on grower -- java",
            "rootbound run --fail-on grower -- java",
            "rootbound watch --for 24s --mark-after 2s --capture-after 2s --fail-on grower",
        ] {
            assert_eq!(objection(line), None, "{line}");
        }
    }

    #[test]
    fn a_new_grower_needs_to_know_the_old_ones() {
        for line in [
            "rootbound run --fail-on new-grower -- java",
            "rootbound replay a.rootbound --fail-on grower,new-grower",
            "rootbound render a.json --fail-on new-grower",
            "rootbound analyze 1.hprof 2.hprof 3.hprof --fail-on new-grower",
        ] {
            assert!(objection(line).unwrap().contains("--known"), "{line}");
        }
        for line in [
            "rootbound run --fail-on new-grower --known a.toml -- java",
            "rootbound compare a.json b.json --fail-on new-grower",
        ] {
            assert_eq!(objection(line), None, "{line}");
        }
        assert!(objection("rootbound analyze 1.hprof --fail-on grower").unwrap().contains("several"));
        assert!(objection("rootbound analyze 1.hprof --sarif a").unwrap().contains("several"));
    }

    #[test]
    fn several_conditions_are_separated_by_commas_or_repeated() {
        let line = ["rootbound", "render", "a.json", "--fail-on", "grower,growth>10MB/h", "--fail-on", "growth>1G/d"];
        let cli = Cli::try_parse_from(line).unwrap();
        let Verb::Render(render) = cli.command else { panic!("another verb") };
        assert_eq!(render.gate.fail_on.len(), 3);
    }

    #[test]
    fn options_behind_the_dashes_belong_to_the_program() {
        let cli = Cli::try_parse_from(["rootbound", "run", "--for", "2m", "--", "java", "-version", "--for"]).unwrap();
        let Verb::Run(run) = cli.command else { panic!("another verb") };
        assert_eq!(run.live.run_for, Some(Duration::from_secs(120)));
        assert_eq!(run.command, ["java", "-version", "--for"]);
    }
}
