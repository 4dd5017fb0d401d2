//! The value of each option with its origin: a variable, then a file in the working folder, then one of the user.

use super::error::ConfigError;
use super::file::{self, Settings};
use super::options::{self, OptionOf, VERBS};
use clap::Command;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

/// The file in the working folder.
const LOCAL: &str = "./rootbound.toml";
/// As a value of `--config`: no file.
const NO_FILE: &str = "none";

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    File { path: PathBuf, line: usize },
    Variable(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(out, "{}:{line}", path.display()),
            Self::Variable(name) => out.write_str(name),
        }
    }
}

/// The values of an option, one except for lists, with their origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) values: Vec<OsString>,
    pub(crate) origin: Origin,
}

/// All values from files and variables.
#[derive(Debug, Default)]
pub(crate) struct Layers(Settings);

impl Layers {
    /// Reads all layers. `named` is the file that the user names, which then is the only one.
    ///
    /// # Errors
    /// The first fault, with its place. Nothing wrong is passed over.
    pub(crate) fn load(
        command: &Command,
        named: Option<&OsStr>,
        environment: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, ConfigError> {
        let named = named.map(OsStr::to_owned).or_else(|| environment("ROOTBOUND_CONFIG"));
        let mut settings = match named.filter(|name| !name.is_empty()) {
            Some(name) if name == NO_FILE => Settings::new(),
            Some(name) => file::read(Path::new(&name), command)?,
            None => Self::found(command, environment)?,
        };
        for verb in VERBS {
            for option in options::of(command, verb) {
                let name = option.variable();
                if let Some(value) = environment(&name).filter(|value| !value.is_empty()) {
                    let origin = Origin::Variable(name);
                    option.check(&value).map_err(|fault| ConfigError::WrongValue { origin: origin.clone(), fault })?;
                    settings
                        .insert((verb.to_owned(), option.key().to_owned()), Setting { values: vec![value], origin });
                }
            }
        }
        Ok(Self(settings))
    }

    /// The files at the usual places; the one in the working folder counts before the user's.
    fn found(command: &Command, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Settings, ConfigError> {
        let mut settings = match users_file(environment) {
            Some(path) => file::read_found(&path, command)?,
            None => Settings::new(),
        };
        settings.extend(file::read_found(Path::new(LOCAL), command)?);
        Ok(settings)
    }

    /// The value of an option, if a layer sets it.
    pub(crate) fn of(&self, verb: &str, option: &OptionOf) -> Option<&Setting> {
        self.0.get(&(verb.to_owned(), option.key().to_owned()))
    }
}

/// `$XDG_CONFIG_HOME/rootbound/config.toml`, otherwise `~/.config/rootbound/config.toml`.
fn users_file(environment: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| environment(name).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = folder("XDG_CONFIG_HOME").or_else(|| Some(folder("HOME")?.join(".config")))?;
    Some(folder.join("rootbound/config.toml"))
}
