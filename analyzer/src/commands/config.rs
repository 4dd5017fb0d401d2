//! `rootbound config`: a file of options to begin with, or the options in effect with their origins.

use crate::args::config::{Layers, VERBS, options_of};
use crate::args::{Cli, ConfigArgs};
use anyhow::Context;
use clap::CommandFactory;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Prints what is asked for.
pub(crate) fn config(args: &ConfigArgs, file: Option<&Path>) -> anyhow::Result<ExitCode> {
    let verbs: Vec<&str> =
        VERBS.into_iter().filter(|verb| args.verb.as_deref().is_none_or(|one| one == *verb)).collect();
    let text = if args.show {
        let environment = |name: &str| std::env::var_os(name);
        let layers = Layers::load(&Cli::command(), file.map(Path::as_os_str), &environment)?;
        verbs.iter().map(|verb| shown(verb, &layers)).collect::<Vec<_>>().join("\n")
    } else {
        verbs.iter().map(|verb| template(verb)).collect::<Vec<_>>().join("\n")
    };
    std::io::stdout().lock().write_all(text.as_bytes()).context("cannot write to standard output")?;
    Ok(ExitCode::SUCCESS)
}

/// `max-pause  500ms  default`, one line for each option.
fn shown(verb: &str, layers: &Layers) -> String {
    let row = |option: &crate::args::config::OptionOf| {
        let (value, origin) = match layers.of(verb, option) {
            Some(setting) => {
                let values: Vec<_> = setting.values.iter().map(|value| value.to_string_lossy()).collect();
                (values.join(", "), setting.origin.to_string())
            }
            None if option.is_flag() => ("false".to_owned(), "default".to_owned()),
            None => (option.default().unwrap_or_else(|| "–".to_owned()), "default".to_owned()),
        };
        [option.key().to_owned(), value, origin]
    };
    let rows: Vec<[String; 3]> = options_of(&Cli::command(), verb).iter().map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    let mut text = format!("rootbound {verb}\n");
    for [key, value, origin] in &rows {
        // Writing into a string does not fail.
        let _written = writeln!(text, "  {key:first$}  {value:second$}  {origin}");
    }
    text
}

/// The options as comments of a file, each under its help.
fn template(verb: &str) -> String {
    let mut text = format!("[{verb}]\n");
    for option in options_of(&Cli::command(), verb) {
        let value = match option.default() {
            _ if option.is_flag() => "false".to_owned(),
            _ if option.is_count() => "0".to_owned(),
            Some(default) if default.parse::<u64>().is_ok() => default,
            Some(default) => format!("\"{default}\""),
            None => "\"\"".to_owned(),
        };
        let help =
            textwrap::fill(&option.help(), textwrap::Options::new(100).initial_indent("# ").subsequent_indent("# "));
        let _written = writeln!(text, "{help}\n#{} = {value}\n", option.key());
    }
    text
}
