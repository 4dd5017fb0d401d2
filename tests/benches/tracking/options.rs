//! The options behind the name of a bench. Each bench has defaults of its own.

use e2e::jvms::{Collector, Jvm};
use e2e::measure::choice::{Choice, list, number};
use e2e::measure::command_line;
use e2e::measure::option_error::OptionError;
use std::time::Duration;

/// The requested options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    choice: Choice,
    pub seconds: Option<u64>,
    pub rounds: Option<usize>,
    pub ticks_ms: Vec<u64>,
    pub members: Option<u64>,
    pub kinds: Vec<String>,
    pub threads: Option<usize>,
}

impl Options {
    /// Every JVM with every collector to measure; G1 by default.
    pub fn cells(&self) -> Vec<(Jvm, Collector)> {
        let jvms = self.choice.jvms().into_iter();
        jvms.flat_map(|jvm| {
            let collectors = self.choice.collectors(&jvm, &["G1"]);
            collectors.into_iter().map(move |collector| (jvm.clone(), collector))
        })
        .collect()
    }

    /// Length of a phase.
    pub fn phase(&self, usual_seconds: u64) -> Duration {
        Duration::from_secs(self.seconds.unwrap_or(usual_seconds))
    }

    /// The tick, where a bench has one.
    pub fn tick(&self, usual_ms: u64) -> Duration {
        Duration::from_millis(self.ticks_ms.first().copied().unwrap_or(usual_ms))
    }
}

impl command_line::Options for Options {
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--seconds" => self.seconds = Some(number(value)?),
            "--rounds" => self.rounds = Some(number(value)?),
            "--tick" => self.ticks_ms = list(value)?,
            "--members" => self.members = Some(number(value)?),
            "--kinds" => self.kinds = value.split(',').map(str::to_owned).collect(),
            "--threads" => self.threads = Some(number(value)?),
            _ => return self.choice.take(key, value),
        }
        Ok(true)
    }
}

/// JVM and collector as the first cells of a row.
pub fn name(jvm: &Jvm, collector: &Collector) -> String {
    format!("{} | {}", jvm.version, collector.name)
}
