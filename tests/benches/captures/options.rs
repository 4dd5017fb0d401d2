//! The options behind the name of a bench. What is not given each bench decides by itself.

use e2e::jvms::{self, COLLECTORS, Collector, Jvm};
use std::str::FromStr;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    jdks: Vec<u32>,
    collectors: Vec<String>,
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
                "--jdk" => options.jdks = list(&value)?,
                "--gc" => options.collectors = value.split(',').map(str::to_owned).collect(),
                "--objects" => options.objects = Some(number(&value)?),
                "--captures" => options.captures = Some(number(&value)?),
                "--gigabytes" => options.gigabytes = list(&value)?,
                "--seconds" => options.seconds = Some(number(&value)?),
                "--threads" => options.threads = Some(number(&value)?),
                _ => return Err(format!("{key} is unknown")),
            }
        }
        Ok(options)
    }

    /// The JVMs to measure, one for each release.
    pub fn jvms(&self) -> Vec<Jvm> {
        let mut found = jvms::at_hand();
        found.retain(|jvm| self.jdks.is_empty() || self.jdks.contains(&jvm.version));
        found.dedup_by_key(|jvm| jvm.version);
        let mut seen = Vec::new();
        found.retain(|jvm| {
            !seen.contains(&jvm.version) && {
                seen.push(jvm.version);
                true
            }
        });
        found
    }

    /// The collectors to measure `jvm` with: those asked for, else `usual`, as far as the JVM has them.
    pub fn collectors(&self, jvm: &Jvm, usual: &[&str]) -> Vec<Collector> {
        let wanted = |name: &str| match self.collectors.is_empty() {
            true => usual.contains(&name),
            false => self.collectors.iter().any(|asked| asked == name),
        };
        COLLECTORS.into_iter().filter(|each| wanted(each.name) && jvm.accepts(each.switches)).collect()
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.replace('_', "").parse().map_err(|_| format!("{text} is no number"))
}

fn list<N: FromStr>(text: &str) -> Result<Vec<N>, String> {
    text.split(',').map(number).collect()
}
