//! Every option from every layer, the order of the layers, and the messages for what is wrong.

use super::super::{Cli, Verb};
use super::*;
use clap::{CommandFactory, Parser};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The environment without files of the user's.
fn none(_: &str) -> Option<OsString> {
    None
}

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').map(OsString::from).collect()
}

/// The arguments with the options of a file and of variables.
fn with(line: &str, file: &str, variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.toml");
    fs::write(&path, file).unwrap();
    let variables: BTreeMap<&str, &str> = variables.iter().copied().collect();
    let environment = |name: &str| match name {
        "ROOTBOUND_CONFIG" => Some(path.clone().into_os_string()),
        other => variables.get(other).map(OsString::from),
    };
    let all = arguments(&Cli::command(), &words(line), &environment);
    let text = |all: Vec<OsString>| all.into_iter().map(|word| word.into_string().unwrap()).collect();
    all.map(text).map_err(|error| error.to_string().replace(&path.display().to_string(), "some.toml"))
}

/// A value that the option accepts.
fn sample(option: &OptionOf) -> &'static str {
    let samples = ["true", "1", "7s", "in-process", "leakbot", "grower", "auto", "unix:/run/x.sock"];
    samples.into_iter().find(|sample| option.check(OsStr::new(sample)).is_ok()).unwrap()
}

fn line_of(option: &OptionOf, value: &str) -> String {
    let bare = option.is_flag() || option.is_count();
    if bare { format!("{} = {value}", option.key()) } else { format!("{} = \"{value}\"", option.key()) }
}

#[test]
fn every_option_of_every_verb_that_watches_is_configurable_in_a_file_and_in_the_environment() {
    let command = Cli::command();
    let mut count = 0;
    for verb in VERBS {
        let line = if verb == "replay" { "rootbound replay file" } else { &format!("rootbound {verb}") };
        let line = if verb == "run" { "rootbound run -- java" } else { line };
        for option in options::of(&command, verb) {
            let value = sample(&option);
            let expected = option.arguments(OsStr::new(value));
            let expected = expected.iter().map(|word| word.to_str().unwrap());
            let expected: Vec<String> =
                line.split(' ').take(2).chain(expected).chain(line.split(' ').skip(2)).map(str::to_owned).collect();
            // `--leave-running` needs the other option, too.
            let table = format!("[{verb}]\n{}", line_of(&option, value));
            assert_eq!(with(line, &table, &[]), Ok(expected.clone()), "{verb} {}", option.key());
            assert_eq!(with(line, &line_of(&option, value), &[]), Ok(expected.clone()), "{verb} {}", option.key());
            let variable = option.variable();
            assert_eq!(with(line, "", &[(&variable, value)]), Ok(expected), "{verb} {variable}");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    let known: Vec<String> = options::of(&command, "run").iter().map(|option| option.key().to_owned()).collect();
    for key in ["for", "max-pause", "json", "leave-running", "agent", "explain", "verbose", "quiet", "tick"] {
        assert!(known.iter().any(|other| other == key), "{key}: {known:?}");
    }
}

#[test]
fn a_flag_counts_before_a_variable_a_variable_before_a_table_and_a_table_before_a_key() {
    let file = "for = '1m'\n[watch]\nfor = '2m'\n";
    let said = |line, variables: &[(&str, &str)]| with(line, file, variables).unwrap()[2..].to_vec();
    assert_eq!(said("rootbound attach 1", &[]), ["--for=1m", "1"]);
    assert_eq!(said("rootbound watch", &[]), ["--for=2m"]);
    assert_eq!(said("rootbound watch", &[("ROOTBOUND_FOR", "3m")]), ["--for=3m"]);
    assert_eq!(said("rootbound watch", &[("ROOTBOUND_FOR", "")]), ["--for=2m"], "an empty variable is none");
    assert_eq!(said("rootbound watch --for 4m", &[("ROOTBOUND_FOR", "3m")]), ["--for", "4m"]);
    assert_eq!(said("rootbound replay x", &[("ROOTBOUND_FOR", "3m")]), ["x"], "it has no such option");
}

#[test]
fn a_typed_option_removes_one_that_it_excludes_and_needs_may_be_met_elsewhere() {
    assert_eq!(
        with("rootbound -v watch", "quiet = true", &[]),
        Ok(vec!["rootbound".into(), "-v".into(), "watch".into()])
    );
    let all = with("rootbound run --leave-running -- java", "for = '9m'", &[]).unwrap();
    let cli = Cli::try_parse_from(all).unwrap();
    let Verb::Run(run) = cli.command else { panic!("another verb") };
    assert!(run.leave_running && run.live.run_for == Some(Duration::from_secs(540)));
    let missing = with("rootbound run --leave-running -- java", "", &[]);
    assert!(missing.is_ok(), "the parser itself complains: {missing:?}");
}

#[test]
fn an_option_that_may_be_repeated_is_a_list_in_a_file() {
    let all = with("rootbound watch", "source-root = ['a', 'b']\nfail-on = 'grower'", &[]).unwrap();
    assert_eq!(all[2..], ["--fail-on=grower", "--source-root=a", "--source-root=b"]);
    let all = with("rootbound watch", "", &[("ROOTBOUND_FAIL_ON", "grower,growth>10MB/h")]).unwrap();
    assert_eq!(all[2..], ["--fail-on=grower,growth>10MB/h"]);
    let error = with("rootbound watch", "fail-on = 'grower,flowers'", &[]).unwrap_err();
    assert!(error.contains("some.toml:1: invalid value 'flowers' for '--fail-on"), "{error}");
}

#[test]
fn what_the_program_gets_is_not_touched() {
    let all = with("rootbound run java --for 3s", "for = '9m'", &[]).unwrap();
    assert_eq!(all, ["rootbound", "run", "--for=9m", "java", "--for", "3s"]);
    let all = with("rootbound -q run -- run", "plain = true", &[]).unwrap();
    assert_eq!(all, ["rootbound", "-q", "run", "--plain", "--", "run"]);
}

#[test]
fn whatever_is_wrong_is_an_error_with_its_place() {
    for (file, message) in [
        ("plain = true\nmax-puase = '1s'", "some.toml:2: there is no option max-puase; did you mean max-pause?"),
        ("[watch]\nleave-running = true", "some.toml:2: there is no option leave-running"),
        ("[wach]\nfor = '1s'", "some.toml:1: there are no options of [wach]; did you mean [watch]?"),
        ("\nfor = 'soon'", "some.toml:2: invalid value 'soon' for '--for"),
        ("for = 10", "write 500ms, 10s, 5m or 1h 30m"),
        ("plain = 'yes'", "some.toml:1: plain must be true or false"),
        ("json = ['a']", "json must be a text in quotation marks, or a number"),
        ("capture = 'magic'", "in-process"),
        ("verbose = 7", "it must be 0, 1 or 2"),
        ("for = ", "some.toml:1: "),
        ("for = '1s'\nfor = '2s'", "some.toml:2: "),
    ] {
        let error = with("rootbound watch", file, &[]).unwrap_err();
        assert!(error.contains(message), "{file}: {error}");
    }
    let error = with("rootbound watch", "", &[("ROOTBOUND_MAX_PAUSE", "0s")]).unwrap_err();
    assert!(error.contains("ROOTBOUND_MAX_PAUSE: invalid value '0s' for '--max-pause"), "{error}");
    let error = with("rootbound watch", &"#".repeat(70_000), &[]).unwrap_err();
    assert!(error.contains("larger than 65536 bytes"), "{error}");
}

#[test]
fn a_file_that_is_named_must_be_there_and_none_means_no_file() {
    let command = Cli::command();
    let error = arguments(&command, &words("rootbound watch --config /nowhere.toml"), &none).unwrap_err();
    assert!(error.to_string().contains("cannot read /nowhere.toml"), "{error}");
    assert!(arguments(&command, &words("rootbound --config none watch"), &none).is_ok());
    assert!(arguments(&command, &words("rootbound suspects x --config /nowhere.toml"), &none).is_ok());
}

#[test]
fn a_found_file_that_others_may_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rootbound/config.toml");
    fs::create_dir(path.parent().unwrap_or(Path::new("."))).unwrap();
    fs::write(&path, "for = '1m'").unwrap();
    let environment = |name: &str| (name == "XDG_CONFIG_HOME").then(|| folder.path().as_os_str().to_owned());
    let load = || arguments(&Cli::command(), &words("rootbound watch"), &environment);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(load().unwrap()[2], "--for=1m");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
    assert!(load().unwrap_err().to_string().contains("others than you may write it"));
}
