//! Options of everything that watches a live JVM, and the settings of the engine that they stand for.

use super::value::{ValueError, any_time, some_time};
use super::{Shared, heading};
use clap::{Args, ValueEnum};
use rootbound::session::Settings;
use rootbound_wire::message::CaptureMethod;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What only a live JVM needs.
#[derive(Debug, Args)]
pub(crate) struct LiveArgs {
    /// Stop watching and report after this long, counted for each JVM from its connection (30s, 5m, 1h 30m) [default:
    /// until the program ends].
    #[arg(long = "for", value_name = "DURATION", value_parser = some_time, help_heading = heading::WHAT)]
    pub(crate) run_for: Option<Duration>,
    /// Take the first snapshot this long after the agent's start [default: 10s, or a sixth of --for if less].
    #[arg(long, value_name = "DURATION", value_parser = any_time, help_heading = heading::WHAT)]
    pub(crate) mark_after: Option<Duration>,
    /// Take the second snapshot this long after the first [default: 15s, or a quarter of --for if less].
    #[arg(long, value_name = "DURATION", value_parser = any_time, help_heading = heading::WHAT)]
    pub(crate) capture_after: Option<Duration>,
    /// Repeat the snapshots, to find leaks that start late [default: when growth is unexplained or unknown, when a
    /// region is lost or may wait for the collector, or when a high rank could not be followed].
    #[arg(long, value_name = "DURATION", value_parser = some_time, help_heading = heading::WHAT)]
    pub(crate) recapture_every: Option<Duration>,
    /// Watch at most this many JVMs at once; further ones are refused.
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = heading::WHAT)]
    pub(crate) max_jvms: u32,
    /// Record everything that the agent sends to FILE, for `replay`; further JVMs get names as for --json.
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) record: Option<PathBuf>,
    /// No live table, even on a terminal: one line on standard error for each change, and the report at the end.
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) plain: bool,
    /// Never pause the program longer than this; `unlimited` allows any pause. A pause is forecast before it begins,
    /// and ended when it takes longer all the same.
    #[arg(long, value_name = "DURATION", default_value = "500ms", help_heading = heading::COST)]
    pub(crate) max_pause: MaxPause,
    /// Do not sample allocations: the report names no code lines.
    #[arg(long, help_heading = heading::COST)]
    pub(crate) no_allocation_sites: bool,
    /// Forecast what a snapshot would cost, take none, and leave.
    #[arg(long, help_heading = heading::COST)]
    pub(crate) dry_run: bool,
    /// How to take snapshots: fork (a forked copy; the program is paused for milliseconds), in-process, tags, or auto:
    /// the first of these that is safe here.
    #[arg(long, value_name = "METHOD", default_value = "auto", help_heading = heading::EXPERTS)]
    pub(crate) capture: CaptureChoice,
    /// Mark at most this many objects by one pass over the heap, which pauses the program [default: mark without a
    /// pause].
    #[arg(long, value_name = "OBJECTS", value_parser = clap::value_parser!(u32).range(1..))]
    #[arg(help_heading = heading::EXPERTS)]
    pub(crate) mark_budget: Option<u32>,
    /// Time between two visits [default: 100ms].
    #[arg(long, value_name = "DURATION", value_parser = some_time, help_heading = heading::EXPERTS)]
    pub(crate) tick: Option<Duration>,
}

/// Method of capturing the heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CaptureChoice {
    /// The first method that is safe here.
    #[default]
    Auto,
    /// In a forked child, by address.
    Fork,
    /// While the program is paused, by address.
    InProcess,
    /// While the program is paused, by a tag on every object.
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
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        if text == "unlimited" { Ok(Self(None)) } else { some_time(text).map(|most| Self(Some(most))) }
    }
}

impl LiveArgs {
    /// Settings of the engine that the user asked for.
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
