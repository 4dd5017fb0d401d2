//! Bad input gets a clear message on standard error: exit status 2 for a wrong command line, 1 for a failure.

use e2e::process::{Ended, Scratch};
use e2e::watching::rootbound;
use std::time::Duration;

fn saying(arguments: &[&str]) -> Ended {
    let scratch = Scratch::new();
    scratch.spawn("usage", rootbound(arguments)).wait(Duration::from_secs(20))
}

fn is_refused(arguments: &[&str], word: &str) {
    let ended = saying(arguments);
    assert_eq!(ended.code(), Some(2), "{arguments:?}: {}", ended.stderr);
    assert!(ended.stderr.contains(word), "{arguments:?} should name {word}: {}", ended.stderr);
    assert_eq!(ended.stdout, "", "results go to standard output, complaints do not");
}

#[test]
fn an_unknown_command_is_named() {
    is_refused(&["wach"], "wach");
}

#[test]
fn an_unknown_option_is_named() {
    is_refused(&["run", "--colour", "--", "java"], "--colour");
}

#[test]
fn run_without_a_program_is_refused() {
    is_refused(&["run"], "required");
}

#[test]
fn a_duration_that_is_none_is_named() {
    is_refused(&["run", "--for", "soon", "--", "java"], "soon");
}

#[test]
fn an_address_of_no_known_kind_is_named() {
    is_refused(&["watch", "--listen", "pigeon:post"], "pigeon");
}

#[test]
fn something_to_fail_on_that_does_not_exist_is_named() {
    is_refused(&["run", "--fail-on", "flowers", "--", "java"], "flowers");
}

#[test]
fn a_gate_without_time_for_a_verdict_is_refused_and_the_least_is_named() {
    is_refused(&["run", "--for", "12s", "--fail-on", "grower", "--", "java"], "--for 35s");
    is_refused(&["watch", "--for", "1m", "--mark-after", "2m", "--fail-on", "grower"], "at least");
}

#[test]
fn a_gate_to_which_no_jvm_comes_has_judged_nothing() {
    let ended = saying(&["run", "--fail-on", "grower", "--", "true"]);
    assert_eq!(ended.code(), Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing was judged"), "{}", ended.stderr);
    let ended = saying(&["run", "--", "true"]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
}

#[test]
fn standard_output_is_the_json_alone_where_it_is_asked_for() {
    let ended = saying(&["run", "--json", "-", "--", "echo", "the program speaks"]);
    assert!(ended.stdout.starts_with('{') && ended.stdout.ends_with("}\n"), "{}", ended.stdout);
    assert!(ended.stderr.contains("the program speaks"), "{}", ended.stderr);
}

#[test]
fn a_quiet_run_prints_what_the_program_prints() {
    let ended = saying(&["-q", "run", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    assert_eq!((ended.code(), ended.stdout.as_str()), (Some(7), "out\n"));
    assert!(ended.stderr.starts_with("err\n"), "{}", ended.stderr);
}

#[test]
fn watch_says_at_once_how_to_bring_a_jvm_to_it() {
    let ended = saying(&["watch", "--listen", "tcp:localhost:1"]);
    assert_eq!(ended.code(), Some(1), "TCP needs a token: {}", ended.stderr);
    let scratch = Scratch::new();
    let endpoint = format!("unix:{}", scratch.file("a.sock").display());
    let watch = scratch.spawn("watch", rootbound(["watch", "--for", "1s", "--listen", &endpoint]));
    let ended = watch.wait(Duration::from_secs(20));
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    let option = format!("librootbound_agent.so=connect={endpoint}");
    assert!(ended.stderr.contains("-agentpath:") && ended.stderr.contains(&option), "{}", ended.stderr);
}

#[test]
fn an_agent_library_that_is_not_there_is_a_failure_that_names_it() {
    let ended = saying(&["run", "--agent", "/nowhere/librootbound_agent.so", "--", "java", "-version"]);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("/nowhere/librootbound_agent.so"), "{}", ended.stderr);
}

#[test]
fn a_program_that_does_not_exist_is_a_failure_that_names_it() {
    let ended = saying(&["run", "--", "no-such-program"]);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("no-such-program"), "{}", ended.stderr);
}

#[test]
fn a_recording_that_does_not_exist_is_a_failure_that_names_it() {
    let ended = saying(&["replay", "/nowhere/recording.rb"]);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("/nowhere/recording.rb"), "{}", ended.stderr);
}

#[test]
fn a_wrong_option_in_a_file_or_a_variable_is_named_with_its_place() {
    let scratch = Scratch::new();
    let file = scratch.file("some.toml");
    std::fs::write(&file, "plain = true\nmax-puase = '1s'\n").unwrap();
    is_refused(&["watch", "--config", file.to_str().unwrap()], "some.toml:2: there is no option max-puase");
    let mut command = rootbound(["watch"]);
    command.env("ROOTBOUND_MAX_PAUSE", "soon");
    let ended = scratch.spawn("variable", command).wait(Duration::from_secs(20));
    assert_eq!(ended.code(), Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("ROOTBOUND_MAX_PAUSE: invalid value 'soon'"), "{}", ended.stderr);
}

#[test]
fn the_options_in_effect_are_printed_with_their_origins() {
    let scratch = Scratch::new();
    let file = scratch.file("some.toml");
    std::fs::write(&file, "for = '10m'\n").unwrap();
    let mut command = rootbound(["config", "watch", "--show", "--config", file.to_str().unwrap()]);
    command.env("ROOTBOUND_JSON", "report.json");
    let shown = scratch.spawn("config", command).wait(Duration::from_secs(20)).stdout;
    let line = |key: &str| {
        let line = shown.lines().find(|line| line.split_whitespace().next() == Some(key)).unwrap_or_default();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("for"), format!("10m {}:1", file.display()));
    assert_eq!(line("json"), "report.json ROOTBOUND_JSON");
    assert_eq!(line("max-pause"), "500ms default");
    assert_eq!(line("record"), "– default");
}

#[test]
fn a_snapshot_of_a_jvm_that_nobody_watches_is_a_failure_that_says_so() {
    let scratch = Scratch::new();
    let mut command = rootbound(["mark", "4711"]);
    command.env("XDG_RUNTIME_DIR", scratch.folder());
    let ended = scratch.spawn("mark", command).wait(Duration::from_secs(20));
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("rootbound attach PID"), "{}", ended.stderr);
}

#[test]
fn help_goes_to_standard_output_and_is_no_error() {
    let ended = saying(&["--help"]);
    assert_eq!(ended.code(), Some(0));
    assert!(["run", "watch", "replay"].iter().all(|command| ended.stdout.contains(command)), "{}", ended.stdout);
}
