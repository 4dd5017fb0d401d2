//! The options that files and the environment may set: all long options of the verbs that watch or replay.

use super::error::WrongValue;
use super::{is_flag, is_true};
use clap::{Arg, ArgAction, Command};
use std::ffi::{OsStr, OsString};

/// The verbs that files and the environment configure.
pub(crate) const VERBS: [&str; 4] = ["run", "watch", "attach", "replay"];

/// One option of a verb.
#[derive(Clone, Debug)]
pub(crate) struct OptionOf {
    arg: Arg,
    long: String,
}

/// All options of a verb, in the order of its help.
pub(crate) fn of(command: &Command, verb: &str) -> Vec<OptionOf> {
    let own = command.find_subcommand(verb).into_iter().flat_map(Command::get_arguments);
    let global = command.get_arguments().filter(|arg| arg.is_global_set());
    let option = |arg: &Arg| Some(OptionOf { long: arg.get_long()?.to_owned(), arg: arg.clone() });
    let mut options: Vec<OptionOf> = own.chain(global).filter_map(option).collect();
    options.retain(|option| !["help", "version", "config"].contains(&option.long.as_str()));
    options
}

impl OptionOf {
    /// Its id for clap.
    pub(crate) fn id(&self) -> &str {
        self.arg.get_id().as_str()
    }

    /// Its long name without dashes: the key of files.
    pub(crate) fn key(&self) -> &str {
        &self.long
    }

    /// Its variable: `ROOTBOUND_MAX_PAUSE`.
    pub(crate) fn variable(&self) -> String {
        format!("ROOTBOUND_{}", self.long.replace('-', "_").to_uppercase())
    }

    /// Whether it is true or false.
    pub(crate) fn is_flag(&self) -> bool {
        is_flag(self.arg.get_action())
    }

    /// Whether its value is the number of its repetitions.
    pub(crate) fn is_count(&self) -> bool {
        matches!(self.arg.get_action(), ArgAction::Count)
    }

    /// Whether it may be given several times.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.arg.get_action(), ArgAction::Append)
    }

    /// The default, where it does not depend on other options.
    pub(crate) fn default(&self) -> Option<String> {
        let values: Vec<_> = self.arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        (!values.is_empty() && !self.is_count()).then(|| values.join(","))
    }

    /// The first sentence of its help.
    pub(crate) fn help(&self) -> String {
        self.arg.get_help().map(ToString::to_string).unwrap_or_default()
    }

    /// Checks a value; the error is that of the command line, in one line.
    pub(crate) fn check(&self, value: &OsStr) -> Result<(), WrongValue> {
        if self.is_flag() {
            return if value == "true" || value == "false" { Ok(()) } else { Err(self.wrong(value, "true or false")) };
        }
        if self.is_count() {
            let is_known = ["0", "1", "2"].iter().any(|known| value == *known);
            return if is_known { Ok(()) } else { Err(self.wrong(value, "0, 1 or 2")) };
        }
        // The option alone: what it requires or excludes is checked with the whole command line.
        let alone = Arg::new("value").long("value").value_parser(self.arg.get_value_parser().clone());
        let alone = match self.arg.get_value_delimiter() {
            Some(delimiter) => alone.action(ArgAction::Append).value_delimiter(delimiter),
            None => alone,
        };
        let alone = Command::new("rootbound").no_binary_name(true).disable_help_flag(true).arg(alone);
        let mut given = OsString::from("--value=");
        given.push(value);
        alone.try_get_matches_from([given]).map(drop).map_err(|error| {
            let text = error.to_string();
            let fault: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
            let fault = fault.join(" ");
            let fault = fault.trim_start_matches("error: ").replace("--value <value>", &format!("--{}", self.long));
            WrongValue::Refused(fault)
        })
    }

    fn wrong(&self, value: &OsStr, expected: &'static str) -> WrongValue {
        WrongValue::Unexpected { value: value.to_string_lossy().into_owned(), option: self.long.clone(), expected }
    }

    /// The arguments that set this value.
    pub(super) fn arguments(&self, value: &OsStr) -> Vec<OsString> {
        let name = format!("--{}", self.long);
        if self.is_flag() {
            return if is_true(value) { vec![name.into()] } else { Vec::new() };
        }
        if self.is_count() {
            let count = value.to_str().and_then(|text| text.parse().ok()).unwrap_or(0);
            return vec![name.into(); count];
        }
        let mut argument = OsString::from(name + "=");
        argument.push(value);
        vec![argument]
    }
}
