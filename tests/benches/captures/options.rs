//! The options behind the name of a bench. Each bench has defaults of its own.

use e2e::jvms::{Collector, Jvm};
use e2e::measure::choice::{Choice, list, number};
use e2e::measure::command_line;
use e2e::measure::option_error::OptionError;

/// The requested options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    choice: Choice,
    pub objects: Option<u64>,
    pub captures: Option<usize>,
    pub gigabytes: Vec<u64>,
    pub seconds: Option<u64>,
    pub threads: Option<usize>,
}

impl Options {
    /// The JVMs to measure, one for each release.
    pub fn jvms(&self) -> Vec<Jvm> {
        self.choice.jvms()
    }

    /// The collectors to measure `jvm` with.
    pub fn collectors(&self, jvm: &Jvm, usual: &[&str]) -> Vec<Collector> {
        self.choice.collectors(jvm, usual)
    }
}

impl command_line::Options for Options {
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--objects" => self.objects = Some(number(value)?),
            "--captures" => self.captures = Some(number(value)?),
            "--gigabytes" => self.gigabytes = list(value)?,
            "--seconds" => self.seconds = Some(number(value)?),
            "--threads" => self.threads = Some(number(value)?),
            _ => return self.choice.take(key, value),
        }
        Ok(true)
    }
}
