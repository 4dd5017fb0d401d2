//! The check for continuous integration on real JVMs: what fails a build, what is known, and the forms for build
//! servers. `docs/continuous-integration.md` has the commands that are run here.
#![allow(clippy::unwrap_used, clippy::expect_used)] // Helpers of tests may panic as tests do.

use e2e::expect::Expectation;
use e2e::java::Program;
use e2e::process::{Ended, Scratch};
use e2e::watching::{GRACE, java_line, rootbound};
use e2e::{jni_check, places, slots};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

/// Two structures of this app grow fast; it is watched to the first certain verdict.
const LEAKING: &str = "leaking/simpleleaker";
const WATCHED: Duration = Duration::from_secs(60);

/// The files of one `rootbound run` over a leaking program.
struct Watched {
    folder: tempfile::TempDir,
    ended: Ended,
}

impl Watched {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn report(&self) -> Value {
        json(&self.file("report.json"))
    }
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).unwrap()
}

fn sources() -> PathBuf {
    places::workspace().join("java-test-apps").join(LEAKING)
}

/// One run serves all tests that need a stored report.
fn watched() -> &'static Watched {
    static WATCHED_ONCE: OnceLock<Watched> = OnceLock::new();
    WATCHED_ONCE.get_or_init(|| {
        let _slot = slots::take();
        let scratch = Scratch::new();
        let folder = tempfile::tempdir().unwrap();
        let mut command = rootbound(["run", "--for", "60s", "--fail-on", "grower", "--annotations", "github"]);
        for (option, file) in
            [("--json", "report.json"), ("--record", "run.rootbound"), ("--sarif", "a.sarif"), ("--junit", "a.xml")]
        {
            command.arg(option).arg(folder.path().join(file));
        }
        command.arg("--source-root").arg(sources()).env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
        command.arg("--").args(java_line(&program(LEAKING), &[], &scratch));
        let ended = scratch.spawn("run", command).wait(WATCHED + GRACE);
        Watched { folder, ended }
    })
}

fn program(app: &str) -> Program {
    Expectation::of_app(app).program(app)
}

/// Runs a verb that needs no JVM.
fn stored(arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Ended {
    let scratch = Scratch::new();
    let mut command = rootbound(std::iter::empty::<&str>());
    command.args(arguments.iter().map(|argument| (*argument).as_ref()));
    scratch.spawn("stored", command).wait(GRACE)
}

fn render(options: &[&dyn AsRef<std::ffi::OsStr>]) -> Ended {
    let report = watched().file("report.json");
    let all: Vec<&dyn AsRef<std::ffi::OsStr>> =
        [&"render" as &dyn AsRef<std::ffi::OsStr>, &report].into_iter().chain(options.iter().copied()).collect();
    stored(&all)
}

/// The known leaks of the stored report, written by `rootbound baseline`.
fn baseline(folder: &Path, options: &[&str]) -> PathBuf {
    let (report, known) = (watched().file("report.json"), folder.join("known-leaks.toml"));
    let mut command = rootbound(["baseline"]);
    command.arg(report).args(["--reason", "SHOP-77: \"accepted\""]).args(options).arg("--known").arg(&known);
    let ended = Scratch::new().spawn("baseline", command).wait(GRACE);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    known
}

/// Growers that no other contains; what gains in step with another is a leak of its own.
fn growers(report: &Value) -> Vec<String> {
    let is_own = |one: &Value| one["within"].is_null() || one["in_step"] == true;
    let regions = report["regions"].as_array().unwrap().iter();
    let independent = regions.filter(|one| one["trend"] == "grower" && is_own(one) && one["harmless"] == false);
    independent.map(|one| one["fingerprint"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_leaking_program_fails_the_build_with_the_finding_in_the_log() {
    let watched = watched();
    assert_eq!(watched.ended.code(), Some(3), "{}\n{}", watched.ended.stdout, watched.ended.stderr);
    let out = &watched.ended.stdout;
    assert!(out.contains("Check     FAILED (--fail-on grower)"), "{out}");
    assert!(out.contains("simpleleaker.Main.integers (Vector) gains"), "{out}");
    let error = out.lines().find(|line| line.starts_with("::error ") && line.contains("Main.integers"));
    assert!(error.is_some_and(|line| line.contains("file=") && line.contains("Main.java")), "{out}");
    let summary = fs::read_to_string(watched.file("summary.md")).unwrap();
    assert!(summary.contains("simpleleaker.Main.integers"), "{summary}");
    let texts = [out, &watched.ended.stderr];
    let complaints: Vec<_> = texts.into_iter().flat_map(|text| jni_check::complaints(text)).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
}

#[test]
fn the_files_of_a_live_run_are_those_of_its_stored_report() {
    let folder = tempfile::tempdir().unwrap();
    let (sarif, junit) = (folder.path().join("a.sarif"), folder.path().join("a.xml"));
    let ended =
        render(&[&"--fail-on", &"grower", &"--sarif", &sarif, &"--junit", &junit, &"--source-root", &sources()]);
    assert_eq!(ended.code(), Some(3), "{}", ended.stderr);
    for (stored, live) in [(&sarif, "a.sarif"), (&junit, "a.xml")] {
        assert_eq!(fs::read_to_string(stored).unwrap(), fs::read_to_string(watched().file(live)).unwrap(), "{live}");
    }
    let log = json(&sarif);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let names: Vec<&str> =
        results.iter().map(|one| one["partialFingerprints"]["rootbound/1"].as_str().unwrap()).collect();
    assert_eq!(names, growers(&watched().report()), "{log:#}");
}

#[test]
fn the_junit_file_fits_the_schema_of_jenkins() {
    let validator = Program::compiled("valid-xml", &places::workspace().join("tests/java/ValidXml.java"), "ValidXml");
    let valid = |file: &Path| {
        let mut command = Command::new(&validator.launcher);
        command.arg("-cp").arg(&validator.classes).arg(&validator.main);
        command.arg(places::workspace().join("tests/data/junit-10.xsd")).arg(file);
        Scratch::new().spawn("valid", command).wait(GRACE)
    };
    let ended = valid(&watched().file("a.xml"));
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.xml");
    let text = fs::read_to_string(watched().file("a.xml")).unwrap();
    fs::write(&bad, text.replace("<testcase ", "<testcase status=\"bad\" ")).unwrap();
    assert_ne!(valid(&bad).code(), Some(0), "the schema is read");
}

#[test]
fn known_leaks_pass_and_are_reported_apart() {
    let folder = tempfile::tempdir().unwrap();
    let known = baseline(folder.path(), &["--until", "2999-01-01"]);
    let junit = folder.path().join("a.xml");
    for condition in ["grower", "new-grower"] {
        let ended = render(&[&"--fail-on", &condition, &"--known", &known, &"--junit", &junit]);
        assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains("Check     passed"), "{}", ended.stdout);
        assert!(ended.stdout.contains("until 2999-01-01 · SHOP-77: \"accepted\""), "{}", ended.stdout);
        assert!(fs::read_to_string(&junit).unwrap().contains("<skipped"));
    }
}

#[test]
fn expired_entries_fail() {
    let folder = tempfile::tempdir().unwrap();
    let known = baseline(folder.path(), &[]);
    let text = fs::read_to_string(&known).unwrap();
    let expired: Vec<&str> =
        text.lines().map(|line| if line.starts_with("until") { "until = 2020-01-01" } else { line }).collect();
    fs::write(&known, expired.join("\n")).unwrap();
    let ended = render(&[&"--fail-on", &"grower", &"--known", &known]);
    assert_eq!(ended.code(), Some(3), "{}", ended.stdout);
    assert!(ended.stdout.contains("known leak expired on 2020-01-01: SHOP-77"), "{}", ended.stdout);
}

#[test]
fn one_grower_that_is_not_known_fails_and_an_entry_without_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let known = baseline(folder.path(), &[]);
    let first = &growers(&watched().report())[0];
    let text = fs::read_to_string(&known).unwrap();
    fs::write(&known, text.replace(first, "00000000000000aa")).unwrap();
    let ended = render(&[&"--fail-on", &"new-grower", &"--known", &known]);
    assert_eq!(ended.code(), Some(3), "{}", ended.stdout);
    assert!(ended.stdout.contains(&format!("fingerprint {first}")), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("Unmatched 1 entry") && ended.stdout.contains("00000000000000aa"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_baseline_keeps_what_its_file_has_and_adds_no_structure_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known-leaks.toml");
    let own = "# By hand.\n[[known]]\nplace = \"simpleleaker.Main.integers\"\nreason = \"ours\"\n";
    fs::write(&path, own).unwrap();
    let once = fs::read_to_string(baseline(folder.path(), &[])).unwrap();
    assert!(once.starts_with(own), "{once}");
    let count = growers(&watched().report()).len();
    assert_eq!(once.matches("[[known]]").count(), count, "{once}");
    assert_eq!(fs::read_to_string(baseline(folder.path(), &[])).unwrap(), once, "a second time adds nothing");
}

#[test]
fn a_rate_is_exceeded_or_not() {
    assert_eq!(render(&[&"--fail-on", &"growth>1KB/h"]).code(), Some(3));
    assert_eq!(render(&[&"--fail-on", &"growth>100GB/h"]).code(), Some(0));
    assert_eq!(render(&[&"--fail-on", &"growth>100GB/h,grower"]).code(), Some(3));
}

#[test]
fn two_runs_are_compared_as_reports_and_as_recordings() {
    let folder = tempfile::tempdir().unwrap();
    let (report, recording) = (watched().file("report.json"), watched().file("run.rootbound"));
    let changes = folder.path().join("changes.json");
    let ended = stored(&[&"compare", &report, &recording, &"--fail-on", &"new-grower", &"--json", &changes]);
    assert_eq!(ended.code(), Some(0), "{}\n{}", ended.stdout, ended.stderr);
    let comparison = json(&changes);
    assert_eq!(comparison["schema"], "rootbound.compare/1");
    let all = comparison["structures"].as_array().unwrap();
    assert!(!all.is_empty() && all.iter().all(|one| one["change"] == "same"), "{comparison:#}");
    // Without its first grower the earlier run is one in which that did not grow yet.
    let mut earlier = watched().report();
    let regions = earlier["regions"].as_array_mut().unwrap();
    let first = regions.iter().position(|one| one["fingerprint"] == growers(&watched().report())[0].as_str()).unwrap();
    regions.remove(first);
    let before = folder.path().join("before.json");
    fs::write(&before, earlier.to_string()).unwrap();
    let ended = stored(&[&"compare", &before, &report, &"--fail-on", &"new-grower"]);
    assert_eq!(ended.code(), Some(3), "{}\n{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("1 new"), "{}", ended.stdout);
    let ended = stored(&[&"compare", &report, &before, &"--fail-on", &"new-grower"]);
    assert_eq!(ended.code(), Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("1 gone"), "{}", ended.stdout);
}

#[test]
fn nothing_judged_is_4_and_its_junit_file_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("a.xml");
    let ended = stored(&[&"run", &"--fail-on", &"grower", &"--junit", &junit, &"--", &"true"]);
    assert_eq!(ended.code(), Some(4), "{}", ended.stderr);
    let text = fs::read_to_string(&junit).unwrap();
    assert!(text.contains("<error") && text.contains("nothing was judged"), "{text}");
    let scratch = Scratch::new();
    let endpoint = format!("unix:{}", scratch.file("a.sock").display());
    let mut command = rootbound(["watch", "--for", "36s", "--fail-on", "grower", "--listen", &endpoint, "--junit"]);
    command.arg(&junit);
    fs::remove_file(&junit).unwrap();
    let ended = scratch.spawn("watch", command).wait(Duration::from_secs(36) + GRACE);
    assert_eq!(ended.code(), Some(4), "{}", ended.stderr);
    assert!(fs::read_to_string(&junit).unwrap().contains("<testsuite "));
}

#[test]
fn bad_files_are_refused_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let known = path("known.toml", "[[known]]\nplace = \"a\"\nreason = \"r\"\nuntil = tomorrow\n");
    let marker = folder.path().join("started");
    let ended = stored(&[&"run", &"--known", &known, &"--", &"touch", &marker]);
    assert_eq!(ended.code(), Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("known.toml") && ended.stderr.contains("line 4, column 9"), "{}", ended.stderr);
    assert!(!marker.exists(), "the program was started");
    for (bad, reason) in [
        (path("cut.json", "{\"schema\": \"rootbound.report/1\""), "this is not JSON"),
        (path("other.json", "{\"schema\": \"rootbound.dump/1\"}"), "rootbound.dump/1"),
        (path("empty.json", ""), "this is not JSON"),
        (path("text", "nothing of the kind"), "neither a report nor a recording"),
    ] {
        let ended = stored(&[&"render", &bad]);
        assert_eq!(ended.code(), Some(1), "{}", ended.stdout);
        assert!(ended.stderr.contains(reason), "{}: {}", bad.display(), ended.stderr);
    }
}

/// The service of the example: it is under load while it is watched.
#[test]
fn the_example_of_the_page_on_continuous_integration_fails_its_build() {
    let page = fs::read_to_string(places::workspace().join("docs/continuous-integration.md")).unwrap();
    let script = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has a script");
    let _slot = slots::take();
    let scratch = Scratch::new();
    let program = program(LEAKING);
    // The page watches for five minutes, with a service and a load of the reader's.
    let java = format!(
        "java -De2e.scratch={} -Xcheck:jni -Xmx256m -cp '{}' {}",
        scratch.folder().display(),
        program.classes.display(),
        program.main
    );
    let script = script
        .replace("java -jar shop.jar", &java)
        .replace("./load-test.sh http://localhost:8080", "true")
        .replace("--for 5m", "--for 60s")
        .replace("--source-root src/main/java", &format!("--source-root '{}'", sources().display()));
    assert!(script.contains("simpleleaker") && script.contains("--for 60s"), "{script}");
    fs::write(scratch.file("check.sh"), &script).unwrap();
    let mut command = Command::new("sh");
    let folder = places::rootbound().parent().unwrap().to_owned();
    let path = std::env::join_paths(
        std::iter::once(folder).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    command.arg(scratch.file("check.sh")).current_dir(scratch.folder()).env("PATH", path.unwrap());
    let ended = scratch.spawn("script", command).wait(WATCHED + GRACE + GRACE);
    assert_eq!(ended.code(), Some(3), "{}\n{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("simpleleaker.Main.integers (Vector) gains"), "{}", ended.stdout);
    for file in ["report.json", "growth.xml", "growth.sarif"] {
        assert!(scratch.file(file).is_file(), "{file}: {}", ended.stderr);
    }
}
