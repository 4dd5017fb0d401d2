//! One file: `key = value` for every verb that has the option, and a table for each verb, as in `[watch]`.

use super::error::{ConfigError, Expected};
use super::layers::{Origin, Setting};
use super::options::{self, OptionOf, VERBS};
use clap::Command;
use rustix::process::geteuid;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Longest file in bytes.
const MOST_BYTES: u64 = 64 * 1024;
/// Names that differ more are no slips of the finger.
const NEAR: f64 = 0.7;

/// The settings of a file, by verb and key.
pub(super) type Settings = BTreeMap<(String, String), Setting>;

/// Reads the file that the user names.
pub(super) fn read(path: &Path, command: &Command) -> Result<Settings, ConfigError> {
    let unreadable = |error| ConfigError::Unreadable { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(ConfigError::TooLarge { path: path.to_owned(), limit: MOST_BYTES });
    }
    let text = String::from_utf8(bytes).map_err(|_| ConfigError::NoText { path: path.to_owned() })?;
    parse(path, &text, command)
}

/// Reads a file at one of the usual places, if it is there. It may name a library that is loaded into other programs:
/// nobody else may have written it.
pub(super) fn read_found(path: &Path, command: &Command) -> Result<Settings, ConfigError> {
    const WRITE_FOR_OTHERS: u32 = 0o022;
    let Ok(found) = fs::metadata(path) else { return Ok(Settings::new()) };
    if !found.is_file() {
        return Ok(Settings::new());
    }
    if found.uid() != geteuid().as_raw() && found.uid() != 0 {
        return Err(ConfigError::Foreign { path: path.to_owned() });
    }
    if found.mode() & WRITE_FOR_OTHERS != 0 {
        return Err(ConfigError::Writable { path: path.to_owned() });
    }
    read(path, command)
}

fn parse(path: &Path, text: &str, command: &Command) -> Result<Settings, ConfigError> {
    let line_of = |at: usize| text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(span.start));
        ConfigError::NoToml { path: path.to_owned(), line, fault: error.message().to_owned() }
    })?;
    let origin = |at: usize| Origin::File { path: path.to_owned(), line: line_of(at) };
    let mut settings = Settings::new();
    // Tables later, so that they count before the keys of all verbs.
    let (tables, keys): (Vec<_>, Vec<_>) =
        table.get_ref().iter().partition(|(_, value)| matches!(value.get_ref(), DeValue::Table(_)));
    for (key, value) in keys {
        let origin = origin(key.span().start);
        let of_verbs: Vec<_> =
            VERBS.iter().flat_map(|verb| named(command, verb, key.get_ref()).map(|o| (*verb, o))).collect();
        if of_verbs.is_empty() {
            let known = VERBS.iter().flat_map(|verb| options::of(command, verb)).map(|option| option.key().to_owned());
            return Err(unknown_key(origin, key.get_ref(), known.collect()));
        }
        for (verb, option) in of_verbs {
            let setting = setting(&option, value, origin.clone())?;
            settings.insert((verb.to_owned(), option.key().to_owned()), setting);
        }
    }
    for (name, value) in tables {
        let DeValue::Table(keys) = value.get_ref() else { continue };
        let verb = name.get_ref().as_ref();
        if !VERBS.contains(&verb) {
            let near = nearest(verb, VERBS.iter().map(ToString::to_string).collect());
            let near = near.map(|near| format!("[{near}]"));
            return Err(ConfigError::UnknownTable {
                origin: origin(name.span().start),
                table: format!("[{verb}]"),
                near,
            });
        }
        for (key, value) in keys {
            let origin = origin(key.span().start);
            let Some(option) = named(command, verb, key.get_ref()) else {
                let known = options::of(command, verb).iter().map(|option| option.key().to_owned()).collect();
                return Err(unknown_key(origin, key.get_ref(), known));
            };
            let setting = setting(&option, value, origin)?;
            settings.insert((verb.to_owned(), option.key().to_owned()), setting);
        }
    }
    Ok(settings)
}

fn named(command: &Command, verb: &str, key: &str) -> Option<OptionOf> {
    options::of(command, verb).into_iter().find(|option| option.key() == key)
}

fn unknown_key(origin: Origin, key: &str, known: Vec<String>) -> ConfigError {
    ConfigError::UnknownKey { origin, key: key.to_owned(), near: nearest(key, known) }
}

fn nearest(word: &str, known: Vec<String>) -> Option<String> {
    let rated = known.into_iter().map(|name| (strsim::jaro_winkler(word, &name), name));
    rated.filter(|(likeness, _)| *likeness >= NEAR).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, name)| name)
}

fn setting(option: &OptionOf, value: &Spanned<DeValue<'_>>, origin: Origin) -> Result<Setting, ConfigError> {
    let texts = match value.get_ref() {
        DeValue::Array(values) if option.is_list() => values.iter().map(|one| text(option, one.get_ref())).collect(),
        one => text(option, one).map(|text| vec![text]),
    };
    let texts = texts.map_err(|expected| ConfigError::WrongType {
        origin: origin.clone(),
        key: option.key().to_owned(),
        expected,
    })?;
    for text in &texts {
        option.check(text.as_ref()).map_err(|fault| ConfigError::WrongValue { origin: origin.clone(), fault })?;
    }
    Ok(Setting { values: texts.into_iter().map(Into::into).collect(), origin })
}

/// The text of one value, or what is expected instead.
fn text(option: &OptionOf, value: &DeValue<'_>) -> Result<String, Expected> {
    match value {
        DeValue::Boolean(value) if option.is_flag() => Ok(value.to_string()),
        _ if option.is_flag() => Err(Expected::Flag),
        DeValue::String(text) if !option.is_count() => Ok(text.clone().into_owned()),
        DeValue::Integer(number) => Ok(number.to_string()),
        _ if option.is_count() => Err(Expected::Count),
        _ if option.is_list() => Err(Expected::List),
        _ => Err(Expected::Text),
    }
}
