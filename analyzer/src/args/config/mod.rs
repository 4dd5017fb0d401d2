//! Options from files and from the environment. A flag of the command line counts before a variable, a variable before
//! a file, a file before the default.
//!
//! [`file`] reads a file, [`options`] holds the options that may stand there, [`layers`] finds each value with its
//! origin. [`arguments`] adds these values to the command line as if they had been typed, so that they obey all its
//! rules.

mod error;
mod file;
mod layers;
mod options;

pub(crate) use layers::Layers;
pub(crate) use options::{OptionOf, VERBS, of as options_of};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use std::ffi::{OsStr, OsString};

/// The command line with the options that files and the environment add to it.
pub(super) fn arguments(
    command: &Command,
    typed: &[OsString],
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    let plain = match command.clone().try_get_matches_from(typed) {
        // What is missing may stand in a file.
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => {
            command.clone().ignore_errors(true).try_get_matches_from(typed)?
        }
        other => other?,
    };
    let Some((verb, matches)) = plain.subcommand().filter(|(verb, _)| VERBS.contains(verb)) else {
        return Ok(typed.to_vec());
    };
    let explicit = plain.get_one::<std::path::PathBuf>("config").map(|path| path.as_os_str().to_owned());
    let layers = Layers::load(command, explicit.as_deref(), environment)
        .map_err(|error| command.clone().error(ErrorKind::ValueValidation, error))?;
    let added = added(command, verb, matches, &layers);
    let mut all = typed.to_vec();
    let at = position(typed, verb);
    all.splice(at..at, added);
    Ok(all)
}

/// Options that the layers set and the command line does not, as arguments.
fn added(command: &Command, verb: &str, matches: &ArgMatches, layers: &Layers) -> Vec<OsString> {
    let options = options::of(command, verb);
    let is_typed = |option: &OptionOf| matches.value_source(option.id()) == Some(ValueSource::CommandLine);
    let typed: Vec<&OptionOf> = options.iter().filter(|option| is_typed(option)).collect();
    let is_free = |option: &&OptionOf| !typed.iter().any(|other| other.id() == option.id() || excludes(other, option));
    let found = options.iter().filter(is_free).filter_map(|option| Some((option, layers.of(verb, option)?)));
    found.flat_map(|(option, setting)| setting.values.iter().flat_map(|value| option.arguments(value))).collect()
}

/// `-v` on the command line counts before `quiet` in a file, and the reverse.
fn excludes(typed: &OptionOf, other: &OptionOf) -> bool {
    matches!((typed.id(), other.id()), ("verbose", "quiet") | ("quiet", "verbose"))
}

/// Index behind the verb.
fn position(typed: &[OsString], verb: &str) -> usize {
    let mut is_file = false;
    for (at, argument) in typed.iter().enumerate().skip(1) {
        if !is_file && argument == verb {
            return at + 1;
        }
        is_file = !is_file && argument == "--config";
    }
    typed.len()
}

/// Whether an option is a flag, which has no value of its own.
fn is_flag(action: &ArgAction) -> bool {
    matches!(action, ArgAction::SetTrue)
}

/// Whether a variable or a file says yes.
fn is_true(value: &OsStr) -> bool {
    value == "true"
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
