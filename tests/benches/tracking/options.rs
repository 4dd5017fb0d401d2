//! The options behind the name of a bench. What is not given each bench decides by itself.

use e2e::jvms::{Collector, Jvm};
use e2e::measure::choice::{Choice, list, number};
use std::time::Duration;

/// What was asked for.
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
    /// Reads `--key value` pairs.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(key) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{key} needs a value"))?;
            match key.as_str() {
                "--seconds" => options.seconds = Some(number(&value)?),
                "--rounds" => options.rounds = Some(number(&value)?),
                "--tick" => options.ticks_ms = list(&value)?,
                "--members" => options.members = Some(number(&value)?),
                "--kinds" => options.kinds = value.split(',').map(str::to_owned).collect(),
                "--threads" => options.threads = Some(number(&value)?),
                _ if options.choice.take(&key, &value)? => {}
                _ => return Err(format!("{key} is unknown")),
            }
        }
        Ok(options)
    }

    /// Every JVM with every collector to measure; G1 if nothing else was asked for.
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

/// JVM and collector as the first cells of a row.
pub fn name(jvm: &Jvm, collector: &Collector) -> String {
    format!("{} | {}", jvm.version, collector.name)
}
