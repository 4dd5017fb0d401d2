//! The options behind the name of a bench. Each bench has defaults of its own.

use crate::scenes::{SCENES, Scene};
use e2e::jvms::{Collector, Jvm};
use e2e::measure::choice::{Choice, list, number};
use e2e::measure::command_line;
use e2e::measure::option_error::OptionError;

/// The requested options.
#[derive(Clone, Debug, Default)]
pub struct Options {
    choice: Choice,
    scenes: Vec<String>,
    pub captures: Option<usize>,
    pub rooms_mb: Vec<u64>,
}

impl Options {
    /// Every JVM with each of its collectors.
    pub fn cells(&self, usual: &[&str]) -> Vec<(Jvm, Collector)> {
        let of = |jvm: Jvm| self.choice.collectors(&jvm, usual).into_iter().map(move |each| (jvm.clone(), each));
        self.choice.jvms().into_iter().flat_map(of).collect()
    }

    /// The requested scenes, otherwise all.
    pub fn scenes(&self) -> Vec<&'static Scene> {
        let wanted = |scene: &&Scene| self.scenes.is_empty() || self.scenes.iter().any(|name| name == scene.name);
        SCENES.iter().filter(wanted).collect()
    }
}

impl command_line::Options for Options {
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError> {
        match key {
            "--captures" => self.captures = Some(number(value)?),
            "--scene" => self.scenes = value.split(',').map(str::to_owned).collect(),
            "--room" => self.rooms_mb = list(value)?,
            _ => return self.choice.take(key, value),
        }
        Ok(true)
    }
}
