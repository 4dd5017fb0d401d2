//! The options behind the name of a bench. What is not given each bench decides by itself.

use e2e::jvms::{Collector, Jvm};
use e2e::measure::choice::{Choice, list, number};

/// What was asked for.
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
    /// Reads `--key value` pairs.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(key) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{key} needs a value"))?;
            match key.as_str() {
                "--objects" => options.objects = Some(number(&value)?),
                "--captures" => options.captures = Some(number(&value)?),
                "--gigabytes" => options.gigabytes = list(&value)?,
                "--seconds" => options.seconds = Some(number(&value)?),
                "--threads" => options.threads = Some(number(&value)?),
                _ if options.choice.take(&key, &value)? => {}
                _ => return Err(format!("{key} is unknown")),
            }
        }
        Ok(options)
    }

    /// The JVMs to measure, one for each release.
    pub fn jvms(&self) -> Vec<Jvm> {
        self.choice.jvms()
    }

    /// The collectors to measure `jvm` with.
    pub fn collectors(&self, jvm: &Jvm, usual: &[&str]) -> Vec<Collector> {
        self.choice.collectors(jvm, usual)
    }
}
