//! JVMs and collectors that a bench measures: `--jdk N,N…` and `--gc NAME,…`. Starts JVMs only to ask for their
//! switches.

use super::option_error::OptionError;
use crate::jvms::{self, COLLECTORS, Collector, Jvm};
use std::str::FromStr;

/// The requested JVMs and collectors; empty: those at hand.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    jdks: Vec<u32>,
    collectors: Vec<String>,
}

impl Choice {
    /// Takes an option in, if it is one of ours.
    ///
    /// # Errors
    /// When a release is no number.
    pub fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--jdk" => self.jdks = list(value)?,
            "--gc" => self.collectors = value.split(',').map(str::to_owned).collect(),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The JVMs to measure, one for each release.
    pub fn jvms(&self) -> Vec<Jvm> {
        let mut seen = Vec::new();
        let mut found = jvms::at_hand();
        found.retain(|jvm| {
            let wanted = self.jdks.is_empty() || self.jdks.contains(&jvm.version);
            let fresh = wanted && !seen.contains(&jvm.version);
            seen.push(jvm.version);
            fresh
        });
        found
    }

    /// The collectors to measure `jvm` with: the requested ones, or `usual`, as far as the JVM has them.
    pub fn collectors(&self, jvm: &Jvm, usual: &[&str]) -> Vec<Collector> {
        let wanted = |name: &str| match self.collectors.is_empty() {
            true => usual.contains(&name),
            false => self.collectors.iter().any(|asked| asked == name),
        };
        COLLECTORS.into_iter().filter(|each| wanted(each.name) && jvm.accepts(each.switches)).collect()
    }
}

/// A number, which may contain underscores.
///
/// # Errors
/// When it is not a number.
pub fn number<N: FromStr>(text: &str) -> Result<N, OptionError> {
    text.replace('_', "").parse().map_err(|_| OptionError::NoNumber(text.to_owned()))
}

/// Numbers separated by commas.
///
/// # Errors
/// When one is not a number.
pub fn list<N: FromStr>(text: &str) -> Result<Vec<N>, OptionError> {
    text.split(',').map(number).collect()
}
